//! The functions between the linear layers of an encoder.

use crate::Result;
use crate::architectures::sizes::unsupported;
use tch::Tensor;

/// A function of each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Gaussian error linear unit, exact.
    Gelu,
    /// Gaussian error linear unit, approximated with tanh.
    GeluTanh,
    /// Rectified linear unit.
    Relu,
    /// Sigmoid-weighted linear unit.
    Silu,
    /// Hyperbolic tangent.
    Tanh,
}

impl Activation {
    /// The activation with this name in Transformers. `field` is the name of the field in the configuration, for the
    /// error message.
    ///
    /// # Errors
    /// If the name is not known; the message states the name.
    pub fn of_name(field: &str, name: &str) -> Result<Self> {
        match name {
            "gelu" => Ok(Self::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" => Ok(Self::GeluTanh),
            "relu" => Ok(Self::Relu),
            "silu" | "swish" => Ok(Self::Silu),
            "tanh" => Ok(Self::Tanh),
            other => Err(unsupported(&format!("{field} {other:?}"))),
        }
    }

    /// Applies the function to each number.
    pub fn apply(self, x: &Tensor) -> Result<Tensor> {
        Ok(match self {
            Self::Gelu => x.f_gelu("none")?,
            Self::GeluTanh => x.f_gelu("tanh")?,
            Self::Relu => x.f_relu()?,
            Self::Silu => x.f_silu()?,
            Self::Tanh => x.f_tanh()?,
        })
    }
}
