//! The configuration of a text encoder, whatever its architecture.

use crate::Result;
use crate::architectures::bert::{Bert, BertConfig};
use crate::architectures::deberta::{Deberta, DebertaConfig};
use crate::architectures::layers::Architecture;
use crate::architectures::modernbert::{ModernBert, ModernBertConfig};
use crate::architectures::sizes::Sizes;
use crate::architectures::t5::{T5, T5Config};
use crate::architectures::{deberta, distilbert, modernbert, mpnet, roberta, t5};
use crate::weights::Source;
use serde_json::Value;
use tch::Device;

/// The settings in an encoder's `config.json`.
#[derive(Clone, Debug)]
pub enum EncoderConfig {
    /// BERT, RoBERTa, XLM-RoBERTa, DistilBERT and MPNet.
    Bert(BertConfig),
    /// ModernBERT.
    ModernBert(ModernBertConfig),
    /// DeBERTa, version 2 and 3.
    Deberta(DebertaConfig),
    /// The encoder of T5 and mT5.
    T5(T5Config),
}

impl EncoderConfig {
    /// Reads the configuration of an encoder by its `model_type`; `None` if the type does not belong to an encoder.
    ///
    /// # Errors
    /// If a number is missing or impossible, or a feature is not supported.
    pub(crate) fn of_value(model_type: &str, value: &Value) -> Result<Option<Self>> {
        Ok(Some(match model_type {
            "bert" => Self::Bert(BertConfig::of_value(value.clone())?),
            "roberta" | "xlm-roberta" => Self::Bert(roberta::config(model_type, value)?),
            "distilbert" => Self::Bert(distilbert::config(value)?),
            "mpnet" => Self::Bert(mpnet::config(value)?),
            "modernbert" => Self::ModernBert(ModernBertConfig::of_value(value)?),
            "deberta-v2" => Self::Deberta(DebertaConfig::of_value(value)?),
            "t5" => Self::T5(T5Config::of_value("t5", value)?),
            "mt5" => Self::T5(T5Config::of_value("mt5", value)?),
            _ => return Ok(None),
        }))
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bert(config) => config.name(),
            Self::ModernBert(_) => "modernbert",
            Self::Deberta(_) => "deberta-v2",
            Self::T5(config) => config.name(),
        }
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        match self {
            Self::Bert(config) => config.sizes(),
            Self::ModernBert(config) => config.sizes(),
            Self::Deberta(config) => config.sizes(),
            Self::T5(config) => config.sizes(),
        }
    }

    /// How many token types it has. With one or none, the types cannot show which text of a pair a token belongs to.
    pub fn token_types(&self) -> i64 {
        match self {
            Self::Bert(config) => config.token_types(),
            Self::Deberta(config) => config.token_types(),
            Self::ModernBert(_) | Self::T5(_) => 0,
        }
    }

    /// The part of a weight's name before the number of its layer.
    pub(crate) fn layers_at(&self) -> &'static str {
        match self {
            Self::Bert(config) => config.layers_at(),
            Self::ModernBert(_) => modernbert::LAYERS,
            Self::Deberta(_) => deberta::LAYERS,
            Self::T5(_) => t5::LAYERS,
        }
    }

    /// What a layer keeps for each token until its gradient is computed, besides the vectors of hidden size. The first
    /// value is how many vectors of inner size it keeps (the size inside the feed-forward part). The second value is
    /// how many numbers it keeps for each pair of tokens of a text, such as attention scores.
    pub fn kept(&self) -> (usize, usize) {
        match self {
            Self::Bert(_) => (2, 0),
            // These also keep the gated vectors.
            Self::ModernBert(_) | Self::T5(_) => (4, 0),
            // Scores, of which part of three kinds, and their shares.
            Self::Deberta(config) => (2, 6 * config.heads()),
        }
    }

    /// Whether a tensor of the folder belongs to a part that is not read: T5's decoder.
    pub fn leaves_out(&self, name: &str) -> bool {
        matches!(self, Self::T5(_)) && t5::NOT_READ.iter().any(|part| name.starts_with(part))
    }

    /// Loads the model.
    ///
    /// # Errors
    /// If weights are missing or do not fit the configuration.
    pub fn load(&self, source: &dyn Source, device: Device) -> Result<Box<dyn Architecture>> {
        Ok(match self {
            Self::Bert(config) => Box::new(Bert::load(config, source)?),
            Self::ModernBert(config) => Box::new(ModernBert::load(config, source, device)?),
            Self::Deberta(config) => Box::new(Deberta::load(config, source, device)?),
            Self::T5(config) => Box::new(T5::load(config, source)?),
        })
    }
}
