//! Answers that were given, and what people think of them.

use super::Answering;
use super::clauses::own_id;
use crate::workspace::{Result, day_here};
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerNote, AnswerRow, AnswerVerdict, Pair, PairSource};
use std::collections::BTreeSet;

impl Answering<'_> {
    /// All answers given in this workspace, newest first.
    pub fn answers(&self) -> Result<Vec<AnswerRow>> {
        Ok(self.workspace.store.read(|r| r.replies())?)
    }

    /// The newest answers given in this workspace, newest first: as many as the window lists.
    pub fn newest_answers(&self) -> Result<Vec<AnswerRow>> {
        Ok(self.workspace.store.read(|r| r.newest_replies())?)
    }

    /// An answer from the history, unchanged.
    ///
    /// # Errors
    /// When no answer has this number.
    pub fn kept_answer(&self, id: AnswerId) -> Result<Answer> {
        Ok(self.workspace.store.read(|r| r.reply(id))?)
    }

    /// Keeps a person's judgement of an answer. The judgements "right" and "should have said that there is none" also
    /// label the question.
    ///
    /// # Errors
    /// When no answer has this number, or the workspace cannot be written.
    pub fn judge_answer(&self, id: AnswerId, verdict: AnswerVerdict) -> Result<AnswerRow> {
        let store = &self.workspace.store;
        let answer = store.read(|r| r.reply(id))?;
        let known = store.read(|r| r.pairs())?;
        let label = label_of(&Label {
            id,
            answer: &answer,
            verdict,
            known: &known,
        });
        Ok(store.write(&self.workspace.actor, |w| {
            w.judge_reply(id, verdict)?;
            if let Some(label) = label.clone() {
                w.add_pairs(&[label])?;
            }
            w.reply_row(id)
        })?)
    }
}

/// A verdict on an answer, and the labels that there are.
pub(super) struct Label<'l> {
    pub id: AnswerId,
    pub answer: &'l Answer,
    pub verdict: AnswerVerdict,
    pub known: &'l [Pair],
}

/// The label of the question after a verdict; `None` if the verdict does not change it.
pub(super) fn label_of(label: &Label<'_>) -> Option<Pair> {
    let name = format!("answer {}", label.id);
    let before = || label.known.iter().find(|pair| pair.id == name).cloned();
    // A verdict that gives no label takes an earlier label back. A question without words counts as no label.
    labelled(label.id, label.answer, label.verdict).or_else(|| {
        before().map(|pair| Pair {
            question: String::new(),
            passage_ids: Vec::new(),
            ..pair
        })
    })
}

/// The label that a verdict gives to the question.
fn labelled(id: AnswerId, answer: &Answer, verdict: AnswerVerdict) -> Option<Pair> {
    // "And for barges?" is no question without the one before it.
    let goes_on = |note: &AnswerNote| matches!(note, AnswerNote::ReadWith { .. });
    if answer.notes.iter().any(goes_on) {
        return None;
    }
    let passages: Vec<String> = match (verdict, answer.found) {
        // The citations of a statement that was struck out support nothing.
        (AnswerVerdict::Right, true) => answer
            .statements
            .iter()
            .filter(|statement| statement.kept)
            .flat_map(|statement| statement.citations.iter())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter_map(|place| answer.citations.get(*place))
            .map(|c| c.external_id.clone().unwrap_or_else(|| own_id(c.sentence)))
            .collect(),
        // The documents of another day have no answer. That says nothing of those of today.
        (AnswerVerdict::Right, false) | (AnswerVerdict::ShouldHaveRefused, _)
            if !is_of_its_day(answer) =>
        {
            return None;
        }
        // The answer "none" was right, or it would have been right.
        (AnswerVerdict::Right, false) | (AnswerVerdict::ShouldHaveRefused, _) => Vec::new(),
        (AnswerVerdict::Wrong | AnswerVerdict::Incomplete, _) => return None,
    };
    Some(Pair {
        id: format!("answer {id}"),
        question: answer.question.clone(),
        passage_ids: passages,
        answer: None,
        source: PairSource::Verdict,
    })
}

/// Whether an answer is as of the day on which it was asked, as the clock on the wall has it here. The time is kept in
/// UTC, where it may be another day.
fn is_of_its_day(answer: &Answer) -> bool {
    day_here(&answer.asked).is_some_and(|day| day == answer.as_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::answer;

    #[test]
    fn a_refusal_as_of_another_day_labels_nothing() {
        let (today, other) = ("2026-03-05", "2019-12-31");
        for (said, day, verdict, passages) in [
            (
                ["It is due."].as_slice(),
                today,
                AnswerVerdict::Right,
                Some(1),
            ),
            // An answer names its passage, whatever the day.
            (&["It is due."], other, AnswerVerdict::Right, Some(1)),
            (
                &["It is due."],
                today,
                AnswerVerdict::ShouldHaveRefused,
                Some(0),
            ),
            (
                &["It is due."],
                other,
                AnswerVerdict::ShouldHaveRefused,
                None,
            ),
            (&[], today, AnswerVerdict::Right, Some(0)),
            (&[], other, AnswerVerdict::Right, None),
        ] {
            let mut answer = answer(said, 0.8);
            answer.asked = format!("{today}T10:00:00Z");
            day.clone_into(&mut answer.as_of);
            let label = labelled(AnswerId(1), &answer, verdict);
            let named = label.map(|pair| pair.passage_ids.len());
            assert_eq!(named, passages, "{day} {verdict:?}");
        }
    }
}
