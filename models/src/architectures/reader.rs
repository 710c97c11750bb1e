//! A model that reads texts and gives one vector for each text. It is an encoder, or a decoder whose tokens see each
//! other in both directions, with or without an adapter.

use crate::adapters::adapter::Adapter;
use crate::adapters::lora::{Linear, Pass};
use crate::architectures::architecture::Config;
use crate::architectures::decoder::Attention;
use crate::architectures::encoder::{
    DecoderVectors, Encoder, InnerLayer, PooledEncoder, Text, Vectors,
};
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::pooling::unit_rows;
use crate::architectures::vectors::TextVectors;
use crate::decoding::language::LanguageModel;
use crate::error::all_finite;
use crate::texts::modules;
use crate::{Result, device};
use lexforge_domain::protocol::{Pooling, Precision, TextReading, TextSide};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use tch::{Device, Kind};

/// Tokens of a batch: large enough for full matrix products, small enough for the caches.
const BATCH_TOKENS: usize = 2048;
/// Tokens of a batch on a GPU.
const GPU_BATCH_TOKENS: usize = 32_768;

/// Texts to vectors.
pub struct Reader {
    model: Model,
    reading: TextReading,
    /// The instruction that a decoder's adapter was trained to read before a question. Its tokens are not pooled.
    instruction: String,
}

#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Model {
    Encoder(Encoder),
    Decoder(LanguageModel),
}

/// Counts of the texts that were read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Texts that were cut.
    pub truncated: u64,
    /// Unknown tokens.
    pub unknown: u64,
    /// Tokens of the texts, special ones not counted.
    pub own: u64,
}

/// A text as tokens, and which of them are a term's.
type Placed = (Vec<u32>, Range<usize>);

/// Called after each batch with its numbers of texts and tokens. If it returns `false`, the work ends.
pub type AfterBatch<'a> = &'a mut dyn FnMut(usize, u64) -> Result<bool>;

impl Reader {
    /// Opens a model folder to read texts in a given way. If there is an adapter, texts are read as in the adapter's
    /// training instead.
    ///
    /// # Errors
    /// If the folder is incomplete, or the adapter belongs to another model.
    pub fn open(
        folder: &Path,
        reading: &TextReading,
        adapter: Option<&Adapter>,
        device: Device,
    ) -> Result<Self> {
        let mut reading = reading.clone();
        let config = Config::of_folder(folder)?;
        reading.max_length = reading.max_length.min(config.sizes().positions);
        // Differences are added to the weights while the encoder is loaded. A low-rank update is attached afterwards.
        let differences = adapter.and_then(Adapter::differences);
        let added = differences.is_some() && matches!(config, Config::Encoder(_));
        let mut model = match config {
            // Each token sees those before it alone, and texts become tokens as the tokenizer's file says.
            Config::Decoder(_) if reading.causal => {
                Model::Encoder(Encoder::open_to_read(folder, &reading, device)?)
            }
            Config::Decoder(_) if !reading.dense.is_empty() => {
                return Err(modules::refused(
                    modules::MODULES_FILE,
                    "The model is a decoder with dense layers after it, which are not computed together with an adapter.",
                ));
            }
            Config::Encoder(_) => Model::Encoder(match differences {
                Some(differences) => Encoder::open_with(folder, &reading, differences, device)?,
                None => Encoder::open_to_read(folder, &reading, device)?,
            }),
            Config::Decoder(_) => {
                let kind = device::kind(Precision::Auto, device);
                Model::Decoder(LanguageModel::open(folder, Some(kind), device)?)
            }
        };
        let mut instruction = String::new();
        if let Some(adapter) = adapter {
            if !added {
                adapter.merge_into(&mut linears(&mut model))?;
            }
            if let Some(sidecar) = adapter.sidecar() {
                instruction.clone_from(&sidecar.instruction);
            }
        }
        Ok(Self {
            model,
            reading,
            instruction,
        })
    }

    /// How texts are read.
    pub fn reading(&self) -> &TextReading {
        &self.reading
    }

    /// Values a vector.
    pub fn dim(&self) -> usize {
        match &self.model {
            Model::Encoder(encoder) => encoder.dim(),
            Model::Decoder(model) => model.decoder.config().hidden as usize,
        }
    }

