//! The use cases: what a person does with Lexforge, one module each.
//!
//! [`Engine`] is an open workspace with everything that can be done to it: import, find terms, build the graph,
//! write questions, freeze a snapshot, train, evaluate, report, search, verify. Window and command line call the same
//! functions; a [`Watcher`] tells them how far a long one is and lets them cancel it.
#![forbid(unsafe_code)]

mod agreement;
mod artifacts;
mod asking;
mod audit;
mod augment;
mod backup;
mod bases;
mod batch;
mod clusters;
mod confirmed;
mod confusables;
mod curves;
mod dataset_export;
mod doctor;
mod documents;
mod drafting;
mod elsewhere;
mod embed;
mod endpoints;
mod estimate;
mod evaluate;
mod export;
mod folder;
mod freeze;
mod glossary;
mod graph;
mod import;
mod judging;
mod keys;
mod leaks;
mod ledger;
mod main_job;
mod models;
mod neighbourhood;
mod passwords;
mod prepare;
mod progress;
mod prompts;
mod reach;
mod recipe;
mod references;
mod report;
mod review;
mod runs;
mod schemas;
mod scorers;
mod search;
mod signing_key;
mod term_asking;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod term_tests;
mod terms;
pub mod text;
mod train;
mod trial;
mod versions;
mod watcher;
mod workspace;

pub use artifacts::removed_leftovers;
pub use asking::AskRequest;
pub use audit::AuditAgainst;
pub use bases::base_models;
pub use batch::{BatchIn, BatchOut};
pub use doctor::doctor;
pub use elsewhere::Seen;
pub use endpoints::LocalModel;
pub use graph::{Encoder, GraphRequest, ShownCentre};
pub use judging::JudgeRequest;
pub use lexforge_ingest::ParseOptions;
pub use main_job::MainJobRequest;
pub use models::{embed_file, inspect_for, inspect_model};
pub use prepare::Prepared;
pub use search::SearchRequest;
pub use term_asking::{TermRequest, TermsBatchIn};
pub use watcher::{Silent, Watcher};
pub use workspace::Engine;

/// What a use case returns: its result, or a failure that says what happened, why, and what to do now.
pub type Result<T> = std::result::Result<T, lexforge_domain::Failure>;

/// Seed of split, shuffles and resamples where the user names none.
pub const DEFAULT_SEED: u64 = 42;
