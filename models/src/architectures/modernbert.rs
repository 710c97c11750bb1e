//! ModernBERT (Warner et al. 2024): norms before each part, rotary positions, a gated feed-forward part, and some
//! layers in which a token sees only its neighbours.

use crate::Result;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::activation::Activation;
use crate::architectures::attention::Plan;
use crate::architectures::decoder::Attention;
use crate::architectures::layers::{Architecture, first_trained};
use crate::architectures::norms::LayerNorm;
use crate::architectures::packing::Packed;
use crate::architectures::parts::Parts;
use crate::architectures::recompute::{Stack, Step};
use crate::architectures::rope::{RopeConfig, Rotary, Scaling, turn};
use crate::architectures::sizes::{Sizes, damaged, unsupported};
use crate::weights::Source;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use tch::{Device, Kind, Tensor};

/// The part of a weight's name before the number of its layer.
pub(crate) const LAYERS: &str = "layers.";
/// `layer_types` of a layer in which every token sees every token, and of one in which it sees its neighbours.
const KINDS: [&str; 2] = ["full_attention", "sliding_attention"];

/// The numbers of `config.json`.
#[derive(Clone, Debug, Deserialize)]
struct Numbers {
    vocab_size: i64,
    hidden_size: i64,
    intermediate_size: i64,
    num_hidden_layers: usize,
    num_attention_heads: i64,
    max_position_embeddings: i64,
    #[serde(default = "gelu")]
    hidden_activation: String,
    #[serde(default = "usual_epsilon")]
    norm_eps: f64,
    #[serde(default)]
    norm_bias: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default = "usual_window")]
    local_attention: i64,
    #[serde(default = "three")]
    global_attn_every_n_layers: usize,
    #[serde(default)]
    layer_types: Option<Vec<String>>,
}

fn gelu() -> String {
    "gelu".into()
}

fn usual_epsilon() -> f64 {
    1e-5
}

fn usual_window() -> i64 {
    128
}

fn three() -> usize {
    3
}

/// What `config.json` says.
#[derive(Clone, Debug)]
pub struct ModernBertConfig {
    numbers: Numbers,
    activation: Activation,
    /// Whether a layer's tokens see their neighbours alone.
    local: Vec<bool>,
    /// The rotary settings of the layers whose tokens see everything, and those of the other layers.
    rope: [RopeConfig; 2],
}

