//! Weights of a model folder, memory-mapped. Only safetensors is supported, as one file or several with an index.
//!
//! Headers are read and checked against the file's size before any file is mapped. Every tensor's range must lie inside
//! the file and have exactly the number of bytes that its shape and type require.
#![allow(unsafe_code)] // Memory mapping; each block says why it is sound.

use crate::{Error, Result, files};
use lexforge_domain::Code;
use lexforge_files::name_of;
use memmap2::Mmap;
use safetensors::Dtype;
use safetensors::tensor::Metadata;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// Name of the single weights file.
pub const SINGLE_FILE: &str = "model.safetensors";
/// Name of the index of sharded weights.
pub(crate) const INDEX_FILE: &str = "model.safetensors.index.json";

/// A header larger than this is not one of a model (it is also the format's own limit).
const LARGEST_HEADER: u64 = 100_000_000;

/// One tensor as its file's header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorEntry {
    /// Index of the file.
    pub file: usize,
    /// Type on disk.
    pub dtype: Dtype,
    /// Shape.
    pub shape: Vec<usize>,
    /// Bytes in the file.
    pub range: Range<usize>,
}

/// The checked headers of a folder's weights.
#[derive(Debug)]
pub struct Headers {
    /// The files in order.
    pub files: Vec<PathBuf>,
    /// Tensors by name.
    pub tensors: BTreeMap<String, TensorEntry>,
    /// Bytes of all tensors.
    pub bytes: u64,
}

impl Headers {
    /// Reads and checks the headers of a model folder.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if weights are missing or damaged, [`Code::ModelUnsupported`] if the folder has only
    /// pickled weights.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let (files, places) = weight_files(folder)?;
        let mut headers = Self {
            files,
            tensors: BTreeMap::new(),
            bytes: 0,
        };
        for (number, path) in headers.files.clone().into_iter().enumerate() {
            for (name, mut entry) in file_header(&path)? {
                entry.file = number;
                headers.bytes += (entry.range.end - entry.range.start) as u64;
                headers.tensors.insert(name, entry);
            }
        }
        for (name, file) in places {
            let found = headers
                .tensors
                .get(&name)
                .map(|entry| &headers.files[entry.file]);
            if found.is_none_or(|path| path.file_name().is_none_or(|held| held != file.as_str())) {
                return Err(damaged(
                    &folder.join(INDEX_FILE),
                    &format!("says that {file} holds tensor {name:?}, which it does not"),
                ));
            }
        }
        Ok(headers)
    }
}

/// The files of a folder, and in which of them an index says that each tensor lies.
fn weight_files(folder: &Path) -> Result<(Vec<PathBuf>, BTreeMap<String, String>)> {
    let single = folder.join(SINGLE_FILE);
    if single.is_file() {
        return Ok((vec![single], BTreeMap::new()));
    }
    let index = folder.join(INDEX_FILE);
    if index.is_file() {
        return shards(folder, &index);
    }
    let pickled =
        ["pytorch_model.bin", "pytorch_model.bin.index.json"].map(|name| folder.join(name));
    if pickled.iter().any(|path| path.is_file()) {
        return Err(Error::told_of(
            folder,
            Code::ModelUnsupported,
            "The model's weights are pickled (pytorch_model.bin), and a pickle can run code when it is opened.",
            "Get the same model with safetensors weights, or convert it where you trust it.",
        ));
    }
    Err(Error::told_of(
        folder,
        Code::ModelMissing,
        format!("The folder has no {SINGLE_FILE}."),
        "Copy the model's folder again, with its weights; tools/setup fetches the default model.",
    ))
}

