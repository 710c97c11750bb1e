//! Which base model, how its token vectors become one, and the hash of an adapter to it.

use crate::Sha256;
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(Pooling, DenseFunction);

/// A base model by name and content; the target resolves it among its own model folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRef {
    /// The folder's name, for example `all-MiniLM-L6-v2`.
    pub name: String,
    /// SHA-256 of `config.json`, followed by the SHA-256 of the weights' index if there is one, in hexadecimal. Empty =
    /// not checked.
    pub sha256: String,
}

/// How token vectors become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Pooling {
    /// Mean over real tokens; padding is never counted.
    Mean,
    /// The first token.
    Cls,
    /// The last real token.
    Last,
    /// The largest of each number.
    Max,
    /// The sum over the root of the number of tokens.
    MeanSqrt,
    /// Mean in which a token counts by its place: the first once, the second twice.
    WeightedMean,
}

/// The function after a dense layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum DenseFunction {
    /// None.
    Identity,
    /// Hyperbolic tangent.
    Tanh,
    /// Rectified linear unit.
    Relu,
    /// Gaussian error linear unit.
    Gelu,
    /// Logistic function.
    Sigmoid,
    /// Sigmoid-weighted linear unit.
    Silu,
}

/// A dense layer after the pooling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DenseLayer {
    /// Its folder inside the model's.
    pub path: String,
    /// Numbers that it reads.
    pub inputs: usize,
    /// Numbers that it writes.
    pub outputs: usize,
    /// Whether it adds a bias.
    pub bias: bool,
    /// The function after it.
    pub function: DenseFunction,
}

/// How vectors of terms in their texts are made: the mean over the term's tokens, at unit length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermReading {
    /// After how many layers: 0 = what enters the first one, none = all of them.
    pub layer: Option<usize>,
}

/// How an encoder reads texts for their vectors, as its folder says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextReading {
    /// How token vectors become one.
    pub pooling: Pooling,
    /// Dense layers after the pooling, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dense: Vec<DenseLayer>,
    /// Vectors get unit length.
    pub normalize: bool,
    /// Text put before a question; empty = none.
    pub question: String,
    /// Text put before a passage; empty = none.
    pub passage: String,
    /// Longest input in tokens.
    pub max_length: usize,
    /// A token sees only the tokens before it. This is so for a decoder, unless its folder or its adapter says otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub causal: bool,
}

impl Default for TextReading {
    /// The settings used if a folder does not state them.
    fn default() -> Self {
        Self {
            pooling: Pooling::Mean,
            dense: Vec::new(),
            normalize: true,
            question: String::new(),
            passage: String::new(),
            max_length: 256,
            causal: false,
        }
    }
}

impl TextReading {
    /// The text that is put before such a text.
    pub fn prompt(&self, side: TextSide) -> &str {
        match side {
            TextSide::Plain => "",
            TextSide::Question => &self.question,
            TextSide::Passage => &self.passage,
        }
    }
}

/// The side of a text, for an encoder that puts other words before questions than before passages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextSide {
    /// The text is read without a prompt.
    #[default]
    Plain,
    /// A question.
    Question,
    /// A passage that may answer one.
    Passage,
}

/// The hash of the adapter's weights in a result.
pub(super) fn adapter_sha256<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Sha256, D::Error> {
    Sha256::field(deserializer, "adapter_sha256")
}
