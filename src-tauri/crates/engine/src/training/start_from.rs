//! Trainings that continue from the adapter of another run. For example, one run adapts an encoder to the documents,
//! and the next run trains it to compare texts.

use super::Training;
use super::detail::bundle_items;
use crate::models::ADAPTER_DIR;
use crate::runs::{Runs, train_job};
use crate::workspace::Result;
use lexforge_domain::api::{Preset, TrainRequest};
use lexforge_domain::protocol::{TrainJob, Tune};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_text::fold::letters;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The question of a training item, and the sentence it is about. Some items have no question or name no sentence. If a
/// teacher scored the item, its field `source` holds the question.
#[derive(Deserialize)]
struct Asked {
    #[serde(default, alias = "source")]
    question: String,
    anchor: Option<i64>,
}

/// The sentences that are held out, and the questions about them as they are compared.
#[derive(Default)]
pub(super) struct HeldOut {
    sentences: HashSet<i64>,
    by_question: HashMap<String, i64>,
}

impl HeldOut {
    /// Of questions, each with the sentence that it is about.
    pub(super) fn of<'q>(questions: impl Iterator<Item = (i64, &'q str)>) -> Self {
        let mut held_out = Self::default();
        for (sentence, question) in questions {
            held_out.sentences.insert(sentence);
            held_out.by_question.insert(letters(question), sentence);
        }
        held_out
    }
}

impl Training<'_> {
    /// Completes a request from the run that it continues, if it names one: with the base, the way of tuning and the
    /// rank of that run.
    ///
    /// # Errors
    /// When there is no such run, or it has not finished. [`Code::InvalidRequest`] where the request names other
    /// values, or where only one of the two trainings makes a cross-encoder.
    pub(crate) fn with_start(&self, request: &TrainRequest) -> Result<TrainRequest> {
        let Some(run) = request.start_from else {
            return Ok(request.clone());
        };
        let runs = Runs::of(self.workspace);
        let row = runs.run(run)?;
        runs.train_result(run)?;
        let theirs = train_job(&runs.bundle(run)?)?.settings;
        if let Some(complaint) = of_another_kind(run, theirs.reranks().is_some(), request.preset) {
            return Err(Failure::new(
                Code::InvalidRequest,
                complaint,
                "Go on from a run of the same kind, or train from the base model.",
            ));
        }
        let low_rank = theirs.tune == Tune::Lora;
        let complaint = if request.base.as_ref().is_some_and(|base| *base != row.base) {
            Some(format!(
                "Run {run} tuned another base model than the one that is named."
            ))
        } else if request.tune.is_some_and(|tune| tune != theirs.tune) {
            Some(format!(
                "Run {run} was tuned in the other way: all weights, or an adapter beside them."
            ))
        } else if request.rank.is_some_and(|r| low_rank && r != theirs.lora.r) {
            Some(format!("Run {run} has an adapter of another rank."))
        } else {
            None
        };
        if let Some(complaint) = complaint {
            return Err(Failure::new(
                Code::InvalidRequest,
                complaint,
                "Leave it out: a training that goes on from a run takes it from there.",
            ));
        }
        Ok(TrainRequest {
            base: Some(row.base),
            tune: Some(theirs.tune),
            rank: low_rank.then_some(theirs.lora.r).or(request.rank),
            ..request.clone()
        })
    }

    /// Makes a job start from a run's adapter, and returns the adapter's folder.
    ///
    /// # Errors
    /// When the run has not finished; [`Code::InvalidRequest`] where its adapter belongs to another base model.
    pub(super) fn start_job_from(&self, job: &mut TrainJob, run: RunId) -> Result<PathBuf> {
        let runs = Runs::of(self.workspace);
        let theirs = train_job(&runs.bundle(run)?)?;
        if theirs.model.sha256 != job.model.sha256 {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "The adapter of run {run} belongs to another base model or to another version of it."
                ),
                "Train without going on from it, or put the base model back that it was trained on.",
            ));
        }
        let made = runs.train_result(run)?.adapter_sha256;
        job.adapter = Some(ADAPTER_DIR.to_owned());
        job.lineage.start = Some(made.to_string());
        runs.adapter_dir(run)
    }

    /// A warning if a run to be continued learnt questions about sentences that are held out now. If this run itself
    /// continued earlier runs, these are checked as well. `None` if there is nothing to warn of.
    ///
    /// # Errors
    /// When a bundle no longer exists, or cannot be read.
    pub(super) fn warned_of_start(&self, run: RunId, held_out: &HeldOut) -> Result<Option<String>> {
        let runs = Runs::of(self.workspace);
        let mut learnt = HashSet::new();
        for run in runs.chain(run)? {
            let bundle = runs.bundle(run)?;
            let items: Vec<Asked> = bundle_items(&bundle, &train_job(&bundle)?.train)?;
            learnt.extend(learnt_of(&items, held_out));
        }
        Ok((!learnt.is_empty()).then(|| {
            format!(
                "Run {run} learnt questions about {} sentences that are held out now: what is measured on them will be too good.",
                learnt.len()
            )
        }))
    }
}

