//! The functions that every decoder has, and its configuration.

use crate::adapters::lora::{Linear, Pass};
use crate::architectures::cache::Cache;
use crate::architectures::caches::Caches;
use crate::architectures::layers::Architecture;
use crate::architectures::packing::Packed;
use crate::architectures::recompute::Stack;
use crate::architectures::rope::{RopeConfig, Scaling};
use crate::architectures::sizes::{Sizes, damaged, uneven_heads, unsupported};
use crate::{Error, Result};
use lexforge_domain::Code;
use serde::Deserialize;
use serde_json::Value;
use tch::{Device, Tensor};

/// Which tokens of its text a token sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Itself and those before it.
    Causal,
    /// All of them.
    Bidirectional,
}

impl Attention {
    /// What a way of reading texts says of a decoder.
    pub fn of(causal: bool) -> Self {
        match causal {
            true => Self::Causal,
            false => Self::Bidirectional,
        }
    }
}

/// A language model that continues a text.
pub trait Decoder {
    /// The decoder's configuration.
    fn config(&self) -> &DecoderConfig;

    /// The device of its tensors.
    fn device(&self) -> Device;

    /// Its linear layers in the order of its modules; those that a LoRA target may name.
    fn linears(&mut self) -> Vec<&mut Linear>;

    /// The linear layers of [`Decoder::linears`], for reading only.
    fn linears_ref(&self) -> Vec<&Linear>;

    /// Copies the model's weights into its own memory, so that they no longer depend on the files that they were mapped
    /// from.
    fn own_weights(&mut self) -> Result<()>;

    /// The model's layers, set up for a packed batch. No token sees tokens of another text.
    ///
    /// # Errors
    /// If libtorch fails, or a text is longer than the model's positions.
    fn stack(&self, packed: &Packed, attention: Attention, pass: Pass) -> Result<Stack<'_>>;

    /// Vectors of all tokens of a packed batch after the last norm: `[tokens, hidden]`.
    ///
    /// # Errors
    /// As [`Decoder::stack`].
    fn hidden(&self, packed: &Packed, attention: Attention, pass: Pass) -> Result<Tensor> {
        self.stack(packed, attention, pass)?.run()
    }

    /// Computes the vectors of further tokens `ids`, `[tokens, hidden]`. They follow the tokens that are in the cache,
    /// and are added to the cache.
    ///
    /// # Errors
    /// As [`Decoder::hidden`].
    fn follow(&self, ids: &[u32], cache: &mut Cache) -> Result<Tensor>;

    /// Vectors of all tokens of a packed batch without branches: `[tokens, hidden]`. The texts are stored in the
    /// caches.
    ///
    /// # Errors
    /// As [`Decoder::hidden`].
    fn read_into(&self, packed: &Packed, caches: &mut Caches) -> Result<Tensor>;

    /// Computes the vector of one further token of each text in the caches: `[texts, hidden]`.
    ///
    /// # Errors
    /// As [`Decoder::hidden`].
    fn follow_each(&self, ids: &[u32], caches: &mut Caches) -> Result<Tensor>;

    /// Vectors of all tokens of a packed batch without branches: `[tokens, hidden]`. Each text is stored in an empty
    /// cache of its own.
    ///
    /// # Errors
    /// As [`Decoder::hidden`].
    fn read_each(&self, packed: &Packed, caches: &mut [&mut Cache]) -> Result<Tensor>;

    /// Vectors of one more token for each text, each with its own cache: `[texts, hidden]`. In fp32 on the CPU, a
    /// text's vector has the same bits whatever the other texts are. On other devices or types, libtorch's kernels
    /// cannot ensure this.
    ///
    /// # Errors
    /// As [`Decoder::hidden`].
    fn step_each(&self, ids: &[u32], caches: &mut [&mut Cache]) -> Result<Tensor>;

    /// As [`Decoder::logits`], each row computed independently as in [`Decoder::step_each`].
    fn step_logits(&self, hidden: &Tensor) -> Result<Tensor>;

    /// Logits of vectors `[rows, hidden]`: `[rows, vocabulary]`.
    fn logits(&self, hidden: &Tensor) -> Result<Tensor>;

    /// The gradient with respect to the vectors `[rows, hidden]`, from the gradient with respect to their logits
    /// `[rows, vocabulary]`.
    fn before_logits(&self, gradient: &Tensor) -> Result<Tensor>;
}

