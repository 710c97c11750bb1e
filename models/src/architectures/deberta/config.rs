//! The settings in a DeBERTa's `config.json`.

use crate::Result;
use crate::architectures::activation::Activation;
use crate::architectures::sizes::{Sizes, damaged, unsupported};
use serde::Deserialize;
use serde_json::Value;

/// What `config.json` says.
#[derive(Clone, Debug, Deserialize)]
pub struct DebertaConfig {
    pub(super) vocab_size: i64,
    pub(super) hidden_size: i64,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: i64,
    pub(super) intermediate_size: i64,
    pub(super) max_position_embeddings: i64,
    #[serde(default)]
    pub(super) type_vocab_size: i64,
    #[serde(default = "usual_epsilon")]
    pub(super) layer_norm_eps: f64,
    #[serde(default = "gelu")]
    pub(super) hidden_act: String,
    #[serde(default)]
    embedding_size: Option<i64>,
    #[serde(default)]
    attention_head_size: Option<i64>,
    #[serde(default)]
    pub(super) relative_attention: bool,
    #[serde(default = "none")]
    max_relative_positions: i64,
    #[serde(default = "none")]
    pub(super) position_buckets: i64,
    #[serde(default = "yes")]
    pub(super) position_biased_input: bool,
    #[serde(default)]
    pub(super) share_att_key: bool,
    #[serde(default)]
    pub(super) norm_rel_ebd: Option<String>,
    #[serde(default)]
    pub(super) conv_kernel_size: i64,
    #[serde(default)]
    conv_groups: Option<i64>,
    #[serde(default)]
    conv_act: Option<String>,
    /// See [`Terms`]. The field of the file is not read directly.
    #[serde(skip)]
    pub(super) terms: Terms,
}

fn usual_epsilon() -> f64 {
    1e-7
}

fn gelu() -> String {
    "gelu".into()
}

fn none() -> i64 {
    -1
}

fn yes() -> bool {
    true
}

/// The products in a score besides that of query and key (`pos_att_type`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Terms {
    /// The query with the distance's key (`c2p`).
    pub(super) by_query: bool,
    /// The key with the distance's query (`p2c`).
    pub(super) by_key: bool,
}

impl Terms {
    fn of_value(value: Option<&Value>) -> Result<Self> {
        let names: Vec<String> = match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(joined)) => joined
                .split('|')
                .map(|name| name.trim().to_lowercase())
                .collect(),
            Some(Value::Array(list)) => list
                .iter()
                .map(|name| name.as_str().unwrap_or_default().to_lowercase())
                .collect(),
            Some(_) => return Err(damaged("has a pos_att_type that is no list of names")),
        };
        let mut terms = Self::default();
        for name in names {
            match name.as_str() {
                "c2p" => terms.by_query = true,
                "p2c" => terms.by_key = true,
                "" | "none" => {}
                other => return Err(unsupported(&format!("pos_att_type {other:?}"))),
            }
        }
        Ok(terms)
    }

    pub(super) fn count(self) -> i64 {
        1 + i64::from(self.by_query) + i64::from(self.by_key)
    }
}

impl DebertaConfig {
    /// How many token types it has.
    pub fn token_types(&self) -> i64 {
        self.type_vocab_size
    }

    /// Reads and checks a configuration.
    ///
    /// # Errors
    /// If a number is missing or impossible, or a feature is not supported.
    pub(crate) fn of_value(value: &Value) -> Result<Self> {
        let mut config: Self = serde_json::from_value(value.clone())
            .map_err(|e| damaged(&format!("is incomplete: {e}")))?;
        config.terms = Terms::of_value(value.get("pos_att_type"))?;
        let sizes = [
            config.vocab_size,
            config.hidden_size,
            config.num_attention_heads,
            config.intermediate_size,
            config.max_position_embeddings,
            config.embedded(),
            config.head(),
            config.conv_groups(),
        ];
        // The layer after the attention reads as many numbers as it writes.
        let whole_heads = config.head() * config.num_attention_heads == config.hidden_size;
        if sizes.iter().any(|&n| n < 1)
            || config.type_vocab_size < 0
            || config.hidden_size % config.conv_groups() != 0
            || !whole_heads
        {
            return Err(damaged("has impossible sizes"));
        }
        if config.conv_kernel_size > 0 && config.conv_kernel_size % 2 == 0 {
            return Err(unsupported(&format!(
                "a convolution over an even number of tokens (conv_kernel_size {})",
                config.conv_kernel_size
            )));
        }
        Activation::of_name("hidden_act", &config.hidden_act)?;
        config.convolution_activation()?;
        Ok(config)
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            layers: self.num_hidden_layers,
            hidden: self.hidden_size as usize,
            intermediate: self.intermediate_size as usize,
            vocabulary: self.vocab_size as usize,
            positions: self.max_position_embeddings as usize,
        }
    }

    /// Heads of a layer: each keeps scores of every token with every token of its text.
    pub fn heads(&self) -> usize {
        self.num_attention_heads as usize
    }

    /// Numbers of a word's embedding.
    pub(super) fn embedded(&self) -> i64 {
        self.embedding_size.unwrap_or(self.hidden_size)
    }

    /// Size of a head.
    pub(super) fn head(&self) -> i64 {
        let heads = self.num_attention_heads.max(1);
        self.attention_head_size.unwrap_or(self.hidden_size / heads)
    }

    /// Groups of the convolution.
    pub(super) fn conv_groups(&self) -> i64 {
        self.conv_groups.unwrap_or(1)
    }

    /// The function after the convolution.
    pub(super) fn convolution_activation(&self) -> Result<Activation> {
        Activation::of_name("conv_act", self.conv_act.as_deref().unwrap_or("tanh"))
    }

    /// Distance from which on all are alike.
    pub(super) fn farthest(&self) -> i64 {
        match self.max_relative_positions {
            given if given >= 1 => given,
            _ => self.max_position_embeddings,
        }
    }

    /// Distances that have vectors, in each direction.
    pub(super) fn span(&self) -> i64 {
        match self.position_buckets {
            given if given > 0 => given,
            _ => self.farthest(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::Code;
    use serde_json::json;

    #[test]
    fn what_cannot_be_computed_is_refused_by_name() {
        let usual = json!({"vocab_size": 9, "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 1,
            "num_attention_heads": 2, "max_position_embeddings": 32, "relative_attention": true});
        let read = DebertaConfig::of_value(&usual).unwrap();
        assert_eq!(
            (read.span(), read.farthest(), read.terms.count()),
            (32, 32, 1)
        );
        let with = |name: &str, to: Value| {
            let mut value = usual.clone();
            value[name] = to;
            DebertaConfig::of_value(&value)
        };
        for to in [json!("c2p|P2C"), json!(["p2c", "c2p"])] {
            assert_eq!(with("pos_att_type", to).unwrap().terms.count(), 3);
        }
        let check = |name: &str, to: Value, code: Code, named: &str| {
            let failure = with(name, to).unwrap_err().into_failure();
            assert_eq!(failure.code, code, "{name}");
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        check(
            "pos_att_type",
            json!(["p2p"]),
            Code::ModelUnsupported,
            "p2p",
        );
        check(
            "conv_kernel_size",
            json!(4),
            Code::ModelUnsupported,
            "conv_kernel_size 4",
        );
        check("num_attention_heads", json!(3), Code::ModelMissing, "sizes");
    }
}
