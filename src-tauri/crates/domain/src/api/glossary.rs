//! Lists of terms as files.

use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(GlossaryFormat);

/// The result of an import of a glossary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossaryReport {
    /// Entries read.
    pub read: u64,
    /// Terms that are new.
    pub added: u64,
    /// Terms that were there; what the glossary says of them was added.
    pub joined: u64,
    /// Entries that were there with the same content.
    pub known: u64,
    /// Other names recorded.
    pub synonyms: u64,
    /// Mentions found of what is new.
    pub mentions: u64,
    /// Entries that could not be taken.
    #[serde(default)]
    pub refused: u64,
    /// The first thousand of them: where, and why.
    pub rejected: Vec<RejectedEntry>,
    /// Columns and fields that have no place here, with how often they held something; left out.
    #[serde(default)]
    pub unread: Vec<(String, u64)>,
    /// Notes on how the file was read, for example its encoding.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// SHA-256 of the file, hexadecimal, as it is in the audit chain.
    #[serde(default)]
    pub sha256: String,
}

/// An entry of a glossary that could not be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedEntry {
    /// The line or entry, from 1.
    pub entry: u64,
    /// Its content, shortened.
    pub text: String,
    /// The reason why it was not imported.
    pub reason: String,
}

/// The result of an export of a glossary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossaryExport {
    /// Terms written, each with its other names.
    pub terms: u64,
    /// Other names written.
    pub synonyms: u64,
    /// Relations between terms written.
    pub relations: u64,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
}

/// The formats of glossaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum GlossaryFormat {
    /// Comma-separated values with a head line.
    Csv,
    /// TermBase eXchange, ISO 30042 (dialect TBX-Basic, style DCA).
    Tbx,
    /// SKOS in Turtle.
    Skos,
    /// JSON, one array of entries.
    Json,
}

impl GlossaryFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Tbx, Self::Skos, Self::Json];

    /// The format that a file's extension (without the dot, in any case) names.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_lowercase().as_str() {
            "csv" | "tsv" | "tab" => Some(Self::Csv),
            "tbx" | "xml" => Some(Self::Tbx),
            "ttl" | "turtle" | "skos" => Some(Self::Skos),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}
