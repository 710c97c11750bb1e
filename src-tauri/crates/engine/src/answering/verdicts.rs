//! Verdicts that people wrote into a table of answers.

use super::Answering;
use super::ask::whole;
use super::batch::{ANSWER, QUESTION, VERDICT};
use super::history::{Label, label_of};
use super::table::Table;
use crate::workspace::Result;
use lexforge_domain::api::{AnswerVerdict, RejectedPair, VerdictsReport};
use lexforge_domain::{AnswerId, Code, Failure};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Words for a verdict besides its tag, in small letters.
const WORDS: [(&str, AnswerVerdict); 5] = [
    ("正确", AnswerVerdict::Right),
    ("错误", AnswerVerdict::Wrong),
    ("不完整", AnswerVerdict::Incomplete),
    ("应当拒答", AnswerVerdict::ShouldHaveRefused),
    // As files of earlier versions say it.
    ("本应说明没有答案", AnswerVerdict::ShouldHaveRefused),
];

/// The rows of one answer.
#[derive(Default)]
struct Rows {
    first: usize,
    question: String,
    verdicts: Vec<(usize, String)>,
}

impl Answering<'_> {
    /// Reads the verdicts from a table of answers that somebody filled in. [`Answering::ask_batch`] wrote the table, as
    /// CSV or workbook. A row is left out and reported if it is not about an answer of this workspace, or if its
    /// verdict is not a known one.
    ///
    /// # Errors
    /// When the table cannot be read or lacks a column, or the workspace cannot be written.
    pub fn import_verdicts(&self, file: &Path) -> Result<VerdictsReport> {
        let table = Table::read(file, &[VERDICT], &|| false)?;
        let [numbers, questions, verdicts] = [
            [ANSWER].as_slice(),
            QUESTION.as_slice(),
            [VERDICT].as_slice(),
        ]
        .map(|names| has(&table, names));
        let (numbers, questions, verdicts) = (numbers?, questions?, verdicts?);
        let is_empty = |row: &&Vec<String>| row.iter().all(|cell| cell.trim().is_empty());
        let above = table.rows.iter().take_while(is_empty).count();
        let mut report = VerdictsReport::default();
        let mut answers: BTreeMap<AnswerId, Rows> = BTreeMap::new();
        for (at, number) in numbers.iter().enumerate() {
            let row = above + at + 2;
            let verdict = verdicts.get(at).map_or("", |v| v.trim());
            let Ok(id) = number.trim().parse() else {
                if !verdict.is_empty() {
                    let reason = "There is no number of an answer in this row.".to_owned();
                    report.rejected.push(RejectedPair { line: row, reason });
                }
                continue;
            };
            let rows = answers.entry(AnswerId(id)).or_insert_with(|| Rows {
                first: row,
                question: questions.get(at).cloned().unwrap_or_default(),
                verdicts: Vec::new(),
            });
            if !verdict.is_empty() {
                rows.verdicts.push((row, verdict.to_owned()));
            }
        }
        let newest: HashMap<AnswerId, Option<AnswerVerdict>> = self
            .workspace
            .store
            .read(|r| r.replies())?
            .into_iter()
            .map(|r| (r.id, r.verdict))
            .collect();
        let mut judged = Vec::new();
        for (id, rows) in answers {
            match self.verdict_of(id, &rows, &newest) {
                Ok(None) => report.open += 1,
                Ok(Some(verdict)) if newest.get(&id) == Some(&Some(verdict)) => {
                    report.unchanged += 1;
                }
                Ok(Some(verdict)) => judged.push((id, verdict)),
                Err(rejected) => report.rejected.push(rejected),
            }
        }
        report.rejected.sort_by_key(|rejected| rejected.line);
        report.judged = judged.len() as u64;
        self.judge_all(&judged)?;
        Ok(report)
    }

    /// The verdict in the rows of an answer; `None` if they give none.
    fn verdict_of(
        &self,
        id: AnswerId,
        rows: &Rows,
        known: &HashMap<AnswerId, Option<AnswerVerdict>>,
    ) -> std::result::Result<Option<AnswerVerdict>, RejectedPair> {
        let mut said = None;
        for (row, word) in &rows.verdicts {
            let rejected = |reason: String| RejectedPair { line: *row, reason };
            let Some(verdict) = verdict(word) else {
                return Err(rejected(format!(
                    "“{word}” is no verdict: it is right, wrong, incomplete or should_have_refused."
                )));
            };
            if said.is_some_and(|other| other != verdict) {
                return Err(rejected(format!(
                    "The rows of answer {id} have different verdicts."
                )));
            }
            said = Some(verdict);
        }
        if said.is_none() {
            return Ok(None);
        }
        let rejected = |reason: String| RejectedPair {
            line: rows.first,
            reason,
        };
        if !known.contains_key(&id) {
            return Err(rejected(format!(
                "There is no answer {id} in this workspace."
            )));
        }
        // Another workspace has answers of the same numbers.
        let asked = whole(&rows.question).map(|(question, _)| question);
        let answer = self.kept_answer(id);
        let is_about_it =
            matches!((&asked, &answer), (Ok(asked), Ok(answer)) if *asked == answer.question);
        if !is_about_it {
            return Err(rejected(format!(
                "Answer {id} of this workspace is about another question."
            )));
        }
        Ok(said)
    }

    /// Keeps these verdicts with what they label, all of them or none.
    fn judge_all(&self, judged: &[(AnswerId, AnswerVerdict)]) -> Result<()> {
        if judged.is_empty() {
            return Ok(());
        }
        let store = &self.workspace.store;
        let known = store.read(|r| r.pairs())?;
        let mut labels = Vec::new();
        for (id, verdict) in judged {
            let answer = self.kept_answer(*id)?;
            labels.extend(label_of(&Label {
                id: *id,
                answer: &answer,
                verdict: *verdict,
                known: &known,
                shared: &self.shared_names(&answer)?,
            }));
        }
        store.write(&self.workspace.actor, |w| {
            for (id, verdict) in judged {
                w.judge_reply(*id, *verdict)?;
            }
            if labels.is_empty() {
                return Ok(());
            }
            w.add_pairs(&labels)
        })?;
        Ok(())
    }
}

