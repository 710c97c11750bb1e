//! The review: queue, decisions, conflicts, agreement, packets. One file because it is one contract, read from top to
//! bottom by whoever writes a face.

use super::{QuestionRow, TermContext};
use crate::dataset::ReviewPolicy;
use crate::id::{ActId, DocumentId, SentenceId};
use crate::review::{Choice, Decision, Edit, Person, Subject, SubjectKind, Verdict};
use crate::term::{FoundBy, Term};
use crate::text::{Language, Region};
use serde::{Deserialize, Serialize};

/// Which items a queue holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueFilter {
    /// Terms, pairs or questions.
    pub kind: SubjectKind,
    /// Class of the schema; empty = those without one.
    #[serde(default)]
    pub class: Option<String>,
    /// How a term was found.
    #[serde(default)]
    pub found: Option<FoundBy>,
    /// A document that mentions it.
    #[serde(default)]
    pub document: Option<DocumentId>,
    /// Language.
    #[serde(default)]
    pub language: Option<Language>,
    /// Only what is assigned to this person as first or second reviewer.
    #[serde(default)]
    pub mine: bool,
}

impl QueueFilter {
    /// Everything of a kind.
    pub fn of(kind: SubjectKind) -> Self {
        Self { kind, class: None, found: None, document: None, language: None, mine: false }
    }
}

/// The item to decide now, and what surrounds it. Ready to be shown without another question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueView {
    /// The item; none = all that the filter holds is reviewed by this person.
    pub item: Option<QueueItem>,
    /// Its place among all that the filter holds, from 1.
    pub place: u64,
    /// How this person's share stands.
    pub standing: QueueStanding,
    /// What comes next, at most eight.
    pub coming: Vec<ComingItem>,
    /// What this person did last and could undo.
    pub last: Option<ActView>,
    /// Conflicts of this kind that wait for an adjudication.
    pub conflicts: u64,
}

/// How far a person is with a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueStanding {
    /// Items that the filter holds.
    pub total: u64,
    /// Of these, accepted by this person.
    pub accepted: u64,
    /// Rejected by this person.
    pub rejected: u64,
    /// Merged by this person.
    pub merged: u64,
    /// Not decided by this person; skipped ones included.
    pub to_do: u64,
    /// Of those to do, skipped.
    pub skipped: u64,
    /// Median seconds between this person's decisions of the last hour of work, breaks over five minutes left out.
    pub median_seconds: Option<f64>,
}

/// An item that comes later in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComingItem {
    /// The item.
    pub subject: Subject,
    /// What stands for it in a list: the term, the question.
    pub text: String,
    /// Language of the text.
    pub language: Language,
    /// Mentions of a term; 0 for others.
    pub mentions: u32,
}

/// What one person did in one go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActView {
    /// Its id.
    pub act: ActId,
    /// What was chosen.
    pub choice: Choice,
    /// How many items it decided.
    pub items: u64,
    /// The first of them.
    pub subject: Subject,
    /// What stands for the first of them: the term, the question.
    pub text: String,
    /// When.
    pub made: String,
}

/// An item of a queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QueueItem {
    /// A term with everything that is needed to decide.
    Term(Box<TermCard>),
    /// A pair of terms, side by side.
    Pair(Box<PairCard>),
    /// A question.
    Question(Box<QuestionCard>),
}

impl QueueItem {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Term(card) => Subject::term(card.term.id),
            Self::Pair(card) => Subject::pair(card.one.id, card.other.term.id),
            Self::Question(card) => Subject::question(card.row.question.id),
        }
    }
}

/// A term under review; also the term's own page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermCard {
    /// The term.
    pub term: Term,
    /// The forms in which it occurs, the most frequent first, with their counts.
    pub variants: Vec<(String, u32)>,
    /// Other terms that were joined to it, and imported or defined other names.
    pub synonyms: Vec<String>,
    /// Mentions in their sentences, in reading order: the first 50.
    pub contexts: Vec<TermContext>,
    /// Documents that mention it.
    pub documents: u32,
    /// Its definitions, one an act.
    pub definitions: Vec<TermDefinition>,
    /// Whether the acts define it differently.
    pub definitions_differ: bool,
    /// What it could be confused with, the nearest first.
    pub confusables: Vec<Confusable>,
    /// Where the term stands.
    pub verdict: Verdict,
    /// Decisions about it, the newest first. In a blind review other people's are left out until one's own is made.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
    /// What a reviewer should be warned of, for example that the sentence speaks to a language model.
    pub flags: Vec<String>,
}

