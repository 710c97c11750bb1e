//! Rules matched with the statements of policies.

use super::match_changes::MatchChanges;
use super::match_import::MatchProposal;
use super::match_learned::{MatchLearned, MatchLearning};
use super::match_text::{MatchChannel, MatchRelation, MatchText};
use super::ranking::RankingFigures;
use crate::id::{DocumentId, SentenceId};
use crate::metrics::{Comparison, Interval};
use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(MatchAddressee, MatchVerdict);
read_by_tag!(MatchVerdict);

/// The documents that are matched with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchRequest {
    /// Documents whose rules are to be covered.
    pub rules: Vec<DocumentId>,
    /// Documents whose statements may cover them.
    pub policies: Vec<DocumentId>,
    /// The encoder, by its name or the path of its folder; `None` = the one that comes with the product.
    pub encoder: Option<String>,
    /// Whether only words are compared.
    pub words_alone: bool,
    /// Statements listed for each rule; 0 = ten.
    pub top: usize,
    /// Rules that bind public bodies, recitals and explanations are taken in.
    pub everyone: bool,
}

/// Whom a rule binds, as far as its words and its place tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MatchAddressee {
    /// Somebody who acts and is no public body: the firm, its people, its partners.
    Firm,
    /// A legislator, an authority, a court.
    Public,
    /// It names nobody who has to act.
    #[default]
    Nobody,
    /// The statement is in a recital or an explanation (a summary, a reply to a consultation). Such texts give reasons
    /// and impose no duty.
    Recital,
}

/// Rules that were set aside, since no policy of a firm can cover them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchSetAside {
    /// What stands in recitals and explanations.
    pub recitals: usize,
    /// Rules that bind public bodies.
    pub public: usize,
}

/// The verdict of the policies on a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum MatchVerdict {
    /// A statement contains what the rule demands.
    Covered,
    /// Statements hold a part of it.
    Partly,
    /// A statement about the same matter demands less, or the contrary.
    Contradicted,
    /// No statement is about it.
    NotCovered,
}

impl MatchVerdict {
    /// All verdicts, the worst first.
    pub const ALL: [Self; 4] = [
        Self::Contradicted,
        Self::NotCovered,
        Self::Partly,
        Self::Covered,
    ];

    /// The verdict in words, as papers and the command line have it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Partly => "partly covered",
            Self::Contradicted => "contradicted",
            Self::NotCovered => "not covered",
        }
    }
}

impl MatchRelation {
    /// The relation after a person has given another verdict. A verdict can exclude a relation: a statement that covers
    /// a rule only partly, or contradicts it, cannot be equal to the rule.
    pub fn under(self, verdict: MatchVerdict) -> Self {
        match (verdict, self) {
            (MatchVerdict::Partly | MatchVerdict::Contradicted, Self::Equal | Self::Subset) => {
                Self::Intersects
            }
            (_, relation) => relation,
        }
    }
}

/// How bad a gap is, from the force of the rule and the kind of gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// There is no gap.
    None,
    /// Something that the rule recommends is missing.
    Low,
    /// A duty is fulfilled in part.
    Medium,
    /// A duty or a prohibition is missing or contradicted.
    High,
}

/// What differs between a rule and a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The word that obliges, allows or forbids.
    Force,
    /// A number, a limit or how often.
    Number,
    /// A negation.
    Negation,
    /// Who acts.
    Actor,
    /// All, some, only.
    Extent,
    /// A condition or an exception.
    Condition,
    /// Words of the rule that the statement does not have.
    Silent,
}

/// The relation of a statement to the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceSide {
    /// It demands less.
    Weaker,
    /// Its figure allows more.
    Looser,
    /// It demands more.
    Stricter,
    /// It does not mention this point.
    Silent,
    /// It says the contrary.
    Contrary,
    /// It says something else.
    Other,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDifference {
    /// What it is.
    pub kind: DifferenceKind,
    /// The words of the rule.
    pub rule: String,
    /// The words of the statement; empty if it has none about this.
    pub policy: String,
    /// On which side the statement stands.
    pub side: DifferenceSide,
}

/// A statement that may cover a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchCandidate {
    /// The statement.
    #[serde(flatten)]
    pub statement: MatchText,
    /// How well it fits: words and vectors with equal weight, on a scale on which the mean of all statements is 0.
    pub score: f64,
    /// How many of the kinds of scores find it.
    pub votes: u32,
    /// Whether it bears on the verdict.
    pub covers: bool,
    /// The methods that find it: it is among the first statements of each of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_by: Vec<MatchChannel>,
    /// Edges of the shortest way on which the graph leads to it; `None` where it is not found by the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<u32>,
    /// The accepted terms that it has in common with the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<String>,
}

