//! Texts to vectors: tokenizer, architecture and pooling together.

use crate::Result;
use crate::adapters::all_weights::AllWeights;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::architecture::Config;
use crate::architectures::classifier::PairTokens;
use crate::architectures::decoder::{Attention, Decoder};
use crate::architectures::dense::{Dense, through};
use crate::architectures::layers::Architecture;
use crate::architectures::packing::{Packed, by_length};
use crate::architectures::pooling::{pool_ranges, unit_rows};
use crate::architectures::recompute::{Stack, Way, gradient_of};
use crate::architectures::sizes::Sizes;
use crate::tensors::NamedTensors;
use crate::texts::reading;
use crate::texts::tokenizer::TextTokenizer;
use lexforge_domain::protocol::{Pooling, TextReading};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// A text as tokens, some of which are pooled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// All tokens.
    pub ids: &'a [u32],
    /// The tokens that are pooled. The others (an instruction, the words around a term) are only read.
    pub pooled: Range<usize>,
    /// Which text of a pair each token belongs to; empty = there is one.
    pub types: &'a [u32],
}

impl<'a> Text<'a> {
    /// A text; these tokens of it are pooled.
    pub fn part(ids: &'a [u32], pooled: Range<usize>) -> Self {
        Self {
            ids,
            pooled,
            types: &[],
        }
    }
}

impl<'a> From<&'a [u32]> for Text<'a> {
    fn from(ids: &'a [u32]) -> Self {
        Self::part(ids, 0..ids.len())
    }
}

impl<'a> From<&'a PairTokens> for Text<'a> {
    fn from(pair: &'a PairTokens) -> Self {
        Self {
            types: &pair.types,
            ..Self::from(pair.ids.as_slice())
        }
    }
}

/// A model that turns texts into vectors.
pub trait Vectors {
    /// The device of its tensors.
    fn device(&self) -> Device;

    /// Its sizes.
    fn sizes(&self) -> Sizes;

    /// How token vectors become one vector.
    fn pooling(&self) -> Pooling;

    /// Dense layers after the pooling.
    fn dense(&self) -> &[Dense] {
        &[]
    }

    /// Numbers of a vector.
    fn dim(&self) -> usize {
        let last = self.dense().last();
        last.map_or(self.sizes().hidden, Dense::outputs)
    }

    /// The layers on a packed batch.
    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>>;

    /// One vector for each text, in the order given: `[texts, dim]` in fp32, not normalised.
    fn encode_texts(&self, texts: &[Text<'_>], pass: Pass) -> Result<Tensor> {
        let sorted = Sorted::of(texts, self.device())?;
        let hidden = self.stack(&sorted.packed, pass)?.run()?;
        through(self.dense(), sorted.pooled(&hidden, self.pooling())?)
    }

    /// Adds the gradient of a loss over the texts' vectors to the trained parameters, and gives the loss.
    fn backward(
        &self,
        texts: &[Text<'_>],
        pass: Pass,
        way: Way,
        loss: &mut dyn FnMut(&Tensor) -> Result<Tensor>,
    ) -> Result<f64> {
        let sorted = Sorted::of(texts, self.device())?;
        self.stack(&sorted.packed, pass)?
            .backward(way.recompute, &mut |hidden| {
                gradient_of(hidden, way.scale, |hidden| {
                    let pooled = sorted.pooled(hidden, self.pooling())?;
                    loss(&through(self.dense(), pooled)?)
                })
            })
    }
}

/// A decoder, pooled.
pub struct DecoderVectors<'a> {
    /// The decoder.
    pub decoder: &'a dyn Decoder,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Which tokens of its text a token sees.
    pub attention: Attention,
}

impl Vectors for DecoderVectors<'_> {
    fn device(&self) -> Device {
        self.decoder.device()
    }

    fn sizes(&self) -> Sizes {
        self.decoder.config().sizes()
    }

    fn pooling(&self) -> Pooling {
        self.pooling
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        self.decoder.stack(packed, self.attention, pass)
    }
}

impl Vectors for Encoder {
    fn device(&self) -> Device {
        self.device
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn pooling(&self) -> Pooling {
        self.pooling
    }

    fn dense(&self) -> &[Dense] {
        &self.dense
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        self.model.stack(packed, pass)
    }
}

/// An encoder that pools as a stage asks.
pub struct PooledEncoder<'a> {
    /// The encoder.
    pub encoder: &'a Encoder,
    /// How token vectors become one vector.
    pub pooling: Pooling,
}