/// The shard files that an index names, each inside the folder.
fn shards(folder: &Path, index: &Path) -> Result<(Vec<PathBuf>, BTreeMap<String, String>)> {
    #[derive(serde::Deserialize)]
    struct Index {
        weight_map: BTreeMap<String, String>,
    }
    let text = files::read_whole(index, LARGEST_HEADER).map_err(Error::io(index))?;
    let parsed: Index =
        serde_json::from_slice(&text).map_err(|e| damaged(index, &format!("is no index: {e}")))?;
    let names: BTreeSet<&String> = parsed.weight_map.values().collect();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let plain = Path::new(name)
            .file_name()
            .is_some_and(|n| n.to_str() == Some(name.as_str()));
        if !plain || !name.ends_with(".safetensors") {
            return Err(damaged(
                index,
                &format!("names the weights file {name:?}, which is not a plain safetensors file"),
            ));
        }
        let path = folder.join(name);
        if !path.is_file() {
            return Err(Error::told_of(
                &path,
                Code::ModelMissing,
                "A part of the model's weights is missing.",
                "Copy the model's folder again, with all its parts.",
            ));
        }
        files.push(path);
    }
    Ok((files, parsed.weight_map))
}

/// Name → entry (file index 0) of one file, checked against the file's size.
fn file_header(path: &Path) -> Result<Vec<(String, TensorEntry)>> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let length = file.metadata().map_err(Error::io(path))?.len();
    let mut size = [0u8; 8];
    file.read_exact(&mut size)
        .map_err(|_| damaged(path, "is too short to hold a header"))?;
    let header = u64::from_le_bytes(size);
    if header > LARGEST_HEADER || header.saturating_add(8) > length {
        return Err(damaged(
            path,
            "has a header that does not fit into the file",
        ));
    }
    let start = 8 + header as usize;
    let mut bytes = vec![0u8; header as usize];
    file.read_exact(&mut bytes).map_err(Error::io(path))?;
    let metadata: Metadata = serde_json::from_slice(&bytes)
        .map_err(|e| damaged(path, &format!("has a header that cannot be read: {e}")))?;
    let mut entries = Vec::new();
    for (name, info) in metadata.tensors() {
        let (begin, end) = info.data_offsets;
        let elements = info
            .shape
            .iter()
            .copied()
            .try_fold(1usize, usize::checked_mul);
        let asked = elements
            .and_then(|n| n.checked_mul(info.dtype.bitsize()))
            .map(|bits| bits / 8);
        let held = end.checked_sub(begin);
        if held.is_none() || held != asked {
            return Err(damaged(
                path,
                &format!("gives tensor {name:?} a range that does not match its shape"),
            ));
        }
        let last = start
            .checked_add(end)
            .ok_or_else(|| damaged(path, "has offsets beyond all measure"))?;
        if last as u64 > length {
            return Err(damaged(
                path,
                &format!("ends before tensor {name:?} does; the copy is incomplete"),
            ));
        }
        let range = start + begin..last;
        entries.push((
            name,
            TensorEntry {
                file: 0,
                dtype: info.dtype,
                shape: info.shape.clone(),
                range,
            },
        ));
    }
    Ok(entries)
}

fn damaged(path: &Path, what: &str) -> Error {
    let name = name_of(path);
    Error::told_of(
        path,
        Code::ModelMissing,
        format!("{name} {what}."),
        "Copy the model's folder again from where it came; compare its checksum if there is one.",
    )
}

/// A tensor that the configuration asks for and the weights lack.
pub(crate) fn misses(name: &str) -> Error {
    Error::told(
        Code::ModelMissing,
        format!("The model's weights have no tensor {name:?}, which config.json asks for."),
        "Copy the model's folder again; config.json and the weights must be of the same model.",
    )
}

/// A tensor of another shape than the configuration asks for.
pub(crate) fn other_shape(name: &str, found: &[i64], asked: &[i64]) -> Error {
    Error::told(
        Code::ModelMissing,
        format!("Tensor {name:?} has the shape {found:?}, but config.json asks for {asked:?}."),
        "Copy the model's folder again; config.json and the weights must be of the same model.",
    )
}

/// A tensor of a type that is not computed with.
pub(crate) fn no_number(name: &str, dtype: Dtype) -> Error {
    Error::told(
        Code::ModelUnsupported,
        format!("Tensor {name:?} is stored as {dtype:?}, which is not supported."),
        "Use the model in float32, float16 or bfloat16.",
    )
}

