//! Runs that were trained on another snapshot than the one whose test questions they are measured on: they may have
//! learnt from what they are asked.

use super::lines::Answers;
use super::systems::System;
use crate::evaluation::Evaluations;
use crate::runs::Runs;
use crate::training::{FrozenItem, frozen};
use crate::workspace::Result;
use lexforge_domain::dataset::Dataset;
use lexforge_domain::qca::Split;
use lexforge_domain::{DatasetId, RunId, SentenceId};
use std::collections::{BTreeSet, HashSet};

impl Evaluations<'_> {
    /// A note for each of these systems that was trained on another snapshot: how many of the test questions are about
    /// a sentence of its training part.
    pub(super) fn trained_elsewhere(
        &self,
        dataset: &Dataset,
        items: &[FrozenItem],
        measured: &[(String, Answers)],
    ) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        for (name, _) in measured {
            let runs: Vec<RunId> = match System::of_name(name) {
                Some(System::Run(run) | System::Checkpoint(run, _)) => vec![run],
                Some(System::Runs(runs)) => runs,
                _ => Vec::new(),
            };
            let mut others = BTreeSet::new();
            for run in runs {
                let of = Runs::of(self.workspace).run(run)?.dataset;
                others.extend(of.filter(|of| *of != dataset.id));
            }
            for other in others {
                let learnt = self.learnt_from(other)?;
                let known = known(items, &learnt);
                notes.push(note(name, other, known, items.len()));
            }
        }
        Ok(notes)
    }

    /// The sentences that the training questions of a snapshot are about.
    fn learnt_from(&self, dataset: DatasetId) -> Result<HashSet<SentenceId>> {
        let rows = self
            .workspace
            .store
            .read(|r| r.dataset_items(dataset, Some(Split::Train)))?;
        rows.iter()
            .map(|row| frozen(row).map(|item| item.question.draft.anchor_sentence))
            .collect()
    }
}

/// How many questions are about one of these sentences.
fn known(items: &[FrozenItem], learnt: &HashSet<SentenceId>) -> usize {
    let anchors = items.iter().map(|item| item.question.draft.anchor_sentence);
    anchors.filter(|anchor| learnt.contains(anchor)).count()
}

fn note(name: &str, other: DatasetId, known: usize, n: usize) -> String {
    match known {
        0 => format!(
            "{name} was trained on snapshot {other}. None of these questions is about a sentence that it learnt from."
        ),
        known => format!(
            "{name} was trained on snapshot {other} and learnt from the sentences of {known} of these {n} questions: its figures are too good."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::QcaId;
    use lexforge_domain::qca::{Qca, QcaDraft, QcaLevel, QuestionSource, QuestionType};

    #[test]
    fn questions_about_what_was_learnt_elsewhere_are_counted_and_told() {
        let item = |id: i64, anchor: i64| FrozenItem {
            question: Qca::unreviewed(
                QcaId(id),
                QcaDraft::new(
                    QcaLevel::Sentence,
                    QuestionType::Statement,
                    SentenceId(anchor),
                    QuestionSource::Llm,
                ),
                Split::Test,
            ),
            cluster: anchor,
            answer_group: id,
        };
        // Two questions about one sentence that was learnt from, by whatever question.
        let items = [item(1, 10), item(2, 10), item(3, 11)];
        let learnt = HashSet::from([SentenceId(10), SentenceId(99)]);
        assert_eq!(known(&items, &learnt), 2);
        let told = note("run 3", DatasetId(1), 2, 3);
        assert!(
            told.contains("snapshot 1") && told.contains("2 of these 3 questions"),
            "{told}"
        );
        assert_eq!(known(&items[2..], &learnt), 0);
        assert!(note("run 3", DatasetId(1), 0, 1).contains("None of these questions"));
    }
}
