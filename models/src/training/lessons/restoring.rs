//! The stage tsdae: an encoder learns to say in one vector what a sentence says, of which it sees a part of the words (METHODS §4).

use super::lesson::{Batch, Learnt, Lesson, Material, Trainee, count};
use super::masked_words::{pieces, texts};
use super::token_lesson::{HELD_OUT, random_of};
use crate::architectures::encoder::{Encoder, PooledEncoder, Vectors};
use crate::architectures::sentence_decoder::{DecoderSizes, SentenceDecoder};
use crate::losses::restored::{Damaged, Restorer};
use crate::tensors::NamedTensors;
use crate::texts::whole_words::WholeWords;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::DenoisingObjective;
use std::collections::BTreeMap;
use tch::Tensor;

/// Reason of a text without a word.
const NOTHING_TO_DELETE: &str = "nothing_to_delete";

/// The stage.
pub(super) struct Restoring {
    train: Vec<WholeWords>,
    dev: Vec<WholeWords>,
    objective: DenoisingObjective,
    decoder: SentenceDecoder,
    seed: u64,
    cut: usize,
    left_out: BTreeMap<String, u64>,
}

/// The stage of a job: it learns from the rules of its items, each once.
pub(super) fn restoring(
    trainee: &Trainee,
    material: &Material,
    objective: DenoisingObjective,
) -> Result<Restoring> {
    let encoder = encoder(trainee)?;
    let words = words(encoder)?;
    let vectors = PooledEncoder {
        encoder,
        pooling: objective.pooling,
    };
    let sizes = DecoderSizes {
        hidden: encoder.sizes.hidden as i64,
        inner: encoder.sizes.intermediate as i64,
        vector: vectors.dim() as i64,
        longest: encoder.max_length as i64,
    };
    // A fresh decoder is the same in every attempt.
    tch::manual_seed(material.seed as i64);
    let decoder = SentenceDecoder::fresh(&encoder.folder, words, sizes, encoder.device())?;
    let mut left_out = BTreeMap::new();
    let (train, none) = texts(encoder, &material.train)?;
    count(&mut left_out, NOTHING_TO_DELETE, none);
    let (dev, _) = texts(encoder, &material.dev)?;
    let (train, short) = long_enough(train);
    count(&mut left_out, NOTHING_TO_DELETE, short);
    let (dev, _) = long_enough(dev);
    Ok(Restoring {
        cut: train.iter().filter(|text| text.cut).count(),
        train,
        dev,
        objective,
        decoder,
        seed: material.seed,
        left_out,
    })
}

/// Texts of two tokens or more, of which the decoder can foretell one, and how many are shorter.
fn long_enough(mut texts: Vec<WholeWords>) -> (Vec<WholeWords>, u64) {
    let all = texts.len();
    texts.retain(|text| text.ids.len() > 1);
    let short = (all - texts.len()) as u64;
    (texts, short)
}

fn encoder(trainee: &Trainee) -> Result<&Encoder> {
    match trainee {
        Trainee::Encoder(encoder) => Ok(encoder),
        Trainee::Decoder(_) => Err(Error::told(
            Code::InvalidRequest,
            "The stage tsdae tunes text encoders; the base model is a decoder.",
            "Choose an encoder as the base model.",
        )),
    }
}

fn words(encoder: &Encoder) -> Result<&Tensor> {
    encoder.words().ok_or_else(|| {
        Error::told(
            Code::ModelUnsupported,
            "The stage tsdae foretells words by their own vectors, which this kind of model was not made for.",
            "Choose an encoder that was trained on masked words: BERT, DistilBERT, MiniLM, MPNet, RoBERTa, XLM-RoBERTa, ModernBERT.",
        )
    })
}

impl Restoring {
    fn restorer<'a>(&'a self, trainee: &'a Trainee) -> Result<Restorer<'a>> {
        let encoder = encoder(trainee)?;
        Ok(Restorer {
            encoder,
            pooling: self.objective.pooling,
            decoder: &self.decoder,
            words: words(encoder)?,
        })
    }

    /// A text without some of its words, others in every epoch.
    fn damaged(&self, text: &WholeWords, number: usize, epoch: u64) -> Damaged {
        let mut random = random_of(self.seed, number as i64, epoch);
        Damaged::of(text, self.objective.share, &mut random)
    }
}

/// What one of the foretold tokens counts in their mean.
fn weight(texts: &[Damaged]) -> f64 {
    let all: usize = texts.iter().map(Damaged::foretold).sum();
    1.0 / all.max(1) as f64
}

impl Lesson for Restoring {
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
        self.decoder.tensors()
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let restorer = self.restorer(trainee)?;
        let damaged = |&number: &usize| self.damaged(&self.train[number], number, batch.epoch);
        // Every rank damages all texts, so that a token counts the same whoever computes it.
        let texts: Vec<Damaged> = batch.numbers.iter().map(damaged).collect();
        let weight = weight(&texts);
        let lengths: Vec<usize> = texts.iter().map(Damaged::tokens).collect();
        let own = batch.ranks.own_portion(&lengths);
        let mut learnt = Learnt::default();
        for piece in pieces(&lengths, &own, batch.micro_batch, batch.budget) {
            let some: Vec<&Damaged> = piece.iter().map(|&i| &texts[i]).collect();
            learnt.loss += restorer.backward(&some, weight, batch.way)?;
            learnt.tokens += piece.iter().map(|&i| lengths[i]).sum::<usize>();
        }
        Ok(learnt)
    }

    /// Of held-out texts the same words are deleted at every look.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let restorer = self.restorer(trainee)?;
        let texts = self.dev.iter().enumerate();
        let texts: Vec<Damaged> = texts
            .map(|(number, text)| self.damaged(text, number, HELD_OUT))
            .collect();
        let weight = weight(&texts);
        let lengths: Vec<usize> = texts.iter().map(Damaged::tokens).collect();
        let all: Vec<usize> = (0..texts.len()).collect();
        let mut loss = 0.0;
        for piece in pieces(&lengths, &all, None, budget) {
            if !go_on() {
                return Ok(None);
            }
            let some: Vec<&Damaged> = piece.iter().map(|&i| &texts[i]).collect();
            loss += restorer.value(&some, weight)?;
        }
        Ok(Some(loss as f32))
    }
}
