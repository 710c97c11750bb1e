//! Pairs of sentences of the corpus whose likeness in meaning experts score.

use crate::id::{DocumentId, SentenceId, SimilarityId};
use crate::tags::tagged;
use crate::term::ReviewStatus;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::IntoStaticStr;

tagged!(ScoreRefused);

/// Where a sentence of a pair stood when it was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimilarityPlace {
    /// The sentence.
    pub sentence: SentenceId,
    /// Its document.
    pub document: DocumentId,
    /// That document's title.
    pub title: String,
    /// Section path, or empty.
    pub section: String,
    /// Page, from 1.
    pub page: u32,
}

/// Two sentences as they were shown for a score. The texts are stored here, so that a score keeps the text that the
/// person read, whatever happens to the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimilarityPair {
    /// Language of both.
    pub language: Language,
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// The place of the first sentence.
    pub one_place: SimilarityPlace,
    /// The place of the second sentence.
    pub other_place: SimilarityPlace,
    /// Cosine of the two by the encoder of the draw.
    pub cosine: f64,
    /// The stratum that it was drawn from, from 0.
    pub stratum: u8,
}

impl SimilarityPair {
    /// Whether both stand in one document.
    pub fn is_within(&self) -> bool {
        self.one_place.document == self.other_place.document
    }
}

/// A range of cosines that pairs were drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnStratum {
    /// From this cosine on.
    pub from: f64,
    /// Below this one; the last stratum holds it, too.
    pub to: f64,
    /// Pairs of the corpus in it.
    pub pairs: u64,
    /// Pairs that were asked for from this range.
    pub wanted: u64,
    /// Pairs that were drawn.
    pub drawn: u64,
}

/// The pairs to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimilarityRequest {
    /// How many.
    pub pairs: usize,
    /// Seed; `None` = the usual one.
    pub seed: Option<u64>,
    /// The encoder whose cosines make the strata; `None` = the usual one.
    pub encoder: Option<String>,
    /// Language of the sentences; `None` = the one that most of them are in.
    pub language: Option<Language>,
}

impl SimilarityRequest {
    /// How many pairs are drawn, unless a request says otherwise.
    pub const PAIRS: usize = 120;
}

/// The table of scored pairs that was written, with its card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimilarityWritten {
    /// Pairs in the table.
    pub pairs: u64,
    /// Pairs that were left out because their scores are too far apart.
    pub disputed: u64,
    /// Pairs that were left out because nobody has scored them.
    pub unscored: u64,
    /// The table.
    pub file: String,
    /// The card beside it.
    pub card: String,
}

/// Why a row of a table of scores gives none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ScoreRefused {
    /// Its two sentences are no pair of the workspace.
    NoPair,
    /// It is no number from 0 to 5 in half steps.
    NoScore,
    /// Its pair has a score further up.
    Twice,
}

impl ScoreRefused {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::NoPair, Self::NoScore, Self::Twice];
}

/// What reading a table of scores in came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoresRead {
    /// Rows of the table.
    pub rows: u64,
    /// Scores that were given to pairs without one of the person.
    pub scored: u64,
    /// Scores that replace another one of the person.
    #[serde(default)]
    pub changed: u64,
    /// Rows with the score that the person gave before.
    pub unchanged: u64,
    /// Rows without a score.
    pub blank: u64,
    /// The rows that give no score, by their number in the table, and why.
    pub refused: Vec<(u64, ScoreRefused)>,
}

/// How pairs were drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimilarityDraw {
    /// The encoder whose cosines make the strata.
    pub encoder: String,
    /// SHA-256 of its weights.
    pub encoder_sha256: String,
    /// Language of the sentences.
    pub language: Language,
    /// Seed.
    pub seed: u64,
    /// Sentences that were compared with each other.
    pub sentences: u64,
    /// Sentences that were left out, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// Most pairs that hold one sentence, earlier draws included.
    pub most_of_a_sentence: u64,
    /// Pairs that were asked for.
    pub wanted: u64,
    /// Pairs that were drawn.
    pub drawn: u64,
    /// Of these, pairs within one document.
    pub within: u64,
    /// The strata, the least alike first.
    pub strata: Vec<DrawnStratum>,
}

/// A pair in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimilarityRow {
    /// Its id.
    pub id: SimilarityId,
    /// The pair.
    #[serde(flatten)]
    pub pair: SimilarityPair,
    /// How many people have scored it.
    pub scores: u32,
    /// Its review status; `None` while others' scores are hidden.
    pub status: Option<ReviewStatus>,
    /// The mean of the scores, or the score that settles the pair. `None` if nobody has scored the pair yet, if the
    /// scores are too far apart, or if the scores of others are hidden.
    pub score: Option<f64>,
    /// Lowest and highest score; none as above, but told where they are too far apart.
    pub between: Option<[f64; 2]>,
}

impl SimilarityRow {
    /// Whether scores are too far apart and nobody has settled it.
    pub fn is_disputed(&self) -> bool {
        self.status == Some(ReviewStatus::Conflict)
    }
}

/// The pairs that a list contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimilarityFilter {
    /// Only pairs that nobody has scored.
    pub unscored: bool,
    /// Only pairs whose scores are more than [`Score::APART`](crate::review::Score::APART) apart.
    pub disputed: bool,
}
