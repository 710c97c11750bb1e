//! A decoder of one layer that reconstructs a sentence from its vector (TSDAE, Wang et al. 2021). Each token sees only
//! the tokens before it and the sentence's vector. The encoder's table of words embeds the tokens and predicts them.

use crate::Result;
use crate::architectures::activation::Activation;
use crate::architectures::attention::Plan;
use crate::architectures::decoder::Attention;
use crate::architectures::norms::LayerNorm;
use crate::architectures::packing::Packed;
use crate::architectures::word_head::WordHead;
use crate::tensors::NamedTensors;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// Numbers of a head of the attention, where the layer's width is a multiple of it; else there is one head.
const HEAD: i64 = 64;
/// How far fresh positions lie from 0, as in BERT.
const SPREAD: f64 = 0.02;
/// Added to the variance in the norms.
const EPSILON: f64 = 1e-12;

/// The sizes of such a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecoderSizes {
    /// Width of the layer, which is that of the words' vectors.
    pub hidden: i64,
    /// Width within the layer.
    pub inner: i64,
    /// Numbers of a sentence's vector.
    pub vector: i64,
    /// Longest sentence in tokens.
    pub longest: i64,
}

/// A linear layer that is trained.
struct Layer {
    weight: Tensor,
    bias: Tensor,
}

impl Layer {
    /// A fresh one, as PyTorch begins it.
    fn fresh(outputs: i64, inputs: i64, device: Device) -> Result<Self> {
        let bound = 1.0 / (inputs as f64).sqrt();
        let drawn = |shape: &[i64]| -> Result<Tensor> {
            let mut tensor = Tensor::f_zeros(shape, (Kind::Float, device))?;
            let _ = tensor.f_uniform_(-bound, bound)?;
            Ok(tensor.f_set_requires_grad(true)?)
        };
        Ok(Self {
            weight: drawn(&[outputs, inputs])?,
            bias: drawn(&[outputs])?,
        })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_linear(&self.weight, Some(&self.bias))?)
    }
}

fn norm(hidden: i64, device: Device) -> Result<LayerNorm> {
    let number = |value: f64| -> Result<Tensor> {
        let tensor = Tensor::f_full([hidden], value, (Kind::Float, device))?;
        Ok(tensor.f_set_requires_grad(true)?)
    };
    Ok(LayerNorm {
        weight: number(1.0)?,
        bias: Some(number(0.0)?),
        epsilon: EPSILON,
    })
}

/// The decoder. It is trained beside an encoder but not stored in an adapter, because making vectors does not need it.
pub struct SentenceDecoder {
    sizes: DecoderSizes,
    positions: Tensor,
    read: LayerNorm,
    query: Layer,
    key: Layer,
    value: Layer,
    seen: Layer,
    seen_norm: LayerNorm,
    /// Attention over one vector gives that vector to every token, so that its two layers are one.
    vector: Layer,
    vector_norm: LayerNorm,
    up: Layer,
    down: Layer,
    last_norm: LayerNorm,
    /// The head that predicts words from the layer's output.
    pub head: WordHead,
}

impl SentenceDecoder {
    /// A new decoder with random weights from libtorch's generator. The head that predicts words is the folder's own if
    /// the folder has one.
    ///
    /// # Errors
    /// As [`WordHead::of_folder`].
    pub fn fresh(
        folder: &Path,
        words: &Tensor,
        sizes: DecoderSizes,
        device: Device,
    ) -> Result<Self> {
        let DecoderSizes {
            hidden,
            inner,
            vector,
            longest,
        } = sizes;
        let head = WordHead::of_folder(folder, words, hidden, device)?;
        let layer = |outputs, inputs| Layer::fresh(outputs, inputs, device);
        let mut positions = Tensor::f_zeros([longest, hidden], (Kind::Float, device))?;
        let _ = positions.f_normal_(0.0, SPREAD)?;
        Ok(Self {
            sizes,
            positions: positions.f_set_requires_grad(true)?,
            read: norm(hidden, device)?,
            query: layer(hidden, hidden)?,
            key: layer(hidden, hidden)?,
            value: layer(hidden, hidden)?,
            seen: layer(hidden, hidden)?,
            seen_norm: norm(hidden, device)?,
            vector: layer(hidden, vector)?,
            vector_norm: norm(hidden, device)?,
            up: layer(inner, hidden)?,
            down: layer(hidden, inner)?,
            last_norm: norm(hidden, device)?,
            head,
        })
    }

    /// Its tensors by names of its own, those of its head included.
    pub fn tensors(&self) -> NamedTensors {
        let layers = [
            ("query", &self.query),
            ("key", &self.key),
            ("value", &self.value),
            ("seen", &self.seen),
            ("vector", &self.vector),
            ("up", &self.up),
            ("down", &self.down),
        ];
        let norms = [
            ("read", &self.read),
            ("seen_norm", &self.seen_norm),
            ("vector_norm", &self.vector_norm),
            ("last_norm", &self.last_norm),
        ];
        let mut all = self.head.tensors();
        let mut add = |name: String, tensor: &Tensor| {
            all.insert(format!("sentence_decoder.{name}"), tensor.shallow_clone());
        };
        add("positions".to_owned(), &self.positions);
        for (name, layer) in layers {
            add(format!("{name}.weight"), &layer.weight);
            add(format!("{name}.bias"), &layer.bias);
        }
        for (name, norm) in norms {
            add(format!("{name}.weight"), &norm.weight);
            if let Some(bias) = &norm.bias {
                add(format!("{name}.bias"), bias);
            }
        }
        all
    }

    /// The outputs of the layer for tokens, `[tokens, hidden]`; each output predicts the next token. `vectors` are the
    /// vectors of the sentences, `[sentences, numbers]`, and `sentence` has for each token the index of its sentence.
    pub fn hidden(
        &self,
        packed: &Packed,
        words: &Tensor,
        vectors: &Tensor,
        sentence: &Tensor,
    ) -> Result<Tensor> {
        let hidden = self.sizes.hidden;
        let heads = match hidden % HEAD {
            0 => hidden / HEAD,
            _ => 1,
        };
        let places = Tensor::f_embedding(&self.positions, &packed.positions, -1, false, false)?;
        let x = Tensor::f_embedding(words, &packed.ids, -1, false, false)?.f_add(&places)?;
        let x = self.read.forward(&x)?;
        let split = |layer: &Layer| -> Result<Tensor> {
            Ok(layer.forward(&x)?.f_view([-1, heads, hidden / heads])?)
        };
        let plan = Plan::of(packed, Attention::Causal, None, x.device())?;
        let mixed = plan.attend(
            &split(&self.query)?,
            &split(&self.key)?,
            &split(&self.value)?,
        )?;
        let seen = self.seen.forward(&mixed)?;
        let x = self.seen_norm.forward(&x.f_add(&seen)?)?;
        let told = self.vector.forward(vectors)?.f_index_select(0, sentence)?;
        let x = self.vector_norm.forward(&x.f_add(&told)?)?;
        let inner = Activation::Gelu.apply(&self.up.forward(&x)?)?;
        self.last_norm
            .forward(&x.f_add(&self.down.forward(&inner)?)?)
    }
}
