//! A lesson for an encoder on damaged rules: some words of each text are masked or deleted, and the model predicts
//! them. Each stage defines how a text is damaged and how the loss is computed. This file holds what all such stages
//! share: the choice of the texts, their division among ranks, and their computation a few at a time.

use super::lesson::{Batch, Holding, Learnt, Lesson, Material, Trainee, count};
use super::parts::Parts;
use super::token_lesson::{HELD_OUT, random_of};
use crate::architectures::encoder::Encoder;
use crate::architectures::packing;
use crate::architectures::recompute::Way;
use crate::tensors::NamedTensors;
use crate::texts::whole_words::WholeWords;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::TrainItem;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use tch::Tensor;

/// How a stage damages texts, and what the model learns from them.
pub(super) trait Damage {
    /// A damaged text.
    type Text;
    /// Reason of a text that is left out, since nothing of it can be foretold.
    const NOTHING: &'static str;
    /// The least number of tokens that a text must have, so that one can be predicted.
    const LEAST: usize;

    /// Damages a text.
    fn damaged(&self, text: &WholeWords, random: &mut ChaCha8Rng) -> Self::Text;

    /// Tokens that are computed for a text.
    fn tokens(text: &Self::Text) -> usize;

    /// Tokens of a text that are foretold.
    fn foretold(text: &Self::Text) -> usize;

    /// The loss of some texts, with its gradient; each foretold token counts `weight`.
    fn backward(
        &self,
        trainee: &Trainee,
        texts: &[&Self::Text],
        weight: f64,
        way: Way,
    ) -> Result<f64>;

    /// The loss alone.
    fn value(&self, trainee: &Trainee, texts: &[&Self::Text], weight: f64) -> Result<f64>;

    /// The tensors that are trained beside the encoder.
    fn beside(&self) -> NamedTensors;
}

/// The vectors of words by which an encoder foretells them.
pub(super) fn words<'e>(encoder: &'e Encoder, stage: &str) -> Result<&'e Tensor> {
    encoder.words().ok_or_else(|| {
        unsuited(format!(
            "The stage {stage} foretells words by their own vectors, which this kind of model was not made for."
        ))
    })
}

/// An encoder that was not trained to foretell words.
pub(super) fn unsuited(message: impl Into<String>) -> Error {
    Error::told(
        Code::ModelUnsupported,
        message,
        "Choose an encoder that was trained on masked words: BERT, DistilBERT, MiniLM, MPNet, RoBERTa, XLM-RoBERTa, ModernBERT.",
    )
}

/// A stage that learns from damaged texts: the rules of its items, each once.
pub(super) struct Damaging<D> {
    damage: D,
    parts: Parts<WholeWords>,
    seed: u64,
    holding: Holding,
}

impl<D: Damage> Damaging<D> {
    /// The stage of a job.
    pub(super) fn new(damage: D, encoder: &Encoder, material: &Material) -> Result<Self> {
        let mut left_out = BTreeMap::new();
        let parts = Parts::of(material, &mut left_out, |items, left_out| {
            texts::<D>(encoder, items, left_out)
        })?;
        let cut = parts.train.iter().filter(|text| text.cut).count();
        Ok(Self {
            damage,
            holding: parts.holding(cut, left_out),
            parts,
            seed: material.seed,
        })
    }

    /// A text damaged otherwise in every epoch.
    fn damaged(&self, text: &WholeWords, number: usize, epoch: u64) -> D::Text {
        let mut random = random_of(self.seed, number as i64, epoch);
        self.damage.damaged(text, &mut random)
    }
}

/// The different rules of items, in the order in which they first appear. Those that cannot be learnt from are counted.
fn texts<D: Damage>(
    encoder: &Encoder,
    items: &[TrainItem],
    left_out: &mut BTreeMap<String, u64>,
) -> Result<Vec<WholeWords>> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for item in items {
        let rule = item.rule.trim();
        if rule.is_empty() || !seen.insert(rule) {
            continue;
        }
        let text = WholeWords::of(&encoder.tokenizer, rule)?;
        match text.words.is_empty() || text.ids.len() < D::LEAST {
            true => count(left_out, D::NOTHING, 1),
            false => texts.push(text),
        }
    }
    Ok(texts)
}

/// The weight of one predicted token in their mean.
fn weight<D: Damage>(texts: &[D::Text]) -> f64 {
    let all: usize = texts.iter().map(D::foretold).sum();
    1.0 / all.max(1) as f64
}

/// Some of the texts with these lengths, in pieces that fit.
fn pieces(
    lengths: &[usize],
    some: &[usize],
    micro_batch: Option<usize>,
    budget: usize,
) -> Vec<Vec<usize>> {
    let most = micro_batch.unwrap_or(usize::MAX).max(1);
    packing::pieces(lengths, some, budget)
        .iter()
        .flat_map(|piece| piece.chunks(most).map(<[usize]>::to_vec))
        .collect()
}

impl<D: Damage> Lesson for Damaging<D> {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn beside(&self) -> NamedTensors {
        self.damage.beside()
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let damaged =
            |&number: &usize| self.damaged(&self.parts.train[number], number, batch.epoch);
        // Every rank damages all texts, so that a token counts the same whoever computes it.
        let texts: Vec<D::Text> = batch.numbers.iter().map(damaged).collect();
        let weight = weight::<D>(&texts);
        let lengths: Vec<usize> = texts.iter().map(D::tokens).collect();
        let own = batch.ranks.own_portion(&lengths);
        let mut learnt = Learnt::default();
        for piece in pieces(&lengths, &own, batch.micro_batch, batch.budget) {
            let some: Vec<&D::Text> = piece.iter().map(|&i| &texts[i]).collect();
            learnt.loss += self.damage.backward(trainee, &some, weight, batch.way)?;
            learnt.tokens += piece.iter().map(|&i| lengths[i]).sum::<usize>();
        }
        Ok(learnt)
    }

    /// Held-out texts are damaged in the same way at every look.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let texts = self.parts.dev.iter().enumerate();
        let texts: Vec<D::Text> = texts
            .map(|(number, text)| self.damaged(text, number, HELD_OUT))
            .collect();
        let weight = weight::<D>(&texts);
        let lengths: Vec<usize> = texts.iter().map(D::tokens).collect();
        let all: Vec<usize> = (0..texts.len()).collect();
        let mut loss = 0.0;
        for piece in pieces(&lengths, &all, None, budget) {
            if !go_on() {
                return Ok(None);
            }
            let some: Vec<&D::Text> = piece.iter().map(|&i| &texts[i]).collect();
            loss += self.damage.value(trainee, &some, weight)?;
        }
        Ok(Some(loss as f32))
    }
}
