//! How clauses and sentences are searched, as it is typed.

use crate::stands_for::stands_for;
use clap::ValueEnum;
use lexforge_domain::api::SearchMode;

/// How to search.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Mode {
    /// By words (BM25).
    Lexical,
    /// By vectors.
    Dense,
    /// By words and by vectors.
    Hybrid,
}

stands_for!(Mode => SearchMode: Lexical, Dense, Hybrid);
