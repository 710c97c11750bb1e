//! The encoder of T5 (Raffel et al. 2020), of T5 version 1.1 and of mT5. It has norms without a mean before each part,
//! and no position embeddings. Its attention scores have a bias by distance and are not scaled. A decoder in the same
//! folder is not read.

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::activation::Activation;
use crate::architectures::attention::{Groups, attend_within};
use crate::architectures::layers::{Architecture, first_trained};
use crate::architectures::norms::RmsNorm;
use crate::architectures::packing::Packed;
use crate::architectures::parts::Parts;
use crate::architectures::recompute::{Stack, Step};
use crate::architectures::relative::{SharedBias, for_layer};
use crate::architectures::sizes::{Sizes, damaged, unsupported};
use crate::weights::Source;
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;
use tch::Tensor;

/// The part of a weight's name before the number of its layer.
pub(crate) const LAYERS: &str = "encoder.block.";
/// The beginnings of the names of the decoder's weights and of its output layer.
pub(crate) const NOT_READ: [&str; 2] = ["decoder.", "lm_head."];
/// Longest input in tokens: a limit of memory, since distances know no end.
const LONGEST: usize = 2048;
/// The possible names of the embeddings.
const WORDS: [&str; 2] = ["shared.weight", "encoder.embed_tokens.weight"];

/// What `config.json` says.
#[derive(Clone, Debug, Deserialize)]
pub struct T5Config {
    vocab_size: i64,
    d_model: i64,
    d_kv: i64,
    d_ff: i64,
    num_layers: usize,
    num_heads: i64,
    #[serde(default = "usual_buckets")]
    relative_attention_num_buckets: i64,
    #[serde(default = "usual_farthest")]
    relative_attention_max_distance: i64,
    #[serde(default = "usual_epsilon")]
    layer_norm_epsilon: f64,
    #[serde(default)]
    feed_forward_proj: Option<String>,
    /// The model's own name for its type. It is not read from this field.
    #[serde(skip)]
    name: &'static str,
    /// See [`inner`]. The field of the file is not read directly.
    #[serde(skip)]
    inner: Option<(bool, Activation)>,
}

fn usual_buckets() -> i64 {
    32
}

fn usual_farthest() -> i64 {
    128
}

fn usual_epsilon() -> f64 {
    1e-6
}

/// Whether the feed-forward part is gated, and its function.
fn inner(written: &str) -> Result<(bool, Activation)> {
    let (gated, name) = match written.strip_prefix("gated-") {
        Some(name) => (true, name),
        None => (false, written),
    };
    // The first folders of version 1.1 use this name for the approximation.
    let name = if written == "gated-gelu" {
        "gelu_new"
    } else {
        name
    };
    Ok((gated, Activation::of_name("feed_forward_proj", name)?))
}

impl T5Config {
    /// Reads and checks a configuration of `model_type` `t5` or `mt5`.
    ///
    /// # Errors
    /// If a number is missing or impossible, or a feature is not supported.
    pub(crate) fn of_value(name: &'static str, value: &Value) -> Result<Self> {
        let mut config: Self = serde_json::from_value(value.clone())
            .map_err(|e| damaged(&format!("is incomplete: {e}")))?;
        let usual = if name == "mt5" { "gated-gelu" } else { "relu" };
        config.name = name;
        config.inner = Some(inner(config.feed_forward_proj.as_deref().unwrap_or(usual))?);
        let sizes = [
            config.vocab_size,
            config.d_model,
            config.d_kv,
            config.d_ff,
            config.num_heads,
        ];
        if sizes.iter().any(|&n| n < 1)
            || config.relative_attention_num_buckets < 4
            || config.relative_attention_max_distance <= config.relative_attention_num_buckets / 4
        {
            return Err(damaged("has impossible sizes"));
        }
        if value.get("is_decoder") == Some(&Value::Bool(true)) {
            return Err(unsupported("T5 as a decoder alone (is_decoder)"));
        }
        Ok(config)
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            layers: self.num_layers,
            hidden: self.d_model as usize,
            intermediate: self.d_ff as usize,
            vocabulary: self.vocab_size as usize,
            positions: LONGEST,
        }
    }
}

struct Layer {
    attention_norm: RmsNorm,
    query: Linear,
    key: Linear,
    value: Linear,
    attention_output: Linear,
    inner_norm: RmsNorm,
    /// What is activated.
    input: Linear,
    /// The layer for the factor, if the feed-forward part is gated.
    gate: Option<Linear>,
    output: Linear,
}

impl Layer {
    fn linears_ref(&self) -> Vec<&Linear> {
        let mut all = vec![&self.query, &self.key, &self.value, &self.attention_output];
        all.push(&self.input);
        all.extend(&self.gate);
        all.push(&self.output);
        all
    }

    fn linears(&mut self) -> Vec<&mut Linear> {
        let mut all = vec![
            &mut self.query,
            &mut self.key,
            &mut self.value,
            &mut self.attention_output,
        ];
        all.push(&mut self.input);
        all.extend(&mut self.gate);
        all.push(&mut self.output);
        all
    }
}

