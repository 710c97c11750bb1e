//! A token loss over the items of a source.

use super::lesson::{Batch, Holding, Learnt, Lesson, Trainee};
use super::parts::Parts;
use crate::Result;
use crate::adapters::lora::Pass;
use crate::decoding::language::LanguageModel;
use crate::losses::loss::TokenLoss;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// A generator for one item of one epoch, the same whatever batch it is in.
pub(super) fn random_of(seed: u64, item: i64, epoch: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ (item as u64).rotate_left(17));
    random.set_stream(1 << 39 | epoch);
    random
}

/// The epoch in whose name held-out items are made: they are the same at every look.
pub(super) const HELD_OUT: u64 = (1 << 38) - 1;

/// The source of the items of a token loss.
pub(super) trait Source {
    /// The stored form of an item.
    type Kept;
    /// The form of an item that the loss uses.
    type Item;

    /// The items as they are kept.
    fn parts(&self) -> &Parts<Self::Kept>;

    /// An item, which is the one of this number in its part, as it is in an epoch.
    fn item(
        &self,
        model: &LanguageModel,
        kept: &Self::Kept,
        number: usize,
        epoch: u64,
    ) -> Result<Self::Item>;

    /// Further items that are learnt together with a batch of so many items.
    fn beside(&self, _epoch: u64, _batch: u64, _items: usize) -> Vec<Self::Item> {
        Vec::new()
    }
}

/// Items that are the same in every epoch.
impl<T: Clone> Source for Parts<T> {
    type Kept = T;
    type Item = T;

    fn parts(&self) -> &Self {
        self
    }

    fn item(&self, _: &LanguageModel, kept: &T, _number: usize, _epoch: u64) -> Result<T> {
        Ok(kept.clone())
    }
}

/// A token loss over items of a source.
pub(super) struct TokenLesson<L, S> {
    loss: L,
    source: S,
    holding: Holding,
}

impl<L, S: Source> TokenLesson<L, S> {
    /// The lesson. Its texts are never cut: a text that is too long is left out or divided into pieces.
    pub(super) fn new(loss: L, source: S, left_out: BTreeMap<String, u64>) -> Self {
        let holding = source.parts().holding(0, left_out);
        Self {
            loss,
            source,
            holding,
        }
    }
}

impl<L, S> TokenLesson<L, S>
where
    L: TokenLoss,
    S: Source<Item = L::Item>,
{
    /// Items in runs that fit; each run keeps the order.
    fn pieces<'a>(
        &self,
        items: &'a [L::Item],
        micro_batch: Option<usize>,
        budget: usize,
    ) -> Vec<Vec<&'a L::Item>> {
        let mut pieces: Vec<Vec<&L::Item>> = Vec::new();
        let mut tokens = 0;
        for item in items {
            let own = self.tokens(item);
            match pieces.last_mut() {
                Some(piece)
                    if tokens + own <= budget
                        && micro_batch.is_none_or(|most| piece.len() < most) =>
                {
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
        let shared = if texts.len() > 1 {
            crate::architectures::continuations::common_beginning(&texts)
        } else {
            0
        };
        texts.iter().map(|text| text.len() - shared).sum::<usize>() + shared
    }
}

impl<L, S> Lesson for TokenLesson<L, S>
where
    L: TokenLoss,
    S: Source<Item = L::Item>,
{
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let model = trainee.decoder()?;
        let train = &self.source.parts().train;
        let item = |&number: &usize| {
            let kept = &train[number];
            self.source.item(model, kept, number, batch.epoch)
        };
        let items = batch.numbers.iter().map(item);
        let mut items = items.collect::<Result<Vec<_>>>()?;
        let further = self.source.beside(batch.epoch, batch.number, items.len());
        items.extend(further);
        // Every rank knows all items, so that an item counts the same whoever computes it.
        let all = items.len() as f64;
        let own = batch.ranks.own_portion(
            &items
                .iter()
                .map(|item| self.tokens(item))
                .collect::<Vec<_>>(),
        );
        let own: BTreeSet<usize> = own.into_iter().collect();
        let items: Vec<L::Item> = items
            .into_iter()
            .enumerate()
            .filter(|(i, _)| own.contains(i))
            .map(|(_, item)| item)
            .collect();
        let mut learnt = Learnt::default();
        for piece in self.pieces(&items, batch.micro_batch, batch.budget) {
            let share = piece.len() as f64 / all;
            let way = batch.way.share(share);
            learnt.loss += share
                * self
                    .loss
                    .backward(model.decoder.as_ref(), &piece, Pass::Train, way)?;
            learnt.tokens += piece.iter().map(|item| self.tokens(item)).sum::<usize>();
        }
        Ok(learnt)
    }

    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let _no_grad = tch::no_grad_guard();
        let model = trainee.decoder()?;
        let dev = &self.source.parts().dev;
        let all = dev.len();
        let mut sum = 0.0;
        // Some at a time, so that a large held-out part is never all in memory.
        for first in (0..all).step_by(256) {
            let items = (first..all.min(first + 256))
                .map(|number| self.source.item(model, &dev[number], number, HELD_OUT))
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
