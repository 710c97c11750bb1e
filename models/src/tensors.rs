//! Tensors to and from safetensors bytes, for adapters, checkpoints and results.

use crate::{Error, Result, files};
use safetensors::tensor::View;
use safetensors::{Dtype, SafeTensors};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// Bytes beyond which a file of tensors is not read whole; the largest adapters have a few gigabytes.
pub const LARGEST: u64 = 64 << 30;

/// Tensors by name.
pub type NamedTensors = BTreeMap<String, Tensor>;

/// The bytes of a safetensors file with these tensors (floating-point ones, or bytes for the state of a
/// random number generator). The same tensors always give the same bytes.
///
/// # Errors
/// If a tensor is of another type.
pub fn to_bytes(tensors: &NamedTensors) -> Result<Vec<u8>> {
    let failed = RefCell::new(None);
    let written = tensors
        .iter()
        .map(|(name, tensor)| Ok((name.as_str(), Written::of(name, tensor, &failed)?)))
        .collect::<Result<Vec<_>>>()?;
    // The one entry of metadata that PEFT and Transformers write and ask for.
    let metadata = Some([("format".to_owned(), "pt".to_owned())].into());
    let bytes =
        safetensors::serialize(written, metadata).map_err(|e| Error::Shim(e.to_string()))?;
    match failed.into_inner() {
        None => Ok(bytes),
        Some(error) => Err(error),
    }
}

/// A tensor whose bytes are read at the moment in which they are written: a file is then held once, and not twice.
struct Written<'a> {
    tensor: Tensor,
    dtype: Dtype,
    width: usize,
    shape: Vec<usize>,
    /// Why bytes could not be read.
    failed: &'a RefCell<Option<Error>>,
}

impl<'a> Written<'a> {
    fn of(name: &str, tensor: &Tensor, failed: &'a RefCell<Option<Error>>) -> Result<Self> {
        let kind = tensor.f_kind()?;
        let dtype = match kind {
            Kind::Float => Dtype::F32,
            Kind::Half => Dtype::F16,
            Kind::BFloat16 => Dtype::BF16,
            Kind::Uint8 => Dtype::U8,
            other => {
                return Err(Error::Shim(format!(
                    "tensor {name} of type {other:?} cannot be stored"
                )));
            }
        };
        Ok(Self {
            tensor: tensor.f_detach()?,
            dtype,
            width: kind.elt_size_in_bytes(),
            shape: tensor.size().iter().map(|&n| n as usize).collect(),
            failed,
        })
    }

    fn read(&self, bytes: &mut [u8]) -> Result<()> {
        let own = self.tensor.f_to_device(Device::Cpu)?.f_contiguous()?;
        Ok(own.f_copy_data_u8(bytes, own.numel())?)
    }
}

impl View for Written<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let mut bytes = vec![0u8; self.data_len()];
        if let Err(error) = self.read(&mut bytes) {
            *self.failed.borrow_mut() = Some(error);
        }
        Cow::Owned(bytes)
    }

    fn data_len(&self) -> usize {
        self.tensor.numel() * self.width
    }
}

/// The tensors of a safetensors file's bytes, on the CPU.
///
/// # Errors
/// `invalid(reason)` if the bytes are damaged.
pub fn from_bytes(bytes: &[u8], invalid: impl Fn(String) -> Error) -> Result<NamedTensors> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| invalid(e.to_string()))?;
    let mut tensors = NamedTensors::new();
    for (name, view) in file.tensors() {
        let kind = match view.dtype() {
            Dtype::F32 => Kind::Float,
            Dtype::F16 => Kind::Half,
            Dtype::BF16 => Kind::BFloat16,
            Dtype::U8 => Kind::Uint8,
            other => return Err(invalid(format!("tensor {name:?} is stored as {other:?}"))),
        };
        let shape: Vec<i64> = view.shape().iter().map(|&n| n as i64).collect();
        tensors.insert(name, Tensor::f_from_data_size(view.data(), &shape, kind)?);
    }
    Ok(tensors)
}

/// The tensors of a safetensors file, on the CPU.
///
/// # Errors
/// If the file cannot be read; `invalid(reason)` if it is damaged.
pub fn read(path: &Path, invalid: impl Fn(String) -> Error) -> Result<NamedTensors> {
    let bytes = files::read_whole(path, LARGEST).map_err(Error::io(path))?;
    from_bytes(&bytes, invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_come_back_as_they_were() {
        let tensors: NamedTensors = [
            (
                "b".to_owned(),
                Tensor::from_slice(&[1.5f32, -2.0]).view([1, 2]),
            ),
            ("a".to_owned(), Tensor::from_slice(&[1u8, 2, 3])),
        ]
        .into();
        let bytes = to_bytes(&tensors).unwrap();
        assert_eq!(bytes, to_bytes(&tensors).unwrap());
        let read = from_bytes(&bytes, Error::Shim).unwrap();
        assert_eq!(read.len(), 2);
        for (name, tensor) in &tensors {
            assert_eq!(&read[name], tensor);
        }
        assert!(from_bytes(&bytes[..bytes.len() - 1], Error::Shim).is_err());
    }
}