/// The source of a model's tensors, by their names in a Hugging Face folder.
pub trait Source {
    /// Whether there is a tensor of this name.
    fn has(&self, name: &str) -> bool;

    /// A tensor with the number type `wanted`; with `None`, it keeps its own type. The caller must not change the
    /// tensor.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if no tensor has this name and shape.
    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor>;

    /// A tensor is not needed any more: memory that only repeats the disk may be given back.
    fn forget(&self, _name: &str) {}

    /// The divisors of the frequencies of the rotary embeddings, if the weights contain them.
    ///
    /// # Errors
    /// If the divisors cannot be read.
    fn rotary_divisors(&self) -> Result<Option<Vec<f32>>> {
        Ok(None)
    }
}

impl Source for Weights {
    fn has(&self, name: &str) -> bool {
        Self::has(self, name)
    }

    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        Self::tensor_as(self, name, shape, wanted)
    }

    fn forget(&self, name: &str) {
        #[cfg(unix)]
        if let Some(entry) = self.headers.tensors.get(name) {
            // SAFETY: the map is private and read only. If pages that were given back to the system are needed again,
            // they are read from the file with the same bytes.
            let advised = unsafe {
                self.maps[entry.file].unchecked_advise_range(
                    memmap2::UncheckedAdvice::DontNeed,
                    entry.range.start,
                    entry.range.len(),
                )
            };
            // If the system ignores the advice, it takes the memory back when memory runs short.
            let _ = advised;
        }
    }
}

/// Weights that stand ready in memory-mapped files.
pub struct Weights {
    headers: Headers,
    maps: Vec<&'static Mmap>,
    device: Device,
}

impl Weights {
    /// Maps a model folder's weights.
    ///
    /// The maps stay until the process ends. A worker loads one model for one job, so tensors that borrow from a map
    /// never outlive it.
    ///
    /// # Errors
    /// As [`Headers::of_folder`].
    pub fn open(folder: &Path, device: Device) -> Result<Self> {
        let headers = Headers::of_folder(folder)?;
        let mut maps: Vec<&'static Mmap> = Vec::with_capacity(headers.files.len());
        for path in &headers.files {
            let file = File::open(path).map_err(Error::io(path))?;
            // SAFETY: mapped privately and read only. If another program cuts the file short while it is mapped, this
            // process ends with a bus error; that is one reason why the worker is a process of its own.
            let map = unsafe { Mmap::map(&file) }.map_err(Error::io(path))?;
            maps.push(Box::leak(Box::new(map)));
        }
        let weights = Self {
            headers,
            maps,
            device,
        };
        for (name, entry) in &weights.headers.tensors {
            if entry.range.end > weights.maps[entry.file].len() {
                let path = &weights.headers.files[entry.file];
                return Err(damaged(
                    path,
                    &format!("became shorter than tensor {name:?} needs"),
                ));
            }
        }
        Ok(weights)
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.headers.tensors.contains_key(name)
    }

    /// The content of the files' headers.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// The shape of a tensor.
    pub fn shape(&self, name: &str) -> Option<Vec<i64>> {
        self.headers
            .tensors
            .get(name)
            .map(|entry| entry.shape.iter().map(|&n| n as i64).collect())
    }

    /// A tensor in fp32 on the device.
    ///
    /// # Errors
    /// As [`Weights::tensor_as`].
    pub fn tensor(&self, name: &str, shape: &[i64]) -> Result<Tensor> {
        self.tensor_as(name, shape, Some(Kind::Float))
    }