    /// Vectors of texts, row-major. `None` if the work was cancelled. A text that occurs twice is computed once, so it
    /// may be counted once in the reported progress.
    ///
    /// # Errors
    /// If the tokenizer or libtorch fails.
    pub fn vectors(
        &self,
        side: TextSide,
        texts: &[String],
        counts: &mut Counts,
        after: AfterBatch<'_>,
    ) -> Result<Option<Vec<f32>>> {
        match &self.model {
            Model::Encoder(encoder) => self.encoded(encoder, side, texts, counts, after),
            Model::Decoder(model) => self.decoded(model, side, texts, counts, after),
        }
    }

    /// The model, whose vectors are the means over tokens.
    fn averaged(&self) -> Box<dyn Vectors + '_> {
        let pooling = Pooling::Mean;
        match &self.model {
            Model::Encoder(encoder) => Box::new(PooledEncoder { encoder, pooling }),
            Model::Decoder(model) => Box::new(DecoderVectors {
                decoder: model.decoder.as_ref(),
                pooling,
                attention: Attention::Bidirectional,
            }),
        }
    }

    /// Layers of the model, and the values of a vector after each of them.
    pub fn layers(&self) -> (usize, usize) {
        let sizes = self.averaged().sizes();
        (sizes.layers, sizes.hidden)
    }

    /// One vector for each term, row-major. A term is given as a range of bytes in its text. Its vector is the mean
    /// over the term's tokens after the first `layer` layers (all of them for `None`), at unit length. The dense
    /// layers, which are made for whole texts, and the prompts are left out. A term whose text would have to be cut,
    /// or that has no token of its own, gets zeros. `None` if the work was cancelled.
    ///
    /// # Errors
    /// If the tokenizer or libtorch fails.
    pub fn terms(
        &self,
        terms: &[(String, Range<usize>)],
        layer: Option<usize>,
        after: AfterBatch<'_>,
    ) -> Result<Option<Vec<f32>>> {
        let _no_grad = tch::no_grad_guard();
        let mut rows: Vec<usize> = Vec::with_capacity(terms.len());
        let mut found: Vec<Placed> = Vec::with_capacity(terms.len());
        for (row, (text, bytes)) in terms.iter().enumerate() {
            if let Some(placed) = self.placed(text, bytes)? {
                rows.push(row);
                found.push(placed);
            }
        }
        let averaged = self.averaged();
        let read = InnerLayer {
            of: averaged.as_ref(),
            layer: layer.unwrap_or(usize::MAX),
        };
        let dim = read.dim();
        let lengths: Vec<usize> = found.iter().map(|(ids, _)| ids.len()).collect();
        let mut vectors = vec![0f32; terms.len() * dim];
        for batch in within_budget(&by_length(&lengths), &lengths, budget(read.device())) {
            let texts: Vec<Text<'_>> = batch
                .iter()
                .map(|&i| Text::part(&found[i].0, found[i].1.clone()))
                .collect();
            let made = unit_rows(&read.encode_texts(&texts, Pass::Infer)?)?;
            let made = Vec::<Vec<f32>>::try_from(made.f_to_device(Device::Cpu)?)?;
            for (vector, &i) in made.iter().zip(&batch) {
                all_finite(vector)?;
                let place = rows[i] * dim;
                vectors[place..place + dim].copy_from_slice(vector);
            }
            let tokens = batch.iter().map(|&i| lengths[i] as u64).sum::<u64>();
            if !after(batch.len(), tokens)? {
                return Ok(None);
            }
        }
        Ok(Some(vectors))
    }

    /// A text as tokens, and which of them belong to the term at this range of bytes. `None` if the text is too long
    /// to be read whole, or the term has no token of its own.
    fn placed(&self, text: &str, bytes: &Range<usize>) -> Result<Option<Placed>> {
        let placed = match &self.model {
            Model::Encoder(encoder) => encoder.tokenizer.placed(text, bytes)?,
            Model::Decoder(model) => {
                let encoded = model.language.encode(text)?;
                let term = encoded.of_bytes(bytes);
                let mut ids = encoded.ids;
                ids.push(model.language.end());
                (ids.len() <= self.reading.max_length).then_some((ids, term))
            }
        };
        Ok(placed.filter(|(_, term)| !term.is_empty()))
    }

    fn prompted<'t>(&self, side: TextSide, text: &'t str) -> Cow<'t, str> {
        match self.reading.prompt(side) {
            "" => Cow::Borrowed(text),
            prompt => Cow::Owned(format!("{prompt}{text}")),
        }
    }

    /// A decoder has no unknown token: its vocabulary falls back on bytes.
    fn decoded(
        &self,
        model: &LanguageModel,
        side: TextSide,
        texts: &[String],
        counts: &mut Counts,
        after: AfterBatch<'_>,
    ) -> Result<Option<Vec<f32>>> {
        let reading = &self.reading;
        let mut vectors = TextVectors::new(
            model,
            reading.pooling,
            &self.instruction,
            reading.max_length,
            reading.normalize,
            Attention::Bidirectional,
        );
        let asks = side == TextSide::Question;
        let numbers = texts
            .iter()
            .map(|text| match self.instruction.is_empty() {
                true => vectors.add(false, &self.prompted(side, text)),
                false => vectors.add(asks, text),
            })
            .collect::<Result<Vec<usize>>>()?;
        for &number in &numbers {
            let text = vectors.text(number);
            counts.truncated += u64::from(text.cut);
            counts.own += text.ids.len() as u64 - 1;
        }
        for batch in vectors.batches(budget(model.decoder.device())) {
            let tokens = vectors.compute(&batch)?;
            if !after(batch.len(), tokens)? {
                return Ok(None);
            }
        }
        Ok(Some(
            numbers
                .iter()
                .flat_map(|&number| vectors.vector(number).iter().copied())
                .collect(),
        ))
    }

    fn encoded(
        &self,
        encoder: &Encoder,
        side: TextSide,
        texts: &[String],
        counts: &mut Counts,
        after: AfterBatch<'_>,
    ) -> Result<Option<Vec<f32>>> {
        let _no_grad = tch::no_grad_guard();
        let prompted: Vec<Cow<'_, str>> = texts.iter().map(|t| self.prompted(side, t)).collect();
        let references: Vec<&str> = prompted.iter().map(AsRef::as_ref).collect();
        let tokenized = encoder.tokenizer.tokenize(&references)?;
        for text in &tokenized {
            counts.truncated += u64::from(text.truncated);
            counts.unknown += text.unknown_tokens as u64;
            counts.own += text.own_tokens as u64;
        }
        let dim = encoder.dim();
        let lengths: Vec<usize> = tokenized.iter().map(|t| t.ids.len()).collect();
        let mut vectors = vec![0f32; texts.len() * dim];
        for batch in within_budget(&by_length(&lengths), &lengths, budget(encoder.device())) {
            let ids: Vec<&[u32]> = batch.iter().map(|&i| tokenized[i].ids.as_slice()).collect();
            let rows = if self.reading.normalize {
                encoder.encode_unit(&ids, Pass::Infer)?
            } else {
                encoder.encode(&ids, Pass::Infer)?
            };
            let rows = rows
                .f_to_device(Device::Cpu)?
                .f_to_kind(Kind::Float)?
                .f_contiguous()?;
            let mut values = vec![0f32; batch.len() * dim];
            rows.f_copy_data(&mut values, batch.len() * dim)?;
            all_finite(&values)?;
            for (row, &index) in values.chunks_exact(dim).zip(&batch) {
                vectors[index * dim..(index + 1) * dim].copy_from_slice(row);
            }
            let tokens = batch.iter().map(|&i| lengths[i] as u64).sum::<u64>();
            if !after(batch.len(), tokens)? {
                return Ok(None);
            }
        }
        Ok(Some(vectors))
    }
}

fn linears(model: &mut Model) -> Vec<&mut Linear> {
    match model {
        Model::Encoder(encoder) => encoder.linears(),
        Model::Decoder(model) => model.decoder.linears(),
    }
}

fn budget(device: Device) -> usize {
    if device == Device::Cpu {
        BATCH_TOKENS
    } else {
        GPU_BATCH_TOKENS
    }
}