/// A statement that comes near and does not cover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearStatement {
    /// The statement.
    pub policy: MatchText,
    /// How well it fits.
    pub score: f64,
    /// Why it does not cover.
    pub why_not: WhyNot,
}

/// Why a statement does not cover a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyNot {
    /// The reason, for programs.
    pub reason: WhyNotReason,
    /// Words of the rule that it does not have, or what differs.
    pub words: Vec<String>,
    /// The reason as a sentence.
    pub text: String,
}

/// Kinds of reasons for which a statement does not cover a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyNotReason {
    /// It is about something else: it has few of the rule's words.
    AnotherMatter,
    /// It is about the same thing but leaves out the main point of the rule.
    LeavesOut,
    /// It only allows, or recommends.
    TooWeak,
    /// It has another number, actor or negation.
    Differs,
    /// It defines a word, and obliges nobody.
    BindsNobody,
    /// It is a title, and does not say what is done.
    Title,
    /// It says what a document is for or where something is written, and not what is done.
    OfADocument,
    /// It quotes a law or another text, and does not say what is done.
    Quotes,
    /// It shares only such words with the rule as other rules under its heading have, too.
    AnotherRule,
    /// The rule demands a review or an update, and it speaks of none or of that of something else.
    NoReview,
}

/// The result of one method for a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchFound<S = SentenceId> {
    /// The method: `bm25`, `tfidf`, `grams` (character n-grams), `vectors`, `graph`, `terms`, or `combined`.
    pub method: String,
    /// The statements, the best first.
    pub statements: Vec<S>,
}

/// A rule with the result for the policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The rule.
    pub rule: MatchText,
    /// The statements that fit it best, the best first.
    pub policies: Vec<MatchCandidate>,
    /// What people decided: `unreviewed`, `accepted`, `corrected`, or `stale` where a text has changed since.
    pub status: String,
    /// What was found.
    pub verdict: MatchVerdict,
    /// How the rule relates to the first statement; `None` where nothing covers it.
    pub relation: Option<MatchRelation>,
    /// How likely it is that the policies cover the rule.
    pub probability: f64,
    /// What differs between the rule and the statement that is nearest to covering it.
    pub differences: Vec<MatchDifference>,
    /// If nothing covers it: the five nearest statements, and why each does not.
    pub nearest: Vec<NearStatement>,
    /// The results of each method alone, side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_method: Vec<MatchFound>,
    /// How bad the gap is.
    pub severity: Severity,
    /// Whom the rule binds.
    #[serde(default)]
    pub binds: MatchAddressee,
    /// What was compared: words, and the vectors of the named encoder.
    pub method: String,
    /// The newest decision about the rule, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<MatchDecision>,
    /// What others say of the rule, in the order in which it was read in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<MatchProposal>,
    /// What the probability was learned from; `None` if it comes from the product's own weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<MatchLearned>,
    /// The result as it would be if nothing had been learned. It is stored but not shown. If a person takes back one of
    /// the decisions from which the weights were learned, it becomes the result again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain: Option<Box<MatchPlain>>,
}

/// What counts of a rule if what was learned from decisions does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchPlain {
    /// How likely it is that the policies cover the rule.
    pub probability: f64,
    /// The rest; `None` where it is the same as in the row: only the probability was learned.
    #[serde(flatten)]
    pub finding: Option<MatchFinding>,
}

/// What is found about a rule if the statements are ranked in a certain way. The fields are those of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchFinding {
    /// What was found.
    pub verdict: MatchVerdict,
    /// How the rule relates to the statement that bears the verdict.
    pub relation: Option<MatchRelation>,
    /// The statements that are listed.
    pub policies: Vec<MatchCandidate>,
    /// What differs.
    pub differences: Vec<MatchDifference>,
    /// The nearest statements where nothing covers.
    pub nearest: Vec<NearStatement>,
    /// How bad the gap is.
    pub severity: Severity,
}

