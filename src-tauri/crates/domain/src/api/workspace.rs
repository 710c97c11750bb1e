//! The workspace as a whole, and the machine that it is opened on.

use super::GraphState;
use crate::dataset::Dataset;
use crate::graph::GraphStats;
use crate::tags::all;
use crate::text::Language;
use crate::{Advice, Failure, Remedy};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The open workspace, for the top bar, the rail's counts and the welcome screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkspaceView {
    /// Path of its file.
    pub path: String,
    /// Its name (the file's stem).
    pub name: String,
    /// Documents.
    pub documents: u64,
    /// Pages.
    pub pages: u64,
    /// Sentences.
    pub sentences: u64,
    /// Terms.
    pub terms: u64,
    /// Questions.
    pub questions: u64,
    /// Triplets that are kept.
    #[serde(default)]
    pub triplets: u64,
    /// Pairs of sentences that experts score.
    #[serde(default)]
    pub similarity: u64,
    /// Frozen snapshots.
    pub datasets: u64,
    /// Runs.
    pub runs: u64,
    /// Head of the audit chain, hexadecimal.
    pub audit_head: String,
    /// The newest graph.
    pub graph: Option<GraphStats>,
    /// How old it is, and whether it should be built again.
    #[serde(default)]
    pub graph_state: GraphState,
    /// The newest snapshot.
    pub dataset: Option<Dataset>,
    /// Languages of the documents.
    pub languages: Vec<Language>,
    /// Hosts of the named endpoints that are not this machine: what may leave goes there and nowhere else.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Hosts of the machines that a training can be sent to: items of a run go there, where somebody sends one.
    #[serde(default)]
    pub machines: Vec<String>,
}

/// How much goes into the logs; each level holds those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// Places where a program failed.
    Error,
    /// What failed.
    Warn,
    /// Requests, and how they ended.
    #[default]
    Info,
    /// Each step, and things that were only examined.
    Debug,
    /// How far each step is.
    Trace,
}

impl LogLevel {
    /// All levels, from nothing to everything.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);

    /// The word for it in settings and variables.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// The level of a word.
    pub fn of_tag(word: &str) -> Option<Self> {
        word.parse().ok()
    }
}

/// The place of the logs, and how much is written to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogView {
    /// Their folder.
    pub folder: String,
    /// The folder in it for the open workspace.
    pub workspace: Option<String>,
    /// How much goes into them now.
    pub level: LogLevel,
    /// The variable `LEXFORGE_LOG` says so, and the setting waits.
    pub by_variable: bool,
    /// Lines that could not be written since the program began.
    pub lost: u64,
}

/// A part of what a request for support needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportPart {
    /// Its name in the archive.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// A line of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The thing that was checked.
    pub check: String,
    /// Whether it is in order.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// The command or step that mends it; empty where all is well.
    pub remedy: String,
    /// The same as a value, where window and command line have words of their own for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<Box<Remedy>>,
}

impl Check {
    /// Something that is in order.
    pub fn found(check: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            ok: true,
            found: found.into(),
            remedy: String::new(),
            advice: None,
        }
    }

    /// Something that is missing, and what mends it.
    pub fn missing(
        check: impl Into<String>,
        found: impl Into<String>,
        advice: impl Into<Advice>,
    ) -> Self {
        let Advice { words, remedy } = advice.into();
        Self {
            check: check.into(),
            ok: false,
            found: found.into(),
            remedy: words,
            advice: remedy,
        }
    }

    /// A check that failed: what happened, and its remedy.
    pub fn failed(check: impl Into<String>, failure: Failure) -> Self {
        Self {
            check: check.into(),
            ok: false,
            found: failure.message,
            remedy: failure.hint,
            advice: failure.remedy,
        }
    }
}
