//! The model that is served, with its adapters beside the frozen weights.

use crate::adapters::adapter::{Adapter, Sidecar};
use crate::adapters::lora::{Linear, LowRank, Pass};
use crate::architectures::architecture::Config;
use crate::architectures::decoder::Attention;
use crate::architectures::encoder::{DecoderVectors, Encoder, Text, Vectors};
use crate::architectures::pooling::unit_rows;
use crate::decoding::language::LanguageModel;
use crate::platform::available_mb;
use crate::serving::watch::Watch;
use crate::texts::reading;
use crate::weights::Headers;
use crate::{Error, Result, device};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Pooling, Precision, TextReading};
use safetensors::Dtype;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// The base model: an encoder, or a decoder.
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub enum Base {
    /// Vectors only.
    Encoder(Encoder),
    /// Writes, scores, and gives vectors.
    Decoder(LanguageModel),
}

impl Base {
    fn linears(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears(),
            Self::Decoder(model) => model.decoder.linears(),
        }
    }
}

/// An adapter that waits beside the weights.
struct Waiting {
    /// The low-rank part of each linear layer; `None` = the layer is not adapted.
    parts: Vec<Option<LowRank>>,
    sidecar: Option<Sidecar>,
    /// A decoder's token sees only those before it when texts become vectors.
    causal: bool,
}

/// How texts become vectors under one of the models.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How token vectors become one.
    pub pooling: Pooling,
    /// A decoder's token sees only those before it.
    pub causal: bool,
    /// The text that is put before a question; empty = no text.
    pub instruction: String,
    /// Longest text in tokens.
    pub longest: usize,
}

/// A model with its adapters. One adapter at a time is active in the layers. Switching exchanges only the small tensors
/// of the adapter, never the frozen weights.
pub struct Served {
    base: Base,
    adapters: Vec<Waiting>,
    active: Option<usize>,
    /// How texts become vectors where no adapter says it.
    folder: TextReading,
    /// Longest text in tokens.
    pub positions: usize,
    /// Whether weights are read from mapped files.
    pub is_mapped: bool,
}

impl Served {
    /// Opens a model folder and adapters by their folders. The files that are read are also watched for changes.
    ///
    /// # Errors
    /// If a folder is incomplete or an adapter belongs to another model.
    pub fn open(
        name: &str,
        folder: &Path,
        adapters: &[(String, PathBuf)],
        watch: &mut Watch,
    ) -> Result<Self> {
        let device = device::device();
        let config = Config::of_folder(folder)?;
        let positions = config.sizes().positions;
        let said = reading::of_folder(folder)?;
        // The small files first: a wrong adapter should not cost the loading of a large model.
        let mut read = Vec::with_capacity(adapters.len());
        for (_, path) in adapters {
            let adapter = Adapter::read(path)?;
            adapter.check_base(name, folder)?;
            if adapter.differences().is_some() {
                return Err(not_beside(path));
            }
            read.push(adapter);
        }
        watch.add(folder)?;
        let (mut is_mapped, is_small) = mapped(folder, device)?;
        let mut base = match &config {
            Config::Encoder(_) => {
                Base::Encoder(Encoder::open(folder, said.pooling, positions, device)?)
            }
            Config::Decoder(_) => {
                let kind = device::kind(Precision::Auto, device);
                let mut model = LanguageModel::open(folder, Some(kind), device)?;
                if is_mapped && is_small {
                    model.decoder.own_weights()?;
                    is_mapped = false;
                }
                Base::Decoder(model)
            }
        };
        let mut waiting = Vec::with_capacity(read.len());
        for adapter in read {
            adapter.attach_to(&mut base.linears())?;
            let mut parts = Vec::new();
            for layer in base.linears() {
                let mut part = None;
                layer.exchange(&mut part);
                parts.push(part.map(frozen));
            }
            waiting.push(Waiting {
                parts,
                sidecar: adapter.sidecar().cloned(),
                causal: reading::with_adapter(said.clone(), Some(&adapter)).causal,
            });
        }
        Ok(Self {
            base,
            adapters: waiting,
            active: None,
            folder: said,
            positions,
            is_mapped,
        })
    }

    /// The model with this adapter in its place, or with none.
    pub fn with(&mut self, adapter: Option<usize>) -> &Base {
        if self.active != adapter {
            for number in [self.active, adapter].into_iter().flatten() {
                if let Some(waiting) = self.adapters.get_mut(number) {
                    for (layer, part) in self.base.linears().into_iter().zip(&mut waiting.parts) {
                        layer.exchange(part);
                    }
                }
            }
            self.active = adapter;
        }
        &self.base
    }

