//! Labelled questions: bringing them in, listing them.

use super::Answering;
use crate::workspace::{Result, io_failure};
use lexforge_domain::api::{Pair, PairSource, PairsReport, RejectedPair};
use lexforge_text::fold::letters;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// An id, written as a text or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

impl Id {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A line of a file of labelled questions.
#[derive(Deserialize)]
struct Line {
    #[serde(default, alias = "question_id")]
    id: Option<Id>,
    question: String,
    passage_ids: Vec<Id>,
    #[serde(default)]
    answer: Option<String>,
}

impl Answering<'_> {
    /// All labelled questions.
    pub fn pairs(&self) -> Result<Vec<Pair>> {
        let mut pairs = self.workspace.store.read(|r| r.pairs())?;
        // A label that was taken back has no question.
        pairs.retain(|pair| !pair.question.is_empty());
        Ok(pairs)
    }

    /// Imports labelled questions from a file of JSON lines. Lines that cannot be used are left out and reported with
    /// their numbers.
    ///
    /// # Errors
    /// When the file cannot be read or the workspace cannot be written.
    pub fn import_pairs(&self, file: &Path) -> Result<PairsReport> {
        let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let clauses = self.clauses()?;
        let known = self.pairs()?;
        let mut by_question: HashMap<String, Vec<String>> = known
            .iter()
            .map(|p| (p.question.clone(), p.passage_ids.clone()))
            .collect();
        let mut report = PairsReport::default();
        let mut new: Vec<Pair> = Vec::new();
        let mut names: HashMap<String, String> =
            known.into_iter().map(|p| (p.id, p.question)).collect();
        for (number, line) in bytes.split(|b| *b == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let number = number + 1;
            let mut reject = |reason: String| {
                report.rejected.push(RejectedPair {
                    line: number,
                    reason,
                });
            };
            let line: Line = match serde_json::from_slice(line) {
                Ok(line) => line,
                Err(error) => {
                    reject(format!("It is not a labelled question: {error}."));
                    continue;
                }
            };
            let question = lexforge_text::fold::spaced(&line.question);
            let passage_ids: Vec<String> = line.passage_ids.into_iter().map(Id::text).collect();
            // A question without an id is named by its words, so that its name differs from the ids that files give.
            let id = line.id.map_or_else(
                || format!("question {}", &hex::encode(Sha256::digest(&question))[..12]),
                Id::text,
            );
            let missing = passage_ids
                .iter()
                .find(|id| clauses.sentence_of(id).is_none());
            if question.is_empty() {
                reject("The question is empty.".to_owned());
            } else if let Some(id) = missing.filter(|id| clauses.is_shared(id)) {
                reject(format!(
                    "Several corpus files have a passage {id}, and which one is meant is not known."
                ));
            } else if let Some(id) = missing {
                reject(format!("There is no passage {id} in this workspace."));
            } else if names.get(&id).is_some_and(|other| *other != question) {
                reject(format!("Another question has the id {id} already."));
            } else {
                match by_question.get(&question) {
                    Some(passages) if *passages == passage_ids => report.unchanged += 1,
                    Some(passages) if passages.is_empty() != passage_ids.is_empty() => {
                        reject(
                            "It contradicts an earlier label: one says that nothing answers this question, the other names \
                             a passage."
                                .to_owned(),
                        );
                    }
                    _ => {
                        by_question.insert(question.clone(), passage_ids.clone());
                        names.insert(id.clone(), question.clone());
                        new.push(Pair {
                            id,
                            question,
                            passage_ids,
                            answer: line.answer,
                            source: PairSource::Imported,
                        });
                    }
                }
            }
        }
        report.imported = new.len() as u64;
        if !new.is_empty() {
            self.workspace
                .store
                .write(&self.workspace.actor, |w| w.add_pairs(&new))?;
        }
        report.pairs = self.pairs()?.len() as u64;
        Ok(report)
    }
}

/// Each question once, with its newest label. A question that was judged many times counts once.
pub(super) fn distinct(pairs: Vec<Pair>) -> Vec<Pair> {
    let mut seen = HashSet::new();
    let mut newest: Vec<Pair> = pairs
        .into_iter()
        .rev()
        .filter(|pair| seen.insert(letters(&pair.question)))
        .collect();
    newest.reverse();
    newest
}
