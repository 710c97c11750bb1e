//! Reading a GGUF file. Every length is checked against the file's own before anything is made of it.

use crate::gguf::{ALIGNMENT, MAGIC, Stored, VERSION, Value, blocks, code};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_files::name_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tch::Tensor;

/// Dimensions that a tensor may have.
const MOST_DIMENSIONS: u32 = 4;

/// The place of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Outer dimension first.
    shape: Vec<i64>,
    stored: Stored,
    /// From the file's start.
    place: u64,
    bytes: u64,
}

/// An open GGUF file.
#[derive(Debug)]
pub struct GgufFile {
    path: PathBuf,
    file: RefCell<File>,
    settings: BTreeMap<String, Value>,
    tensors: BTreeMap<String, Entry>,
}

impl GgufFile {
    /// Reads settings and the tensors' places.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the file is not of this format and version, or is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io(path))?;
        let length = file.metadata().map_err(Error::io(path))?.len();
        let mut head = Head {
            from: BufReader::new(file),
            left: length,
            path,
        };
        if head.bytes(4)? != MAGIC {
            return Err(head.damaged("is no GGUF file"));
        }
        let version = head.u32()?;
        if version != VERSION {
            return Err(head.damaged(&format!("is of version {version}, not {VERSION}")));
        }
        let (tensor_count, setting_count) = (head.u64()?, head.u64()?);
        let mut settings = BTreeMap::new();
        for _ in 0..setting_count {
            let name = head.text()?;
            let kind = head.u32()?;
            if let Some(value) = head.value(kind)? {
                settings.insert(name, value);
            }
        }
        let mut entries = Vec::new();
        for _ in 0..tensor_count {
            let name = head.text()?;
            let dimensions = head.u32()?;
            if dimensions > MOST_DIMENSIONS {
                return Err(head.damaged(&format!("gives tensor {name:?} {dimensions} dimensions")));
            }
            let mut shape = Vec::new();
            for _ in 0..dimensions {
                shape.push(
                    i64::try_from(head.u64()?)
                        .map_err(|_| head.damaged("has a size beyond all measure"))?,
                );
            }
            shape.reverse();
            let number = head.u32()?;
            let stored = Stored::of_code(number).ok_or_else(|| {
                head.damaged(&format!(
                    "stores tensor {name:?} in a type ({number}) that is not known"
                ))
            })?;
            let place = head.u64()?;
            let numbers = shape
                .iter()
                .try_fold(1u64, |n, &size| n.checked_mul(size as u64));
            let bytes = numbers.and_then(|n| stored.bytes(n));
            let bytes = bytes.ok_or_else(|| {
                head.damaged(&format!("gives tensor {name:?} an impossible shape"))
            })?;
            entries.push((
                name,
                Entry {
                    shape,
                    stored,
                    place,
                    bytes,
                },
            ));
        }
        let alignment = match settings.get("general.alignment") {
            Some(Value::U32(given)) if *given > 0 => u64::from(*given),
            _ => ALIGNMENT,
        };
        let start = (length - head.left).next_multiple_of(alignment);
        let mut tensors = BTreeMap::new();
        for (name, mut entry) in entries {
            let end = start
                .checked_add(entry.place)
                .and_then(|place| place.checked_add(entry.bytes));
            if end.is_none_or(|end| end > length) {
                return Err(head.damaged(&format!(
                    "ends before tensor {name:?} does; the copy is incomplete"
                )));
            }
            entry.place += start;
            tensors.insert(name, entry);
        }
        let file = head.from.into_inner();
        Ok(Self {
            path: path.to_owned(),
            file: RefCell::new(file),
            settings,
            tensors,
        })
    }

    /// A setting.
    pub fn setting(&self, name: &str) -> Option<&Value> {
        self.settings.get(name)
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The tensors' names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// How a tensor is stored.
    pub fn stored(&self, name: &str) -> Option<Stored> {
        self.tensors.get(name).map(|entry| entry.stored)
    }

    /// A tensor in fp32 on the CPU.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the file has no tensor of this name. Also if the tensor cannot be read.
    pub fn tensor(&self, name: &str) -> Result<Tensor> {
        let entry = self
            .tensors
            .get(name)
            .ok_or_else(|| damaged(&self.path, &format!("has no tensor {name:?}")))?;
        let mut bytes = vec![0u8; entry.bytes as usize];
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(entry.place))
            .map_err(Error::io(&self.path))?;
        file.read_exact(&mut bytes).map_err(Error::io(&self.path))?;
        Ok(blocks::from_bytes(&bytes, entry.stored)?.f_view(entry.shape.as_slice())?)
    }

    /// A refusal that names this file.
    pub fn damaged(&self, what: &str) -> Error {
        damaged(&self.path, what)
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    let name = name_of(path);
    Error::told_of(
        path,
        Code::ModelMissing,
        format!("{name} {what}."),
        "Export the model again.",
    )
}

