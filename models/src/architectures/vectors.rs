//! Vectors of distinct texts under a decoder.

use crate::Result;
use crate::adapters::lora::Pass;
use crate::architectures::decoder::Attention;
use crate::architectures::encoder::{DecoderVectors, Text, Vectors};
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::pooling::unit_rows;
use crate::decoding::language::{Compared, LanguageModel};
use crate::error::all_finite;
use lexforge_domain::protocol::Pooling;
use std::collections::HashMap;
use tch::Device;

/// Texts, each once, and their vectors.
pub struct TextVectors<'a> {
    model: &'a LanguageModel,
    pooling: Pooling,
    instruction: &'a str,
    longest: usize,
    unit: bool,
    attention: Attention,
    numbers: HashMap<(bool, String), usize>,
    texts: Vec<Compared>,
    vectors: Vec<Vec<f32>>,
}

impl<'a> TextVectors<'a> {
    /// An empty collection, to which texts can be added. Each text is cut at `longest` tokens. With `unit`, the vectors
    /// get unit length. `attention` says which tokens of its text a token sees.
    pub fn new(
        model: &'a LanguageModel,
        pooling: Pooling,
        instruction: &'a str,
        longest: usize,
        unit: bool,
        attention: Attention,
    ) -> Self {
        Self {
            model,
            pooling,
            instruction,
            longest,
            unit,
            attention,
            numbers: HashMap::new(),
            texts: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// Distinct texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How a text is read.
    pub fn text(&self, number: usize) -> &Compared {
        &self.texts[number]
    }

    /// Adds a text and gives its index. A question (`asks`) is read with the instruction before it.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn add(&mut self, asks: bool, text: &str) -> Result<usize> {
        let key = (asks && !self.instruction.is_empty(), text.to_owned());
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let instruction = if key.0 { self.instruction } else { "" };
        let number = self.texts.len();
        self.texts.push(
            self.model
                .language
                .compared(instruction, text, self.longest)?,
        );
        self.vectors.push(Vec::new());
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// The texts in batches of about so many tokens, by length.
    pub fn batches(&self, budget: usize) -> Vec<Vec<usize>> {
        let lengths: Vec<usize> = self.texts.iter().map(|text| text.ids.len()).collect();
        within_budget(&by_length(&lengths), &lengths, budget)
    }

    /// Computes the vectors of a batch, and gives the number of its tokens.
    pub fn compute(&mut self, batch: &[usize]) -> Result<u64> {
        let _no_grad = tch::no_grad_guard();
        let texts = batch.iter().map(|&i| &self.texts[i]);
        let texts: Vec<Text<'_>> = texts
            .map(|text| Text::part(&text.ids, text.pooled.clone()))
            .collect();
        let vectors = DecoderVectors {
            decoder: self.model.decoder.as_ref(),
            pooling: self.pooling,
            attention: self.attention,
        };
        let rows = vectors.encode_texts(&texts, Pass::Infer)?;
        let rows = if self.unit { unit_rows(&rows)? } else { rows };
        let tokens = texts.iter().map(|text| text.ids.len() as u64).sum();
        for (&text, row) in batch
            .iter()
            .zip(Vec::<Vec<f32>>::try_from(rows.f_to_device(Device::Cpu)?)?)
        {
            all_finite(&row)?;
            self.vectors[text] = row;
        }
        Ok(tokens)
    }

    /// Vector of a text, once it is computed.
    pub fn vector(&self, number: usize) -> &[f32] {
        &self.vectors[number]
    }

    /// Cosine of two texts, whose vectors have unit length.
    pub fn cosine(&self, a: usize, b: usize) -> f64 {
        self.vectors[a]
            .iter()
            .zip(&self.vectors[b])
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum()
    }
}
