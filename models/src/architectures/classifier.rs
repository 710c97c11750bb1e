//! Sequence classification over an encoder: a cross-encoder reads two texts at once and scores the pair.

use crate::adapters::lora::Pass;
use crate::architectures::architecture::{Config, EncoderConfig};
use crate::architectures::bert::Bert;
use crate::architectures::layers::Architecture;
use crate::architectures::packing::{Packed, by_length};
use crate::architectures::sizes::unsupported;
use crate::weights::Weights;
use crate::{Error, Result};
use lexforge_domain::Code;
use std::path::Path;
use tch::{Device, Tensor};

/// A linear layer with a bias.
struct Layer {
    weight: Tensor,
    bias: Tensor,
}

impl Layer {
    fn load(weights: &Weights, name: &str, outputs: i64, inputs: i64) -> Result<Self> {
        Ok(Self {
            weight: weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: weights.tensor(&format!("{name}.bias"), &[outputs])?,
        })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_linear(&self.weight, Some(&self.bias))?)
    }
}

/// One input: a text or a pair of texts, with the special tokens of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairTokens {
    /// Token numbers.
    pub ids: Vec<u32>,
    /// Which text each token belongs to; models with one token type have zeros.
    pub types: Vec<u32>,
}

/// An encoder with a head that scores whole inputs.
pub struct Classifier {
    encoder: Bert,
    /// From the first token's vector: BERT's pooler, RoBERTa's first layer of the head; then tanh.
    dense: Layer,
    output: Layer,
    /// The model has one token type.
    single_type: bool,
    labels: i64,
    device: Device,
}

impl Classifier {
    /// Loads a folder of `BertForSequenceClassification`, or of RoBERTa's or XLM-RoBERTa's.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if the folder is of another kind of model, [`Code::ModelMissing`]
    /// if it has no head.
    pub fn load(folder: &Path, device: Device) -> Result<Self> {
        let read = Config::of_folder(folder)?;
        let config = match &read {
            Config::Encoder(EncoderConfig::Bert(config)) => config,
            other => {
                let what = format!("a classification head on {}", other.name());
                return Err(unsupported(&what));
            }
        };
        let weights = Weights::open(folder, device)?;
        let (dense, output) = match config.name() {
            "bert" => ("bert.pooler.dense", "classifier"),
            "roberta" | "xlm-roberta" => ("classifier.dense", "classifier.out_proj"),
            other => return Err(unsupported(&format!("a classification head on {other}"))),
        };
        let labels = match weights.shape(&format!("{output}.weight")).as_deref() {
            Some([labels, _]) => *labels,
            _ => {
                return Err(Error::told_of(
                    folder,
                    Code::ModelMissing,
                    "The model has no classification head.",
                    "Use a cross-encoder or another model for sequence classification.",
                ));
            }
        };
        let hidden = config.sizes().hidden as i64;
        Ok(Self {
            encoder: Bert::load(config, &weights)?,
            dense: Layer::load(&weights, dense, hidden, hidden)?,
            output: Layer::load(&weights, output, labels, hidden)?,
            single_type: config.token_types() == 1,
            labels,
            device,
        })
    }

    /// Labels that it scores; a cross-encoder has one.
    pub fn labels(&self) -> i64 {
        self.labels
    }

    /// Scores of inputs (logits), in their order: `[inputs, labels]`.
    pub fn scores(&self, inputs: &[PairTokens]) -> Result<Tensor> {
        let lengths: Vec<usize> = inputs.iter().map(|input| input.ids.len()).collect();
        let order = by_length(&lengths);
        let texts: Vec<&[u32]> = order.iter().map(|&i| inputs[i].ids.as_slice()).collect();
        let mut packed = Packed::of(&texts, self.device)?;
        if !self.single_type {
            let types: Vec<i64> = order
                .iter()
                .flat_map(|&i| inputs[i].types.iter().map(|&kind| i64::from(kind)))
                .collect();
            packed.types = Some(Tensor::f_from_slice(&types)?.f_to_device(self.device)?);
        }
        let hidden = self.encoder.forward(&packed, Pass::Infer)?;
        // First token of each input, in the order asked for.
        let mut firsts = vec![0i64; inputs.len()];
        let mut start = 0;
        for &i in &order {
            firsts[i] = start;
            start += lengths[i] as i64;
        }
        let firsts = Tensor::f_from_slice(&firsts)?.f_to_device(self.device)?;
        let pooled = self
            .dense
            .forward(&hidden.f_index_select(0, &firsts)?)?
            .f_tanh()?;
        self.output.forward(&pooled)
    }
}
