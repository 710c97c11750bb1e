//! Pairs of sentences whose likeness in meaning experts score: drawn from the corpus, and given out with their scores.

mod draw;
mod export;

pub use export::SimilarityExport;
