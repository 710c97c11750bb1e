//! Drift: samples of the texts that are read and asked, and the changes that were found between them.

use crate::id::{AnswerId, DocumentId, SentenceId};
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(DriftSeries, DriftAdvice, DriftState);

/// A series of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DriftSeries {
    /// Sentences of documents, a document at a time.
    Sentences,
    /// Questions that were asked.
    Questions,
}

/// Texts that enter a sample together: the sentences of one document, or one question. They arrived at the same time,
/// so the permutation test moves them between the two samples as one unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftUnit {
    /// `document 3`, `answer 7`.
    pub key: String,
    /// The series that it belongs to.
    pub series: DriftSeries,
    /// The document's class or type; empty of a question.
    pub stratum: String,
    /// When it came, RFC 3339, UTC.
    pub at: String,
    /// Texts.
    pub n: u32,
    /// Sum of their unit vectors.
    pub sum: Vec<f32>,
}

/// The fixed panel under the active encoder: the same texts, whose vectors must never change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelReading {
    /// The texts, word for word.
    pub texts: Vec<String>,
    /// SHA-256 of their vectors, hexadecimal.
    pub vectors: String,
}

/// How near sentences of one document are that share a term, and those that share none; sums, so that documents add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentTerms {
    /// `document 3`.
    pub key: String,
    /// When the document came, RFC 3339, UTC.
    pub at: String,
    /// Sum of the cosines of pairs that share a term.
    pub shared: f64,
    /// The number of these pairs.
    pub shared_pairs: u32,
    /// Sum of the cosines of pairs that share none.
    pub other: f64,
    /// The number of these pairs.
    pub other_pairs: u32,
}

/// A sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftSample {
    /// When, RFC 3339, UTC.
    pub made: String,
    /// The encoder that made the vectors.
    pub encoder: String,
    /// The panel, where the encoder could be started.
    pub panel: Option<PanelReading>,
    /// The units that are new since the sample before.
    pub units: Vec<DriftUnit>,
    /// Terms of documents in which terms were found since.
    #[serde(default)]
    pub terms: Vec<DocumentTerms>,
    /// The findings for this sample; `None` in samples of earlier versions.
    pub found: Option<Box<DriftReport>>,
}

/// When an alarm is raised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum DriftRule {
    /// The threshold is set so that false alarms come only once in this many days on average.
    RunLength {
        /// Days between false alarms.
        days: f64,
    },
    /// The rule of the engineering article that docs/methods.md describes ("Terminology in practice"). It raises an
    /// alarm if the mean pairwise cosine rises by more than .05 within 30 days. The product also shows how often this
    /// rule is wrong.
    Article,
}

impl DriftRule {
    /// The number of false alarms in a year that [`DriftRule::Article`] raised on texts that did not change. It was
    /// measured by a test on a few short texts, with one check each day (docs/benchmarks/evaluation.md, "Drift").
    pub const ARTICLE_FALSE_ALARMS: u32 = 106;
    /// Likewise of [`DriftRule::RunLength`] with 365 days, over 1,000 simulated years.
    pub const YEARLY_FALSE_ALARMS: f64 = 1.016;
}

impl Default for DriftRule {
    fn default() -> Self {
        Self::RunLength { days: 365.0 }
    }
}

/// The result for one series and one type of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DriftState {
    /// No drift can be found.
    Quiet,
    /// It moved.
    Alarm,
    /// There are too few texts to judge.
    TooFew,
}

/// Texts of a time, and how alike they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriftSide {
    /// Documents, or questions.
    pub units: u32,
    /// Texts.
    pub texts: u32,
    /// Mean cosine over pairs of different texts.
    pub mean_pairwise_cosine: f64,
}

/// A sentence or question that moved the figure, with how far it lies in the direction of the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftMover {
    /// `document 3`, `answer 7`.
    pub key: String,
    /// The file's name; empty of questions, and in reports of earlier versions.
    #[serde(default)]
    pub file: String,
    /// The text.
    pub text: String,
    /// Cosine with the direction from the earlier texts to the recent ones.
    pub moved: f64,
    /// The place where it can be read.
    pub place: Option<MoverPlace>,
}

/// Where a text that moved the figure can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "in", rename_all = "snake_case")]
pub enum MoverPlace {
    /// A sentence on its page.
    Page {
        /// The document.
        document: DocumentId,
        /// The page, from 1.
        page: u32,
        /// The sentence.
        sentence: SentenceId,
    },
    /// A question that was asked, with its answer.
    Answer {
        /// The answer.
        answer: AnswerId,
    },
}

