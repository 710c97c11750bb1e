//! The head that foretells masked words: a layer, a norm, and the table of the words' own vectors (Devlin et al. 2018).

use crate::Result;
use crate::architectures::activation::Activation;
use crate::architectures::norms::LayerNorm;
use crate::architectures::sizes::{LARGEST_CONFIG, unsupported};
use crate::files;
use crate::folder::CONFIG_FILE;
use crate::tensors::NamedTensors;
use crate::weights::Weights;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// How folders call layer, norm and bias: BERT and DeBERTa; RoBERTa, XLM-RoBERTa and MPNet; DistilBERT; ModernBERT.
const NAMES: [[&str; 3]; 4] = [
    [
        "cls.predictions.transform.dense",
        "cls.predictions.transform.LayerNorm",
        "cls.predictions.bias",
    ],
    ["lm_head.dense", "lm_head.layer_norm", "lm_head.bias"],
    [
        "vocab_transform",
        "vocab_layer_norm",
        "vocab_projector.bias",
    ],
    ["head.dense", "head.norm", "decoder.bias"],
];
/// Added to the variance in the norm, where the configuration does not say it.
const EPSILON: f64 = 1e-12;

/// The head. It is trained beside an encoder but not stored in an adapter, because making vectors does not need it.
pub struct WordHead {
    dense: [Tensor; 2],
    norm: LayerNorm,
    bias: Tensor,
}

impl WordHead {
    /// The head of a model folder. If the folder has none, a new head gets random weights from libtorch's generator.
    /// `words` is the table of the words' vectors. All tensors of the head are trained.
    ///
    /// # Errors
    /// [`ModelUnsupported`](lexforge_domain::Code::ModelUnsupported) if the vectors of the words are not as wide as
    /// the layers. Also if the folder's head is damaged.
    pub fn of_folder(folder: &Path, words: &Tensor, hidden: i64, device: Device) -> Result<Self> {
        let (vocabulary, width) = words.size2()?;
        if width != hidden {
            return Err(unsupported(
                "masked words with vectors of words that are not as wide as the layers",
            ));
        }
        let weights = Weights::open(folder, device)?;
        let known = NAMES
            .iter()
            .find(|[dense, ..]| weights.has(&format!("{dense}.weight")));
        let own = |name: String, shape: &[i64], usual: f64| -> Result<Tensor> {
            let mut tensor = Tensor::f_full(shape, usual, (Kind::Float, device))?;
            if weights.has(&name) {
                tensor.f_copy_(&weights.tensor(&name, shape)?)?;
            }
            Ok(tensor.f_set_requires_grad(true)?)
        };
        let [dense, norm, bias] = known.copied().unwrap_or_default();
        // Checkpoints from TensorFlow call the two gamma and beta.
        let old = weights.has(&format!("{norm}.gamma"));
        let (scale, shift) = if old {
            ("gamma", "beta")
        } else {
            ("weight", "bias")
        };
        let layer = match known {
            Some(_) => own(format!("{dense}.weight"), &[hidden, hidden], 0.0)?,
            None => {
                // As PyTorch begins a linear layer.
                let bound = 1.0 / (hidden as f64).sqrt();
                let mut fresh = Tensor::f_zeros([hidden, hidden], (Kind::Float, device))?;
                let _ = fresh.f_uniform_(-bound, bound)?;
                fresh.f_set_requires_grad(true)?
            }
        };
        Ok(Self {
            dense: [layer, own(format!("{dense}.bias"), &[hidden], 0.0)?],
            norm: LayerNorm {
                weight: own(format!("{norm}.{scale}"), &[hidden], 1.0)?,
                bias: Some(own(format!("{norm}.{shift}"), &[hidden], 0.0)?),
                epsilon: epsilon(folder),
            },
            bias: own(bias.to_owned(), &[vocabulary], 0.0)?,
        })
    }

    /// Its tensors by names of its own.
    pub fn tensors(&self) -> NamedTensors {
        let [weight, bias] = &self.dense;
        let mut all = vec![
            ("dense.weight", weight),
            ("dense.bias", bias),
            ("norm.weight", &self.norm.weight),
            ("bias", &self.bias),
        ];
        all.extend(self.norm.bias.as_ref().map(|bias| ("norm.bias", bias)));
        let named =
            |(name, tensor): (&str, &Tensor)| (format!("word_head.{name}"), tensor.shallow_clone());
        all.into_iter().map(named).collect()
    }

    /// Logits of vectors `[rows, hidden]` over the words.
    pub fn logits(&self, vectors: &Tensor, words: &Tensor) -> Result<Tensor> {
        let [weight, bias] = &self.dense;
        let x = Activation::Gelu.apply(&vectors.f_linear(weight, Some(bias))?)?;
        Ok(self.norm.forward(&x)?.f_linear(words, Some(&self.bias))?)
    }
}

/// The number that the model adds to the variance in its norms, from the folder's configuration. The configuration is
/// readable, because the encoder was already opened with it.
fn epsilon(folder: &Path) -> f64 {
    let text = files::read_whole(&folder.join(CONFIG_FILE), LARGEST_CONFIG).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let named = ["layer_norm_eps", "norm_eps"].iter();
    let mut named = named.filter_map(|name| config.get(name)?.as_f64());
    named.next().unwrap_or(EPSILON)
}
