//! The stage mlm: an encoder learns the language of the rules before it learns to compare (METHODS §4).

use super::lesson::{Batch, Learnt, Lesson, Material, Trainee, count};
use super::token_lesson::{HELD_OUT, random_of};
use crate::architectures::encoder::Encoder;
use crate::architectures::packing::{by_length, within_budget};
use crate::architectures::word_head::WordHead;
use crate::losses::masked::MaskedText;
use crate::losses::masked_words::{Foreteller, Masking};
use crate::tensors::NamedTensors;
use crate::texts::whole_words::WholeWords;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{MaskedWordsObjective, TrainItem};
use std::collections::{BTreeMap, BTreeSet};
use tch::Tensor;

/// Reason of a text without a word.
const NOTHING_TO_MASK: &str = "nothing_to_mask";

/// The stage.
pub(super) struct MaskedWords {
    train: Vec<WholeWords>,
    dev: Vec<WholeWords>,
    masking: Masking,
    head: WordHead,
    seed: u64,
    cut: usize,
    left_out: BTreeMap<String, u64>,
}

/// The stage of a job: it learns from the rules of its items, each once.
pub(super) fn masked_words(
    trainee: &Trainee,
    material: &Material,
    objective: MaskedWordsObjective,
) -> Result<MaskedWords> {
    let encoder = encoder(trainee)?;
    let words = words(encoder)?;
    let (rows, _) = words.size2()?;
    let mask = encoder.tokenizer.mask().filter(|&n| i64::from(n) < rows);
    let mask = mask.ok_or_else(|| {
        unsuited("The stage mlm masks words, and the model's tokenizer has no mask.")
    })?;
    let layers = encoder.sizes.hidden as i64;
    // A fresh head is the same in every attempt.
    tch::manual_seed(material.seed as i64);
    let head = WordHead::of_folder(&encoder.folder, words, layers, encoder.device())?;
    let mut left_out = BTreeMap::new();
    let (train, none) = texts(encoder, &material.train)?;
    count(&mut left_out, NOTHING_TO_MASK, none);
    let (dev, _) = texts(encoder, &material.dev)?;
    let known = encoder.tokenizer.vocabulary() as i64;
    Ok(MaskedWords {
        cut: train.iter().filter(|text| text.cut).count(),
        train,
        dev,
        masking: Masking {
            share: objective.share,
            mask,
            vocabulary: u32::try_from(rows.min(known)).unwrap_or(u32::MAX),
        },
        head,
        seed: material.seed,
        left_out,
    })
}

fn encoder(trainee: &Trainee) -> Result<&Encoder> {
    match trainee {
        Trainee::Encoder(encoder) => Ok(encoder),
        Trainee::Decoder(_) => Err(Error::told(
            Code::InvalidRequest,
            "The stage mlm tunes text encoders; the base model is a decoder.",
            "Choose an encoder as the base model; masked tokens of a decoder are the stage mntp.",
        )),
    }
}

fn words(encoder: &Encoder) -> Result<&Tensor> {
    encoder.words().ok_or_else(|| {
        unsuited("The stage mlm foretells words by their own vectors, which this kind of model was not made for.")
    })
}

fn unsuited(message: &str) -> Error {
    Error::told(
        Code::ModelUnsupported,
        message,
        "Choose an encoder that was trained on masked words: BERT, DistilBERT, MiniLM, MPNet, RoBERTa, XLM-RoBERTa, ModernBERT.",
    )
}

/// The different rules of items, in the order in which they first appear, and how many have no word.
pub(super) fn texts(encoder: &Encoder, items: &[TrainItem]) -> Result<(Vec<WholeWords>, u64)> {
    let mut seen = BTreeSet::new();
    let (mut texts, mut none) = (Vec::new(), 0);
    for item in items {
        let rule = item.rule.trim();
        if rule.is_empty() || !seen.insert(rule) {
            continue;
        }
        let text = WholeWords::of(&encoder.tokenizer, rule)?;
        match text.words.is_empty() {
            true => none += 1,
            false => texts.push(text),
        }
    }
    Ok((texts, none))
}

impl MaskedWords {
    fn foreteller<'a>(&'a self, trainee: &'a Trainee) -> Result<Foreteller<'a>> {
        let encoder = encoder(trainee)?;
        Ok(Foreteller {
            encoder,
            head: &self.head,
            words: words(encoder)?,
        })
    }

    /// A text with masks, others in every epoch.
    fn masked(&self, text: &WholeWords, number: usize, epoch: u64) -> MaskedText {
        let mut random = random_of(self.seed, number as i64, epoch);
        self.masking.of(text, &mut random)
    }
}

/// What one of the masked tokens counts in their mean.
fn weight(texts: &[MaskedText]) -> f64 {
    let all: usize = texts.iter().map(|text| text.hidden.len()).sum();
    1.0 / all.max(1) as f64
}

/// Some of the texts with these lengths, in pieces that fit.
pub(super) fn pieces(
    lengths: &[usize],
    some: &[usize],
    micro_batch: Option<usize>,
    budget: usize,
) -> Vec<Vec<usize>> {
    let own: Vec<usize> = some.iter().map(|&i| lengths[i]).collect();
    let order: Vec<usize> = by_length(&own).into_iter().map(|i| some[i]).collect();
    let most = micro_batch.unwrap_or(usize::MAX).max(1);
    within_budget(&order, lengths, budget)
        .iter()
        .flat_map(|piece| piece.chunks(most).map(<[usize]>::to_vec))
        .collect()
}

impl Lesson for MaskedWords {
    fn items(&self) -> usize {
        self.train.len()
    }

    fn held_out(&self) -> usize {
        self.dev.len()
    }

    fn left_out(&self) -> &BTreeMap<String, u64> {
        &self.left_out
    }

    fn cut(&self) -> usize {
        self.cut
    }

    fn beside(&self) -> NamedTensors {
        self.head.tensors()
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let foreteller = self.foreteller(trainee)?;
        let masked = |&number: &usize| self.masked(&self.train[number], number, batch.epoch);
        // Every rank masks all texts, so that a token counts the same whoever computes it.
        let texts: Vec<MaskedText> = batch.numbers.iter().map(masked).collect();
        let weight = weight(&texts);
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
        let own = batch.ranks.own_portion(&lengths);
        let mut learnt = Learnt::default();
        for piece in pieces(&lengths, &own, batch.micro_batch, batch.budget) {
            let some: Vec<&MaskedText> = piece.iter().map(|&i| &texts[i]).collect();
            learnt.loss += foreteller.backward(&some, weight, batch.way)?;
            learnt.tokens += piece.iter().map(|&i| lengths[i]).sum::<usize>();
        }
        Ok(learnt)
    }

    /// Held-out texts have the same masks at every look.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let foreteller = self.foreteller(trainee)?;
        let texts = self.dev.iter().enumerate();
        let texts: Vec<MaskedText> = texts
            .map(|(number, text)| self.masked(text, number, HELD_OUT))
            .collect();
        let weight = weight(&texts);
        let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
        let all: Vec<usize> = (0..texts.len()).collect();
        let mut loss = 0.0;
        for piece in pieces(&lengths, &all, None, budget) {
            if !go_on() {
                return Ok(None);
            }
            let some: Vec<&MaskedText> = piece.iter().map(|&i| &texts[i]).collect();
            loss += foreteller.value(&some, weight)?;
        }
        Ok(Some(loss as f32))
    }
}