/// The rest of a file's head.
struct Head<'a> {
    from: BufReader<File>,
    /// Bytes of the file that were not read yet.
    left: u64,
    path: &'a Path,
}

impl Head<'_> {
    fn damaged(&self, what: &str) -> Error {
        damaged(self.path, what)
    }

    fn bytes(&mut self, count: u64) -> Result<Vec<u8>> {
        self.left = self
            .left
            .checked_sub(count)
            .ok_or_else(|| self.damaged("ends within its head"))?;
        let mut bytes = vec![0u8; count as usize];
        self.from
            .read_exact(&mut bytes)
            .map_err(Error::io(self.path))?;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0u8; N];
        array.copy_from_slice(&self.bytes(N as u64)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Result<String> {
        let length = self.u64()?;
        String::from_utf8(self.bytes(length)?)
            .map_err(|_| self.damaged("holds a text that is no UTF-8"))
    }

    /// A value of a type. `None` for types that the product does not need; their bytes are skipped.
    fn value(&mut self, kind: u32) -> Result<Option<Value>> {
        Ok(Some(match kind {
            code::U32 => Value::U32(self.u32()?),
            code::I32 => Value::I32(i32::from_le_bytes(self.array()?)),
            code::F32 => Value::F32(f32::from_le_bytes(self.array()?)),
            code::BOOL => Value::Bool(self.bytes(1)? != [0]),
            code::TEXT => Value::Text(self.text()?),
            code::LIST => return self.list(),
            code::U8 | code::I8 => return self.bytes(1).map(|_| None),
            code::U16 | code::I16 => return self.bytes(2).map(|_| None),
            code::U64 | code::I64 | code::F64 => return self.bytes(8).map(|_| None),
            other => {
                return Err(self.damaged(&format!("has a setting of an unknown type ({other})")));
            }
        }))
    }

    fn list(&mut self) -> Result<Option<Value>> {
        let (kind, count) = (self.u32()?, self.u64()?);
        let width = match kind {
            code::TEXT => 8,
            code::U8 | code::I8 | code::BOOL => 1,
            code::U16 | code::I16 => 2,
            code::U32 | code::I32 | code::F32 => 4,
            code::U64 | code::I64 | code::F64 => 8,
            other => return Err(self.damaged(&format!("has a list of an unknown type ({other})"))),
        };
        if count
            .checked_mul(width)
            .is_none_or(|bytes| bytes > self.left)
        {
            return Err(self.damaged("ends within its head"));
        }
        let fours = |bytes: Vec<u8>| {
            bytes
                .chunks_exact(4)
                .map(|b| [b[0], b[1], b[2], b[3]])
                .collect::<Vec<_>>()
        };
        Ok(match kind {
            code::TEXT => Some(Value::Texts(
                (0..count).map(|_| self.text()).collect::<Result<_>>()?,
            )),
            code::I32 => Some(Value::I32s(
                fours(self.bytes(4 * count)?)
                    .into_iter()
                    .map(i32::from_le_bytes)
                    .collect(),
            )),
            code::F32 => Some(Value::F32s(
                fours(self.bytes(4 * count)?)
                    .into_iter()
                    .map(f32::from_le_bytes)
                    .collect(),
            )),
            _ => self.bytes(width * count).map(|_| None)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::write::{Planned, write};
    use tch::{Device, Kind};

    fn written(folder: &Path) -> (PathBuf, Vec<u8>) {
        let path = folder.join("m.gguf");
        let settings = [
            ("a.text".to_owned(), Value::Text("零 and one".into())),
            (
                "a.texts".to_owned(),
                Value::Texts(vec!["x".into(), String::new()]),
            ),
            ("a.numbers".to_owned(), Value::I32s(vec![-1, 7])),
            ("a.scores".to_owned(), Value::F32s(vec![0.5, -2.0])),
            ("a.yes".to_owned(), Value::Bool(true)),
            ("a.count".to_owned(), Value::U32(9)),
        ];
        let planned = |name: &str, shape: &[i64], stored| Planned {
            name: name.into(),
            shape: shape.into(),
            stored,
        };
        let tensors = [
            planned("first", &[3], Stored::F32),
            planned("second", &[2, 32], Stored::Q8_0),
            planned("third", &[2, 3], Stored::F16),
        ];
        let file = write(&path, &settings, &tensors, &mut |planned| {
            let count: i64 = planned.shape.iter().product();
            Ok(Tensor::arange(count, (Kind::Float, Device::Cpu)).view(planned.shape.as_slice()))
        })
        .unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            (file.bytes, file.sha256.as_str()),
            (bytes.len() as u64, crate::files::sha256(&bytes).as_str())
        );
        (path, bytes)
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = written(folder.path());
        assert_eq!(bytes.len() % 32, 0);
        let file = GgufFile::open(&path).unwrap();
        assert_eq!(
            file.setting("a.text"),
            Some(&Value::Text("零 and one".into()))
        );
        assert_eq!(
            file.setting("a.texts"),
            Some(&Value::Texts(vec!["x".into(), String::new()]))
        );
        assert_eq!(file.setting("a.numbers"), Some(&Value::I32s(vec![-1, 7])));
        assert_eq!(
            file.setting("a.scores"),
            Some(&Value::F32s(vec![0.5, -2.0]))
        );
        assert_eq!(file.setting("a.yes"), Some(&Value::Bool(true)));
        assert_eq!(file.setting("a.count"), Some(&Value::U32(9)));
        assert_eq!(
            file.names().collect::<Vec<_>>(),
            ["first", "second", "third"]
        );
        assert_eq!(
            Vec::<f32>::try_from(file.tensor("first").unwrap()).unwrap(),
            [0.0, 1.0, 2.0]
        );
        let second = file.tensor("second").unwrap();
        assert_eq!(second.size(), [2, 32]);
        assert!((second.double_value(&[1, 31]) - 63.0).abs() < 0.1);
        assert_eq!(file.tensor("third").unwrap().double_value(&[1, 2]), 5.0);
        assert!(file.tensor("fourth").is_err());
    }

    #[test]
    fn a_damaged_file_is_refused_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (path, whole) = written(folder.path());
        let check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(
                GgufFile::open(&path).unwrap_err().into_failure().code,
                Code::ModelMissing
            );
        };
        for cut in [0, 3, 4, 20, 40, 100, whole.len() - 64] {
            check(&whole[..cut]);
        }
        let with = |at: usize, bytes: &[u8]| {
            let mut changed = whole.clone();
            changed[at..at + bytes.len()].copy_from_slice(bytes);
            changed
        };
        check(&with(0, b"GGML"));
        check(&with(4, &2u32.to_le_bytes()));
        check(&with(8, &u64::MAX.to_le_bytes())); // tensors
        check(&with(16, &u64::MAX.to_le_bytes())); // settings
        check(&with(24, &u64::MAX.to_le_bytes())); // length of the first name
    }
}
