//! The review: the queue, its cards, decisions, conflicts.

use super::{DocumentRow, QuestionRow, TermContext, TripletRow};
use crate::document::Sentence;
use crate::id::{ActId, DocumentId, SentenceId, SimilarityId};
use crate::review::{Choice, Decision, Edit, Person, Subject, SubjectKind, Verdict};
use crate::term::{FoundBy, Term};
use crate::text::{Language, Region};
use serde::{Deserialize, Serialize};

/// The items that a queue contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueFilter {
    /// The kind of item.
    pub kind: SubjectKind,
    /// Class of the schema; empty = those without one.
    pub class: Option<String>,
    /// How a term was found.
    pub found: Option<FoundBy>,
    /// A document that mentions it.
    pub document: Option<DocumentId>,
    /// Language.
    pub language: Option<Language>,
    /// Only items that are assigned to this person as first or second reviewer.
    #[serde(default)]
    pub mine: bool,
}

impl QueueFilter {
    /// Everything of a kind.
    pub fn of(kind: SubjectKind) -> Self {
        Self {
            kind,
            class: None,
            found: None,
            document: None,
            language: None,
            mine: false,
        }
    }
}

/// The item to decide now, and what surrounds it. Ready to be shown without another question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueView {
    /// The item; `None` = all that the filter holds is reviewed by this person.
    pub item: Option<QueueItem>,
    /// Its place among all items that match the filter, from 1.
    pub place: u64,
    /// How this person's share stands.
    pub standing: QueueStanding,
    /// The next items, at most eight.
    pub coming: Vec<ComingItem>,
    /// The last act of this person, which could be undone.
    pub last: Option<ActView>,
    /// Conflicts of this kind that wait for an adjudication.
    pub conflicts: u64,
    /// The check by sample of triplets that fill thin shifts, where there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleStanding>,
}

/// How far reviewers are with a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleStanding {
    /// Items that were drawn.
    pub drawn: u64,
    /// Of these, accepted or rejected.
    pub decided: u64,
    /// Of these, accepted.
    pub accepted: u64,
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
    /// The number of items that this person has not decided, including skipped ones.
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
    /// The text that represents it in a list: the term, the question, the sentences.
    pub text: String,
    /// Language of the text.
    pub language: Language,
    /// Mentions of a term; 0 for others.
    pub mentions: u32,
}

/// An act: what one person did at one time.
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
    /// The text that represents the first of them: the term, the question.
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
    /// A triplet.
    Triplet(Box<TripletCard>),
    /// Two sentences that get a score.
    Similarity(Box<SimilarityCard>),
}

impl QueueItem {
    /// The item that it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Term(card) => Subject::term(card.term.id),
            Self::Pair(card) => Subject::pair(card.one.id, card.other.term.id),
            Self::Question(card) => Subject::question(card.row.question.id),
            Self::Triplet(card) => Subject::triplet(card.row.id),
            Self::Similarity(card) => Subject::similarity(card.id),
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
    /// Other terms that were merged into it, and imported or defined other names.
    pub synonyms: Vec<String>,
    /// Mentions in their sentences, in reading order: the first 50.
    pub contexts: Vec<TermContext>,
    /// Documents that mention it.
    pub documents: u32,
    /// Its definitions, one for each act.
    pub definitions: Vec<TermDefinition>,
    /// Whether the acts define it differently.
    pub definitions_differ: bool,
    /// The terms it could be confused with, the nearest first.
    pub confusables: Vec<Confusable>,
    /// The result of the decisions about the term.
    pub verdict: Verdict,
    /// Decisions about it, the newest first. In a blind review other people's are left out until one's own is made.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
    /// Warnings for the reviewer, for example that the sentence addresses a language model.
    pub flags: Vec<String>,
}

/// The definition of a term in an act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermDefinition {
    /// The definition's own words.
    pub text: String,
    /// The sentence with the definition.
    pub sentence: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// Title of the document.
    pub document_title: String,
    /// Section path.
    pub section: String,
    /// Page, from 1.
    pub page: u32,
    /// The rectangles of its place on the page.
    pub boxes: Vec<Region>,
    /// Language of the act.
    pub language: Language,
    /// Whether it says something else than the first one.
    pub differs: bool,
}

impl TermDefinition {
    /// A definition in these words, which stands in a sentence of a document. It differs from no other yet.
    pub fn of(text: String, sentence: Sentence, document: DocumentRow) -> Self {
        Self {
            text,
            sentence: sentence.id,
            document: document.id,
            document_title: document.title,
            section: sentence.section,
            page: sentence.page,
            boxes: sentence.boxes,
            language: document.language,
            differs: false,
        }
    }
}

/// Another term that could be confused with this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confusable {
    /// The other term.
    pub term: Term,
    /// Cosine of the two terms' embeddings; `None` = the term has none.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// A sentence that mentions it.
    pub context: Option<TermContext>,
    /// This person's choice on the pair.
    pub mine: Option<Choice>,
    /// The reviewers' common choice; `None` while there is none, or while a blind review hides it.
    pub settled: Option<Choice>,
}

/// Two terms to be told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCard {
    /// The one.
    pub one: Term,
    /// A sentence that mentions it.
    pub one_context: Option<TermContext>,
    /// The other term, and what is known about the two.
    pub other: Confusable,
    /// The result of the decisions about the pair.
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
    /// The result of the decisions about the question.
    pub verdict: Verdict,
    /// Decisions about it, the newest first, under the same rule as a term's.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
}

/// A triplet under review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TripletCard {
    /// The triplet with the place of its sentence.
    pub row: TripletRow,
    /// The place of its sentence in the document, for the highlight; `None` if it was imported from a file.
    pub anchor: Option<TermContext>,
    /// The result of the decisions about the triplet.
    pub verdict: Verdict,
    /// Decisions about it, the newest first, under the same rule as a term's.
    pub history: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
}

/// Two sentences to be scored. What the encoder thinks of them is not told: it would lead the expert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimilarityCard {
    /// Its id.
    pub id: SimilarityId,
    /// Language of both.
    pub language: Language,
    /// The one.
    pub one: String,
    /// The one in its document, while it is there.
    pub one_context: Option<TermContext>,
    /// The other.
    pub other: String,
    /// The other in its document, while it is there.
    pub other_context: Option<TermContext>,
    /// The result of the decisions about the pair.
    pub verdict: Verdict,
    /// Scores, the newest first, under the same rule as decisions about a term.
    pub history: Vec<DecisionView>,
    /// Whether scores of others are held back.
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
    pub into_text: Option<String>,
}

/// A decision to be made, about one item or a batch of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewDecision {
    /// About what; all of one kind.
    pub subjects: Vec<Subject>,
    /// What.
    pub choice: Choice,
    /// Further changes; for a batch only of the class.
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
    /// The text that represents it in a list.
    pub text: String,
    /// Language of the text.
    pub language: Language,
    /// Its class.
    pub class: String,
    /// How many said what, in the order of [`Choice::all`].
    pub said: Vec<(Choice, u32)>,
    /// When the first of the differing decisions was made.
    pub since: String,
}
