//! Figures of files of predictions and of vectors, without a workspace.

use crate::id::{DocumentId, SentenceId};
use crate::metrics::SpaceAudit;
use crate::statistics::{PairedComparison, Power};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much of an answer is in the right one, and the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OverlapFigures {
    /// Share of the answer that is in the right one.
    pub precision: f64,
    /// Share of the right one that is in the answer.
    pub recall: f64,
    /// Their harmonic mean; for several items the mean of theirs.
    pub f1: f64,
}

/// How near answers come to the right ones token by token, by an encoder's vectors (BERTScore).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BertScoreFigures {
    /// Means over the answers.
    #[serde(flatten)]
    pub mean: OverlapFigures,
    /// How it was counted: encoder, its hash, layer, weights.
    pub signature: String,
    /// Answers without a token; they count as 0.
    pub empty: usize,
    /// The number of answers of which the encoder read only the beginning, because the answer or its right answer was
    /// too long.
    pub cut: usize,
    /// The number of answers without a score: all of their tokens, or all tokens of their right answers, have the
    /// weight 0. Their score counts as 0.
    pub weightless: usize,
}

/// How near written answers come to the right ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QaFigures {
    /// Answers.
    pub n: usize,
    /// BLEU of the corpus, in hundredths.
    pub bleu: f64,
    /// BLEU with runs of one word.
    pub bleu1: f64,
    /// BLEU with runs of up to two words.
    pub bleu2: f64,
    /// BLEU with runs of up to three words.
    pub bleu3: f64,
    /// BLEU with runs of up to four words: the same as `bleu`.
    pub bleu4: f64,
    /// Precision of runs of one to four words, in hundredths.
    pub bleu_precisions: Vec<f64>,
    /// How BLEU was counted.
    pub bleu_signature: String,
    /// ROUGE-1, mean F1.
    pub rouge1: f64,
    /// ROUGE-2, mean F1.
    pub rouge2: f64,
    /// ROUGE-L, mean F1.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
    /// Mean precision, recall and F1 of the three.
    pub rouge: BTreeMap<String, OverlapFigures>,
    /// ROUGE was counted over stems.
    pub rouge_stems: bool,
    /// Mean METEOR.
    pub meteor: f64,
    /// The words that METEOR takes for the same.
    pub meteor_matches: String,
    /// chrF of the corpus, in hundredths.
    pub chrf: f64,
    /// BERTScore, where an encoder was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bertscore: Option<BertScoreFigures>,
    /// Answers by the language they were cut by.
    pub languages: BTreeMap<String, usize>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
    /// Differences from another system's answers to the same questions, of the means over the items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<PairedComparison>,
    /// The figures of each answer, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<QaItem>>,
}

/// The figures of one answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QaItem {
    /// Its line in the file, from 1.
    pub line: usize,
    /// BLEU, in hundredths, by the lengths of runs that the answer has.
    pub bleu: f64,
    /// BLEU with runs of one word.
    pub bleu1: f64,
    /// BLEU with runs of up to two words.
    pub bleu2: f64,
    /// BLEU with runs of up to three words.
    pub bleu3: f64,
    /// BLEU with runs of up to four words.
    pub bleu4: f64,
    /// ROUGE-1.
    pub rouge1: OverlapFigures,
    /// ROUGE-2.
    pub rouge2: OverlapFigures,
    /// ROUGE-L.
    #[serde(rename = "rougeL")]
    pub rouge_l: OverlapFigures,
    /// METEOR.
    pub meteor: f64,
    /// chrF, in hundredths.
    pub chrf: f64,
    /// BERTScore, where an encoder was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bertscore: Option<OverlapFigures>,
    /// The language it was cut by.
    pub language: String,
}

/// How well items are put into classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassificationFigures {
    /// Items.
    pub n: usize,
    /// Share of right ones.
    pub accuracy: f64,
    /// 95 % interval of the accuracy, by cluster.
    pub ci95: [f64; 2],
    /// The number of clusters. If the file names no clusters, each item is one.
    pub clusters: usize,
    /// Means over the classes.
    #[serde(rename = "macro")]
    pub macro_mean: OverlapFigures,
    /// Items with no usable prediction; they count as wrong.
    pub unanswered: usize,
    /// Each class.
    pub by_class: BTreeMap<String, ClassFigures>,
    /// The confused pairs, the most frequent first.
    pub confused: Vec<ConfusedPair>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
    /// The difference in accuracy from another system's predictions for the same items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<PairedComparison>,
    /// What these items are able to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
}

/// The figures of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFigures {
    /// Share of what was put here that belongs here.
    pub precision: f64,
    /// Recall: the share of the items of this class that were put into it.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// How many belong here.
    pub n: usize,
}

/// A thing that was taken for another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfusedPair {
    /// What it is.
    pub gold: String,
    /// The class that was predicted instead.
    pub predicted: String,
    /// How often.
    pub n: usize,
    /// Some of the questions in which it happened; empty if files are compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<ConfusedAt>,
}

/// A question in which one thing was taken for another, and the sentence that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfusedAt {
    /// The question's words.
    pub question: String,
    /// The sentence.
    pub sentence: SentenceId,
    /// Its document; `None` = the sentence is no longer in the workspace.
    pub document: Option<DocumentId>,
    /// Its page, from 1.
    pub page: Option<u32>,
}

/// How well scores go together with what people say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimilarityFigures {
    /// Pairs.
    pub n: usize,
    /// Spearman's ρ.
    pub spearman: f64,
    /// Pearson's r.
    pub pearson: f64,
    /// Clusters; the pairs where none are named.
    pub clusters: usize,
    /// 95 % intervals by their names, by cluster; none where there are too many pairs to resample.
    pub intervals: BTreeMap<String, [f64; 2]>,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}

/// How the vectors of a file lie in their space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceFigures {
    /// Vectors of the file, with those that cannot be used.
    pub rows: usize,
    /// Values of each.
    pub dim: usize,
    /// The measures of those that can be used.
    #[serde(flatten)]
    pub space: SpaceAudit,
    /// Notes to be read with the figures.
    pub notes: Vec<String>,
}
