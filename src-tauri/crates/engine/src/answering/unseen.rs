//! Labelled questions that an encoder did not learn from. An encoder finds the clauses for questions that it learned
//! from better than for others. Weights, thresholds and certificates that are measured on such questions would promise
//! too much.

use super::Answering;
use crate::models::{EncoderUse, Models};
use crate::runs::{Runs, train_job};
use crate::training::bundle_items;
use crate::workspace::Result;
use lexforge_domain::api::{EncoderChoice, Pair};
use lexforge_domain::{Code, RunId};
use lexforge_text::fold::letters;
use serde::Deserialize;
use std::collections::HashSet;

/// Labelled questions, parted by whether an encoder learned from them.
pub(super) struct Unseen {
    /// The questions that it did not learn from.
    pub pairs: Vec<Pair>,
    /// How many it did.
    pub learned: u64,
}

impl Unseen {
    /// Leaves these questions out as well.
    pub fn without(mut self, learned: &HashSet<String>) -> Self {
        let all = self.pairs.len();
        self.pairs
            .retain(|pair| !learned.contains(&letters(&pair.question)));
        self.learned += (all - self.pairs.len()) as u64;
        self
    }
}

/// The question of a training item; the item's other fields are ignored. In an item with a teacher's margins, the field
/// `source` holds the question.
#[derive(Deserialize)]
struct Asked {
    #[serde(alias = "source")]
    question: String,
}

impl Answering<'_> {
    /// Leaves out the pairs that the encoder was tuned on. If the encoder is a base model, no pair is left out. If no
    /// encoder is named or chosen, the encoder of the graph is meant, which may also be a tuned one.
    pub(super) fn unseen(
        &self,
        encoder: Option<&EncoderChoice>,
        pairs: Vec<Pair>,
    ) -> Result<Unseen> {
        let meant = self.meant_encoder(encoder)?;
        let of_graph = Models::of(self.workspace).encoders()?;
        let is_meant = meant.is_some();
        let mut learned = HashSet::new();
        for run in runs_of(meant, of_graph) {
            match self.learned(run) {
                // Vectors of a graph whose run no longer exists are not searched.
                Err(failure) if !is_meant && is_gone(failure.code) => {}
                questions => learned.extend(questions?),
            }
        }
        Ok(Unseen { pairs, learned: 0 }.without(&learned))
    }

    /// The questions without those that the cross-encoder in use was tuned on.
    pub(super) fn unseen_by_rerank(&self, unseen: Unseen) -> Result<Unseen> {
        match self.kept_rerank()?.on {
            Some(run) => match self.learned(run) {
                // A cross-encoder whose run no longer exists is not used.
                Err(failure) if is_gone(failure.code) => Ok(unseen),
                learned => Ok(unseen.without(&learned?)),
            },
            None => Ok(unseen),
        }
    }

    /// The questions that a run learned from, in the form in which they are compared. They include the questions of the
    /// run that it was continued from and of the cross-encoder that taught it. A run for another task learned from no
    /// questions.
    pub(super) fn learned(&self, run: RunId) -> Result<HashSet<String>> {
        let runs = Runs::of(self.workspace);
        let mut learned = HashSet::new();
        for run in runs.chain(run)? {
            let bundle = runs.bundle(run)?;
            let job = train_job(&bundle)?;
            if job.passages.is_some() || job.lineage.taught.is_some() {
                let items: Vec<Asked> = bundle_items(&bundle, &job.train)?;
                learned.extend(items.iter().map(|item| letters(&item.question)));
            }
            let teacher = job.lineage.taught.and_then(|taught| taught.ordered_by);
            // A teacher must be older. If a run names a later one, or itself, this is ignored.
            if let Some(teacher) = teacher.filter(|teacher| *teacher < run) {
                learned.extend(self.learned(teacher)?);
            }
        }
        Ok(learned)
    }
}

/// Whether a run no longer exists.
fn is_gone(code: Code) -> bool {
    matches!(code, Code::BundleInvalid | Code::NotFound)
}

/// The runs that tuned the encoder: the one that is meant, or else those of the graph.
fn runs_of(meant: Option<EncoderChoice>, of_graph: Vec<EncoderUse>) -> Vec<RunId> {
    match meant {
        Some(choice) => choice.run.into_iter().collect(),
        None => of_graph
            .into_iter()
            .filter_map(|used| used.choice?.run)
            .collect(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::{RetrievalItem, TripletItem};

    #[test]
    fn items_of_both_kinds_say_what_was_asked() {
        let labelled = RetrievalItem {
            id: "1".into(),
            question: "Who reports?".into(),
            clauses: vec![3],
            by_words: Vec::new(),
            teacher: Vec::new(),
        };
        let judged = TripletItem {
            id: 1,
            group: 3,
            source: "Who reports?".into(),
            positive: "The officer reports.".into(),
            negative: "The board decides.".into(),
            margin: Some(0.4),
        };
        for item in [
            serde_json::to_value(labelled).unwrap(),
            serde_json::to_value(judged).unwrap(),
        ] {
            let asked: Asked = serde_json::from_value(item).unwrap();
            assert_eq!(asked.question, "Who reports?");
        }
    }

    #[test]
    fn the_encoder_of_the_graph_may_be_a_tuned_one() {
        let tuned = |run: i64| EncoderChoice {
            run: Some(RunId(run)),
            ..EncoderChoice::default()
        };
        let graph = |choice: Option<EncoderChoice>| EncoderUse {
            encoder: "e".to_owned(),
            languages: Vec::new(),
            choice,
            by_language: false,
        };
        for (meant, of_graph, runs) in [
            (None, vec![graph(Some(tuned(4)))], vec![RunId(4)]),
            (None, vec![graph(None)], vec![]),
            (Some(tuned(7)), vec![graph(Some(tuned(4)))], vec![RunId(7)]),
            (
                Some(EncoderChoice::default()),
                vec![graph(Some(tuned(4)))],
                vec![],
            ),
        ] {
            assert_eq!(runs_of(meant, of_graph), runs);
        }
    }
}
