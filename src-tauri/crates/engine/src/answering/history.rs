//! Answers that were given, and what people think of them.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerRow, AnswerVerdict, Pair, PairSource};
use std::collections::BTreeSet;

impl Answering<'_> {
    /// The answers that were given, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn answers(&self) -> Result<Vec<AnswerRow>> {
        Ok(self.workspace.store.read(|r| r.replies())?)
    }

    /// An answer as it was given.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn kept_answer(&self, id: AnswerId) -> Result<Answer> {
        Ok(self.workspace.store.read(|r| r.reply(id))?)
    }

    /// Keeps what a person thinks of an answer. "Right" and "should have said that there is none" label the question, too.
    ///
    /// # Errors
    /// When there is no answer of that number, or the workspace cannot be written.
    pub fn judge_answer(&self, id: AnswerId, verdict: AnswerVerdict) -> Result<AnswerRow> {
        let store = &self.workspace.store;
        let answer = store.read(|r| r.reply(id))?;
        let label = labelled(id, &answer, verdict);
        let name = format!("answer {id}");
        let known = store.read(|r| r.pairs())?;
        let before = known.into_iter().find(|pair| pair.id == name);
        Ok(store.write(&self.workspace.actor, |w| {
            w.judge_reply(id, verdict)?;
            // A verdict that labels nothing takes an earlier one's label back: a question without words counts as none.
            let label = label.clone().or_else(|| {
                before.clone().map(|pair| Pair {
                    question: String::new(),
                    passage_ids: Vec::new(),
                    ..pair
                })
            });
            if let Some(label) = label {
                w.add_pairs(&[label])?;
            }
            w.reply_row(id)
        })?)
    }
}

/// What a verdict says about the question itself.
fn labelled(id: AnswerId, answer: &Answer, verdict: AnswerVerdict) -> Option<Pair> {
    let passages: Vec<String> = match (verdict, answer.found) {
        // What a struck statement cites bears nothing out.
        (AnswerVerdict::Right, true) => answer
            .statements
            .iter()
            .filter(|statement| statement.kept)
            .flat_map(|statement| statement.citations.iter())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter_map(|place| answer.citations.get(*place))
            .map(|c| {
                c.external_id
                    .clone()
                    .unwrap_or_else(|| c.sentence.to_string())
            })
            .collect(),
        // It was right to say so, or it should have been said.
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
