//! How near a written answer comes to the right ones: BLEU, ROUGE, METEOR and chrF.
//!
//! Each figure is that of the field's reference tool: sacrebleu 2.4.3 for BLEU and chrF, rouge-score 0.1.2, and METEOR of
//! nltk 3.9.1 without synonyms. [`measure()`] gives all of them for a list of answers.

mod bleu;
mod chrf;
mod common_subsequence;
mod cut;
mod measure;
mod meteor;
mod ngrams;
mod rouge;

pub use bleu::ORDERS;
pub use cut::{BleuCut, language_of};
pub use measure::{Answer, ItemFigures, TextFigures, measure};
pub use rouge::Overlap;
