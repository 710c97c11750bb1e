//! The likelihoods of words, computed by a head that compares a token's vector with the vectors of all words. The
//! logits over the vocabulary are computed for a few tokens at a time.

use crate::Result;
use crate::architectures::recompute::gradient_of;
use crate::architectures::word_head::WordHead;
use crate::losses::loss::rows_of;
use crate::losses::terms::Terms;
use tch::Tensor;

/// A head with the table of the words' vectors.
#[derive(Clone, Copy)]
pub struct OverWords<'a> {
    /// The head.
    pub head: &'a WordHead,
    /// The words' vectors.
    pub words: &'a Tensor,
}

impl OverWords<'_> {
    fn loss(&self, part: &Terms, vectors: &Tensor) -> Result<Tensor> {
        part.loss(&self.head.logits(vectors, self.words)?)
    }

    /// The terms in parts, each with its rows.
    fn parts(&self, terms: &Terms) -> Result<Vec<(Terms, Tensor)>> {
        let vocabulary = self.words.size().first().copied().unwrap_or_default();
        let parts = terms.parts(rows_of(vocabulary as usize)).into_iter();
        parts
            .map(|part| {
                let rows = Tensor::f_from_slice(&part.rows())?;
                Ok((part, rows.f_to_device(self.words.device())?))
            })
            .collect()
    }

    /// The loss of terms over vectors `[tokens, hidden]`, and the gradient with respect to these vectors, times
    /// `scale`. The gradients of the head and of the words' vectors are not returned but added to the gradients that
    /// these tensors hold.
    pub fn backward(&self, hidden: &Tensor, terms: &Terms, scale: f64) -> Result<(f64, Tensor)> {
        let mut gradient = hidden.f_zeros_like()?;
        let mut loss = 0.0;
        for (part, rows) in self.parts(terms)? {
            let read = hidden.f_index_select(0, &rows)?;
            let (value, by_read) = gradient_of(&read, scale, |vectors| self.loss(&part, vectors))?;
            let _ = gradient.f_index_copy_(0, &rows, &by_read)?;
            loss += value;
        }
        Ok((loss, gradient))
    }

    /// The loss of terms over vectors, without a gradient.
    pub fn value(&self, hidden: &Tensor, terms: &Terms) -> Result<f64> {
        let _no_grad = tch::no_grad_guard();
        let mut loss = 0.0;
        for (part, rows) in self.parts(terms)? {
            let read = hidden.f_index_select(0, &rows)?;
            loss += self.loss(&part, &read)?.f_double_value(&[])?;
        }
        Ok(loss)
    }
}
