//! What every training loss gives.
//!
//! There are two kinds. A [`VectorLoss`] reads one vector a text, so that the gradient of a large batch can
//! be computed piece by piece (GradCache); a [`TokenLoss`] reads logits of tokens in their places. The
//! stages differ in which loss they hand to the same step.

use crate::Result;
use crate::continuations::Continuations;
use crate::decoder::{Attention, Decoder};
use crate::lora::Pass;
use crate::terms::{Foretold, Terms};
use tch::Tensor;

/// A loss over one vector a text.
pub trait VectorLoss {
    /// Its name in events and results.
    fn name(&self) -> &'static str;

    /// Whether it compares by cosine, from vectors of unit length.
    fn reads_unit_vectors(&self) -> bool {
        true
    }

    /// The mean over the items, from the vectors `[texts, hidden]`.
    ///
    /// # Errors
    /// Where libtorch refuses.
    fn loss(&self, vectors: &Tensor) -> Result<Tensor>;
}

/// A loss over tokens in their places, for items of one kind.
pub trait TokenLoss {
    /// What it learns from.
    type Item;

    /// Its name in events and results.
    fn name(&self) -> &'static str;

    /// Which tokens a token sees.
    fn attention(&self) -> Attention {
        Attention::Causal
    }

    /// The texts of an item; their common beginning is computed once.
    fn texts<'a>(&self, item: &'a Self::Item) -> Vec<&'a [u32]>;

    /// Adds the terms of an item that stands as this group in the batch; `share` is its part of the
    /// mean.
    fn add_terms(&self, item: &Self::Item, place: &Placed<'_>, share: f64, terms: &mut Terms);

    /// The mean over a batch of items as a scalar in the graph.
    ///
    /// # Errors
    /// Where libtorch refuses.
    fn loss(&self, decoder: &dyn Decoder, batch: &[&Self::Item], pass: Pass) -> Result<Tensor> {
        let groups: Vec<Vec<&[u32]>> = batch.iter().map(|item| self.texts(item)).collect();
        let all = Continuations::of(&groups, decoder.device())?;
        let mut terms = Terms::default();
        for (group, item) in batch.iter().enumerate() {
            self.add_terms(
                item,
                &Placed { all: &all, group, texts: &groups[group] },
                1.0 / batch.len() as f64,
                &mut terms,
            );
        }
        let hidden = decoder.hidden(&all.packed, self.attention(), pass)?;
        let rows = Tensor::f_from_slice(&terms.rows())?.f_to_device(decoder.device())?;
        // Only the rows that the loss reads pay for logits over the whole vocabulary.
        terms.loss(&decoder.logits(&hidden.f_index_select(0, &rows)?)?)
    }
}

/// An item's texts in a batch.
pub struct Placed<'a> {
    /// The batch.
    pub all: &'a Continuations,
    /// The item's number in it.
    pub group: usize,
    /// The item's texts.
    pub texts: &'a [&'a [u32]],
}

impl Placed<'_> {
    /// The row of a token of one of the texts.
    pub fn row(&self, text: usize, token: usize) -> i64 {
        self.all.row(self.group, text, token)
    }

    /// A token of one of the texts with the row that foretells it.
    pub fn foretold(&self, text: usize, token: usize) -> Foretold {
        self.foretold_as(text, token, self.texts[text][token])
    }

    /// Another token in the place of one of a text's.
    pub fn foretold_as(&self, text: usize, token: usize, instead: u32) -> Foretold {
        Foretold { row: self.all.foretelling(self.group, text, token), token: i64::from(instead) }
    }
}
