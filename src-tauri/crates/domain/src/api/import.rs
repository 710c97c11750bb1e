//! The result of an import of files.

use crate::document::{DocumentMetadata, DocumentWarning, EngineCounts};
use crate::failure::Failure;
use crate::id::DocumentId;
use crate::tags::tagged;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::IntoStaticStr;

tagged!(SkipReason);

/// What `import` did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportReport {
    /// Documents that are new in the workspace.
    pub imported: Vec<ImportedDocument>,
    /// Files whose bytes were there already.
    pub unchanged: Vec<UnchangedDocument>,
    /// Files that could not be imported; the others were.
    pub failed: Vec<Failure>,
    /// What lies in imported folders and was left out.
    #[serde(default)]
    pub skipped: SkippedFiles,
}

/// What lies in imported folders and was left out: how many by reason, and the first by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFiles {
    /// How many, by reason.
    pub counts: BTreeMap<SkipReason, u64>,
    /// The first hundred, in the order in which they were met.
    pub files: Vec<SkippedFile>,
}

/// A file or folder that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFile {
    /// The path by which it was reached.
    pub file: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a file in an imported folder was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SkipReason {
    /// Its extension is not that of a format that can be imported.
    UnknownFormat,
    /// Its name begins with a dot, or it is what an editor keeps while a file is open (`~$name.docx`).
    Hidden,
    /// The same file was reached by another path.
    SamePath,
    /// It is neither a file nor a folder but a device, a pipe or a socket.
    NotAFile,
    /// It cannot be examined.
    Unreadable,
    /// Folders are nested deeper than an import goes.
    TooDeep,
    /// A report that Lexforge wrote itself.
    OwnReport,
}

impl SkipReason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::UnknownFormat => "of a kind that cannot be imported",
            Self::Hidden => "hidden",
            Self::SamePath => "reached twice",
            Self::NotAFile => "no regular file",
            Self::Unreadable => "cannot be read",
            Self::TooDeep => "nested too deep",
            Self::OwnReport => "a report of Lexforge",
        }
    }
}

/// A document that was imported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedDocument {
    /// Its id.
    pub id: DocumentId,
    /// File name.
    pub file: String,
    /// Title.
    pub title: String,
    /// Language.
    pub language: Language,
    /// Pages.
    pub pages: u32,
    /// Sentences.
    pub sentences: u32,
    /// Pages without a text layer.
    pub scanned_pages: u32,
    /// Pages by engine.
    pub engines: EngineCounts,
    /// Mean agreement of the two readers.
    pub reader_agreement: Option<f64>,
    /// Warnings for the user.
    pub warnings: Vec<DocumentWarning>,
    /// Facts that it states about itself.
    #[serde(default)]
    pub metadata: DocumentMetadata,
    /// The document whose new version it is.
    pub predecessor: Option<DocumentId>,
    /// The document that is a new version of it, where an older version came later.
    pub successor: Option<DocumentId>,
}

/// A file that was there already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnchangedDocument {
    /// The document's id.
    pub id: DocumentId,
    /// File name.
    pub file: String,
}
