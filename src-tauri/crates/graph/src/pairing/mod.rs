//! How well each text of one side fits each text of another: rules on one side, policies or controls on the other.
//!
//! A side is a list of texts. Words and character n-grams are counted as [`Bag`]s and compared by an [`Index`] (BM25,
//! cosine of TF-IDF). Vectors are centred on the mean of both sides and compared by cosine ([`centred`]). Vectors of
//! words come from counts ([`correlated()`], COALS), from training ([`skip_gram()`]) or from a file
//! ([`WordVectors::read`]). Weighted means of word vectors become vectors of texts.
//!
//! Scores of one kind can be compared only among the scores of one text. [`standardised`] brings them to one scale, and
//! [`votes`] counts the kinds of scores that find a pair. If the texts are nodes of a graph, a [`Web`] gives the texts
//! that can be reached over a few edges.

mod bags;
mod correlated;
mod fused;
mod index;
mod skip_gram;
mod vectors;
mod web;
mod word_vectors;

pub use bags::{Bag, Vocabulary};
pub use correlated::correlated;
pub use fused::{greatest, mean_of, nth_greatest, quantile, standardised, votes};
pub use index::Index;
pub use skip_gram::skip_gram;
pub use vectors::{centred, cosines};
pub use web::{Reached, Web};
pub use word_vectors::WordVectors;

/// What `work` gives for each number below `n`, in order, on all cores.
pub fn each<T: Send>(n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let numbers: Vec<usize> = (0..n).collect();
    crate::threads::in_chunks(&numbers, |number| work(*number))
}
