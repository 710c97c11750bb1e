//! One layer of a decoder: its weights by name, and its computation.

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::norms::RmsNorm;
use crate::architectures::rope::{turn, turn_both};
use crate::shim;
use tch::Tensor;

/// A layer's weights.
pub(super) struct Layer {
    pub(super) input_norm: RmsNorm,
    pub(super) query: Linear,
    pub(super) key: Linear,
    pub(super) value: Linear,
    pub(super) output: Linear,
    pub(super) query_key_norm: Option<(RmsNorm, RmsNorm)>,
    pub(super) inner_norm: RmsNorm,
    pub(super) gate: Linear,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) window: Option<i64>,
}

impl Layer {
    pub(super) fn linears(&mut self) -> [&mut Linear; 7] {
        [
            &mut self.query,
            &mut self.key,
            &mut self.value,
            &mut self.output,
            &mut self.gate,
            &mut self.up,
            &mut self.down,
        ]
    }

    pub(super) fn linears_ref(&self) -> [&Linear; 7] {
        [
            &self.query,
            &self.key,
            &self.value,
            &self.output,
            &self.gate,
            &self.up,
            &self.down,
        ]
    }

    /// All its weights by their names in a folder; `number` is its own.
    pub(super) fn weights_mut(&mut self, number: usize) -> Vec<(String, &mut Tensor)> {
        let Self {
            input_norm,
            query,
            key,
            value,
            output,
            query_key_norm,
            inner_norm,
            gate,
            up,
            down,
            window: _,
        } = self;
        let at = |name: &str| format!("model.layers.{number}.{name}.weight");
        let mut all = vec![
            (at("input_layernorm"), &mut input_norm.weight),
            (at("post_attention_layernorm"), &mut inner_norm.weight),
        ];
        if let Some((of_query, of_key)) = query_key_norm {
            all.extend([
                (at("self_attn.q_norm"), &mut of_query.weight),
                (at("self_attn.k_norm"), &mut of_key.weight),
            ]);
        }
        all.extend(
            [query, key, value, output, gate, up, down]
                .into_iter()
                .flat_map(Linear::weights_mut),
        );
        all
    }

    /// `x` `[tokens, hidden]` through the layer; `attend` mixes values by queries and keys.
    pub(super) fn forward(
        &self,
        config: &DecoderConfig,
        x: &Tensor,
        tables: &(Tensor, Tensor),
        pass: Pass,
        attend: impl FnOnce(&Tensor, &Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Tensor> {
        let tokens = x.size()[0];
        let norm = |norm: &RmsNorm, x: &Tensor| match pass {
            Pass::Step => norm.step(x),
            _ => norm.forward(x),
        };
        let normed = norm(&self.input_norm, x)?;
        let heads = |linear: &Linear, heads: i64| -> Result<Tensor> {
            Ok(linear
                .forward(&normed, pass)?
                .f_view([tokens, heads, config.head])?)
        };
        let (mut query, mut key) = (
            heads(&self.query, config.heads)?,
            heads(&self.key, config.key_heads)?,
        );
        let value = heads(&self.value, config.key_heads)?;
        if let Some((of_query, of_key)) = &self.query_key_norm {
            query = norm(of_query, &query)?;
            key = norm(of_key, &key)?;
        }
        (query, key) = match pass {
            Pass::Step => turn_both(&query, &key, tables)?,
            _ => (turn(&query, tables)?, turn(&key, tables)?),
        };
        let mixed = attend(&query, &key, &value)?;
        let x = x.f_add(&self.output.forward(&mixed, pass)?)?;
        let normed = norm(&self.inner_norm, &x)?;
        let inner = shim::gate(
            &self.gate.forward(&normed, pass)?,
            &self.up.forward(&normed, pass)?,
        )?;
        Ok(x.f_add(&self.down.forward(&inner, pass)?)?)
    }
}
