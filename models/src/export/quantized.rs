//! The base model that an adapter of a four-bit training knew.

use crate::Result;
use crate::adapters::nf4::Nf4;
use crate::weights::{Source, Weights};
use tch::{Kind, Tensor};

/// A decoder's tensors as a training in four bits sees them.
pub struct Quantized<'a>(pub &'a Weights);

impl Source for Quantized<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    fn tensor_as(&self, name: &str, shape: &[i64], wanted: Option<Kind>) -> Result<Tensor> {
        let tensor = self.0.tensor_as(name, shape, wanted)?;
        if !name.ends_with("_proj.weight") {
            return Ok(tensor);
        }
        match Nf4::of(&tensor)? {
            Some(packed) => Ok(packed.dense()?.f_to_kind(tensor.f_kind()?)?),
            None => Ok(tensor),
        }
    }
}