impl ModernBertConfig {
    /// Reads and checks a configuration, in the form of Transformers 4 (`global_rope_theta`) or of 5 (`layer_types`).
    ///
    /// # Errors
    /// If a number is missing or impossible, or a feature is not supported.
    pub(crate) fn of_value(value: &Value) -> Result<Self> {
        let numbers: Numbers = serde_json::from_value(value.clone())
            .map_err(|e| damaged(&format!("is incomplete: {e}")))?;
        let sizes = [
            numbers.vocab_size,
            numbers.hidden_size,
            numbers.intermediate_size,
            numbers.num_attention_heads,
            numbers.max_position_embeddings,
            numbers.local_attention,
        ];
        let heads = numbers.num_attention_heads;
        if sizes.iter().any(|&n| n < 1)
            || numbers.hidden_size % (2 * heads) != 0
            || numbers.global_attn_every_n_layers == 0
        {
            return Err(damaged("has impossible sizes"));
        }
        let local = match &numbers.layer_types {
            None => (0..numbers.num_hidden_layers)
                .map(|number| number % numbers.global_attn_every_n_layers != 0)
                .collect(),
            Some(kinds) => kinds
                .iter()
                .map(|kind| match KINDS.iter().position(|known| known == kind) {
                    Some(place) => Ok(place == 1),
                    None => Err(unsupported(&format!("a layer of the type {kind:?}"))),
                })
                .collect::<Result<Vec<_>>>()?,
        };
        if local.len() != numbers.num_hidden_layers {
            return Err(damaged(
                "names another number of layer_types than of layers",
            ));
        }
        let rope = |kind: &str, older: &str, usual: f64| -> Result<RopeConfig> {
            let mut own = value
                .pointer(&format!("/rope_parameters/{kind}"))
                .filter(|own| own.is_object())
                .cloned()
                .unwrap_or_else(|| json!({}));
            if let Some(scaling) = value.get("rope_scaling").and_then(Value::as_object) {
                for (name, number) in scaling {
                    own[name] = number.clone();
                }
            }
            if own.get("rope_theta").is_none() {
                let theta = value.get(older).filter(|theta| theta.is_number());
                own["rope_theta"] = theta.cloned().unwrap_or(usual.into());
            }
            let read = RopeConfig::of_value(
                &json!({ "rope_parameters": own }),
                numbers.max_position_embeddings,
            )?;
            match read.scaling {
                Scaling::Dynamic => Err(unsupported("dynamic rotary scaling in an encoder")),
                _ => Ok(read),
            }
        };
        Ok(Self {
            activation: Activation::of_name("hidden_activation", &numbers.hidden_activation)?,
            rope: [
                rope(KINDS[0], "global_rope_theta", 160_000.0)?,
                rope(KINDS[1], "local_rope_theta", 10_000.0)?,
            ],
            local,
            numbers,
        })
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        let numbers = &self.numbers;
        Sizes {
            layers: numbers.num_hidden_layers,
            hidden: numbers.hidden_size as usize,
            intermediate: numbers.intermediate_size as usize,
            vocabulary: numbers.vocab_size as usize,
            positions: numbers.max_position_embeddings as usize,
        }
    }
}

struct Layer {
    /// The first layer has none: its input is normed already.
    attention_norm: Option<LayerNorm>,
    /// Queries, keys and values in one.
    query_key_value: Linear,
    attention_output: Linear,
    inner_norm: LayerNorm,
    /// One layer for both inputs of the product: the vectors that are activated, and those that they are multiplied by.
    input: Linear,
    output: Linear,
    local: bool,
}

impl Layer {
    fn linears(&mut self) -> [&mut Linear; 4] {
        [
            &mut self.query_key_value,
            &mut self.attention_output,
            &mut self.input,
            &mut self.output,
        ]
    }

    fn linears_ref(&self) -> [&Linear; 4] {
        [
            &self.query_key_value,
            &self.attention_output,
            &self.input,
            &self.output,
        ]
    }
}

/// A loaded ModernBERT.
pub struct ModernBert {
    words: Tensor,
    embedding_norm: LayerNorm,
    layers: Vec<Layer>,
    final_norm: LayerNorm,
    rotary: [Rotary; 2],
    heads: i64,
    head: i64,
    /// A token of a local layer sees those that are nearer than this.
    window: i64,
    activation: Activation,
    device: Device,
}

/// How the tokens of a batch see each other, and by how much they are turned.
struct Seen {
    plan: Plan,
    tables: (Tensor, Tensor),
}