    /// A tensor on the device, with the number type `wanted`; with `None`, it keeps the type of the file. If the type
    /// of the file is kept and the device is the CPU, the tensor borrows from the memory map and must not be changed.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if no tensor has this name and shape. [`Code::ModelUnsupported`] if its type is not
    /// a floating-point type.
    pub fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        let entry = self.headers.tensors.get(name);
        let entry = entry.ok_or_else(|| misses(name))?;
        let found: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
        if found != shape {
            return Err(other_shape(name, &found, shape));
        }
        let kind = match entry.dtype {
            Dtype::F32 => Kind::Float,
            Dtype::F16 => Kind::Half,
            Dtype::BF16 => Kind::BFloat16,
            Dtype::F64 => Kind::Double,
            other => return Err(no_number(name, other)),
        };
        let wanted = wanted.unwrap_or(kind);
        let bytes = &self.maps[entry.file][entry.range.clone()];
        let width = kind.elt_size_in_bytes();
        if bytes.is_empty() || bytes.as_ptr().align_offset(width) != 0 {
            return Ok(Tensor::f_from_data_size(bytes, &found, kind)?
                .f_to_kind(wanted)?
                .f_to_device(self.device)?);
        }
        let mut strides = vec![1i64; found.len()];
        for i in (1..found.len()).rev() {
            strides[i - 1] = strides[i] * found[i];
        }
        // SAFETY: the range was checked to lie inside the map and to hold exactly this shape and type, the
        // pointer is aligned, the map is never unmapped, and frozen weights are never written to.
        let borrowed =
            unsafe { Tensor::f_from_blob(bytes.as_ptr(), &found, &strides, kind, Device::Cpu)? };
        Ok(borrowed.f_to_kind(wanted)?.f_to_device(self.device)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::TensorView;

    fn model(folder: &Path, name: &str, values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = TensorView::new(Dtype::F32, vec![values.len()], &bytes).unwrap();
        let file = safetensors::serialize([("w", view)], None).unwrap();
        std::fs::write(folder.join(name), file).unwrap();
    }

    #[test]
    fn a_tensor_is_read_through_the_map() {
        let folder = tempfile::tempdir().unwrap();
        model(folder.path(), SINGLE_FILE, &[1.0, 2.5, -3.0]);
        let weights = Weights::open(folder.path(), Device::Cpu).unwrap();
        let tensor = weights.tensor("w", &[3]).unwrap();
        assert_eq!(Vec::<f32>::try_from(&tensor).unwrap(), [1.0, 2.5, -3.0]);
        assert!(weights.tensor("w", &[2]).is_err());
        assert!(weights.tensor("v", &[3]).is_err());
    }

    #[test]
    fn shards_are_found_by_their_index_and_stay_inside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        model(folder.path(), "a.safetensors", &[4.0]);
        let index = |file: &str| {
            let text = format!(r#"{{"weight_map":{{"w":"{file}"}}}}"#);
            std::fs::write(folder.path().join(INDEX_FILE), text).unwrap();
        };
        index("a.safetensors");
        let weights = Weights::open(folder.path(), Device::Cpu).unwrap();
        assert!((weights.tensor("w", &[1]).unwrap().double_value(&[0]) - 4.0).abs() < 1e-12);
        for bad in ["../a.safetensors", "absent.safetensors", "a.bin"] {
            index(bad);
            assert!(Weights::open(folder.path(), Device::Cpu).is_err(), "{bad}");
        }
    }

    #[test]
    fn damaged_files_are_refused_before_they_are_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SINGLE_FILE);
        model(folder.path(), SINGLE_FILE, &[1.0; 64]);
        let whole = std::fs::read(&path).unwrap();
        let check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let failure = Headers::of_folder(folder.path())
                .unwrap_err()
                .into_failure();
            assert_eq!(failure.code, Code::ModelMissing);
        };
        check(&whole[..whole.len() - 1]);
        check(&whole[..5]);
        check(&[]);
        let mut huge = whole.clone();
        huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        check(&huge);
        let text = String::from_utf8_lossy(&whole).replace("[0,256]", "[8,256]");
        check(text.as_bytes());
    }

    #[test]
    fn pickled_weights_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("pytorch_model.bin"), b"x").unwrap();
        let failure = Headers::of_folder(folder.path())
            .unwrap_err()
            .into_failure();
        assert_eq!(failure.code, Code::ModelUnsupported);
        assert!(failure.message.contains("pytorch_model.bin"));
    }
}
