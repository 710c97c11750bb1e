//! Which architecture a model folder holds, and its model.

use crate::bert::{Bert, BertConfig};
use crate::decoder::{Attention, Decoder, DecoderConfig, DecoderEncoder};
use crate::files;
use crate::folder::CONFIG_FILE;
use crate::sizes::check_sizes;
use crate::transformer::Transformer;
use crate::{Error, Result, device, llama, mistral, qwen2, qwen3, roberta};
use lexforge_domain::Code;
use lexforge_domain::protocol::Precision;
use std::path::Path;
use tch::{Device, Kind};

pub use crate::layers::Architecture;
pub use crate::sizes::{LARGEST_CONFIG, Sizes, unsupported};

/// The configuration of an architecture that is supported.
#[derive(Clone, Debug)]
pub enum Config {
    /// BERT, RoBERTa and XLM-RoBERTa.
    Bert(BertConfig),
    /// Qwen, LLaMA and Mistral.
    Decoder(DecoderConfig),
}

impl Config {
    /// Reads a model folder's `config.json`.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] where there is none, [`Code::ModelUnsupported`] where it names an
    /// architecture or a feature that is not supported.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let path = folder.join(CONFIG_FILE);
        let text = files::read_whole(&path, LARGEST_CONFIG).map_err(|e| {
            Error::told_of(
                &path,
                Code::ModelMissing,
                format!("The model's configuration cannot be read: {e}."),
                "Copy the model's folder again, with its config.json.",
            )
        })?;
        Self::of_text(&String::from_utf8_lossy(&text))
            .map_err(|error| Error::from(error.into_failure().in_file(path.display().to_string())))
    }

    /// Reads the text of a `config.json`.
    ///
    /// # Errors
    /// As [`Config::of_folder`].
    pub fn of_text(text: &str) -> Result<Self> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|e| {
            Error::told(
                Code::ModelMissing,
                format!("The model's configuration is damaged: {e}."),
                "Copy the model's folder again.",
            )
        })?;
        check_sizes(&value)?;
        if value
            .get("quantization_config")
            .is_some_and(|q| !q.is_null())
        {
            return Err(unsupported("quantized weights (quantization_config)"));
        }
        match value.get("model_type").and_then(serde_json::Value::as_str) {
            Some("bert") => Ok(Self::Bert(BertConfig::of_value(value)?)),
            Some(name @ ("roberta" | "xlm-roberta")) => {
                Ok(Self::Bert(roberta::config(name, &value)?))
            }
            Some("qwen3") => Ok(Self::Decoder(qwen3::config(&value)?)),
            Some("qwen2") => Ok(Self::Decoder(qwen2::config(&value)?)),
            Some("llama") => Ok(Self::Decoder(llama::config(&value)?)),
            Some("mistral") => Ok(Self::Decoder(mistral::config(&value)?)),
            Some(other) => Err(unsupported(&format!("the architecture {other:?}"))),
            None => Err(unsupported("a configuration without model_type")),
        }
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bert(config) => config.name(),
            Self::Decoder(config) => config.name,
        }
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        match self {
            Self::Bert(config) => config.sizes(),
            Self::Decoder(config) => config.sizes(),
        }
    }

    /// Loads the model as a text encoder; the tokens of a decoder then see each other in both directions.
    ///
    /// # Errors
    /// Where weights are missing or do not fit the configuration.
    pub fn load(&self, folder: &Path, device: Device) -> Result<Box<dyn Architecture>> {
        match self {
            Self::Bert(config) => Ok(Box::new(Bert::load(config, folder, device)?)),
            Self::Decoder(_) => {
                let decoder = self.load_decoder(folder, None, device)?;
                Ok(Box::new(DecoderEncoder {
                    decoder,
                    attention: Attention::Bidirectional,
                }))
            }
        }
    }

    /// Loads the model as a decoder for computing in a precision, in which the linear layers may be in four bits.
    ///
    /// # Errors
    /// As [`Config::load_decoder`].
    pub fn load_decoder_for(
        &self,
        folder: &Path,
        precision: Precision,
        device: Device,
    ) -> Result<Box<dyn Decoder>> {
        let kind = Some(device::kind(precision, device));
        match self {
            Self::Decoder(config) => {
                let four_bits = precision == Precision::Nf4;
                Ok(Box::new(Transformer::load_as(
                    config, folder, kind, four_bits, device,
                )?))
            }
            Self::Bert(_) => self.load_decoder(folder, kind, device),
        }
    }

    /// Loads the model as a decoder, in the type asked for or in that of the disk.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] where it is none; else as [`Config::load`].
    pub fn load_decoder(
        &self,
        folder: &Path,
        kind: Option<Kind>,
        device: Device,
    ) -> Result<Box<dyn Decoder>> {
        match self {
            Self::Decoder(config) => Ok(Box::new(Transformer::load(config, folder, kind, device)?)),
            Self::Bert(_) => Err(Error::told(
                Code::ModelUnsupported,
                format!(
                    "The model is a text encoder ({}) and cannot write or score answers.",
                    self.name()
                ),
                "Use a decoder: Qwen3, Qwen2, LLaMA or Mistral.",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::LARGEST;

    #[test]
    fn sizes_that_no_model_has_are_refused_by_name() {
        let usual = serde_json::json!({
            "model_type": "llama", "vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128, "hidden_act": "silu",
            "rms_norm_eps": 1e-6,
        });
        assert!(Config::of_text(&usual.to_string()).is_ok());
        for (name, _) in LARGEST {
            for model_type in ["llama", "qwen3", "bert"] {
                let mut value = usual.clone();
                value["model_type"] = model_type.into();
                value[name] = 1_000_000_000_000_u64.into();
                let failure = Config::of_text(&value.to_string())
                    .unwrap_err()
                    .into_failure();
                assert_eq!(failure.code, Code::ModelUnsupported, "{name}");
                assert!(failure.message.contains(name), "{}", failure.message);
            }
        }
    }
}