/// What an act says that a term means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermDefinition {
    /// The definition's own words.
    pub text: String,
    /// The sentence that holds it.
    pub sentence: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// Title of the document.
    pub document_title: String,
    /// Section path.
    pub section: String,
    /// Page, from 1.
    pub page: u32,
    /// Where it stands on the page.
    pub boxes: Vec<Region>,
    /// Language of the act.
    pub language: Language,
    /// Whether it says something else than the first one.
    pub differs: bool,
}

impl TermDefinition {
    /// Marks those that say something else than the first one ([`crate::wording::same`]); whether there are any.
    pub fn mark_differing(definitions: &mut [Self]) -> bool {
        let Some((first, others)) = definitions.split_first_mut() else { return false };
        first.differs = false;
        others.iter_mut().for_each(|other| other.differs = !crate::wording::same(&first.text, &other.text));
        others.iter().any(|other| other.differs)
    }
}

/// Another term that could be taken for this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confusable {
    /// The other term.
    pub term: Term,
    /// Cosine of the two terms' embeddings; none = the term has none.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// A sentence that mentions it.
    pub context: Option<TermContext>,
    /// What this person said about the pair.
    pub mine: Option<Choice>,
    /// What the reviewers settled; none while open or, in a blind review, held back.
    pub settled: Option<Choice>,
}

/// Two terms to be told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCard {
    /// The one.
    pub one: Term,
    /// A sentence that mentions it.
    pub one_context: Option<TermContext>,
    /// The other, with what is known of the two.
    pub other: Confusable,
    /// Where the pair stands.
    pub verdict: Verdict,
    /// Decisions about it, the newest first, under the same rule as a term's.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
}

/// A question under review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionCard {
    /// The question with its anchor's place.
    pub row: QuestionRow,
    /// The anchor in its document, for the highlight.
    pub anchor: Option<TermContext>,
    /// Where the question stands.
    pub verdict: Verdict,
    /// Decisions about it, the newest first, under the same rule as a term's.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
}

/// A decision as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionView {
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// Its person.
    pub by: Person,
    /// The term that it merges into, as written.
    #[serde(default)]
    pub into_text: Option<String>,
}

/// A decision to be made, about one item or a batch of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewDecision {
    /// About what; all of one kind.
    pub subjects: Vec<Subject>,
    /// What.
    pub choice: Choice,
    /// What else it changes; for a batch only the class.
    #[serde(default)]
    pub edit: Edit,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Whether it ends a conflict for everybody; needs a reason.
    #[serde(default)]
    pub adjudicates: bool,
}

/// An item about which reviewers differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictRow {
    /// The item.
    pub subject: Subject,
    /// What stands for it in a list.
    pub text: String,
    /// Language of the text.
    pub language: Language,
    /// Its class.
    pub class: String,
    /// How many said what, in the order of [`Choice::ALL`].
    pub said: Vec<(Choice, u32)>,
    /// When the first of the differing decisions was made.
    pub since: String,
}

/// Why a figure of agreement is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No item was decided by two.
    NoPairs,
    /// All decisions are the same, so that agreement by chance is certain.
    OneCategory,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The figure; none = not defined on these items.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval; none where the items are too few to say.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Why there is no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
}

/// How far reviewers agree on a set of items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementRow {
    /// The class; none = all.
    pub class: Option<String>,
    /// Items that two or more have decided.
    pub items: u64,
    /// Items that one alone has decided; they say which choices are common and nothing about agreement.
    #[serde(default)]
    pub single: u64,
    /// Reviewers who decided any of them.
    pub reviewers: u32,
    /// Share of pairs of decisions on an item that are the same.
    pub percent: Interval,
    /// Krippendorff's α, nominal.
    pub alpha: Interval,
    /// Fleiss' κ over the items that the most common number of reviewers decided.
    pub fleiss: Interval,
    /// Gwet's AC2 with identity weights (AC1): each two choices differ as much as any other two.
    pub gwet: Interval,
}

/// Cohen's κ of two reviewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairAgreement {
    /// The one's name.
    pub one: String,
    /// The other's name.
    pub other: String,
    /// Items that both decided.
    pub items: u64,
    /// Share on which they agree.
    pub percent: Interval,
    /// Cohen's κ.
    pub kappa: Interval,
}

