//! Which architecture a model folder holds, and its model.

use crate::adapters::all_weights::{AllWeights, Tuned};
use crate::architectures::decoder::{Attention, Decoder, DecoderConfig, DecoderEncoder};
use crate::architectures::outlines::{Outlines, check_layers};
use crate::architectures::sizes::check_sizes;
use crate::architectures::transformer::Transformer;
use crate::architectures::{llama, mistral, qwen2, qwen3};
use crate::files;
use crate::folder::CONFIG_FILE;
use crate::tensors::NamedTensors;
use crate::weights::{Headers, Weights};
use crate::{Error, Result, device};
use lexforge_domain::Code;
use lexforge_domain::protocol::Precision;
use std::path::Path;
use tch::{Device, Kind};

pub use crate::architectures::encoder_config::EncoderConfig;
pub use crate::architectures::layers::Architecture;
pub(crate) use crate::architectures::sizes::LARGEST_CONFIG;
pub use crate::architectures::sizes::{Sizes, unsupported};

/// The configuration of an architecture that is supported.
#[derive(Clone, Debug)]
pub enum Config {
    /// A text encoder.
    Encoder(EncoderConfig),
    /// Qwen, LLaMA and Mistral.
    Decoder(DecoderConfig),
}

impl Config {
    /// Reads the `config.json` of a model folder.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the folder has no such file. [`Code::ModelUnsupported`] if the file names an
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
        let Some(name) = value.get("model_type").and_then(serde_json::Value::as_str) else {
            return Err(unsupported("a configuration without model_type"));
        };
        if let Some(encoder) = EncoderConfig::of_value(name, &value)? {
            return Ok(Self::Encoder(encoder));
        }
        match name {
            "qwen3" => Ok(Self::Decoder(qwen3::config(&value)?)),
            "qwen2" => Ok(Self::Decoder(qwen2::config(&value)?)),
            "llama" => Ok(Self::Decoder(llama::config(&value)?)),
            "mistral" => Ok(Self::Decoder(mistral::config(&value)?)),
            other => Err(unsupported(&format!("the architecture {other:?}"))),
        }
    }

    /// The architecture's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Encoder(config) => config.name(),
            Self::Decoder(config) => config.name,
        }
    }

    /// The model's sizes.
    pub fn sizes(&self) -> Sizes {
        match self {
            Self::Encoder(config) => config.sizes(),
            Self::Decoder(config) => config.sizes(),
        }
    }

    /// The part of a weight's name before the number of its layer.
    fn layers_at(&self) -> &'static str {
        match self {
            Self::Encoder(config) => config.layers_at(),
            Self::Decoder(_) => "layers.",
        }
    }

    /// Whether a tensor of the folder belongs to a part that is not read.
    pub fn leaves_out(&self, name: &str) -> bool {
        match self {
            Self::Encoder(config) => config.leaves_out(name),
            Self::Decoder(_) => false,
        }
    }

    /// Checks by names and shapes that these weights belong to this configuration.
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if weights and configuration contradict each other.
    pub(crate) fn check_weights(&self, headers: &Headers) -> Result<()> {
        check_layers(headers, self.layers_at(), self.sizes().layers)?;
        let outlines = Outlines(headers);
        match self {
            Self::Encoder(config) => config.load(&outlines, Device::Cpu).map(drop),
            Self::Decoder(config) => {
                Transformer::of(config, &outlines, Some(Kind::Float), false, Device::Cpu).map(drop)
            }
        }
    }

    /// The weights of a folder; they have as many layers as the configuration.
    fn weights(&self, folder: &Path, device: Device) -> Result<Weights> {
        let weights = Weights::open(folder, device)?;
        check_layers(weights.headers(), self.layers_at(), self.sizes().layers)?;
        Ok(weights)
    }

    /// Loads the model as a text encoder. If the model is a decoder, each of its tokens then sees all other tokens.
    ///
    /// # Errors
    /// If weights are missing or do not fit the configuration.
    pub fn load(&self, folder: &Path, device: Device) -> Result<Box<dyn Architecture>> {
        self.load_seeing(folder, Attention::Bidirectional, device)
    }

    /// Loads the model as [`Config::load`] does. `attention` says which other tokens each token of a decoder sees.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub(crate) fn load_seeing(
        &self,
        folder: &Path,
        attention: Attention,
        device: Device,
    ) -> Result<Box<dyn Architecture>> {
        match self {
            Self::Encoder(config) => config.load(&self.weights(folder, device)?, device),
            Self::Decoder(_) => {
                let kind = match attention {
                    Attention::Causal => Some(device::kind(Precision::Auto, device)),
                    Attention::Bidirectional => None,
                };
                Ok(Box::new(DecoderEncoder {
                    decoder: self.load_decoder(folder, kind, device)?,
                    attention,
                }))
            }
        }
    }

    /// Loads the model as a text encoder with differences added to its weights. The differences have the weights' names
    /// in the folder.
    ///
    /// # Errors
    /// As [`Config::load`]. Also if no weight fits a difference, or if there are differences and the model is a
    /// decoder.
    pub fn load_with(
        &self,
        folder: &Path,
        differences: &NamedTensors,
        device: Device,
    ) -> Result<Box<dyn Architecture>> {
        if differences.is_empty() {
            return self.load(folder, device);
        }
        let weights = self.weights(folder, device)?;
        let tuned = Tuned::of(&weights, differences);
        let loaded = self.encoder()?.load(&tuned, device)?;
        tuned.check_all_added()?;
        Ok(loaded)
    }

    /// Loads the model as a text encoder whose weights can all be trained. Each weight starts as the folder's weight
    /// plus its difference in `start`.
    ///
    /// # Errors
    /// As [`Config::load_with`].
    pub fn load_to_train(
        &self,
        folder: &Path,
        start: &NamedTensors,
        device: Device,
    ) -> Result<(Box<dyn Architecture>, AllWeights)> {
        let config = self.encoder()?;
        let weights = self.weights(folder, device)?;
        AllWeights::of(weights, start, |source| config.load(source, device))
    }

    /// The configuration of an encoder.
    fn encoder(&self) -> Result<&EncoderConfig> {
        match self {
            Self::Encoder(config) => Ok(config),
            Self::Decoder(_) => Err(Error::told(
                Code::InvalidRequest,
                format!(
                    "All weights can be tuned of text encoders alone; the base model is a decoder ({}).",
                    self.name()
                ),
                "Tune a low-rank adapter, or choose an encoder as the base model.",
            )),
        }
    }

    /// Loads the model as a decoder that computes in a given precision. With `Precision::Nf4`, the weights of the
    /// linear layers are stored in four bits.
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
                let weights = self.weights(folder, device)?;
                let loaded = Transformer::of(config, &weights, kind, four_bits, device)?;
                Ok(Box::new(loaded))
            }
            Self::Encoder(_) => self.load_decoder(folder, kind, device),
        }
    }

    /// Loads the model as a decoder. The weights get the number type `kind`; with `None`, they keep the type of their
    /// file.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if the model is not a decoder; otherwise as [`Config::load`].
    pub fn load_decoder(
        &self,
        folder: &Path,
        kind: Option<Kind>,
        device: Device,
    ) -> Result<Box<dyn Decoder>> {
        match self {
            Self::Decoder(config) => {
                let weights = self.weights(folder, device)?;
                Ok(Box::new(Transformer::of(
                    config, &weights, kind, false, device,
                )?))
            }
            Self::Encoder(_) => Err(Error::told(
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
    use crate::architectures::sizes::LARGEST;

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