impl Vectors for PooledEncoder<'_> {
    fn device(&self) -> Device {
        self.encoder.device
    }

    fn sizes(&self) -> Sizes {
        self.encoder.sizes
    }

    fn pooling(&self) -> Pooling {
        self.pooling
    }

    fn dense(&self) -> &[Dense] {
        &self.encoder.dense
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        self.encoder.model.stack(packed, pass)
    }
}

/// A model that is read after this many of its layers, and without the dense layers, which are made for whole texts.
pub struct InnerLayer<'a> {
    /// The other.
    pub of: &'a dyn Vectors,
    /// The number of layers after which the vectors are read.
    pub layer: usize,
}

impl Vectors for InnerLayer<'_> {
    fn device(&self) -> Device {
        self.of.device()
    }

    fn sizes(&self) -> Sizes {
        self.of.sizes()
    }

    fn pooling(&self) -> Pooling {
        self.of.pooling()
    }

    fn stack(&self, packed: &Packed, pass: Pass) -> Result<Stack<'_>> {
        Ok(self.of.stack(packed, pass)?.up_to(self.layer))
    }
}

/// Texts packed by length.
struct Sorted {
    packed: Packed,
    /// Tokens that are pooled, in the order of packing.
    ranges: Vec<Range<usize>>,
    /// The row of each text, in the order in which the texts were given.
    place: Tensor,
}

impl Sorted {
    fn of(texts: &[Text<'_>], device: Device) -> Result<Self> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
        let order = by_length(&lengths);
        let sorted: Vec<&[u32]> = order.iter().map(|&i| texts[i].ids).collect();
        let mut place = vec![0i64; order.len()];
        for (row, &index) in order.iter().enumerate() {
            place[index] = row as i64;
        }
        let mut packed = Packed::of(&sorted, device)?;
        if texts.iter().any(|text| !text.types.is_empty()) {
            let mut types = Vec::with_capacity(lengths.iter().sum());
            for &i in &order {
                let own = texts[i].types.iter().map(|&kind| i64::from(kind));
                types.extend(own.chain(std::iter::repeat(0)).take(lengths[i]));
            }
            packed.types = Some(Tensor::f_from_slice(&types)?.f_to_device(device)?);
        }
        Ok(Self {
            packed,
            ranges: order.iter().map(|&i| texts[i].pooled.clone()).collect(),
            place: Tensor::f_from_slice(&place)?.f_to_device(device)?,
        })
    }

    /// One vector for each text, in the order given.
    fn pooled(&self, hidden: &Tensor, pooling: Pooling) -> Result<Tensor> {
        let pooled = pool_ranges(
            &hidden.f_to_kind(Kind::Float)?,
            &self.packed,
            pooling,
            &self.ranges,
        )?;
        Ok(pooled.f_index_select(0, &self.place)?)
    }
}

/// A text encoder on a device.
pub struct Encoder {
    /// Its tokenizer, which cuts at the length given.
    pub tokenizer: TextTokenizer,
    /// Its sizes.
    pub sizes: Sizes,
    /// Longest input in tokens that it takes: the one asked for, at most the model's own.
    pub max_length: usize,
    /// How many token types it has.
    pub token_types: i64,
    /// The folder that it was loaded from.
    pub folder: PathBuf,
    model: Box<dyn Architecture>,
    trained: Option<AllWeights>,
    pooling: Pooling,
    dense: Vec<Dense>,
    /// Its one dense layer is the head of a cross-encoder.
    has_head: bool,
    device: Device,
}

impl Encoder {
    /// Loads the encoder of a model folder, with the dense layers that it has after the pooling.
    ///
    /// # Errors
    /// If the folder is incomplete or the model is not supported.
    pub fn open(
        folder: &Path,
        pooling: Pooling,
        max_length: usize,
        device: Device,
    ) -> Result<Self> {
        let reading = TextReading {
            pooling,
            max_length,
            ..reading::of_folder(folder)?
        };
        Self::open_to_read(folder, &reading, device)
    }

    /// Opens an encoder that reads texts as `reading` says: pooling, length, dense layers, and whether tokens see only
    /// the tokens before them.
    ///
    /// # Errors
    /// As [`Encoder::open`].
    pub fn open_to_read(folder: &Path, reading: &TextReading, device: Device) -> Result<Self> {
        let attention = Attention::of(reading.causal);
        let model = Config::of_folder(folder)?.load_seeing(folder, attention, device)?;
        Self::around(model, folder, reading, device)
    }

