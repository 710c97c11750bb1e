//! What every training loss computes.
//!
//! There are two kinds. A [`VectorLoss`] reads one vector for each text, so that the gradient of a large batch can be
//! computed piece by piece (GradCache). A [`TokenLoss`] reads the logits of tokens in their context. All stages use the
//! same optimiser step and differ only in the loss that they pass to it.

use crate::Result;
use crate::adapters::lora::Pass;
use crate::architectures::continuations::Continuations;
use crate::architectures::decoder::{Attention, Decoder};
use crate::architectures::recompute::Way;
use crate::losses::terms::{Foretold, Terms};
use tch::{Device, Tensor};

/// A loss over one vector a text.
pub trait VectorLoss {
    /// Its name in events and results.
    fn name(&self) -> &'static str;

    /// Whether it compares by cosine, from vectors of unit length.
    fn reads_unit_vectors(&self) -> bool {
        true
    }

    /// The mean loss over the items, from the vectors `[texts, hidden]`.
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

    /// Adds the terms of one item. `place` says where the item is in the packed batch; `share` is the item's share of
    /// the mean.
    fn add_terms(&self, item: &Self::Item, place: &Placed<'_>, share: f64, terms: &mut Terms);

    /// A batch of items, packed, with the terms whose sum is its mean loss.
    fn terms(&self, batch: &[&Self::Item], device: Device) -> Result<(Continuations, Terms)> {
        let groups: Vec<Vec<&[u32]>> = batch.iter().map(|item| self.texts(item)).collect();
        let all = Continuations::of(&groups, device)?;
        let mut terms = Terms::default();
        for (group, item) in batch.iter().enumerate() {
            self.add_terms(
                item,
                &Placed {
                    all: &all,
                    group,
                    texts: &groups[group],
                },
                1.0 / batch.len() as f64,
                &mut terms,
            );
        }
        Ok((all, terms))
    }

    /// The mean loss over a batch of items as a scalar in the graph.
    fn loss(&self, decoder: &dyn Decoder, batch: &[&Self::Item], pass: Pass) -> Result<Tensor> {
        let (all, terms) = self.terms(batch, decoder.device())?;
        let hidden = decoder.hidden(&all.packed, self.attention(), pass)?;
        let rows = Tensor::f_from_slice(&terms.rows())?.f_to_device(decoder.device())?;
        // Only the rows that the loss reads pay for logits over the whole vocabulary.
        terms.loss(&decoder.logits(&hidden.f_index_select(0, &rows)?)?)
    }

    /// Adds the gradient of the batch's mean loss, times `scale`, to the trained parameters, and returns the mean.
    /// Logits and their gradient are computed for a few rows at a time, and none are kept.
    fn backward(
        &self,
        decoder: &dyn Decoder,
        batch: &[&Self::Item],
        pass: Pass,
        way: Way,
    ) -> Result<f64> {
        let (all, terms) = self.terms(batch, decoder.device())?;
        let stack = decoder.stack(&all.packed, self.attention(), pass)?;
        stack.backward(way.recompute, &mut |hidden| {
            over_vocabulary(decoder, hidden, &terms, way.scale)
        })
    }

    /// The mean loss without a gradient. Like [`TokenLoss::backward`], this function does not keep logits.
    fn value(&self, decoder: &dyn Decoder, batch: &[&Self::Item]) -> Result<f64> {
        let _no_grad = tch::no_grad_guard();
        let (all, terms) = self.terms(batch, decoder.device())?;
        let hidden = decoder.hidden(&all.packed, self.attention(), Pass::Infer)?;
        let mut loss = 0.0;
        for part in terms.parts(rows_at_a_time(decoder)) {
            let rows = Tensor::f_from_slice(&part.rows())?.f_to_device(hidden.device())?;
            loss += part
                .loss(&decoder.logits(&hidden.f_index_select(0, &rows)?)?)?
                .f_double_value(&[])?;
        }
        Ok(loss)
    }
}

/// Bytes of one table of logits in fp32.
const TABLE_BYTES: usize = 32 << 20;

/// How many rows of logits are computed at a time.
pub(crate) fn rows_at_a_time(decoder: &dyn Decoder) -> usize {
    rows_of(decoder.config().vocabulary as usize)
}

/// How many rows of logits are computed at a time with a vocabulary of this size.
pub fn rows_of(vocabulary: usize) -> usize {
    (TABLE_BYTES / (4 * vocabulary).max(1)).max(16)
}

/// The loss of terms over vectors `[tokens, hidden]`, and its gradient with respect to them, times `scale`.
pub(crate) fn over_vocabulary(
    decoder: &dyn Decoder,
    hidden: &Tensor,
    terms: &Terms,
    scale: f64,
) -> Result<(f64, Tensor)> {
    let _no_grad = tch::no_grad_guard();
    let mut gradient = hidden.f_zeros_like()?;
    let mut loss = 0.0;
    for part in terms.parts(rows_at_a_time(decoder)) {
        let rows = Tensor::f_from_slice(&part.rows())?.f_to_device(hidden.device())?;
        let (value, mut by_logits) =
            part.gradient(decoder.logits(&hidden.f_index_select(0, &rows)?)?)?;
        if scale != 1.0 {
            by_logits = by_logits.f_mul_scalar_(scale)?;
        }
        let _ = gradient.f_index_copy_(0, &rows, &decoder.before_logits(&by_logits)?)?;
        loss += value;
    }
    Ok((loss, gradient))
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

    /// The prediction of another token at the place of one of a text's tokens.
    pub(crate) fn foretold_as(&self, text: usize, token: usize, instead: u32) -> Foretold {
        Foretold {
            row: self.all.foretelling(self.group, text, token),
            token: i64::from(instead),
        }
    }
}
