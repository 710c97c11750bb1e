//! Whether a folder's weights are those that its configuration asks for, without reading a number of them.

use crate::adapters::updates::bare;
use crate::weights::{Headers, Source, misses, no_number, other_shape};
use crate::{Error, Result};
use lexforge_domain::Code;
use safetensors::Dtype;
use tch::{Device, Kind, Tensor};

/// Tensors of the right shapes that hold nothing: one zero, shown again and again.
pub struct Outlines<'a>(pub &'a Headers);

impl Source for Outlines<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.tensors.contains_key(name)
    }

    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        let entry = self.0.tensors.get(name).ok_or_else(|| misses(name))?;
        let found: Vec<i64> = entry.shape.iter().map(|&n| n as i64).collect();
        if found != shape {
            return Err(other_shape(name, &found, shape));
        }
        if !matches!(
            entry.dtype,
            Dtype::F32 | Dtype::F16 | Dtype::BF16 | Dtype::F64
        ) {
            return Err(no_number(name, entry.dtype));
        }
        let zero = Tensor::f_zeros([1], (wanted.unwrap_or(Kind::Float), Device::Cpu))?;
        Ok(zero.f_expand(shape, false)?)
    }
}

/// Checks that the weights have no more layers than the configuration; otherwise they belong to another model. `at` is
/// the part of a tensor's name before the layer's number.
///
/// # Errors
/// [`Code::ModelMissing`] if the weights have more layers.
pub(crate) fn check_layers(headers: &Headers, at: &str, layers: usize) -> Result<()> {
    let number = |name: &String| -> Option<usize> {
        let rest = bare(name).strip_prefix(at)?;
        rest.split('.').next()?.parse().ok()
    };
    let held = headers.tensors.keys().filter_map(number).max();
    match held.filter(|&last| last >= layers) {
        None => Ok(()),
        Some(last) => Err(Error::told(
            Code::ModelMissing,
            format!(
                "config.json says that the model has {layers} layers, but its weights hold {}.",
                last + 1
            ),
            "Copy the model's folder again; config.json and the weights must be of the same model.",
        )),
    }
}
