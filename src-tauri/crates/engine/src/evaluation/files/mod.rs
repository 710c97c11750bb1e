//! Figures of files of predictions, without a workspace: a line of JSON for each item.

mod classification;
mod lines;
mod qa;
mod similarity;
mod synonyms;

pub use classification::classification_figures;
pub use qa::{QaRequest, qa_figures};
pub use similarity::similarity_figures;
