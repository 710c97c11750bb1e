//! Matches of another's making, read from a mapping collection of OSCAL. They are proposed and never decided.

use super::match_text::{MatchRelation, MatchText};
use crate::id::DocumentId;
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(MatchMissingWhy);

/// The documents that a mapping collection is about. If no documents are named for a side, those of the newest matching
/// are used. If nothing was matched yet, the import fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchImport {
    /// Documents that hold rules.
    pub rules: Vec<DocumentId>,
    /// Documents that hold statements of policies.
    pub policies: Vec<DocumentId>,
}

/// The source of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchSource {
    /// The file's name.
    pub file: String,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// The collection's title.
    pub title: String,
    /// The collection's version.
    pub version: String,
    /// The program that made it, if it is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How it was made, as its provenance says: `human`, `automation`, `hybrid`, or another's word.
    pub method: String,
}

/// A proposal of somebody else about a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchProposal {
    /// Its number.
    #[serde(default)]
    pub id: i64,
    /// The rule, as it read then.
    pub rule: MatchText,
    /// The statements that are said to bear on it; none = nothing is said to cover it.
    pub policies: Vec<MatchText>,
    /// The relation, with the rule as the source; `None` where the file has none of the four.
    pub relation: Option<MatchRelation>,
    /// The relation as the file has it; empty where it is a list of controls that nothing covers.
    pub said: String,
    /// The control or statement as the file names it.
    pub named: String,
    /// Where it is in the file.
    pub path: String,
    /// How sure its maker is, as the file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// Where it comes from.
    pub from: MatchSource,
    /// When it was read in, RFC 3339, UTC.
    #[serde(default)]
    pub made: String,
    /// The person who imported it.
    #[serde(default)]
    pub actor: String,
    /// Beside a rule: the documents of the newest matching do not have all of its statements any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// A side of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchSide {
    /// The mapping's source.
    Source,
    /// The mapping's target.
    Target,
}

/// Why a control or statement of a mapping was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MatchMissingWhy {
    /// Nothing in the workspace has its name or its words.
    NotFound,
    /// Several documents have it, and the mapping does not say which is meant.
    SeveralDocuments,
    /// A section of more sentences than a person can look through has it.
    TooWide,
}

/// A control or statement of a mapping that was not found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatchMissing {
    /// On which side it stands.
    pub side: MatchSide,
    /// Its name in the file.
    pub named: String,
    /// Why.
    pub why: MatchMissingWhy,
}

/// A place where a mapping collection breaks the schema of OSCAL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchBreach {
    /// The place, as a JSON pointer.
    pub path: String,
    /// The rule, for programs: `required`, `enum`, `type`, `pattern`, `min_items` or `unknown`.
    pub rule: String,
    /// Path and fault as a sentence.
    pub text: String,
}

/// The result of importing a mapping collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchImported {
    /// Where it comes from.
    pub from: MatchSource,
    /// Mappings of single controls and statements that it has.
    pub maps: usize,
    /// Entries for which a rule and a statement were found, and lists of gaps for which a rule was found.
    pub found: usize,
    /// Proposals that are new.
    pub proposed: Vec<MatchProposal>,
    /// Proposals that were read in from the same file before.
    pub known: usize,
    /// Controls and statements that were not found.
    pub missing: Vec<MatchMissing>,
    /// Its breaches of the schema.
    pub breaches: Vec<MatchBreach>,
}

impl MatchImported {
    /// How many of the new proposals say that nothing covers a rule.
    pub fn gaps(&self) -> usize {
        let gaps = self.proposed.iter().filter(|one| one.policies.is_empty());
        gaps.count()
    }
}
