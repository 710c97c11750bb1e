//! What the window and the command line ask, and what they get. One file because it is one contract, read from top to
//! bottom by whoever writes a face.

mod audit;
mod backup;
mod export;
mod graph;
mod neighbourhood;
mod review;
mod training;
mod writing;

pub use audit::{AuditBreak, AuditReport, AuditRow, BreakKind, KnownHead, SignatureFound, SignedHead};
pub use backup::{BackupReport, ModelFiles, RestoreReport};
pub use export::{ExportRequest, ExportRow, ExportedQuestion};
pub use graph::{
    BuildKind, DegreeDistribution, ExportedEdge, ExportedNode, GraphBuildRow, GraphCalibration, GraphCensus,
    GraphReport, GraphShown, GraphState, Growth, Histogram, HubEntity, IsolatedSentence, PartCalibration,
    ShownNeighbour, StaleReason,
};
pub use neighbourhood::{
    EDGE_ORDER, EdgeDetail, EdgeEnd, EdgeReason, GraphLink, GraphNode, GroupKey, MOST_NODES, Neighbourhood,
    NeighbourhoodRequest, NodeContent, NodeRef, Passage,
};
pub use review::{
    ActView, AgreementRow, AgreementView, ComingItem, ConflictRow, Confusable, DecisionView, GlossaryExport,
    GlossaryFormat, GlossaryReport, Interval, LeftOut, LookAlike, MergeReport, MergeRequest, NewDecision, PacketOrigin,
    PacketReport, PacketRequest, PairAgreement, PairCard, PeopleView, QuestionCard, QueueFilter, QueueItem,
    QueueStanding, QueueView, RejectedEntry, ReviewPlan, TermCard, TermDefinition, Undefined,
};
pub use training::{
    BaseRow, Preset, RunControl, RunDetail, RunPlan, RunRow, RunState, StagePlan, TrainRequest, TrainedModel,
};
pub use writing::{
    DEFAULT_REASKS, DEFAULT_THRESHOLD, DatasetExport, DatasetExportRequest, DatasetFormat, ESTIMATE_SAMPLE,
    JudgeReport, Placeholder, PromptFile, PromptKind, PromptTrial, PromptVersion, RejectedDraft, RejectedDraftRow,
    RejectedFilter, TrialParsed, TrialPlan, TrialSubject, TurnedDown, WritingEstimate,
};

use crate::dataset::{Dataset, ReviewPolicy};
use crate::document::{DocumentWarning, EngineCounts, Section, Sentence};
use crate::failure::Failure;
use crate::graph::{EdgeCounts, GraphStats};
use crate::id::{DocumentId, QcaId, RunId, SentenceId, TermId};
use crate::metrics::Evaluation;
use crate::protocol::JobEvent;
use crate::qca::{QcaLevel, QuestionType, Split};
use crate::term::{FoundBy, ReviewStatus, Term};
use crate::text::{Language, Region, SentenceKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Its path as it was reached.
    pub file: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a file in an imported folder was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Its extension names no format that can be imported.
    UnknownFormat,
    /// Its name begins with a dot, or it is what an editor keeps while a file is open (`~$name.docx`).
    Hidden,
    /// The same file was reached by another path.
    SamePath,
    /// Neither file nor folder: a device, a pipe, a socket.
    NotAFile,
    /// It cannot be looked at.
    Unreadable,
    /// Folders are nested deeper than an import goes.
    TooDeep,
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
    /// What a person should know.
    pub warnings: Vec<DocumentWarning>,
    /// What it says of itself.
    #[serde(default)]
    pub metadata: crate::document::DocumentMetadata,
    /// The document whose new version it is.
    #[serde(default)]
    pub predecessor: Option<DocumentId>,
    /// The document that is a new version of it, where an older version came later.
    #[serde(default)]
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

/// A document in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// Its id.
    pub id: DocumentId,
    /// File name.
    pub file: String,
    /// Title.
    pub title: String,
    /// `pdf`, `text`, `jsonl`, `markdown`, `html` or `docx`.
    pub format: crate::document::DocumentFormat,
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
    /// What a person should know.
    pub warnings: Vec<DocumentWarning>,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// When it was imported, RFC 3339, UTC.
    pub imported: String,
    /// What it says of itself.
    #[serde(default)]
    pub metadata: crate::document::DocumentMetadata,
    /// The document whose new version it is.
    #[serde(default)]
    pub predecessor: Option<DocumentId>,
}

/// A sentence of which the newer version of a document says something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedSentence {
    /// The sentence in the older version.
    pub before: Sentence,
    /// The sentence in the newer version.
    pub after: Sentence,
}

