//! Matched rules as the window shows them: a list with its chapters, and one rule with its history.

use super::match_changes::MatchChanges;
use super::match_learned::MatchLearning;
use super::match_text::{MatchRelation, MatchText};
use super::matching::{
    MatchDecision, MatchFound, MatchRequest, MatchRow, MatchSetAside, MatchVerdict, Severity,
};
use super::validity::OutOfForce;
use crate::agreement::Interval;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};

/// The newest matching as a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchOverview {
    /// The rules, the worst first: contradicted, not covered, partly, covered, each by severity.
    pub rows: Vec<MatchBrief>,
    /// The chapters in reading order.
    pub chapters: Vec<MatchChapter>,
    /// Statements that were compared.
    pub statements: usize,
    /// Sentences of the rules that oblige nobody, and were skipped.
    pub passed_over: usize,
    /// Rules that bind no firm, and were set aside.
    pub set_aside: MatchSetAside,
    /// Sentences that speak to a language model, and were skipped.
    pub to_a_model: usize,
    /// The encoder that made the vectors; `None` = only words were compared.
    pub encoder: Option<String>,
    /// What was learned from decisions about other policies; `None` without such decisions.
    pub learning: Option<MatchLearning>,
    /// What changed since earlier versions of its documents; `None` without an earlier version that was matched.
    pub changes: Option<MatchChanges>,
    /// Further warnings for the user.
    pub warnings: Vec<String>,
    /// The request.
    pub request: MatchRequest,
    /// When it was made, RFC 3339, UTC.
    pub made: String,
    /// Documents that took part and have a newer version by now: the one that was matched, and the newest.
    pub newer: Vec<(DocumentId, DocumentId)>,
    /// Documents that took part and are not in force today, by what a person set.
    #[serde(default)]
    pub out_of_force: Vec<(DocumentId, OutOfForce)>,
    /// How far those who decided agree; `None` before two decided the same rule.
    pub agreement: Option<MatchAgreement>,
}

/// A rule in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchBrief {
    /// The rule.
    pub rule: MatchText,
    /// The index of its chapter.
    pub chapter: usize,
    /// The verdict that counts: the person's decision, or else the result of the matching.
    pub verdict: MatchVerdict,
    /// How bad the gap is.
    pub severity: Severity,
    /// How likely it is that the policies cover the rule.
    pub probability: f64,
    /// What people decided: `unreviewed`, `accepted`, `corrected`, or `stale` where a text has changed since.
    pub status: String,
    /// The person who should close the gap.
    pub owner: String,
    /// By when, `YYYY-MM-DD`.
    pub due: Option<String>,
    /// How many matches of others' making are proposed for it.
    #[serde(default)]
    pub proposed: usize,
}

/// A chapter of a document whose rules were matched.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MatchChapter {
    /// The document.
    pub document: DocumentId,
    /// Its heading; empty if the document has none.
    pub title: String,
}

/// How far those who decided agree: each person's first verdict on each rule counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchAgreement {
    /// Rules that two or more decided.
    pub rules: u64,
    /// People who decided any.
    pub people: u32,
    /// Krippendorff's α, nominal, with its interval by rule.
    pub alpha: Interval,
}

/// A matched rule with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchedRule {
    /// The rule with what was found.
    pub row: MatchRow,
    /// The verdict that counts: the person's decision, or else the result of the matching.
    pub verdict: MatchVerdict,
    /// The relation that counts.
    pub relation: Option<MatchRelation>,
    /// The statements that count.
    pub policies: Vec<MatchText>,
    /// The results of each method alone, with the words of the statements.
    #[serde(default)]
    pub by_method: Vec<MatchFound<MatchText>>,
    /// How bad the gap is.
    pub severity: Severity,
    /// If it is open again: whether the text of the rule itself has changed. Otherwise that of a statement has.
    pub rule_changed: bool,
    /// All decisions about the rule, oldest first. In a blind review, the decisions of others are hidden until the user
    /// has made a decision.
    pub history: Vec<MatchDecision>,
    /// Decisions of others that are held back.
    pub held_back: usize,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchFile {
    /// Where it stands.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}
