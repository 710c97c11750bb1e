//! A decoder's tensors as its folder names them, read part by part.

use super::layer::Layer;
use crate::Result;
use crate::adapters::lora::Linear;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::norms::RmsNorm;
use crate::weights::Source;
use tch::{Kind, Tensor};

/// A decoder's tensors, part by part.
pub(super) struct Parts<'a> {
    pub(super) config: &'a DecoderConfig,
    pub(super) source: &'a dyn Source,
    /// A folder of the bare model lacks it.
    pub(super) prefix: &'static str,
    /// One type throughout: that of the embeddings, should a folder mix them.
    pub(super) kind: Kind,
    /// Linear layers are kept in four bits.
    pub(super) four_bits: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn of(
        config: &'a DecoderConfig,
        source: &'a dyn Source,
        kind: Option<Kind>,
    ) -> Result<Self> {
        let prefix = if source.has("model.embed_tokens.weight") {
            "model."
        } else {
            ""
        };
        let kind = match kind {
            Some(kind) => kind,
            None => {
                let name = format!("{prefix}embed_tokens.weight");
                source
                    .tensor_as(&name, &[config.vocabulary, config.hidden], None)?
                    .f_kind()?
            }
        };
        Ok(Self {
            config,
            source,
            prefix,
            kind,
            four_bits: false,
        })
    }

    fn tensor(&self, name: &str, shape: &[i64]) -> Result<Tensor> {
        self.source
            .tensor_as(&format!("{}{name}", self.prefix), shape, Some(self.kind))
    }

    pub(super) fn embeddings(&self) -> Result<Tensor> {
        self.tensor(
            "embed_tokens.weight",
            &[self.config.vocabulary, self.config.hidden],
        )
    }

    /// The output layer; `None` = the embeddings.
    pub(super) fn head(&self) -> Result<Option<Tensor>> {
        let shape = [self.config.vocabulary, self.config.hidden];
        let head = || {
            self.source
                .tensor_as("lm_head.weight", &shape, Some(self.kind))
        };
        (!self.config.tied).then(head).transpose()
    }

    pub(super) fn norm(&self, name: &str, size: i64) -> Result<RmsNorm> {
        Ok(RmsNorm {
            weight: self.tensor(&format!("{name}.weight"), &[size])?,
            epsilon: self.config.epsilon,
        })
    }

    fn linear(&self, path: String, outputs: i64, inputs: i64, bias: bool) -> Result<Linear> {
        let weight = self.tensor(&format!("{path}.weight"), &[outputs, inputs])?;
        let bias = bias
            .then(|| self.tensor(&format!("{path}.bias"), &[outputs]))
            .transpose()?;
        // The path is the one under the whole model, as PEFT names it.
        let mut linear = Linear::new(format!("model.{path}"), weight, bias);
        if self.four_bits && linear.pack()? {
            self.source.forget(&format!("{}{path}.weight", self.prefix));
        }
        Ok(linear)
    }

    pub(super) fn layer(&self, number: usize) -> Result<Layer> {
        let config = self.config;
        let (hidden, inner) = (config.hidden, config.inner);
        let (queries, keys) = (config.heads * config.head, config.key_heads * config.head);
        let at = |name: &str| format!("layers.{number}.{name}");
        let bias = config.query_key_value_bias;
        let query_key_norm = config.query_key_norm.then(|| -> Result<_> {
            Ok((
                self.norm(&at("self_attn.q_norm"), config.head)?,
                self.norm(&at("self_attn.k_norm"), config.head)?,
            ))
        });
        Ok(Layer {
            input_norm: self.norm(&at("input_layernorm"), hidden)?,
            query: self.linear(at("self_attn.q_proj"), queries, hidden, bias)?,
            key: self.linear(at("self_attn.k_proj"), keys, hidden, bias)?,
            value: self.linear(at("self_attn.v_proj"), keys, hidden, bias)?,
            output: self.linear(at("self_attn.o_proj"), hidden, queries, config.output_bias)?,
            query_key_norm: query_key_norm.transpose()?,
            inner_norm: self.norm(&at("post_attention_layernorm"), hidden)?,
            gate: self.linear(at("mlp.gate_proj"), inner, hidden, config.inner_bias)?,
            up: self.linear(at("mlp.up_proj"), inner, hidden, config.inner_bias)?,
            down: self.linear(at("mlp.down_proj"), hidden, inner, config.inner_bias)?,
            window: config.windows[number],
        })
    }
}
