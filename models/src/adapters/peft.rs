//! `adapter_config.json`, by which PEFT knows a low-rank adapter.

use crate::adapters::lora::{LARGEST_RANK, names_module};
use crate::adapters::updates::bare;
use crate::{Error, Result};
use lexforge_domain::Code;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// `adapter_config.json`, as far as it decides what is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeftConfig {
    /// Which kind of adapter it is.
    pub peft_type: String,
    /// The task of the model.
    #[serde(default)]
    pub task_type: Option<String>,
    /// The base model.
    #[serde(default)]
    pub base_model_name_or_path: Option<String>,
    /// Rank.
    pub r: usize,
    /// α.
    pub lora_alpha: f64,
    /// Dropout before the down projection.
    #[serde(default)]
    pub lora_dropout: f64,
    /// A list of names, or one pattern; only PEFT reads it back.
    #[serde(default)]
    pub target_modules: serde_json::Value,
    /// Modules that are not adapted though a target names them.
    #[serde(default)]
    pub exclude_modules: Option<Vec<String>>,
    /// Whether it is meant to be read alone.
    #[serde(default)]
    pub inference_mode: bool,
    /// Which biases are trained.
    #[serde(default)]
    pub bias: Option<String>,
    /// Whether weights are turned.
    #[serde(default)]
    pub fan_in_fan_out: bool,
    /// Whether the update is scaled by α / √r.
    #[serde(default)]
    pub use_rslora: bool,
    /// Whether magnitudes are trained apart.
    #[serde(default)]
    pub use_dora: bool,
    /// Modules that are trained whole.
    #[serde(default)]
    pub modules_to_save: Option<Vec<String>>,
    /// Ranks of single modules.
    #[serde(default)]
    pub rank_pattern: Patterns<usize>,
    /// α of single modules.
    #[serde(default)]
    pub alpha_pattern: Patterns<f64>,
    /// Whatever else PEFT writes.
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
}

/// Values for single modules. Each key is the path of a module or the end of such a path. The order of the file is
/// kept, because PEFT takes the first of several keys that fit a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patterns<T>(Vec<(String, T)>);

impl<T: Copy> Patterns<T> {
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The value of a module, if it has one of its own.
    fn of(&self, path: &str) -> Option<T> {
        let named = |key: &str| names_module(bare(key), bare(path));
        let own = self.0.iter().find(|(key, _)| named(key));
        own.map(|(_, value)| *value)
    }
}

impl<T: Serialize> Serialize for Patterns<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patterns<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

/// Reads a map and keeps its order. A key that comes again changes the value and not the place, as in Python.
struct InOrder<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
    type Value = Patterns<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<M: MapAccess<'de>>(
        self,
        mut map: M,
    ) -> std::result::Result<Self::Value, M::Error> {
        let mut all: Vec<(String, T)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, T>()? {
            match all.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => all.push((key, value)),
            }
        }
        Ok(Patterns(all))
    }
}

/// Fields of PEFT's that change what an adapter computes, wherever they are set.
const CHANGING: [&str; 8] = [
    "alora_invocation_tokens",
    "arrow_config",
    "kasa_config",
    "layer_replication",
    "lora_bias",
    "trainable_token_indices",
    "use_bdlora",
    "use_qalora",
];

impl PeftConfig {
    /// Checks that this is plain LoRA.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if a feature beyond plain LoRA is used; the message names it.
    pub fn check(&self) -> Result<()> {
        let ranks = self.rank_pattern.0.iter().map(|(_, rank)| rank);
        let mut keys = self.rank_pattern.keys().chain(self.alpha_pattern.keys());
        let feature = if let Some(rank) = ranks
            .chain([&self.r])
            .find(|&&rank| rank == 0 || rank > LARGEST_RANK)
        {
            Some(format!(
                "the rank {rank} (ranks go from 1 to {LARGEST_RANK})"
            ))
        } else if !self.peft_type.eq_ignore_ascii_case("lora") {
            Some(format!("the adapter type {:?}", self.peft_type))
        } else if self.use_dora {
            Some("DoRA (use_dora)".into())
        } else if self.fan_in_fan_out {
            Some("fan_in_fan_out".into())
        } else if self.modules_to_save.as_ref().is_some_and(|m| !m.is_empty()) {
            Some("modules_to_save".into())
        } else if self.bias.as_deref().is_some_and(|b| b != "none") {
            Some("trained biases (bias)".into())
        } else if let Some(key) = keys.find(|key| !plain(key)) {
            Some(format!(
                "the pattern {key:?} (rank_pattern or alpha_pattern)"
            ))
        } else {
            let set = |value: &serde_json::Value| {
                !value.is_null() && *value != serde_json::Value::Bool(false)
            };
            CHANGING
                .iter()
                .find(|name| self.rest.get(**name).is_some_and(set))
                .map(|name| (*name).to_owned())
        };
        match feature {
            None => Ok(()),
            Some(feature) => Err(Error::told(
                Code::ModelUnsupported,
                format!("The adapter uses {feature}, which is not supported."),
                "Use a plain LoRA adapter.",
            )),
        }
    }

    /// The class of the base model in which the adapter was trained, where PEFT recorded it.
    pub(crate) fn class_of_base(&self) -> Option<&str> {
        self.rest
            .get("auto_mapping")?
            .get("base_model_class")?
            .as_str()
    }

    /// α / r, or α / √r for rank-stabilised LoRA, of a module; α may be one of its own.
    pub fn scale(&self, path: &str, rank: i64) -> f64 {
        let alpha = self.alpha_pattern.of(path).unwrap_or(self.lora_alpha);
        let rank = rank as f64;
        alpha / if self.use_rslora { rank.sqrt() } else { rank }
    }
}

/// Whether a key of PEFT's patterns is a path or its end, and no expression that would have to be matched.
fn plain(key: &str) -> bool {
    key.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}
