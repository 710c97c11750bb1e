//! How clauses and sentences are searched, as it is typed.

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

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Lexical => Self::Lexical,
            Mode::Dense => Self::Dense,
            Mode::Hybrid => Self::Hybrid,
        }
    }
}
