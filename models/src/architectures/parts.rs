//! An encoder's tensors, part by part, by their names in a folder.

use crate::Result;
use crate::adapters::lora::Linear;
use crate::architectures::norms::{LayerNorm, RmsNorm};
use crate::weights::Source;
use tch::{Kind, Tensor};

/// The source of an encoder's tensors. All are read as fp32.
pub struct Parts<'a> {
    source: &'a dyn Source,
    prefix: &'static str,
}

impl<'a> Parts<'a> {
    /// The tensors of a source. In the folder of a model with a head, all names begin with `prefix`. `probe` is a
    /// tensor that every folder has. If its name has the prefix, the folder belongs to a model with a head.
    pub fn of(source: &'a dyn Source, prefix: &'static str, probe: &str) -> Self {
        let headed = source.has(&format!("{prefix}{probe}"));
        Self {
            source,
            prefix: if headed { prefix } else { "" },
        }
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.source.has(&format!("{}{name}", self.prefix))
    }

    /// A tensor.
    ///
    /// # Errors
    /// If no tensor has this name and shape.
    pub fn tensor(&self, name: &str, shape: &[i64]) -> Result<Tensor> {
        let name = format!("{}{name}", self.prefix);
        self.source.tensor_as(&name, shape, Some(Kind::Float))
    }

    /// A linear layer. Its path is without the prefix, as in PEFT.
    ///
    /// # Errors
    /// As [`Parts::tensor`].
    pub fn linear(&self, path: String, outputs: i64, inputs: i64, bias: bool) -> Result<Linear> {
        let weight = self.tensor(&format!("{path}.weight"), &[outputs, inputs])?;
        let bias = bias
            .then(|| self.tensor(&format!("{path}.bias"), &[outputs]))
            .transpose()?;
        Ok(Linear::new(path, weight, bias))
    }

    /// A layer norm.
    ///
    /// # Errors
    /// As [`Parts::tensor`].
    pub fn norm(&self, path: &str, size: i64, epsilon: f64, bias: bool) -> Result<LayerNorm> {
        // Checkpoints from TensorFlow call the two gamma and beta.
        let old = self.has(&format!("{path}.gamma"));
        let (scale, shift) = if old {
            ("gamma", "beta")
        } else {
            ("weight", "bias")
        };
        Ok(LayerNorm {
            weight: self.tensor(&format!("{path}.{scale}"), &[size])?,
            bias: bias
                .then(|| self.tensor(&format!("{path}.{shift}"), &[size]))
                .transpose()?,
            epsilon,
        })
    }

    /// A norm by the root of the mean square.
    ///
    /// # Errors
    /// As [`Parts::tensor`].
    pub(crate) fn rms_norm(&self, path: &str, size: i64, epsilon: f64) -> Result<RmsNorm> {
        Ok(RmsNorm {
            weight: self.tensor(&format!("{path}.weight"), &[size])?,
            epsilon,
        })
    }
}
