//! What a stage learns from: its items, how a batch of them becomes a loss with its gradient, and what is
//! held out.

mod answers;
mod comparisons;
mod rules;
mod terms;

use crate::data::{Records, TextLine};
use crate::encoder::{DecoderVectors, Encoder, Vectors};
use crate::gradients;
use crate::language::LanguageModel;
use crate::lora::{Linear, Pass};
use crate::loss::TokenLoss;
use crate::ranks::Ranks;
use crate::recompute::Way;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Objective, Pooling, StageSpec, TrainItem};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tch::Device;

/// The model that is trained.
#[allow(clippy::large_enum_variant, reason = "a process holds one; nothing is saved by a box")]
pub enum Trainee {
    /// A text encoder.
    Encoder(Encoder),
    /// A decoder with its language.
    Decoder(LanguageModel),
}

impl Trainee {
    /// Where its tensors live.
    pub fn device(&self) -> Device {
        match self {
            Self::Encoder(encoder) => Vectors::device(encoder),
            Self::Decoder(model) => model.decoder.device(),
        }
    }

    /// Linear layers in the order of the modules.
    pub fn linears(&mut self) -> Vec<&mut Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears(),
            Self::Decoder(model) => model.decoder.linears(),
        }
    }

    /// The same, to look at.
    pub fn linears_ref(&self) -> Vec<&Linear> {
        match self {
            Self::Encoder(encoder) => encoder.linears_ref(),
            Self::Decoder(model) => model.decoder.linears_ref(),
        }
    }

    /// The model as a decoder.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] where it is none.
    pub fn decoder(&self) -> Result<&LanguageModel> {
        match self {
            Self::Decoder(model) => Ok(model),
            Self::Encoder(_) => Err(Error::told(
                Code::InvalidRequest,
                "The recipe has a stage that only a decoder can learn; the base model is a text encoder.",
                "Choose the recipe for encoders, or a decoder (Qwen3, Qwen2, LLaMA, Mistral) as the base model.",
            )),
        }
    }

    /// The model as one that turns texts into vectors. An encoder pools as it was opened to.
    pub fn with_vectors<T>(&self, pooling: Pooling, act: impl FnOnce(&dyn Vectors) -> Result<T>) -> Result<T> {
        match self {
            Self::Encoder(encoder) => act(encoder),
            Self::Decoder(model) => act(&DecoderVectors { decoder: model.decoder.as_ref(), pooling }),
        }
    }
}

/// A batch of a stage.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Items by number.
    pub numbers: &'a [usize],
    /// Epoch, from 0.
    pub epoch: u64,
    /// Number of the batch within its epoch, from 0.
    pub number: u64,
    /// Most items computed at a time.
    pub micro_batch: Option<usize>,
    /// Most tokens computed at a time.
    pub budget: usize,
    /// How the gradient is computed.
    pub way: Way,
    /// Among whom the batch is shared out.
    pub ranks: &'a Ranks,
}

/// What this rank's part of a batch gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Learnt {
    /// Its part of the mean loss of the batch's items; the sum over the ranks is the mean.
    pub loss: f64,
    /// Tokens that went through the model.
    pub tokens: usize,
}

/// One stage's items and loss.
pub trait Lesson {
    /// Training items.
    fn items(&self) -> usize;

    /// Held-out items.
    fn held_out(&self) -> usize;

    /// What could not be learnt from: reason → how many.
    fn left_out(&self) -> &BTreeMap<String, u64>;

    /// Texts that were cut at the longest length.
    fn cut(&self) -> usize {
        0
    }

    /// Adds this rank's part of the gradient of a batch's mean loss to the trained parameters.
    ///
    /// # Errors
    /// Where libtorch refuses.
    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt>;

    /// Mean held-out loss without dropout; `None` as soon as `go_on` says no.
    ///
    /// # Errors
    /// Where libtorch refuses.
    fn held_out_loss(&self, trainee: &Trainee, budget: usize, go_on: &dyn Fn() -> bool) -> Result<Option<f32>>;
}

