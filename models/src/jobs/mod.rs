//! The jobs of the worker, and how it reports about them.

pub mod add_words;
pub mod attempt;
pub mod bundle;
pub mod control;
pub mod embed;
pub mod events;
pub mod inspect;
pub mod job;
pub mod lease;
pub mod progress;
pub mod rerank;
pub mod resident;
pub mod score_job;
pub mod token_match;
