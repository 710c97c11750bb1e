//! Answers that were given, and what people think of them.

use super::Answering;
use super::clauses::own_id;
use super::since::is_of_its_day;
use crate::workspace::Result;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{
    Answer, AnswerNote, AnswerRow, AnswerVerdict, Citation, Pair, PairSource,
};
use std::collections::BTreeSet;

impl Answering<'_> {
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
            shared: &self.shared_names(&answer)?,
        });
        Ok(store.write(&self.workspace.actor, |w| {
            w.judge_reply(id, verdict)?;
            if let Some(label) = label.clone() {
                w.add_pairs(&[label])?;
            }
            w.reply_row(id)
        })?)
    }

    /// The ids of passages that an answer cites and that several corpus files gave to different passages.
    pub(super) fn shared_names(&self, answer: &Answer) -> Result<BTreeSet<String>> {
        let names = answer
            .citations
            .iter()
            .filter_map(|c| c.external_id.clone());
        let mut shared: BTreeSet<String> = names.collect();
        if !shared.is_empty() {
            let clauses = self.clauses()?;
            shared.retain(|name| clauses.is_shared(name));
        }
        Ok(shared)
    }
}

/// A verdict on an answer, and the labels that there are.
pub(super) struct Label<'l> {
    pub id: AnswerId,
    pub answer: &'l Answer,
    pub verdict: AnswerVerdict,
    pub known: &'l [Pair],
    /// The ids of passages that mean several ones.
    pub shared: &'l BTreeSet<String>,
}

/// The label of the question after a verdict; `None` if the verdict does not change it.
pub(super) fn label_of(label: &Label<'_>) -> Option<Pair> {
    let name = format!("answer {}", label.id);
    let before = || label.known.iter().find(|pair| pair.id == name).cloned();
    // A verdict that gives no label takes an earlier label back. A question without words counts as no label.
    labelled(label).or_else(|| {
        before().map(|pair| Pair {
            question: String::new(),
            passage_ids: Vec::new(),
            ..pair
        })
    })
}

/// The label that a verdict gives to the question.
fn labelled(label: &Label<'_>) -> Option<Pair> {
    let (id, answer, verdict) = (label.id, label.answer, label.verdict);
    let name_of = |c: &Citation| match &c.external_id {
        Some(name) if !label.shared.contains(name) => name.clone(),
        _ => own_id(c.sentence),
    };
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
            .map(name_of)
            .collect(),
        // The documents of another day have no answer. That says nothing of those of today.
        (AnswerVerdict::Right, false) | (AnswerVerdict::ShouldHaveRefused, _)
            if !is_of_its_day(&answer.asked, &answer.as_of) =>
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
            let label = labelled(&Label {
                id: AnswerId(1),
                answer: &answer,
                verdict,
                known: &[],
                shared: &BTreeSet::new(),
            });
            let named = label.map(|pair| pair.passage_ids.len());
            assert_eq!(named, passages, "{day} {verdict:?}");
        }
    }

    #[test]
    fn a_passage_whose_id_means_several_is_named_by_its_sentence() {
        let mut answer = answer(&["It is due."], 0.8);
        let citation = &mut answer.citations[0];
        citation.external_id = Some("1".to_owned());
        let own = own_id(citation.sentence);
        for (shared, expected) in [
            (BTreeSet::new(), "1".to_owned()),
            (BTreeSet::from(["1".to_owned()]), own),
        ] {
            let label = labelled(&Label {
                id: AnswerId(1),
                answer: &answer,
                verdict: AnswerVerdict::Right,
                known: &[],
                shared: &shared,
            });
            assert_eq!(label.map(|pair| pair.passage_ids), Some(vec![expected]));
        }
    }
}