/// The data of a job, as all of its stages share them.
pub struct Material {
    /// Training items.
    pub train: Vec<TrainItem>,
    /// Held-out items.
    pub dev: Vec<TrainItem>,
    /// General language.
    pub replay: Vec<String>,
    /// Longest text in tokens.
    pub longest: usize,
    /// Seed of the job.
    pub seed: u64,
}

impl Material {
    /// Reads a job's files.
    ///
    /// # Errors
    /// Where a line is not an item.
    pub fn read(train: &Path, dev: &Path, replay: Option<&Path>, longest: usize, seed: u64) -> Result<Self> {
        let texts = match replay {
            Some(path) => Records::<TextLine>::open(path)?.map(|line| line.map(|l| l.text)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(Self {
            train: Records::open(train)?.collect::<Result<_>>()?,
            dev: Records::open(dev)?.collect::<Result<_>>()?,
            replay: texts,
            longest,
            seed,
        })
    }
}

/// The lesson of a stage.
///
/// # Errors
/// [`Code::InvalidRequest`] where the model cannot learn it.
pub fn of_stage(stage: &StageSpec, trainee: &Trainee, material: &Material) -> Result<Box<dyn Lesson>> {
    let size = stage.batch_size;
    Ok(match &stage.objective {
        Objective::Sft { form, replay } => {
            Box::new(answers::answers(&trainee.decoder()?.language, material, *form, *replay, size)?)
        }
        Objective::ContrastiveToken => Box::new(answers::contrastive(&trainee.decoder()?.language, material)?),
        Objective::PlainText => Box::new(rules::plain(&trainee.decoder()?.language, material)?),
        Objective::MaskedNextToken { share } => {
            Box::new(rules::masked(&trainee.decoder()?.language, material, *share)?)
        }
        Objective::Sentence(objective) => Box::new(comparisons::sentences(trainee, material, objective, size)?),
        Objective::Joint { temperature, sentence, token } => {
            Box::new(comparisons::joint(trainee.decoder()?, material, *temperature, [*sentence, *token], size)?)
        }
        Objective::Token { loss } => Box::new(terms::terms(&trainee.decoder()?.language, material, *loss)?),
    })
}

/// Item numbers of an epoch in their order, which follows from seed, stage and epoch alone.
pub fn order(items: usize, seed: u64, stage: usize, epoch: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream((stage as u64) << 40 | epoch);
    order.shuffle(&mut random);
    order
}

/// A generator for one item of one epoch, the same whatever batch it stands in.
fn random_of(seed: u64, item: i64, epoch: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ (item as u64).rotate_left(17));
    random.set_stream(1 << 39 | epoch);
    random
}

/// Counts a reason.
fn count(left_out: &mut BTreeMap<String, u64>, reason: &str, n: u64) {
    if n > 0 {
        *left_out.entry(reason.to_owned()).or_default() += n;
    }
}

/// Reason of an item that is longer than the longest length.
const TOO_LONG: &str = "longer_than_max_length";

/// The epoch in whose name held-out items are made: they are the same at every look.
const HELD_OUT: u64 = (1 << 38) - 1;

/// Where the items of a token loss come from.
trait Source {
    /// What the loss learns from.
    type Item;

    /// Training items.
    fn items(&self) -> usize;

    /// Held-out items.
    fn held_out(&self) -> usize;

    /// A training item in an epoch.
    fn item(&self, language: &LanguageModel, number: usize, epoch: u64) -> Result<Self::Item>;

    /// A held-out item.
    fn held_out_item(&self, language: &LanguageModel, number: usize) -> Result<Self::Item>;