/// What changed from one version of a document to another. Sentences that only moved count as unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentDiff {
    /// The older version.
    pub from: DocumentId,
    /// The newer version.
    pub to: DocumentId,
    /// Only in the newer version, in its reading order.
    pub added: Vec<Sentence>,
    /// Only in the older version, in its reading order.
    pub removed: Vec<Sentence>,
    /// In both, with other words, in the newer one's reading order.
    pub changed: Vec<ChangedSentence>,
    /// How many sentences are the same.
    pub unchanged: u64,
}

/// A page for the viewer; its image comes over the `page` scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageView {
    /// The document.
    pub document: DocumentId,
    /// Number, from 1.
    pub number: u32,
    /// Width as displayed, in points (0: no image).
    pub width: f32,
    /// Height as displayed, in points (0: no image).
    pub height: f32,
    /// The engine whose reading was kept.
    pub engine: crate::document::ReadEngine,
    /// Agreement of the two readers.
    pub agreement: Option<f64>,
    /// No text layer.
    pub scanned: bool,
    /// The page's text in reading order.
    pub text: String,
    /// For a page without an image: where its text begins in the document's (pages joined by a form feed), in scalar
    /// values.
    #[serde(default)]
    pub offset: usize,
    /// Sentences that begin on this page, in order.
    pub sentences: Vec<SentenceView>,
    /// Where the two readers differ.
    #[serde(default)]
    pub differences: Vec<crate::document::ReaderDifference>,
}

/// A sentence with the terms in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceView {
    /// The sentence.
    #[serde(flatten)]
    pub sentence: Sentence,
    /// Terms mentioned: (term, first scalar value, one past the last).
    pub terms: Vec<(TermId, u32, u32)>,
    /// References to other clauses, in order.
    #[serde(default)]
    pub references: Vec<ReferenceView>,
}

/// A reference in a sentence, in Unicode scalar values of the sentence's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceView {
    /// First scalar value.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// The words themselves.
    pub text: String,
    /// The instrument that it names, as written; none where it is its own document.
    #[serde(default)]
    pub instrument: Option<String>,
    /// The clause in this workspace; none where the workspace does not hold it.
    pub target: Option<ReferenceTarget>,
}

/// A clause that is referred to, by its first sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReferenceTarget {
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Page on which the clause begins, from 1.
    pub page: u32,
    /// Path of its section, or empty.
    pub section: String,
    /// Its first sentence.
    pub sentence: SentenceId,
}

/// Part of a long list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rows<T> {
    /// The rows asked for.
    pub rows: Vec<T>,
    /// How many match the filter in all.
    pub total: u64,
}

/// Which terms to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TermFilter {
    /// Text that the term or its definition contains.
    #[serde(default)]
    pub query: Option<String>,
    /// How it was found.
    #[serde(default)]
    pub found: Option<FoundBy>,
    /// Class of the schema; empty = those without one.
    #[serde(default)]
    pub class: Option<String>,
    /// Status.
    #[serde(default)]
    pub status: Option<ReviewStatus>,
    /// Language.
    #[serde(default)]
    pub language: Option<Language>,
    /// First row.
    #[serde(default)]
    pub offset: u64,
    /// Most rows; 0 = all.
    #[serde(default)]
    pub limit: u64,
}

/// A term with its nearest others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermDetail {
    /// The term.
    pub term: Term,
    /// Sentences that mention it (the first 50), with the range.
    pub contexts: Vec<TermContext>,
    /// Similar terms by embedding, nearest first.
    pub confusable: Vec<(Term, f32)>,
}

/// A mention in its sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermContext {
    /// The sentence.
    pub sentence: Sentence,
    /// Title of its document.
    pub document_title: String,
    /// First scalar value of the mention.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// Which questions to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionFilter {
    /// Text that question or choices contain.
    #[serde(default)]
    pub query: Option<String>,
    /// Level.
    #[serde(default)]
    pub level: Option<QcaLevel>,
    /// Type.
    #[serde(default)]
    pub question_type: Option<QuestionType>,
    /// Part of the dataset.
    #[serde(default)]
    pub split: Option<Split>,
    /// First row.
    #[serde(default)]
    pub offset: u64,
    /// Most rows; 0 = all.
    #[serde(default)]
    pub limit: u64,
}

/// A question in the list, with its anchor's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionRow {
    /// The question.
    #[serde(flatten)]
    pub question: crate::qca::Qca,
    /// The anchor's text.
    pub anchor_text: String,
    /// The anchor's document.
    pub document: DocumentId,
    /// Title of that document.
    pub document_title: String,
    /// Page of the anchor.
    pub page: u32,
    /// Section path of the anchor.
    pub section: String,
}

