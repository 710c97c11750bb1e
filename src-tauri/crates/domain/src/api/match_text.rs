//! The texts of a match, how the one relates to the other, and what found it.

use crate::id::{DocumentId, SentenceId};
use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(MatchRelation, MatchChannel);
read_by_tag!(MatchRelation);

/// A rule or a statement, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchText {
    /// Its sentence.
    pub id: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// The page, from 1.
    pub page: u32,
    /// The text. An item of a list has the introduction of the list before it.
    pub text: String,
    /// The section's path, or empty.
    pub section: String,
    /// Id that a corpus file gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}

/// The relation between a rule's demand and a statement, with the names of NIST IR 8477 and OSCAL. The rule is the
/// source of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum MatchRelation {
    /// Both demand the same.
    Equal,
    /// The statement demands all that the rule does, and more.
    Subset,
    /// The rule demands all that the statement does, and more.
    Superset,
    /// Each demands something that the other does not.
    Intersects,
}

impl MatchRelation {
    /// All relations.
    pub const ALL: [Self; 4] = [Self::Equal, Self::Subset, Self::Superset, Self::Intersects];
}

/// What brings a statement among the candidates of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MatchChannel {
    /// The words that both have, or parts of these.
    Words,
    /// Their vectors.
    Meaning,
    /// The sentence graph, over at most three of its edges.
    Graph,
    /// Terms that both have and that people accepted.
    Terms,
}