    /// Opens an encoder as [`Encoder::open_to_read`] does, and adds the differences to its weights.
    ///
    /// # Errors
    /// As [`Encoder::open`]; also if no weight fits a difference.
    pub fn open_with(
        folder: &Path,
        reading: &TextReading,
        differences: &NamedTensors,
        device: Device,
    ) -> Result<Self> {
        let model = Config::of_folder(folder)?.load_with(folder, differences, device)?;
        Self::around(model, folder, reading, device)
    }

    /// An encoder whose weights can all be trained. Each weight starts as the folder's weight plus its difference in
    /// `start`. Dense layers after the pooling stay as they are.
    ///
    /// # Errors
    /// As [`Encoder::open_with`].
    pub fn open_to_train(
        folder: &Path,
        pooling: Pooling,
        max_length: usize,
        start: &NamedTensors,
        device: Device,
    ) -> Result<Self> {
        let reading = TextReading {
            pooling,
            max_length,
            ..reading::of_folder(folder)?
        };
        let (model, trained) = Config::of_folder(folder)?.load_to_train(folder, start, device)?;
        Ok(Self {
            trained: Some(trained),
            ..Self::around(model, folder, &reading, device)?
        })
    }

    fn around(
        model: Box<dyn Architecture>,
        folder: &Path,
        reading: &TextReading,
        device: Device,
    ) -> Result<Self> {
        let config = Config::of_folder(folder)?;
        let sizes = config.sizes();
        let max_length = reading.max_length.min(sizes.positions);
        Ok(Self {
            tokenizer: TextTokenizer::open(folder, max_length)?,
            sizes,
            max_length,
            token_types: match &config {
                Config::Encoder(config) => config.token_types(),
                Config::Decoder(_) => 0,
            },
            folder: folder.to_owned(),
            model,
            trained: None,
            has_head: false,
            pooling: reading.pooling,
            dense: reading
                .dense
                .iter()
                .map(|layer| Dense::load(folder, layer, device))
                .collect::<Result<_>>()?,
            device,
        })
    }

    /// This encoder with a head instead of its dense layers. The head turns each vector into one number.
    #[must_use]
    pub fn with_head(self, pooling: Pooling, head: Dense) -> Self {
        Self {
            pooling,
            dense: vec![head],
            has_head: true,
            ..self
        }
    }

    /// The head, where it is a cross-encoder.
    pub fn head(&self) -> Option<&Dense> {
        self.dense.first().filter(|_| self.has_head)
    }

    /// The device of its tensors.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Its weights, where all of them are trained.
    pub fn all_weights(&self) -> Option<&AllWeights> {
        self.trained.as_ref()
    }

    /// The table of its words' vectors, as [`Architecture::words`].
    pub fn words(&self) -> Option<&Tensor> {
        self.model.words()
    }

    /// Linear layers in the order of the modules.
    pub fn linears(&mut self) -> Vec<&mut Linear> {
        self.model.linears()
    }

    /// The linear layers of [`Encoder::linears`], for reading only.
    pub fn linears_ref(&self) -> Vec<&Linear> {
        self.model.linears_ref()
    }

    /// The vectors of all tokens of each text after the first `layer` layers, in the order given: `[tokens, hidden]` in
    /// fp32.
    pub(crate) fn token_vectors(&self, texts: &[&[u32]], layer: usize) -> Result<Vec<Tensor>> {
        let lengths: Vec<usize> = texts.iter().map(|ids| ids.len()).collect();
        let order = by_length(&lengths);
        let sorted: Vec<&[u32]> = order.iter().map(|&i| texts[i]).collect();
        let packed = Packed::of(&sorted, self.device)?;
        let hidden = self.model.stack(&packed, Pass::Infer)?.run_to(layer)?;
        let hidden = hidden.f_to_kind(Kind::Float)?;
        let mut rows: Vec<(usize, Tensor)> = Vec::with_capacity(texts.len());
        for (&text, (start, length)) in order.iter().zip(packed.texts()) {
            rows.push((text, hidden.f_narrow(0, start, length)?));
        }
        rows.sort_by_key(|(text, _)| *text);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// One vector for each text, in the order given: `[texts, dim]`, not normalised.
    pub fn encode(&self, texts: &[&[u32]], pass: Pass) -> Result<Tensor> {
        let texts: Vec<Text<'_>> = texts.iter().map(|&ids| ids.into()).collect();
        self.encode_texts(&texts, pass)
    }

    /// As [`Encoder::encode`] with each row scaled to unit length.
    pub(crate) fn encode_unit(&self, texts: &[&[u32]], pass: Pass) -> Result<Tensor> {
        unit_rows(&self.encode(texts, pass)?)
    }
}