/// A loaded encoder.
pub struct T5 {
    words: Tensor,
    layers: Vec<Layer>,
    final_norm: RmsNorm,
    biases: SharedBias,
    heads: i64,
    activation: Activation,
}

impl T5 {
    /// Loads the weights of a folder of the encoder, or of the whole model.
    ///
    /// # Errors
    /// If weights are missing, damaged or of other shapes than the configuration asks for.
    pub fn load(config: &T5Config, source: &dyn Source) -> Result<Self> {
        let parts = Parts::of(source, "", WORDS[0]);
        let words = WORDS.into_iter().find(|name| parts.has(name));
        let (hidden, all) = (config.d_model, config.num_heads * config.d_kv);
        let (gated, activation) = config.inner.unwrap_or((false, Activation::Relu));
        let norm = |path: &str| parts.rms_norm(path, hidden, config.layer_norm_epsilon);
        let layer = |number: usize| -> Result<Layer> {
            let at = |name: &str| format!("{LAYERS}{number}.layer.{name}");
            let linear =
                |name: &str, outputs, inputs| parts.linear(at(name), outputs, inputs, false);
            let first = if gated { "wi_0" } else { "wi" };
            let gate = gated.then(|| linear("1.DenseReluDense.wi_1", config.d_ff, hidden));
            Ok(Layer {
                attention_norm: norm(&at("0.layer_norm"))?,
                query: linear("0.SelfAttention.q", all, hidden)?,
                key: linear("0.SelfAttention.k", all, hidden)?,
                value: linear("0.SelfAttention.v", all, hidden)?,
                attention_output: linear("0.SelfAttention.o", hidden, all)?,
                inner_norm: norm(&at("1.layer_norm"))?,
                input: linear(&format!("1.DenseReluDense.{first}"), config.d_ff, hidden)?,
                gate: gate.transpose()?,
                output: linear("1.DenseReluDense.wo", hidden, config.d_ff)?,
            })
        };
        let buckets = config.relative_attention_num_buckets;
        let biases = format!("{LAYERS}0.layer.0.SelfAttention.relative_attention_bias.weight");
        Ok(Self {
            words: parts.tensor(words.unwrap_or(WORDS[0]), &[config.vocab_size, hidden])?,
            layers: (0..config.num_layers).map(layer).collect::<Result<_>>()?,
            final_norm: norm("encoder.final_layer_norm")?,
            biases: SharedBias {
                table: parts.tensor(&biases, &[buckets, config.num_heads])?,
                buckets,
                farthest: config.relative_attention_max_distance,
            },
            heads: config.num_heads,
            activation,
        })
    }

    /// `x` `[tokens, hidden]` through a layer.
    fn layer(&self, layer: &Layer, x: &Tensor, groups: &Groups, pass: Pass) -> Result<Tensor> {
        let normed = layer.attention_norm.forward(x)?;
        let mixed = attend_within(
            &layer.query.forward(&normed, pass)?,
            &layer.key.forward(&normed, pass)?,
            &layer.value.forward(&normed, pass)?,
            self.heads,
            groups,
        )?;
        let x = x.f_add(&layer.attention_output.forward(&mixed, pass)?)?;
        let normed = layer.inner_norm.forward(&x)?;
        let mut inner = self
            .activation
            .apply(&layer.input.forward(&normed, pass)?)?;
        if let Some(gate) = &layer.gate {
            inner = inner.f_mul(&gate.forward(&normed, pass)?)?;
        }
        Ok(x.f_add(&layer.output.forward(&inner, pass)?)?)
    }
}

impl Architecture for T5 {
    fn linears(&mut self) -> Vec<&mut Linear> {
        self.layers.iter_mut().flat_map(Layer::linears).collect()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.layers.iter().flat_map(Layer::linears_ref).collect()
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        packed.without_branches()?;
        let groups = Rc::new(Groups {
            biases: Some(self.biases.of_groups(&packed.groups)?),
            groups: packed.groups.clone(),
            scale: Some(1.0),
        });
        let layers = self.layers.iter().map(|layer| -> Step<'_> {
            let groups = Rc::clone(&groups);
            Box::new(move |x| {
                let groups = for_layer(Some(&self.biases), &groups)?;
                self.layer(layer, x, &groups, pass)
            })
        });
        Ok(Stack {
            input: Tensor::f_embedding(&self.words, &packed.ids, -1, false, false)?,
            layers: layers.collect(),
            last: Box::new(|x| self.final_norm.forward(x)),
            first_trained: first_trained(self.layers.iter().map(Layer::linears_ref)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Code;

    #[test]
    fn the_feed_forward_part_is_named_by_the_configuration() {
        assert_eq!(inner("relu").unwrap(), (false, Activation::Relu));
        assert_eq!(inner("gated-gelu").unwrap(), (true, Activation::GeluTanh));
        assert_eq!(inner("gated-silu").unwrap(), (true, Activation::Silu));
        let failure = inner("gated-mish").unwrap_err().into_failure();
        assert_eq!(failure.code, Code::ModelUnsupported);
        assert!(failure.message.contains("mish"), "{}", failure.message);
    }
}