/// Rules matched, and what was skipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// The rules in reading order.
    pub rows: Vec<MatchRow>,
    /// Statements that were compared.
    pub statements: usize,
    /// Sentences of the rules that oblige nobody, and were skipped.
    pub passed_over: usize,
    /// Rules that bind no firm, and were set aside.
    #[serde(default)]
    pub set_aside: MatchSetAside,
    /// Statements that speak to a language model, and were skipped.
    pub to_a_model: usize,
    /// What was compared.
    pub method: String,
    /// The ways in which candidates could be found.
    #[serde(default)]
    pub channels: Vec<MatchChannel>,
    /// What was learned from decisions about other policies; `None` without such decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<MatchLearning>,
    /// What changed since earlier versions of its documents; `None` without an earlier version that was matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<MatchChanges>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// The number of the newest decision that it takes account of.
    #[serde(default)]
    pub decided_until: i64,
    /// The request.
    #[serde(default)]
    pub request: MatchRequest,
    /// When it was made, RFC 3339, UTC.
    #[serde(default)]
    pub made: String,
}

/// The result if every pair above a cosine counted as found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchThreshold {
    /// The cosine.
    pub cosine: f64,
    /// Pairs above it.
    pub pairs: u64,
    /// Share of them that people linked; `None` where there is no pair.
    pub precision: Option<f64>,
    /// Share of the linked pairs that lie above it.
    pub recall: Option<f64>,
}

/// A method of matching, measured on requirements whose controls are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchMethodRow {
    /// The set.
    pub set: String,
    /// The method.
    pub method: String,
    /// Whether it is the one that the product uses.
    pub chosen: bool,
    /// Controls to choose from.
    pub candidates: usize,
    /// The figures, with the differences from BM25 and from the untuned encoder.
    #[serde(flatten)]
    pub figures: RankingFigures,
    /// S1 of the literature. It says how much nearer a requirement is to its own controls than to the controls of other
    /// requirements, as a mean difference of cosines. `None` if the method gives no cosines.
    pub s1: Option<Interval>,
    /// S2: the share of requirements whose nearest control, of all controls that belong to a requirement, is their own.
    pub s2: Option<Interval>,
    /// What bounds on the cosine would find; empty where the method gives no cosines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<MatchThreshold>,
    /// S1 and S2 less those of the untuned encoder, in this order, with 95 % intervals by section.
    pub gains: Vec<Comparison>,
}

/// A person's decision about matched rules. Nothing is overwritten: the newest decision about a rule counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchDecide {
    /// The rules, by their sentences.
    pub rules: Vec<SentenceId>,
    /// The verdict; `None` = as it was found.
    pub verdict: Option<MatchVerdict>,
    /// The verdict is left open: only note, owner and date are kept, or a decision is taken back.
    pub undecided: bool,
    /// The relation; `None` = as it was found, as far as that fits the verdict and the statements.
    pub relation: Option<MatchRelation>,
    /// The statements that bear on it, several where several do together; none = as was found.
    pub policies: Vec<SentenceId>,
    /// Why, or what is to be done.
    pub note: String,
    /// The person who should close the gap.
    pub owner: String,
    /// By when, `YYYY-MM-DD`.
    pub due: Option<String>,
}

/// A person's decision about a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDecision {
    /// Its number.
    #[serde(default)]
    pub id: i64,
    /// The rule, as it read then.
    pub rule: MatchText,
    /// Whether the result of the matching is accepted unchanged.
    pub accepted: bool,
    /// The verdict was left open, and the one that stands here is what was found.
    #[serde(default)]
    pub undecided: bool,
    /// The verdict.
    pub verdict: MatchVerdict,
    /// The relation.
    pub relation: Option<MatchRelation>,
    /// The statements that bear on it, as they read then.
    pub policies: Vec<MatchText>,
    /// Why, or what is to be done.
    pub note: String,
    /// The person who should close the gap.
    pub owner: String,
    /// By when.
    pub due: Option<String>,
    /// The policies that were matched then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<DocumentId>,
    /// When it was decided, RFC 3339, UTC.
    #[serde(default)]
    pub made: String,
    /// Who decided.
    #[serde(default)]
    pub actor: String,
}

/// Forms in which matched rules leave the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchExport {
    /// A table as text.
    Csv,
    /// A table for a spreadsheet.
    Xlsx,
    /// A report of the gaps, with free space for signatures.
    Docx,
    /// A mapping collection of OSCAL 1.2.1.
    Oscal,
    /// A page with hashes and the head of the audit chain.
    Html,
}

impl MatchExport {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Docx, Self::Xlsx, Self::Csv, Self::Oscal, Self::Html];

    /// How the name of such a file ends.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Docx => "docx",
            Self::Oscal => "json",
            Self::Html => "html",
        }
    }
}