/// Agreement of the reviewers: each person's first decision on each item counts, before any adjudication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreementView {
    /// Of which items.
    pub kind: SubjectKind,
    /// All classes together.
    pub overall: AgreementRow,
    /// Class by class.
    pub by_class: Vec<AgreementRow>,
    /// Each two reviewers.
    pub pairs: Vec<PairAgreement>,
    /// Resamples behind the intervals (by item), with their seed.
    pub resamples: u32,
    /// Seed of the resamples.
    pub seed: u64,
    /// α under which a class is named as unreliable; the workspace's setting.
    pub gate: f64,
    /// Names that look alike and count as one reviewer here, the one that counts last: nobody said that they are two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<(String, String)>,
}

/// How a workspace is reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewPlan {
    /// Share of the items that a second person looks at, 0 to 1.
    pub second_review: f64,
    /// Whether others' decisions are held back until one's own is made.
    pub blind: bool,
    /// α under which agreement is named as unreliable.
    pub gate: f64,
    /// Which terms graph and questions are made of.
    #[serde(default)]
    pub terms: ReviewPolicy,
}

impl Default for ReviewPlan {
    fn default() -> Self {
        Self { second_review: 0.0, blind: false, gate: 0.8, terms: ReviewPolicy::default() }
    }
}

/// Who reviews here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeopleView {
    /// Everybody, by name.
    pub people: Vec<Person>,
    /// Under whose name decisions are made on this machine now.
    pub me: Person,
    /// The plan.
    pub plan: ReviewPlan,
    /// Where this workspace was made from a packet: for whom, and from which workspace.
    #[serde(default)]
    pub packet: Option<PacketOrigin>,
}

/// Where a workspace that was made from a packet comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketOrigin {
    /// SHA-256 of the packet, hexadecimal.
    pub packet: String,
    /// Name of the workspace that wrote it.
    pub workspace: String,
    /// The person whom it is for.
    pub person: String,
}

/// What to put into a packet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PacketRequest {
    /// The colleague's name; made a person of the workspace where it is none.
    pub person: String,
    /// Their role.
    #[serde(default)]
    pub role: crate::review::Role,
    /// Which items; those that the person has decided already are left out.
    pub filter: QueueFilter,
    /// Most items, the first of the queue; 0 = all.
    #[serde(default)]
    pub most: u64,
    /// Who the colleague is, where their name looks like somebody else's.
    #[serde(default)]
    pub like: LookAlike,
}

/// What was written into a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketReport {
    /// SHA-256 of the packet, hexadecimal.
    pub packet: String,
    /// Items in it.
    pub items: u64,
    /// Sentences in it, which the colleague will read.
    pub sentences: u64,
    /// Whom it is for.
    pub person: String,
}

/// What came back with a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeReport {
    /// SHA-256 of the packet that the decisions claim to answer.
    pub packet: String,
    /// Who claims to have decided.
    pub person: String,
    /// Decisions that are new here.
    pub merged: u64,
    /// Decisions that were here already.
    pub known: u64,
    /// Decisions about items that are no longer in the workspace; kept out, by what stands for them.
    pub without_item: Vec<String>,
    /// Items on which reviewers differ now and did not before.
    pub conflicts: u64,
    /// New decisions that claim a time that has not come, or one before the packet was written; left out. The colleague's
    /// clock is wrong, or this machine's.
    #[serde(default)]
    pub untimely: LeftOut,
    /// New decisions about what the packet did not hold; left out.
    #[serde(default)]
    pub foreign: LeftOut,
}

/// Decisions that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many.
    pub decisions: u64,
    /// About what, each item once, by what stands for it.
    pub items: Vec<String>,
}

/// Who somebody is whose name looks like that of a person who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookAlike {
    /// Nobody said so; it is asked.
    #[default]
    Ask,
    /// The person who is there.
    Same,
    /// Another person.
    Another,
}

/// How an answer is taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeRequest {
    /// Who the colleague is, where their name looks like somebody else's.
    #[serde(default)]
    pub like: LookAlike,
    /// The packet's file, which shows what it held; needed where a version before 60 of the workspace wrote it.
    #[serde(default)]
    pub packet: Option<std::path::PathBuf>,
}

/// What an import of a glossary did.
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
    /// What a person should know of how the file was read, for example its encoding.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// SHA-256 of the file, hexadecimal, as it stands in the audit chain.
    #[serde(default)]
    pub sha256: String,
}

/// An entry of a glossary that could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedEntry {
    /// The line or entry, from 1.
    pub entry: u64,
    /// What it holds, shortened.
    pub text: String,
    /// Why it was not taken.
    pub reason: String,
}

/// What an export of a glossary wrote.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

    /// The tag that is printed and given on the command line.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tbx => "tbx",
            Self::Skos => "skos",
            Self::Json => "json",
        }
    }

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