/// What `terms extract` did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsReport {
    /// Terms in the workspace now.
    pub terms: u64,
    /// Of these, defined by a document.
    pub defined: u64,
    /// Mentions.
    pub mentions: u64,
    /// Policy under which unreviewed terms are used.
    pub policy: ReviewPolicy,
    /// Who found them, in words.
    #[serde(default)]
    pub source: String,
    /// Definitions, one a term and sentence.
    #[serde(default)]
    pub definitions: u64,
    /// What was proposed and not taken, by reason.
    #[serde(default)]
    pub rejected: BTreeMap<String, u64>,
    /// Sentences that speak to a language model instead of a reader; a reviewer is warned of them.
    #[serde(default)]
    pub flagged: u64,
    /// Sentences of which a language model was not asked, or gave no answer that can be read.
    #[serde(default)]
    pub without_answer: u64,
    /// What was counted about asking the endpoint that proposed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<crate::endpoint::AskCounts>,
    /// The pairs that could be taken for each other; none where they were not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confusables: Option<ConfusablesReport>,
}

/// Two terms that could be taken for each other, with an example of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfusableRow {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Cosine of their vectors; none = at least one has none.
    pub cosine: Option<f32>,
    /// Similarity of their spelling, 0 to 1.
    pub spelling: f32,
    /// By what they are ranked, 0 to 1.
    pub score: f32,
    /// A sentence that mentions the one.
    pub one_example: Option<String>,
    /// A sentence that mentions the other.
    pub other_example: Option<String>,
}

/// What looking for confusable terms did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfusablesReport {
    /// Terms that were compared.
    pub terms: u64,
    /// Pairs that are kept.
    pub pairs: u64,
    /// Terms that were compared by spelling alone.
    pub without_vectors: u64,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Failure>,
}

/// What `augment` did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AugmentReport {
    /// Questions accepted, by level and then split.
    pub questions: BTreeMap<String, BTreeMap<String, u64>>,
    /// Drafts rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Anchors for which no question could be drafted, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Who wrote them, in words: `offline generator (patterns and minimal edits; no language model)`.
    pub source: String,
    /// What was counted about asking the endpoint that wrote them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<crate::endpoint::AskCounts>,
    /// Answers that were asked for anew with the reason why the one before could not be used.
    #[serde(default)]
    pub reasked: u64,
    /// Of these, those that gave a question which passed the checks.
    #[serde(default)]
    pub recovered: u64,
    /// What a judge made of the questions; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgeReport>,
    /// Questions that stand first in the review: a sample by level and type.
    #[serde(default)]
    pub sample: Vec<QcaId>,
}

/// An evaluation as recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluationView {
    /// The run.
    pub run: RunId,
    /// When, RFC 3339, UTC.
    pub created: String,
    /// Path of the HTML report.
    pub report: String,
    /// The figures.
    pub evaluation: Evaluation,
    /// Everything by hash.
    pub hashes: Hashes,
    /// The snapshot.
    pub dataset: Dataset,
}

/// The chain of hashes from document to adapter, hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// File name → SHA-256 of each document.
    pub documents: BTreeMap<String, String>,
    /// Corpus.
    pub corpus: String,
    /// Dataset snapshot.
    pub dataset: String,
    /// Base model (configuration and index).
    pub base: String,
    /// Adapter weights.
    pub adapter: String,
    /// Head of the audit chain when the report was written.
    pub audit_head: String,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// Words: BM25.
    #[default]
    Lexical,
    /// Vectors.
    Dense,
    /// Both, by reciprocal rank.
    Hybrid,
}

/// A passage found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    /// Rank, from 1.
    pub rank: usize,
    /// The sentence.
    pub id: SentenceId,
    /// Id that the corpus file gave it.
    pub external_id: Option<String>,
    /// Score under the mode.
    pub score: f64,
    /// The text.
    pub text: String,
    /// The document.
    pub document: DocumentId,
    /// Page, from 1.
    pub page: u32,
    /// Section path.
    pub section: String,
    /// Kind.
    pub kind: SentenceKind,
    /// Where it stands.
    pub boxes: Vec<Region>,
    /// Where the words of the query stand in the text: (first scalar value, one past the last), in order.
    #[serde(default)]
    pub marks: Vec<(u32, u32)>,
}

/// A line of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub check: String,
    /// It is as it should be.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// The command or step that mends it; empty where all is well.
    pub remedy: String,
}

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
}

/// Steps of the main job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading files.
    Import,
    /// Finding terms.
    Terms,
    /// Embedding terms and sentences.
    Embed,
    /// Building the graph.
    Graph,
    /// Writing questions.
    Questions,
    /// Freezing the snapshot.
    Freeze,
    /// Training.
    Train,
    /// Evaluating.
    Evaluate,
    /// Writing the report.
    Report,
    /// Making an export.
    Export,
}

