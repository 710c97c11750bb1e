//! Vectors of distinct texts under a decoder whose tokens see each other in both directions.

use crate::Result;
use crate::decoder::Attention;
use crate::language::LanguageModel;
use crate::lora::Pass;
use crate::packing::{Packed, by_length, within_budget};
use crate::pooling::{pool_after, unit_rows};
use lexforge_domain::protocol::Pooling;
use std::collections::HashMap;
use tch::{Device, Kind};

/// Texts, each once, and their vectors of unit length.
pub struct TextVectors<'a> {
    model: &'a LanguageModel,
    pooling: Pooling,
    instruction: &'a str,
    longest: usize,
    numbers: HashMap<(bool, String), usize>,
    /// Tokens, and how many of the first are read and not pooled.
    texts: Vec<(Vec<u32>, usize)>,
    vectors: Vec<Vec<f32>>,
    cut: usize,
}

impl<'a> TextVectors<'a> {
    /// None yet. What is longer than `longest` tokens is cut.
    pub fn new(model: &'a LanguageModel, pooling: Pooling, instruction: &'a str, longest: usize) -> Self {
        let numbers = HashMap::new();
        Self { model, pooling, instruction, longest, numbers, texts: Vec::new(), vectors: Vec::new(), cut: 0 }
    }

    /// Distinct texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How many were cut.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// Number of a text, which is read with the instruction before it where it asks something.
    ///
    /// # Errors
    /// Where the tokenizer refuses.
    pub fn add(&mut self, asks: bool, text: &str) -> Result<usize> {
        let key = (asks && !self.instruction.is_empty(), text.to_owned());
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let instruction = if key.0 { self.instruction } else { "" };
        let language = &self.model.language;
        let before = if instruction.is_empty() { String::new() } else { format!("{instruction}\n") };
        let encoded = language.encode(&format!("{before}{}", language.harmless(text)))?;
        let skip = if before.is_empty() { 0 } else { encoded.from_byte(before.len()) };
        let mut ids = encoded.ids;
        self.cut += usize::from(ids.len() + 1 > self.longest);
        ids.truncate(self.longest.saturating_sub(1));
        ids.push(language.end());
        let number = self.texts.len();
        self.texts.push((ids, skip));
        self.vectors.push(Vec::new());
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// The texts in batches of about so many tokens, by length.
    pub fn batches(&self, budget: usize) -> Vec<Vec<usize>> {
        let lengths: Vec<usize> = self.texts.iter().map(|(ids, _)| ids.len()).collect();
        within_budget(&by_length(&lengths), &lengths, budget)
    }

    /// Computes the vectors of a batch; gives its tokens.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn compute(&mut self, batch: &[usize]) -> Result<u64> {
        let _no_grad = tch::no_grad_guard();
        let decoder = self.model.decoder.as_ref();
        let ids: Vec<&[u32]> = batch.iter().map(|&i| self.texts[i].0.as_slice()).collect();
        let skips: Vec<i64> = batch.iter().map(|&i| self.texts[i].1 as i64).collect();
        let packed = Packed::of(&ids, decoder.device())?;
        let hidden = decoder.hidden(&packed, Attention::Bidirectional, Pass::Infer)?.f_to_kind(Kind::Float)?;
        let rows = unit_rows(&pool_after(&hidden, &packed, self.pooling, &skips)?)?.f_to_device(Device::Cpu)?;
        let tokens = ids.iter().map(|ids| ids.len() as u64).sum();
        for (&text, row) in batch.iter().zip(Vec::<Vec<f32>>::try_from(rows)?) {
            self.vectors[text] = row;
        }
        Ok(tokens)
    }

    /// Cosine of two texts, once they are computed.
    pub fn cosine(&self, a: usize, b: usize) -> f64 {
        self.vectors[a].iter().zip(&self.vectors[b]).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    }
}
