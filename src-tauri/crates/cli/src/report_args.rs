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
    /// Write the report of this run again. Default: the newest run that was evaluated.
    #[arg(long, conflicts_with_all = ["compare", "gate", "card"])]
    pub run: Option<RunId>,
    /// Instead of the report, write a comparison of these systems. They are named as for `bench`, and a number is a
    /// run. Without names, all existing systems are compared.
    #[arg(long, value_name = "SYSTEM", num_args = 0.., value_delimiter = ',', conflicts_with_all = ["gate", "card"])]
    pub compare: Option<Vec<String>>,
    /// With --compare: the system that the others are compared with.
    #[arg(long, requires = "compare")]
    pub baseline: Option<String>,
    /// With --compare: the snapshot's number. Default: the newest.
    #[arg(long, requires = "compare")]
    pub dataset: Option<DatasetId>,
    /// Instead of the report, write the gate's decision about this run by the workspace's rule. Without a number, it is
    /// the newest run that has finished.
    #[arg(long, value_name = "RUN", num_args = 0..=1, conflicts_with = "card")]
    pub gate: Option<Option<RunId>>,
    /// With --gate: what the run is compared with, which is the number of another run or `base`. Default: the active
    /// model, or the base model if no model is active.
    #[arg(long, value_name = "RUN|base", value_parser = against, requires = "gate")]
    pub against: Option<GateAgainst>,
    /// Write the card of this run's model instead. Without a number, the newest run that has finished.
    #[arg(long, value_name = "RUN", num_args = 0..=1)]
    pub card: Option<Option<RunId>>,
    /// Write what has changed instead, as it was found with the newest sample (`drift` takes a sample).
    #[arg(long, conflicts_with_all = ["run", "compare", "gate", "card", "attack"])]
    pub drift: bool,
    /// With --compare or --card: include the test questions under attack.
    #[arg(long, conflicts_with_all = ["run", "gate"])]
    pub attack: bool,
    /// With --compare, --gate, --card or --drift: the language of the page. The figures and the data are the same in
    /// each language.
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