/// A column that has to be there.
fn has(table: &Table, names: &[&str]) -> Result<Vec<String>> {
    let head = table.rows.iter().find(|row| !row.is_empty());
    let there = head.is_some_and(|head| lexforge_ingest::sheet::place_of(head, names).is_some());
    if there {
        return table.column(names);
    }
    Err(Failure::new(
        Code::InvalidRequest,
        format!(
            "The table of answers has no column {}.",
            names.first().copied().unwrap_or_default()
        ),
        "Take a table of answers that was written here, and fill in its column verdict.",
    ))
}

fn verdict(word: &str) -> Option<AnswerVerdict> {
    let word = word.trim().to_lowercase();
    AnswerVerdict::from_tag(&word.replace([' ', '-'], "_")).or_else(|| {
        let known = WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, verdict)| *verdict)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_as_people_write_them() {
        for (word, expected) in [
            ("right", Some(AnswerVerdict::Right)),
            (" Wrong ", Some(AnswerVerdict::Wrong)),
            (
                "Should have refused",
                Some(AnswerVerdict::ShouldHaveRefused),
            ),
            (
                "should_have_refused",
                Some(AnswerVerdict::ShouldHaveRefused),
            ),
            ("不完整", Some(AnswerVerdict::Incomplete)),
            ("应当拒答", Some(AnswerVerdict::ShouldHaveRefused)),
            ("本应说明没有答案", Some(AnswerVerdict::ShouldHaveRefused)),
            ("maybe", None),
            ("", None),
        ] {
            assert_eq!(verdict(word), expected, "{word}");
        }
    }
}