impl Stage {
    /// The tag that is printed.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Terms => "terms",
            Self::Embed => "embed",
            Self::Graph => "graph",
            Self::Questions => "questions",
            Self::Freeze => "freeze",
            Self::Train => "train",
            Self::Evaluate => "evaluate",
            Self::Report => "report",
            Self::Export => "export",
        }
    }
}

/// Progress of a use case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The step.
    pub stage: Stage,
    /// The file or part that it is at.
    pub item: String,
    /// Units done.
    pub done: u64,
    /// Of how many; 0 = not known.
    pub of: u64,
}

/// A job that this process does in the background (training runs are in [`RunRow`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number within this process, from 1.
    pub id: u64,
    /// `import`, `prepare` (terms to snapshot), `evaluate`.
    pub kind: String,
    /// What it is about: file names, or a run's number.
    pub title: String,
    /// Latest progress.
    pub progress: Option<Progress>,
    /// For an import: the files that were begun, in that order, and how many of their pages are read.
    #[serde(default)]
    pub files: Vec<Progress>,
    /// It has ended.
    pub done: bool,
    /// It was cancelled or failed as a whole.
    pub failure: Option<Failure>,
    /// For an import: what was done.
    pub import: Option<ImportReport>,
    /// For questions by an endpoint: how the asking is going.
    #[serde(default)]
    pub asking: Option<crate::endpoint::AskProgress>,
}

/// What the shell tells the window, under the event name `lexforge`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Notice {
    /// A background job began, went on or ended.
    Task {
        /// The job.
        task: Task,
    },
    /// A run's state changed.
    Run {
        /// The run.
        run: RunRow,
    },
    /// A run's worker said something.
    RunEvent {
        /// The run.
        id: RunId,
        /// What it said.
        event: JobEvent,
    },
    /// Rows of the workspace changed; the window reloads what it shows.
    Changed,
}

/// How the process of the window's page ended, so that the page had to be loaded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageEnd {
    /// It broke off: by a fault of its own, or because something else ended it.
    Crashed,
    /// It took more memory than it may.
    OutOfMemory,
}

/// Sections and page count of a document, for the viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentOutline {
    /// The document.
    pub document: DocumentRow,
    /// Its sections in reading order.
    pub sections: Vec<Section>,
    /// Its pages in order, without their text.
    #[serde(default)]
    pub pages: Vec<PageMark>,
}

/// How a page was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageMark {
    /// Number, from 1.
    pub number: u32,
    /// The engine whose reading was kept.
    pub engine: crate::document::ReadEngine,
    /// Agreement of the two readers.
    pub agreement: Option<f64>,
    /// No text layer.
    pub scanned: bool,
    /// A person should compare its text with the page: it carries a warning, or its text is not the main reader's.
    pub look: bool,
}

/// How much changed from one version of a document to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffCounts {
    /// Sentences only in the newer version.
    pub added: u64,
    /// Sentences only in the older version.
    pub removed: u64,
    /// Sentences in both, with other words.
    pub changed: u64,
    /// Sentences that are the same.
    pub unchanged: u64,
}

impl From<&DocumentDiff> for DiffCounts {
    fn from(diff: &DocumentDiff) -> Self {
        Self {
            added: diff.added.len() as u64,
            removed: diff.removed.len() as u64,
            changed: diff.changed.len() as u64,
            unchanged: diff.unchanged,
        }
    }
}

/// What `lexforge run` did, from the first page to the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainJobReport {
    /// Import.
    pub import: ImportReport,
    /// Pages in the workspace.
    pub pages: u64,
    /// Sentences in the workspace.
    pub sentences: u64,
    /// Terms.
    pub terms: TermsReport,
    /// Edges by kind.
    pub edges: EdgeCounts,
    /// Graph.
    pub graph: GraphStats,
    /// Questions.
    pub questions: AugmentReport,
    /// Snapshot.
    pub dataset: Option<Dataset>,
    /// The run, where a model could be trained.
    pub run: Option<RunRow>,
    /// Figures, where a model could be trained.
    pub evaluation: Option<EvaluationView>,
    /// The decoder that was taken through the three stages.
    #[serde(default)]
    pub decoder: Option<TrainedModel>,
    /// Why a step was left out, in words with the remedy.
    pub skipped: Vec<Failure>,
    /// The report.
    pub report: Option<String>,
    /// Head of the audit chain.
    pub audit_head: String,
    /// Question ids that a person may want to look at first.
    pub sample: Vec<QcaId>,
}
