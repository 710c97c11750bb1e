//! The SQLite workspace: tables, full text, audit chain.
//!
//! One workspace is one SQLite file ([`Workspace`]) with a sibling folder for model files. All data is read and written
//! inside a transaction. [`Workspace::read`] gives a [`Reader`] with a consistent view. [`Workspace::write`] gives a
//! [`Writer`] that holds the one write lock for a short time; either all of its changes are made or none. Each table
//! has one file here with its migration, its rows and its functions. Each function that changes state appends its own
//! row to the audit chain ([`audit`]), so that no caller can forget it. [`verify`] computes again from the present rows
//! what the chain recorded.
//!
//! Every function that reads or writes can fail with an error of the database. At the functions, only other errors are
//! named.
//!
//! **Invariant:** no business rule is in this crate. The engine decides which data may be used for training, when a
//! graph is out of date, and which run is resumed. The store only keeps the results.
#![forbid(unsafe_code)]

mod act;
mod answer;
mod asking;
pub mod audit;
mod bench_score;
mod bm25;
mod certificate;
mod checkpoint;
mod chunk;
mod clause_rank;
mod confusable;
mod connection;
mod cover;
mod create;
mod dataset;
mod dataset_item;
mod deciding;
mod decision;
mod definition;
mod deployment;
mod digest;
mod document;
mod drift_sample;
mod edge;
mod embedding;
mod embedding_source;
mod endpoint;
mod error;
mod evaluation;
mod exam;
mod file_system;
mod full_text;
mod glossary;
mod graph_build;
mod guard;
mod imprint;
mod key;
mod key_for;
mod lexical;
mod link;
mod log_check;
mod marks;
mod matching;
mod material;
mod mention;
mod migration;
mod network_share;
mod open_here;
mod opened_by;
mod outcome;
mod packet;
mod packet_held;
mod page;
mod pair;
mod person;
mod place;
mod posting_cache;
mod postings;
mod preference;
mod prompt_version;
mod qca;
mod question_identity;
mod ranker;
mod reader;
mod rejected_draft;
mod reply;
mod request;
mod restore;
mod revision;
mod rewrite;
mod rights;
mod row;
mod run;
mod schema;
mod scope;
mod section;
mod sentence;
mod setting;
mod similarity;
mod step;
mod succession;
mod tables;
mod term;
mod term_name;
mod term_row;
mod triplet;
mod undo;
mod validity;
mod verdict;
pub mod verify;
mod whole_file;
mod words;
mod workspace;
mod writable;
mod write_ahead_log;
mod writer;

/// The version of the database that comes with this program.
pub fn database_version() -> &'static str {
    rusqlite::version()
}

pub use act::StoredAct;
pub use answer::StoredAnswer;
pub use asking::NewAsking;
pub use clause_rank::{ClauseHit, ClauseMap, ClauseRanking, formal, stands_instead};
pub use confusable::ConfusablePair;
pub use dataset::{NewDataset, content_hash};
pub use dataset_item::DatasetItem;
pub use deciding::{MergedDecisions, NewAct};
pub use decision::OwnChoice;
pub use definition::NewDefinition;
pub use edge::SentenceCandidate;
pub use embedding::{EmbeddingKind, Embeddings};
pub use embedding_source::MarkedEmbeddings;
pub use error::{Result, StoreError};
pub use glossary::{GlossaryFact, GlossaryTerm};
pub use graph_build::{BuildRecord, GraphBuild, NewGraph};
pub use key::{Key, Salt};
pub use marks::marks;
pub use matching::StoredMatchDecision;
pub use material::Material;
pub use mention::Marks;
pub use packet_held::PacketHeld;
pub use qca::QuestionRank;
pub use reader::Reader;
pub use request::PromptKey;
pub use rights::make_own_folder;
pub use run::{Run, RunUpdate};
pub use scope::Scope;
pub use term::{NewTerm, TermRank};
pub use words::words;
pub use workspace::{Workspace, WorkspaceCounts};
pub use writer::Writer;