/// A decoder as a text encoder, whose tokens see each other in one of the two ways.
pub struct DecoderEncoder {
    /// The decoder.
    pub decoder: Box<dyn Decoder>,
    /// Which tokens a token sees.
    pub attention: Attention,
}

impl Architecture for DecoderEncoder {
    fn linears(&mut self) -> Vec<&mut Linear> {
        self.decoder.linears()
    }

    fn linears_ref(&self) -> Vec<&Linear> {
        self.decoder.linears_ref()
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        self.decoder.stack(packed, self.attention, pass)
    }
}

/// What is computed: the differences between architectures of this family, all read from `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct DecoderConfig {
    /// Name of the architecture, as `model_type` has it.
    pub name: &'static str,
    /// Entries of the embedding table.
    pub vocabulary: i64,
    /// Hidden size.
    pub hidden: i64,
    /// Inner size of the feed-forward part.
    pub inner: i64,
    /// Layers.
    pub layers: usize,
    /// Query heads.
    pub heads: i64,
    /// Key and value heads; each serves `heads / key_heads` query heads.
    pub key_heads: i64,
    /// Size of a head.
    pub head: i64,
    /// Longest input in tokens.
    pub positions: i64,
    /// Epsilon of the norms.
    pub epsilon: f64,
    /// Rotary embeddings.
    pub rope: RopeConfig,
    /// The output layer is the embedding table.
    pub tied: bool,
    /// Queries and keys are normed, head by head.
    pub query_key_norm: bool,
    /// Queries, keys and values have a bias.
    pub query_key_value_bias: bool,
    /// The attention's output layer has a bias.
    pub output_bias: bool,
    /// The feed-forward layers have a bias.
    pub inner_bias: bool,
    /// How near a token must be to be seen, by layer; `None` = any distance.
    pub windows: Vec<Option<i64>>,
    /// Tokens that end an answer, as the configuration names them.
    pub end_tokens: Vec<u32>,
}

impl DecoderConfig {
    /// The sizes that all architectures have.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            layers: self.layers,
            hidden: self.hidden as usize,
            intermediate: self.inner as usize,
            vocabulary: self.vocabulary as usize,
            positions: self.positions as usize,
        }
    }

    /// Checks that an input with this number of tokens can be computed.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if it is longer than the rotary embeddings allow.
    pub fn check_length(&self, tokens: i64) -> Result<()> {
        if self.rope.scaling == Scaling::Dynamic && tokens > self.positions {
            return Err(Error::told(
                Code::InvalidRequest,
                format!(
                    "A text has {tokens} tokens; with dynamic rotary scaling at most {} can be computed.",
                    self.positions
                ),
                "Lower max_length.",
            ));
        }
        Ok(())
    }
}

/// The fields of `config.json` that this family shares.
#[derive(Deserialize)]
pub struct CommonFields {
    vocab_size: i64,
    hidden_size: i64,
    intermediate_size: i64,
    num_hidden_layers: usize,
    num_attention_heads: i64,
    #[serde(default)]
    num_key_value_heads: Option<i64>,
    #[serde(default)]
    head_dim: Option<i64>,
    max_position_embeddings: i64,
    #[serde(default = "usual_epsilon")]
    rms_norm_eps: f64,
    #[serde(default = "silu")]
    hidden_act: String,
    #[serde(default)]
    tie_word_embeddings: bool,
    #[serde(default)]
    eos_token_id: Value,
}

fn usual_epsilon() -> f64 {
    1e-6
}

fn silu() -> String {
    "silu".into()
}

/// Fields of related architectures that change the computation and that this product does not support. A feature is off
/// if its field is absent, null, false, zero or one.
const FOREIGN: [&str; 18] = [
    "attention_multiplier",
    "attn_logit_softcapping",
    "embedding_multiplier",
    "final_logit_softcapping",
    "logit_scale",
    "logits_scaling",
    "moe_intermediate_size",
    "no_rope_layers",
    "num_experts",
    "num_local_experts",
    "num_nextn_predict_layers",
    "qk_layernorm",
    "query_pre_attn_scalar",
    "residual_multiplier",
    "rope_interleaved",
    "use_mrope",
    "use_parallel_residual",
    "vision_config",
];

