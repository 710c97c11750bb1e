//! Norms over the last dimension.

use crate::{Result, shim};
use tch::{Device, Kind, Tensor};

/// A layer norm (Ba et al. 2016).
pub struct LayerNorm {
    /// The factor of each number: `[hidden]`.
    pub weight: Tensor,
    /// The number that is added to each number: `[hidden]`. Some models have none.
    pub bias: Option<Tensor>,
    /// Added to the variance.
    pub epsilon: f64,
}

impl LayerNorm {
    /// Normalises vectors `[.., hidden]`.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_layer_norm(
            self.weight.size(),
            Some(&self.weight),
            self.bias.as_ref(),
            self.epsilon,
            false,
        )?)
    }
}

/// A norm by the root of the mean square (Zhang and Sennrich 2019).
pub struct RmsNorm {
    /// The factor of each number: `[hidden]`.
    pub weight: Tensor,
    /// Added to the mean square.
    pub epsilon: f64,
}

impl RmsNorm {
    /// Normalises over the last dimension. This is computed in fp32 whatever the type is, as in Transformers.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let kind = x.f_kind()?;
        // The gradient by hand takes the weight as frozen.
        if kind == Kind::Float && x.device() == Device::Cpu && !self.weight.requires_grad() {
            return shim::rms_norm(x, &self.weight, self.epsilon);
        }
        if kind == Kind::Float {
            return Ok(x.f_rms_norm(self.weight.size(), Some(&self.weight), self.epsilon)?);
        }
        let wide = x.f_to_kind(Kind::Float)?;
        let mean = wide
            .f_mul(&wide)?
            .f_mean_dim([-1i64].as_slice(), true, Kind::Float)?;
        let normed = wide.f_mul(&mean.f_add_scalar(self.epsilon)?.f_rsqrt()?)?;
        Ok(normed.f_to_kind(kind)?.f_mul(&self.weight)?)
    }

    /// Computes the same as [`RmsNorm::forward`], for a batch in which each row is the next token of one text. On a GPU
    /// this starts one kernel, whereas the operations of `forward` start eight. With few rows, starting kernels takes
    /// most of the time. The kernel also does the multiplication by the weight in fp32.
    pub fn step(&self, x: &Tensor) -> Result<Tensor> {
        if x.device() == Device::Cpu {
            return self.forward(x);
        }
        Ok(x.f_rms_norm(self.weight.size(), Some(&self.weight), self.epsilon)?)
    }
}
