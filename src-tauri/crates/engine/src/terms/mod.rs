//! Terms: finding them, by patterns or with a language model, bringing them from glossaries, and which could be taken for
//! each other.

mod confusables;
mod extract;
mod glossary;
mod list;
mod schemas;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
mod with_model;

pub(crate) use extract::sources;
pub use with_model::{TermRequest, TermsBatchIn};
