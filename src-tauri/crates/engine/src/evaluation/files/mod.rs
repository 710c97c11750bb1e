//! Figures of files without a workspace: of predictions, a line of JSON for each item, and of vectors.

mod classification;
mod lines;
mod qa;
mod similarity;
mod space;
mod synonyms;

pub use classification::classification_figures;
pub use qa::{QaRequest, qa_figures};
pub use similarity::similarity_figures;
pub use space::space_figures;
