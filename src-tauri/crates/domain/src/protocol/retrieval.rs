//! Tuning an encoder so that questions find what answers them.

use super::model::Pooling;
use crate::id::RunId;
use serde::{Deserialize, Serialize};

/// [`RetrievalObjective::too_alike`] where labels name every sentence that answers: all others are wrong, however near.
pub const LABELS_ARE_COMPLETE: f64 = f64::MAX;

/// The task of the retrieval stage: to bring a question nearer to a sentence that answers it than to sentences that do
/// not (multiple negatives). Before each epoch, new wrong sentences are chosen with the encoder as it is then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievalObjective {
    /// Temperature τ.
    pub temperature: f64,
    /// Number of wrong sentences that are chosen for each question. Those of the other questions in the batch are used
    /// as well.
    pub negatives: usize,
    /// How many of the nearest sentences the negatives are drawn from.
    pub drawn_from: usize,
    /// The largest cosine at which another sentence is used as a wrong answer, as a share of the right sentence's
    /// cosine. A sentence nearer to the question may be a right answer, too, and is not used. With
    /// [`LABELS_ARE_COMPLETE`] every other sentence is used.
    pub too_alike: f64,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Text put before a question; empty = none.
    #[serde(default)]
    pub question_prompt: String,
    /// Text put before a sentence that may answer; empty = none.
    #[serde(default)]
    pub passage_prompt: String,
    /// How a teacher's ranking is learnt beside the labels; `None` = it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distillation: Option<Distillation>,
}

/// Listwise distillation: the encoder learns from a teacher, which gives each clause of a list a score. Two softmax
/// distributions are compared by the Kullback-Leibler divergence: that of the teacher's scores, and that of the
/// encoder's cosines divided by the objective's τ. Clauses that are labelled as answers are always ranked above the
/// clause that the teacher puts first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distillation {
    /// Its share of the loss, above 0 and at most 1; the rest is that of multiple negatives.
    pub share: f64,
    /// Temperature of the teacher's scores, which lie between 0 and 1. The smaller it is, the more the first clause of
    /// the teacher counts.
    pub temperature: f64,
    /// The number of clauses with which a question is compared in one step. These are the clauses that answer it, the
    /// first clauses of the teacher's list, and random ones from the rest of the list.
    pub list: usize,
    /// Questions that nobody labelled are learnt from, too, by their lists alone.
    #[serde(default)]
    pub unlabelled: bool,
}

impl Default for Distillation {
    /// The teacher's ranking and the labels each get half of the loss. With this temperature, the teacher gives its
    /// first clause a probability of about two thirds. In a search by words and vectors, the first clause is right for
    /// two questions of three, so this probability fits.
    fn default() -> Self {
        Self {
            share: 0.5,
            temperature: 0.15,
            list: 8,
            unlabelled: false,
        }
    }
}

impl Distillation {
    /// Whether the teacher's ranking is all that is learnt.
    pub fn is_alone(self) -> bool {
        self.share >= 1.0
    }

    /// Why it cannot be learnt so; `None` where it can.
    pub fn complaint(&self) -> Option<&'static str> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        if !positive(self.share) || self.share > 1.0 {
            return Some("the share of the teacher's ranking must be above 0 and at most 1");
        }
        if !positive(self.temperature) {
            return Some("the temperature of the teacher's scores must be greater than 0");
        }
        (self.list < 2).then_some("a list of the teacher must have 2 clauses or more")
    }
}

/// Whose ranking a run learnt, and from which questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taught {
    /// The encoder whose vectors the teacher searched in addition to the words; empty = only words.
    pub encoder: String,
    /// Labelled questions that its order was learned from; `None` = words and vectors with equal weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_from: Option<u64>,
    /// The run whose cross-encoder put the clauses in order that the search had found; `None` = the search's own order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordered_by: Option<RunId>,
    /// Labelled questions with a list.
    pub labelled: u64,
    /// Written questions without a label.
    pub questions: u64,
    /// Headings of the documents.
    pub headings: u64,
    /// Terms that the documents define.
    pub terms: u64,
}

impl Taught {
    /// The number of questions without a label.
    pub fn unlabelled(&self) -> u64 {
        self.questions + self.headings + self.terms
    }
}

/// A sentence that can be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetrievalPassage {
    /// Its text.
    pub text: String,
    /// The clause that it belongs to; sentences of a clause follow one another.
    pub clause: u32,
}

/// A question with the clauses that answer it; with none where only a teacher's ranking is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievalItem {
    /// Its name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Clauses that answer it.
    pub clauses: Vec<u32>,
    /// Clauses that its words find, with their score as a share of the greatest, best first.
    pub by_words: Vec<(u32, f32)>,
    /// Clauses of a teacher's ranking with its scores, from 0 to 1, best first; empty where none is learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teacher: Vec<(u32, f32)>,
}

impl RetrievalItem {
    /// The number of training items that the question gives: one for each clause that answers it. If no such clause is
    /// known, or if only the teacher's ranking is learnt (`alone`), the question gives one item.
    pub fn items(&self, alone: bool) -> usize {
        match alone {
            true => 1,
            false => self.clauses.len().max(1),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_before_there_was_a_teacher_is_read() {
        let objective = r#"{"temperature":0.05,"negatives":1,"drawn_from":30,"too_alike":0.95,"pooling":"mean"}"#;
        let objective: RetrievalObjective = serde_json::from_str(objective).unwrap();
        assert_eq!(objective.distillation, None);
        let item = r#"{"id":"1","question":"q","clauses":[3,4],"by_words":[]}"#;
        let item: RetrievalItem = serde_json::from_str(item).unwrap();
        assert_eq!((item.items(false), item.teacher.len()), (2, 0));
        // The list of the question is one item, however many of its clauses answer it.
        assert_eq!(item.items(true), 1);
        assert!(!serde_json::to_string(&item).unwrap().contains("teacher"));
    }

    #[test]
    fn a_distillation_that_cannot_be_is_told() {
        let own = Distillation::default();
        assert_eq!(own.complaint(), None);
        assert!(!own.is_alone() && Distillation { share: 1.0, ..own }.is_alone());
        for wrong in [
            Distillation { share: 0.0, ..own },
            Distillation { share: 1.5, ..own },
            Distillation {
                temperature: f64::NAN,
                ..own
            },
            Distillation { list: 1, ..own },
        ] {
            assert!(wrong.complaint().is_some(), "{wrong:?}");
        }
    }
}