impl ModernBert {
    /// Loads the weights of a folder; names with and without the prefix `model.` are understood.
    ///
    /// # Errors
    /// If weights are missing, damaged or of other shapes than the configuration asks for.
    pub fn load(config: &ModernBertConfig, source: &dyn Source, device: Device) -> Result<Self> {
        let numbers = &config.numbers;
        let words = "embeddings.tok_embeddings.weight";
        let parts = Parts::of(source, "model.", words);
        let (hidden, inner) = (numbers.hidden_size, numbers.intermediate_size);
        let norm = |path: &str| parts.norm(path, hidden, numbers.norm_eps, numbers.norm_bias);
        let layer = |(number, &local): (usize, &bool)| -> Result<Layer> {
            let at = |name: &str| format!("{LAYERS}{number}.{name}");
            let (attention, mlp) = (numbers.attention_bias, numbers.mlp_bias);
            let attention_norm = (number > 0).then(|| norm(&at("attn_norm")));
            Ok(Layer {
                attention_norm: attention_norm.transpose()?,
                query_key_value: parts.linear(at("attn.Wqkv"), 3 * hidden, hidden, attention)?,
                attention_output: parts.linear(at("attn.Wo"), hidden, hidden, attention)?,
                inner_norm: norm(&at("mlp_norm"))?,
                input: parts.linear(at("mlp.Wi"), 2 * inner, hidden, mlp)?,
                output: parts.linear(at("mlp.Wo"), hidden, inner, mlp)?,
                local,
            })
        };
        let head = hidden / numbers.num_attention_heads;
        let [whole, near] = &config.rope;
        Ok(Self {
            words: parts.tensor(words, &[numbers.vocab_size, hidden])?,
            embedding_norm: norm("embeddings.norm")?,
            layers: config
                .local
                .iter()
                .enumerate()
                .map(layer)
                .collect::<Result<_>>()?,
            final_norm: norm("final_norm")?,
            rotary: [
                Rotary::new(whole, head, device)?,
                Rotary::new(near, head, device)?,
            ],
            heads: numbers.num_attention_heads,
            head,
            // Half of the window is on each side; the token itself is one more.
            window: numbers.local_attention / 2 + 1,
            activation: config.activation,
            device,
        })
    }

    /// `x` `[tokens, hidden]` through a layer.
    fn layer(&self, layer: &Layer, x: &Tensor, seen: &Seen, pass: Pass) -> Result<Tensor> {
        let normed = match &layer.attention_norm {
            Some(norm) => norm.forward(x)?,
            None => x.shallow_clone(),
        };
        let each = layer.query_key_value.forward(&normed, pass)?;
        let each = each.f_view([-1, 3, self.heads, self.head])?;
        let part = |number| -> Result<Tensor> { Ok(each.f_select(1, number)?.f_contiguous()?) };
        let mixed = seen.plan.attend(
            &turn(&part(0)?, &seen.tables)?,
            &turn(&part(1)?, &seen.tables)?,
            &part(2)?,
        )?;
        let x = x.f_add(&layer.attention_output.forward(&mixed, pass)?)?;
        let halves = layer
            .input
            .forward(&layer.inner_norm.forward(&x)?, pass)?
            .f_chunk(2, -1)?; // [tokens, intermediate] each
        let inner = self.activation.apply(&halves[0])?.f_mul(&halves[1])?;
        Ok(x.f_add(&layer.output.forward(&inner, pass)?)?)
    }
}

impl Architecture for ModernBert {
    fn linears(&mut self) -> Vec<&mut Linear> {
        self.layers.iter_mut().flat_map(Layer::linears).collect()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.layers.iter().flat_map(Layer::linears_ref).collect()
    }

    fn words(&self) -> Option<&Tensor> {
        Some(&self.words)
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        packed.without_branches()?;
        let words = Tensor::f_embedding(&self.words, &packed.ids, -1, false, false)?;
        let seen = |window, rotary: &Rotary| -> Result<Rc<Seen>> {
            Ok(Rc::new(Seen {
                plan: Plan::of(packed, Attention::Bidirectional, window, self.device)?,
                tables: rotary.tables(&packed.positions, Kind::Float)?,
            }))
        };
        let [whole, near] = &self.rotary;
        let (whole, near) = (seen(None, whole)?, seen(Some(self.window), near)?);
        let layers = self.layers.iter().map(|layer| -> Step<'_> {
            let seen = Rc::clone(if layer.local { &near } else { &whole });
            Box::new(move |x| self.layer(layer, x, &seen, pass))
        });
        Ok(Stack {
            input: self.embedding_norm.forward(&words)?, // [tokens, hidden]
            layers: layers.collect(),
            last: Box::new(|x| self.final_norm.forward(x)),
            first_trained: first_trained(self.layers.iter().map(Layer::linears_ref)),
        })
    }
}

#[cfg(test)]
mod tests;