/// A series of one type of document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftTest {
    /// The series.
    pub series: DriftSeries,
    /// The type of document; empty if the series is about questions.
    pub stratum: String,
    /// What it says.
    pub state: DriftState,
    /// The last days.
    pub recent: DriftSide,
    /// All that came before.
    pub earlier: DriftSide,
    /// Recent − earlier mean pairwise cosine.
    pub change: f64,
    /// Permutation over the pooled samples, two-sided; `None` where there is too little.
    pub p_value: Option<f64>,
    /// The p-value below which an alarm is raised; `None` under the article's rule.
    pub threshold: Option<f64>,
    /// How often this would be an alarm in a year if nothing moved.
    pub false_alarms_a_year: f64,
    /// The texts that moved it most; only for an alarm.
    pub movers: Vec<DriftMover>,
}

/// The result for the fixed panel of texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "panel", rename_all = "snake_case")]
pub enum PanelState {
    /// The vectors are what they were, to the last bit.
    Constant {
        /// Readings under this encoder.
        readings: u32,
    },
    /// The same encoder gives other vectors for the fixed texts than before. So the fault is in the model files, the
    /// program or the machine, and not in the documents.
    Fault {
        /// When they were as before for the last time.
        last_good: String,
        /// When they differed for the first time.
        first_bad: String,
    },
    /// It was not read yet.
    NotRead,
}

/// Figures that are watched in addition to the vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriftAround {
    /// Questions that were asked in the last days.
    pub questions: u32,
    /// Share of these that the documents did not answer.
    pub refused: Option<f64>,
    /// Share of all questions before that the documents did not answer.
    pub refused_before: Option<f64>,
    /// Terms that nobody reviewed.
    pub unreviewed_terms: u64,
    /// Days since the graph was built; `None` without one.
    pub graph_age_days: Option<f64>,
    /// How much nearer sentences of a recent document are that share a term than those that share none.
    pub term_gap: Option<f64>,
    /// The same gap in all documents before.
    pub term_gap_before: Option<f64>,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DriftAdvice {
    /// The fixed panel changed: look at model files, program and machine before anything else.
    CheckModel,
    /// Something moved: read what moved it, then build and measure again, or take the documents out.
    ReadWhatMoved,
    /// The graph is older than a quarter.
    BuildGraph,
}

impl DriftAdvice {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CheckModel, Self::ReadWhatMoved, Self::BuildGraph];
}

/// What moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftReport {
    /// When, RFC 3339, UTC.
    pub made: String,
    /// The encoder that makes the vectors.
    pub encoder: String,
    /// When an alarm is raised.
    pub rule: DriftRule,
    /// Days that count as recent.
    pub window_days: f64,
    /// Whether there is an alarm or a fault.
    pub alarm: bool,
    /// The fixed panel.
    pub panel: PanelState,
    /// Series by type of document.
    pub tests: Vec<DriftTest>,
    /// Beside the vectors.
    pub around: DriftAround,
    /// The advice, if there is any.
    pub advice: Vec<DriftAdvice>,
}

/// A series of one type of document at the time of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftPoint {
    /// When the sample was taken, RFC 3339, UTC.
    pub at: String,
    /// Mean cosine over pairs of the texts that were recent then; `None` of fewer than two.
    pub recent: Option<f64>,
    /// Mean cosine over pairs of the texts before; `None` of fewer than two.
    pub earlier: Option<f64>,
    /// An alarm was raised then.
    pub alarm: bool,
}

/// A series of one type of document over the samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DriftHistory {
    /// The series.
    pub series: DriftSeries,
    /// The type of document; empty if the series is about questions.
    pub stratum: String,
    /// Its points, oldest first.
    pub points: Vec<DriftPoint>,
}

/// A reading of the fixed panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PanelMark {
    /// When, RFC 3339, UTC.
    pub at: String,
    /// The vectors were those of the first reading.
    pub same: bool,
}

/// The view of drift for the window. Nothing is measured for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriftView {
    /// The findings for the newest sample; `None` if no sample was taken.
    pub report: Option<DriftReport>,
    /// Beside the vectors, as it is now.
    pub around: DriftAround,
    /// The encoder that the samples were taken with is no longer the active one.
    pub encoder_changed: bool,
    /// Samples under this encoder.
    pub samples: u32,
    /// Readings of the fixed panel, the newest last. If there are very many, only the newest.
    pub panel: Vec<PanelMark>,
    /// The series over the samples; of very many the newest.
    pub history: Vec<DriftHistory>,
}
