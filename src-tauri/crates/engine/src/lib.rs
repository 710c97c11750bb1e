//! The use cases: what a person does with Lexforge, in rooms by the field of work.
//!
//! [`Engine`] is an open workspace with everything that can be done to it: import, find terms, build the graph,
//! write questions, freeze a snapshot, train, evaluate, report, search, verify. Window and command line call the same
//! functions; a [`Watcher`] tells them how far a long one is and lets them cancel it.
//!
//! Each room names only those before it: `workspace`, `models`, `runs`, `asking`, `corpus`, `review`, `terms`, `graph`,
//! `writing`, `training`, `evaluation`, `main_job`.
#![forbid(unsafe_code)]

mod asking;
mod corpus;
mod evaluation;
mod graph;
mod main_job;
mod models;
mod review;
mod runs;
mod terms;
mod training;
mod workspace;
mod writing;

pub use asking::{AskRequest, BatchOut, JudgeRequest, LocalModel};
pub use corpus::{SearchRequest, text};
pub use graph::{Encoder, GraphRequest, ShownCentre};
pub use lexforge_ingest::ParseOptions;
pub use main_job::{MainJobRequest, Prepared};
pub use models::{base_models, doctor, embed_file, inspect_model};
pub use terms::{TermRequest, TermsBatchIn};
pub use training::inspect_for;
pub use workspace::{AuditAgainst, Engine, Seen, Silent, Watcher, removed_leftovers};
pub use writing::BatchIn;

/// What a use case returns: its result, or a failure that says what happened, why, and what to do now.
pub type Result<T> = std::result::Result<T, lexforge_domain::Failure>;

/// Seed of split, shuffles and resamples where the user names none.
pub const DEFAULT_SEED: u64 = 42;