/// The held-out sentences that these items ask about. Some items name no sentence, because they were made from a
/// teacher's margins or from the search. For such an item, the workspace's question with the same text gives the
/// sentence.
fn learnt_of<'i>(items: &'i [Asked], held_out: &'i HeldOut) -> impl Iterator<Item = i64> + 'i {
    let asked = items.iter().filter(|item| !item.question.is_empty());
    asked.filter_map(move |item| match item.anchor {
        Some(anchor) => held_out.sentences.get(&anchor).copied(),
        None => held_out.by_question.get(&letters(&item.question)).copied(),
    })
}

/// The reason why a training cannot continue from this run. The adapter of a cross-encoder reads pairs of texts, and
/// every other adapter reads single texts. So one kind cannot continue from the other.
fn of_another_kind(run: RunId, reranks: bool, wanted: Option<Preset>) -> Option<String> {
    match (reranks, wanted == Some(Preset::Rerank)) {
        (true, false) => Some(format!(
            "Run {run} tuned a cross-encoder, from which only another one goes on."
        )),
        (false, true) => Some(format!("Run {run} did not tune a cross-encoder.")),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::protocol::{RetrievalItem, TripletItem};

    #[test]
    fn what_is_held_out_and_was_asked_about_is_known() {
        let item = |question: &str, anchor| Asked {
            question: question.to_owned(),
            anchor,
        };
        let items = [
            item("Who reports?", Some(3)),
            item("Who audits?", Some(4)),
            // A sentence that was only read, and an item about none.
            item("", Some(5)),
            item("Who pays?", None),
        ];
        let held_out =
            HeldOut::of([(3, "Who reports?"), (5, "Who reads?"), (9, "Who sails?")].into_iter());
        let found: Vec<i64> = learnt_of(&items, &held_out).collect();
        assert_eq!(found, [3]);
    }

    #[test]
    fn questions_that_a_teacher_scored_or_the_search_learnt_are_known_by_their_words() {
        let scored = TripletItem {
            id: 1,
            group: 7,
            source: "Who reports the loss?".to_owned(),
            positive: "The keeper reports the loss.".to_owned(),
            negative: "The master counts the boats.".to_owned(),
            margin: Some(0.4),
        };
        let searched = RetrievalItem {
            id: "2".to_owned(),
            question: "Who counts the boats?".to_owned(),
            clauses: vec![4],
            by_words: Vec::new(),
            teacher: Vec::new(),
        };
        let lines = [
            serde_json::to_string(&scored).unwrap(),
            serde_json::to_string(&searched).unwrap(),
        ];
        let items: Vec<Asked> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let held_out = [
            (3, "who reports the loss"),
            (5, "Who counts the boats?"),
            (9, "Who sails?"),
        ];
        let held_out = HeldOut::of(held_out.into_iter());
        let found: Vec<i64> = learnt_of(&items, &held_out).collect();
        assert_eq!(found, [3, 5]);
    }

    #[test]
    fn a_cross_encoder_goes_on_from_one_and_nothing_else_does() {
        let told = |reranks, wanted| of_another_kind(RunId(3), reranks, wanted).unwrap_or_default();
        let search = told(true, Some(Preset::Retrieval));
        assert!(search.contains("Run 3 tuned a cross-encoder"), "{search}");
        assert_eq!(told(true, None), search);
        let pairs = told(false, Some(Preset::Rerank));
        assert!(pairs.contains("Run 3 did not tune"), "{pairs}");
        for (reranks, wanted) in [
            (true, Some(Preset::Rerank)),
            (false, Some(Preset::Nmixx)),
            (false, None),
        ] {
            assert_eq!(told(reranks, wanted), "", "{wanted:?}");
        }
    }
}
