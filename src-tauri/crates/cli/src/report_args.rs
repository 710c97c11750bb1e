//! The grammar of `report`.

use crate::gate_args::against;
use clap::{Args, ValueEnum};
use lexforge_domain::api::{GateAgainst, PaperLanguage};
use lexforge_domain::{DatasetId, RunId};
use std::path::PathBuf;

/// `report`
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// Write the report of this run anew; none = of the newest that was evaluated.
    #[arg(long, conflicts_with_all = ["compare", "gate", "card"])]
    pub run: Option<RunId>,
    /// Instead: a comparison of these systems, as `bench` names them; a number is a run; none = all that are there.
    #[arg(long, value_name = "SYSTEM", num_args = 0.., value_delimiter = ',', conflicts_with_all = ["gate", "card"])]
    pub compare: Option<Vec<String>>,
    /// With --compare: the system that the others are compared with.
    #[arg(long, requires = "compare")]
    pub baseline: Option<String>,
    /// With --compare: the snapshot; none = the newest.
    #[arg(long, requires = "compare")]
    pub dataset: Option<DatasetId>,
    /// Instead: what the gate says of this run by the workspace's rule; none = of the newest that has finished.
    #[arg(long, value_name = "RUN", num_args = 0..=1, conflicts_with = "card")]
    pub gate: Option<Option<RunId>>,
    /// With --gate: what it is compared with, the number of a run or `base`; none = the active model, and the base
    /// where none is.
    #[arg(long, value_name = "RUN|base", value_parser = against, requires = "gate")]
    pub against: Option<GateAgainst>,
    /// Instead: the card of this run's model; none = of the newest that has finished.
    #[arg(long, value_name = "RUN", num_args = 0..=1)]
    pub card: Option<Option<RunId>>,
    /// Instead: what has moved, as it was found with the newest sample (`drift` takes one).
    #[arg(long, conflicts_with_all = ["run", "compare", "gate", "card", "attack"])]
    pub drift: bool,
    /// With --compare or --card: the test questions under attack, too.
    #[arg(long, conflicts_with_all = ["run", "gate"])]
    pub attack: bool,
    /// With --compare, --gate, --card or --drift: the language of the page; its figures and its data are the same.
    #[arg(long, value_enum, default_value = "en", conflicts_with = "run")]
    pub language: LanguageArg,
}

/// In which language a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageArg {
    /// English.
    En,
    /// Simplified Chinese.
    Zh,
}

impl From<LanguageArg> for PaperLanguage {
    fn from(language: LanguageArg) -> Self {
        match language {
            LanguageArg::En => Self::English,
            LanguageArg::Zh => Self::Chinese,
        }
    }
}
