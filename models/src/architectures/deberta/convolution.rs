//! The convolution beside the first layer.

use super::config::DebertaConfig;
use super::distances::Placed;
use crate::Result;
use crate::architectures::activation::Activation;
use crate::architectures::norms::LayerNorm;
use crate::architectures::parts::Parts;
use tch::Tensor;

/// A convolution over the words, whose result is added to the first layer's vectors (DeBERTa-v2 xlarge).
pub(super) struct Convolution {
    weight: Tensor,
    bias: Tensor,
    groups: i64,
    activation: Activation,
    norm: LayerNorm,
}

impl Convolution {
    /// The convolution of a folder, if it has one.
    pub(super) fn load(config: &DebertaConfig, parts: &Parts<'_>) -> Result<Option<Self>> {
        if config.conv_kernel_size < 1 {
            return Ok(None);
        }
        let (hidden, groups) = (config.hidden_size, config.conv_groups());
        let shape = [hidden, hidden / groups, config.conv_kernel_size];
        Ok(Some(Self {
            weight: parts.tensor("encoder.conv.conv.weight", &shape)?,
            bias: parts.tensor("encoder.conv.conv.bias", &[hidden])?,
            groups,
            activation: config.convolution_activation()?,
            norm: parts.norm(
                "encoder.conv.LayerNorm",
                hidden,
                config.layer_norm_eps,
                true,
            )?,
        }))
    }

    /// The first layer's vectors with what its input gives, both `[tokens, hidden]`.
    pub(super) fn forward(
        &self,
        input: &Tensor,
        vectors: &Tensor,
        groups: &[Placed],
    ) -> Result<Tensor> {
        let hidden = input.size()[1];
        let beside = self.weight.size()[2] / 2;
        let mut parts = Vec::with_capacity(groups.len());
        for Placed { group, .. } in groups {
            let tokens = group.count * group.length;
            let texts = input
                .f_narrow(0, group.start, tokens)?
                .f_view([group.count, group.length, hidden])?
                .f_transpose(1, 2)?
                .f_contiguous()?; // [texts, hidden, tokens]
            let made = texts.f_conv1d(
                &self.weight,
                Some(&self.bias),
                [1],
                [beside],
                [1],
                self.groups,
            )?;
            parts.push(made.f_transpose(1, 2)?.f_reshape([tokens, hidden])?);
        }
        let made = self.activation.apply(&Tensor::f_cat(&parts, 0)?)?;
        self.norm.forward(&vectors.f_add(&made)?)
    }
}