    /// The model, whatever adapter is in place.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The model as a decoder.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if it is an encoder.
    pub fn decoder(&self) -> Result<&LanguageModel> {
        decoder_of(&self.base)
    }

    /// How texts become vectors: as the adapter was taught to, else as the model's folder says.
    pub fn reading(&self, adapter: Option<usize>) -> Reading {
        let waiting = adapter.and_then(|number| self.adapters.get(number));
        let sidecar = waiting.and_then(|waiting| waiting.sidecar.as_ref());
        Reading {
            pooling: sidecar.map_or(self.folder.pooling, |sidecar| sidecar.pooling),
            causal: waiting.map_or(self.folder.causal, |waiting| waiting.causal),
            instruction: sidecar.map_or_else(String::new, |sidecar| sidecar.instruction.clone()),
            longest: self.positions,
        }
    }

    /// Vectors of unit length of texts, `[texts, hidden]` on the CPU, read as in an adapter's training.
    pub fn vectors(&mut self, adapter: Option<usize>, texts: &[Text<'_>]) -> Result<Tensor> {
        let _no_grad = tch::no_grad_guard();
        let Reading {
            pooling, causal, ..
        } = self.reading(adapter);
        let rows = match self.with(adapter) {
            Base::Encoder(encoder) => {
                Pooled { encoder, pooling }.encode_texts(texts, Pass::Infer)?
            }
            Base::Decoder(model) => DecoderVectors {
                decoder: model.decoder.as_ref(),
                pooling,
                attention: Attention::of(causal),
            }
            .encode_texts(texts, Pass::Infer)?,
        };
        Ok(unit_rows(&rows)?.f_to_device(Device::Cpu)?)
    }
}

/// Returns two answers. The first says whether the weights stay mapped from files, because they are stored in the type
/// that is used for computing. The second says whether they are small enough to be copied into memory, so that a change
/// of the files cannot end the process.
fn mapped(folder: &Path, device: Device) -> Result<(bool, bool)> {
    let headers = Headers::of_folder(folder)?;
    let stored = headers.tensors.values().next().map(|entry| entry.dtype);
    let wanted = match device::kind(Precision::Auto, device) {
        Kind::BFloat16 => Dtype::BF16,
        Kind::Half => Dtype::F16,
        _ => Dtype::F32,
    };
    let free = available_mb(Device::Cpu).map_or(0.0, |mb| mb * f64::from(1 << 20));
    Ok((
        device == Device::Cpu && stored == Some(wanted),
        (headers.bytes as f64) < free / 4.0,
    ))
}

/// An encoder with another pooling than it was opened with.
struct Pooled<'a> {
    encoder: &'a Encoder,
    pooling: Pooling,
}

impl Vectors for Pooled<'_> {
    fn device(&self) -> Device {
        self.encoder.device()
    }

    fn sizes(&self) -> crate::architectures::sizes::Sizes {
        self.encoder.sizes
    }

    fn pooling(&self) -> Pooling {
        self.pooling
    }

    fn dense(&self) -> &[crate::architectures::dense::Dense] {
        self.encoder.dense()
    }

    fn stack(
        &self,
        packed: &crate::architectures::packing::Packed,
        pass: Pass,
    ) -> Result<crate::architectures::recompute::Stack<'_>> {
        self.encoder.stack(packed, pass)
    }
}

/// A base model as a decoder.
///
/// # Errors
/// [`Code::ModelUnsupported`] if it is an encoder.
pub(crate) fn decoder_of(base: &Base) -> Result<&LanguageModel> {
    match base {
        Base::Decoder(model) => Ok(model),
        Base::Encoder(_) => Err(Error::told(
            Code::ModelUnsupported,
            "The model is a text encoder: it gives vectors and cannot write or score answers.",
            "Serve a decoder (Qwen3, Qwen2, LLaMA or Mistral), or ask for embeddings.",
        )),
    }
}

/// The error for an adapter of all weights, which cannot be kept beside the base until it is needed.
fn not_beside(folder: &Path) -> Error {
    Error::told_of(
        folder,
        Code::ModelUnsupported,
        "This training changed all weights of its model, so that what it made cannot be served beside the base.",
        "Export the run with its weights merged, and serve the merged model.",
    )
}

/// A low-rank part that is not trained any more.
fn frozen(part: LowRank) -> LowRank {
    LowRank {
        a: part.a.detach(),
        b: part.b.detach(),
        scale: part.scale,
        dropout: 0.0,
    }
}
