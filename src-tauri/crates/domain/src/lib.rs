//! The vocabulary of the field as plain data. All other crates use these types:
//! - what a document, a sentence, a term and a question are: [`document`], [`text`], [`term`], [`schema`],
//!   [`reference`](mod@reference), [`graph`], [`qca`], [`dataset`];
//! - how people decide about them, and how far these people agree: [`review`], [`agreement`];
//! - what is measured: [`metrics`], [`statistics`];
//! - which models may become active: [`gate`];
//! - how the texts change over time: [`drift`];
//! - which external language models may be asked: [`endpoint`];
//! - how the application and the worker talk: [`protocol`];
//! - what the window and the command line ask and get: [`api`];
//! - which names may become files: [`plain`], [`sha256`];
//! - how a failure is reported to a person: [`failure`];
//! - which limits hold for what people type: [`limits`];
//! - how text of other people, counts and shares are shown: [`shown`], [`mod@grouped`], [`decimals`].
//!
//! This crate does no input or output, and all of it compiles to WebAssembly.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod agreement;
pub mod api;
pub mod dataset;
pub mod decimals;
pub mod document;
pub mod drift;
pub mod edge;
pub mod endpoint;
pub mod exam;
pub mod extract;
pub mod failure;
pub mod gate;
pub mod glossary;
pub mod graph;
pub mod grouped;
pub mod id;
pub mod limits;
pub mod metrics;
pub mod plain;
pub mod protocol;
pub mod qca;
pub mod reference;
pub mod remedy;
pub mod review;
pub mod schema;
pub mod sha256;
pub mod shown;
pub mod statistics;
mod tags;
pub mod term;
pub mod term_space;
pub mod text;
pub mod verdict;

pub use failure::{Code, Failure};
pub use id::{
    ActId, AnswerId, AskingId, CheckpointId, DatasetId, DocumentId, EvaluationId, GraphBuildId,
    JobId, PersonId, QcaId, RunId, SectionId, SentenceId, SimilarityId, TermId, TripletId,
};
pub use remedy::{Advice, Remedy};
pub use sha256::Sha256;
