//! A cross-encoder in use. An encoder, together with the adapter and the head that were trained for it, scores pairs of
//! a question and a passage.

use crate::adapters::adapter::Adapter;
use crate::adapters::head;
use crate::adapters::lora::Pass;
use crate::architectures::classifier::PairTokens;
use crate::architectures::encoder::{Encoder, Text, Vectors};
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::reader::AfterBatch;
use crate::error::all_finite;
use crate::texts::pairs::Pairing;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{RerankRequest, RerankScores, TextReading};
use std::path::Path;
use tch::{Device, Kind};

/// Tokens of a batch: large enough for full matrix products, small enough for the caches.
const BATCH_TOKENS: usize = 2048;
/// Tokens of a batch on a GPU.
const GPU_BATCH_TOKENS: usize = 32_768;

/// A cross-encoder.
pub struct PairScorer {
    encoder: Encoder,
    pairing: Pairing,
    reading: TextReading,
}

impl PairScorer {
    /// Opens an encoder's folder with a cross-encoder's adapter to it, as `Adapter::read_of_pairs` gives it.
    ///
    /// # Errors
    /// If the folder is incomplete, or the adapter belongs to another model or is not a cross-encoder's.
    pub fn open(folder: &Path, adapter: &Adapter, device: Device) -> Result<Self> {
        let (sidecar, pairs, tensors) = adapter.of_pairs()?;
        let reading = TextReading {
            pooling: sidecar.pooling,
            normalize: false,
            max_length: sidecar.max_length,
            ..TextReading::default()
        };
        let mut encoder = match adapter.differences() {
            Some(differences) => Encoder::open_with(folder, &reading, differences, device)?,
            None => Encoder::open_to_read(folder, &reading, device)?,
        };
        if adapter.differences().is_none() {
            adapter.merge_into(&mut encoder.linears())?;
        }
        let head = head::stored(tensors, encoder.sizes.hidden, device)?;
        let encoder = encoder.with_head(sidecar.pooling, head);
        let longest = encoder.max_length;
        let share = pairs.question_share;
        Ok(Self {
            pairing: Pairing::of(&encoder.tokenizer, encoder.token_types, longest, share)?,
            reading: TextReading {
                max_length: longest,
                ..reading
            },
            encoder,
        })
    }

    /// How pairs are read.
    pub fn reading(&self) -> &TextReading {
        &self.reading
    }

    /// The scores of each question's passages; `None` if the work was cancelled.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if a text is empty; if the tokenizer or libtorch fails.
    pub fn scores(
        &self,
        requests: &[RerankRequest],
        after: AfterBatch<'_>,
    ) -> Result<Option<Vec<RerankScores>>> {
        let mut found = Vec::with_capacity(requests.len());
        let mut pairs = Vec::new();
        for request in requests {
            let passages: Vec<&str> = request.passages.iter().map(String::as_str).collect();
            if passages.iter().any(|passage| passage.trim().is_empty()) {
                return Err(Error::told(
                    Code::InvalidRequest,
                    format!(
                        "A passage to be read with the question {:?} is empty.",
                        request.question
                    ),
                    "Leave the passage out.",
                ));
            }
            let tokenizer = &self.encoder.tokenizer;
            let question = tokenizer.own_tokens(&[&request.question])?.concat();
            if question.is_empty() {
                return Err(Error::told(
                    Code::InvalidRequest,
                    "A question to be read with passages is empty.",
                    "Write the question.",
                ));
            }
            let mut own = RerankScores::default();
            for passage in tokenizer.own_tokens(&passages)? {
                let (pair, cut) = self.pairing.pair(&question, &passage);
                own.truncated += u64::from(cut);
                pairs.push(pair);
            }
            found.push(own);
        }
        let budget = match self.encoder.device() {
            Device::Cpu => BATCH_TOKENS,
            _ => GPU_BATCH_TOKENS,
        };
        let Some(scores) = scores_of(&self.encoder, &pairs, budget, after)? else {
            return Ok(None);
        };
        all_finite(&scores)?;
        let mut scores = scores.into_iter();
        for (own, request) in found.iter_mut().zip(requests) {
            own.scores
                .extend(scores.by_ref().take(request.passages.len()));
        }
        Ok(Some(found))
    }
}

/// The score of each pair by a cross-encoder, without a gradient graph or dropout, in batches of a limited number of
/// tokens; `None` if the work was cancelled.
pub(crate) fn scores_of(
    model: &dyn Vectors,
    pairs: &[PairTokens],
    budget: usize,
    after: AfterBatch<'_>,
) -> Result<Option<Vec<f32>>> {
    let _no_grad = tch::no_grad_guard();
    let lengths: Vec<usize> = pairs.iter().map(|pair| pair.ids.len()).collect();
    let mut scores = vec![0f32; pairs.len()];
    for batch in within_budget(&by_length(&lengths), &lengths, budget) {
        let texts: Vec<Text<'_>> = batch.iter().map(|&i| (&pairs[i]).into()).collect();
        let rows = model
            .encode_texts(&texts, Pass::Infer)?
            .f_to_device(Device::Cpu)?
            .f_to_kind(Kind::Float)?
            .f_contiguous()?;
        let mut values = vec![0f32; batch.len()];
        rows.f_copy_data(&mut values, batch.len())?;
        for (&pair, value) in batch.iter().zip(values) {
            scores[pair] = value;
        }
        let tokens = batch.iter().map(|&i| lengths[i] as u64).sum();
        if !after(batch.len(), tokens)? {
            return Ok(None);
        }
    }
    Ok(Some(scores))
}