impl CommonFields {
    /// Reads and checks the fields.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if a number is missing or impossible. [`Code::ModelUnsupported`] if a feature is not
    /// supported; the message names the feature.
    pub(crate) fn of_value(value: &Value) -> Result<Self> {
        for name in FOREIGN {
            let off = match value.get(name) {
                None | Some(Value::Null | Value::Bool(false)) => true,
                Some(Value::Number(n)) => n.as_f64().is_some_and(|n| n == 0.0 || n == 1.0),
                Some(Value::Array(list)) => list.is_empty(),
                Some(_) => false,
            };
            if !off {
                return Err(unsupported(&format!("{name} in its configuration")));
            }
        }
        let fields: Self =
            Self::deserialize(value).map_err(|e| damaged(&format!("is incomplete: {e}")))?;
        if fields.hidden_act != "silu" {
            return Err(unsupported(&format!("hidden_act {:?}", fields.hidden_act)));
        }
        Ok(fields)
    }

    /// A configuration with these fields, without the additional features of particular architectures.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the sizes do not fit each other, and as `RopeConfig::of_value`.
    pub fn plain(&self, name: &'static str, value: &Value) -> Result<DecoderConfig> {
        let key_heads = self.num_key_value_heads.unwrap_or(self.num_attention_heads);
        let numbers = [
            self.vocab_size,
            self.hidden_size,
            self.intermediate_size,
            self.num_attention_heads,
            key_heads,
            self.max_position_embeddings,
            self.head_dim.unwrap_or(1),
        ];
        let impossible = || damaged("has impossible sizes");
        if numbers.iter().any(|&n| n < 1)
            || self.num_attention_heads % key_heads != 0
            || self.num_hidden_layers == 0
        {
            return Err(impossible());
        }
        let head = match self.head_dim {
            Some(head) => head,
            None if self.hidden_size % self.num_attention_heads == 0 => {
                self.hidden_size / self.num_attention_heads
            }
            None => return Err(uneven_heads(self.hidden_size, self.num_attention_heads)),
        };
        if head % 2 != 0 {
            return Err(impossible());
        }
        Ok(DecoderConfig {
            name,
            vocabulary: self.vocab_size,
            hidden: self.hidden_size,
            inner: self.intermediate_size,
            layers: self.num_hidden_layers,
            heads: self.num_attention_heads,
            key_heads,
            head,
            positions: self.max_position_embeddings,
            epsilon: self.rms_norm_eps,
            rope: RopeConfig::of_value(value, self.max_position_embeddings)?,
            tied: self.tie_word_embeddings,
            query_key_norm: false,
            query_key_value_bias: false,
            output_bias: false,
            inner_bias: false,
            windows: vec![None; self.num_hidden_layers],
            end_tokens: token_numbers(&self.eos_token_id),
        })
    }
}

/// A field that holds one token number, several, or none.
pub(crate) fn token_numbers(value: &Value) -> Vec<u32> {
    let one = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
    match value {
        Value::Array(list) => list.iter().filter_map(one).collect(),
        other => one(other).into_iter().collect(),
    }
}

/// Whether a field is true.
pub fn is_on(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The attention window of each of Qwen's layers. If the configuration has `layer_types`, this list says which layers
/// have a window. Otherwise the layers from `max_window_layers` on have one.
///
/// # Errors
/// [`Code::ModelUnsupported`] for a kind of layer that is not known.
pub(crate) fn qwen_windows(value: &Value, layers: usize) -> Result<Vec<Option<i64>>> {
    let window = value
        .get("sliding_window")
        .and_then(Value::as_i64)
        .filter(|_| is_on(value, "use_sliding_window"));
    if let Some(Value::Array(types)) = value.get("layer_types") {
        if types.len() != layers {
            return Err(damaged("lists other layers (layer_types) than it has"));
        }
        let kinds = types.iter().map(|kind| match kind.as_str() {
            Some("full_attention") => Ok(None),
            Some("sliding_attention") => Ok(window),
            other => Err(unsupported(&format!(
                "layers of the kind {:?} (layer_types)",
                other.unwrap_or_default()
            ))),
        });
        return kinds.collect();
    }
    let from = value
        .get("max_window_layers")
        .and_then(Value::as_u64)
        .unwrap_or(28) as usize;
    Ok((0..layers)
        .map(|layer| window.filter(|_| layer >= from))
        .collect())
}
