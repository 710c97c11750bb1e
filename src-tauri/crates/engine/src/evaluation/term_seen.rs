//! Term questions, divided into two kinds by whether the right term was ever a wrong choice in training
//! (docs/methods.md, "Evaluation"). A model may have learnt only to reject such terms. Then it is worse at the
//! questions whose term was a wrong choice, and its overall accuracy does not show this.

use super::scorers::RESAMPLES;
use crate::training::FrozenItem;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::QcaId;
use lexforge_domain::metrics::GroupMetrics;
use lexforge_domain::qca::{QcaDraft, QcaLevel, Split};
use lexforge_evaluate::{ScoredItem, qca};
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashSet};

/// Tags of the two groups.
const WRONG: &str = "wrong_in_training";
const NEVER: &str = "never_wrong_in_training";

/// The test questions about terms whose answer is a wrong choice of some training question.
pub(super) struct TermSeen(HashSet<QcaId>);

impl TermSeen {
    /// Those among all questions of a snapshot that a model reads.
    pub(super) fn of(items: &[FrozenItem]) -> Self {
        let drafts = |split: Split| {
            items
                .iter()
                .filter(move |item| item.question.split == split)
                .map(|item| (item.question.id, &item.question.draft))
                .filter(|(_, draft)| draft.level == QcaLevel::Token)
        };
        let wrong: HashSet<String> = drafts(Split::Train)
            .flat_map(|(_, draft)| {
                let choices = draft.choices.iter().enumerate();
                choices
                    .filter(|(place, _)| *place != draft.answer)
                    .map(|(_, choice)| letters(choice))
            })
            .collect();
        let right = |draft: &QcaDraft| draft.choices.get(draft.answer).map(|term| letters(term));
        let seen = drafts(Split::Test)
            .filter(|(_, draft)| right(draft).is_some_and(|term| wrong.contains(&term)))
            .map(|(id, _)| id);
        Self(seen.collect())
    }

    /// Accuracy in both groups.
    pub(super) fn groups(&self, answers: &[ScoredItem]) -> BTreeMap<String, GroupMetrics> {
        let terms = answers.iter().filter(|item| item.level == QcaLevel::Token);
        let terms: Vec<ScoredItem> = terms.cloned().collect();
        let tag = |item: &ScoredItem| {
            if self.0.contains(&item.id) {
                WRONG
            } else {
                NEVER
            }
        };
        qca::groups(&terms, tag, RESAMPLES, DEFAULT_SEED)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::texts::scored;
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::qca::{Qca, QuestionSource, QuestionType};

    fn item(id: i64, split: Split, level: QcaLevel, choices: [&str; 3]) -> FrozenItem {
        let draft = QcaDraft {
            question: "Who approves?".to_owned(),
            choices: choices.map(str::to_owned).to_vec(),
            ..QcaDraft::new(
                level,
                QuestionType::Term,
                SentenceId(id),
                QuestionSource::Offline,
            )
        };
        FrozenItem {
            question: Qca::unreviewed(QcaId(id), draft, split),
            cluster: id,
            answer_group: id,
        }
    }

    #[test]
    fn term_questions_are_told_apart_by_what_was_wrong_in_training() {
        // The first choice is the right one.
        let items = [
            item(
                1,
                Split::Train,
                QcaLevel::Token,
                ["clerk", "Board", "auditor"],
            ),
            item(2, Split::Test, QcaLevel::Token, ["board", "clerk", "crew"]),
            item(3, Split::Test, QcaLevel::Token, ["clerk", "board", "crew"]),
            item(
                4,
                Split::Test,
                QcaLevel::Sentence,
                ["auditor", "board", "crew"],
            ),
        ];
        let seen = TermSeen::of(&items);
        let answers: Vec<ScoredItem> = items[1..]
            .iter()
            .map(|item| scored(item, |choice| f64::from(u8::from(choice == "board"))))
            .collect();
        let groups = seen.groups(&answers);
        let of = |tag: &str| groups.get(tag).map(|group| (group.n, group.accuracy));
        assert_eq!(of(WRONG), Some((1, 1.0)));
        assert_eq!(of(NEVER), Some((1, 0.0)));
        assert_eq!(groups.len(), 2);
    }
}