    /// What is learnt beside a batch.
    fn beside(&self, _epoch: u64, _batch: u64) -> Vec<Self::Item> {
        Vec::new()
    }
}

/// A token loss over items of a source.
struct TokenLesson<L, S> {
    loss: L,
    source: S,
    left_out: BTreeMap<String, u64>,
}

impl<L, S> TokenLesson<L, S>
where
    L: TokenLoss,
    S: Source<Item = L::Item>,
{
    /// Items in runs that fit; each run keeps the order.
    fn pieces<'a>(&self, items: &'a [L::Item], micro_batch: Option<usize>, budget: usize) -> Vec<Vec<&'a L::Item>> {
        let mut pieces: Vec<Vec<&L::Item>> = Vec::new();
        let mut tokens = 0;
        for item in items {
            let own = self.tokens(item);
            match pieces.last_mut() {
                Some(piece) if tokens + own <= budget && micro_batch.is_none_or(|most| piece.len() < most) => {
                    tokens += own;
                    piece.push(item);
                }
                _ => {
                    tokens = own;
                    pieces.push(vec![item]);
                }
            }
        }
        pieces
    }

    fn tokens(&self, item: &L::Item) -> usize {
        let texts = self.loss.texts(item);
        let shared = if texts.len() > 1 { crate::continuations::common_beginning(&texts) } else { 0 };
        texts.iter().map(|text| text.len() - shared).sum::<usize>() + shared
    }
}

impl<L, S> Lesson for TokenLesson<L, S>
where
    L: TokenLoss,
    S: Source<Item = L::Item>,
{
    fn items(&self) -> usize {
        self.source.items()
    }

    fn held_out(&self) -> usize {
        self.source.held_out()
    }

    fn left_out(&self) -> &BTreeMap<String, u64> {
        &self.left_out
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let model = trainee.decoder()?;
        let mut items = batch
            .numbers
            .iter()
            .map(|&number| self.source.item(model, number, batch.epoch))
            .collect::<Result<Vec<_>>>()?;
        items.extend(self.source.beside(batch.epoch, batch.number));
        // Every rank knows all items, so that an item counts the same whoever computes it.
        let all = items.len() as f64;
        let own = batch.ranks.own_portion(&items.iter().map(|item| self.tokens(item)).collect::<Vec<_>>());
        let own: BTreeSet<usize> = own.into_iter().collect();
        let items: Vec<L::Item> =
            items.into_iter().enumerate().filter(|(i, _)| own.contains(i)).map(|(_, item)| item).collect();
        let mut learnt = Learnt::default();
        for piece in self.pieces(&items, batch.micro_batch, batch.budget) {
            let share = piece.len() as f64 / all;
            let way = batch.way.share(share);
            learnt.loss += share * self.loss.backward(model.decoder.as_ref(), &piece, Pass::Train, way)?;
            learnt.tokens += piece.iter().map(|item| self.tokens(item)).sum::<usize>();
        }
        Ok(learnt)
    }

    fn held_out_loss(&self, trainee: &Trainee, budget: usize, go_on: &dyn Fn() -> bool) -> Result<Option<f32>> {
        let _no_grad = tch::no_grad_guard();
        let model = trainee.decoder()?;
        let all = self.source.held_out();
        let mut sum = 0.0;
        // Some at a time, so that a large held-out part is never all in memory.
        for first in (0..all).step_by(256) {
            let items = (first..all.min(first + 256))
                .map(|number| self.source.held_out_item(model, number))
                .collect::<Result<Vec<_>>>()?;
            for piece in self.pieces(&items, None, budget) {
                if !go_on() {
                    return Ok(None);
                }
                sum += self.loss.value(model.decoder.as_ref(), &piece)? * piece.len() as f64;
            }
        }
        Ok(Some((sum / all as f64) as f32))
    }
}

/// How many tokens a piece of a token loss may have: what the layers keep, and logits over the vocabulary
/// with their gradient.
pub fn token_budget(trainee: &Trainee) -> usize {
    match trainee {
        Trainee::Encoder(encoder) => gradients::token_budget(encoder.sizes, Vectors::device(encoder), 0),
        Trainee::Decoder(model) => {
            let sizes = model.decoder.config().sizes();
            gradients::token_budget(sizes, model.decoder.device(), 3 * sizes.vocabulary)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_from_seed_stage_and_epoch() {
        assert_eq!(order(50, 42, 0, 3), order(50, 42, 0, 3));
        assert_ne!(order(50, 42, 0, 3), order(50, 42, 0, 4));
        assert_ne!(order(50, 42, 0, 3), order(50, 42, 1, 3));
        assert_ne!(order(50, 42, 0, 3), order(50, 43, 0, 3));
        let mut sorted = order(50, 42, 0, 3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
