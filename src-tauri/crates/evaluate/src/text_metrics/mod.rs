//! How near a written answer is to the right ones: BLEU, ROUGE, METEOR and chrF.
//!
//! Each figure equals that of the field's reference tool: sacrebleu 2.4.3 for BLEU and chrF, rouge-score 0.1.2 for
//! ROUGE, and nltk 3.9.1 for METEOR, with synonyms if a [`WordNet`] is given. [`measure()`] gives all of them for a
//! list of answers.

mod bleu;
mod chrf;
mod common_subsequence;
mod cut;
mod measure;
mod meteor;
mod ngrams;
mod rouge;
mod wordnet;

pub use bleu::ORDERS;
pub use cut::{BleuCut, language_of};
pub use measure::{Answer, Counting, ItemFigures, TextFigures, measure};
pub use rouge::Overlap;
pub use wordnet::{NotWordNet, PARTS, PartTexts, WordNet};
