//! Labelled questions: bringing them in, listing them.

use super::Answering;
use crate::workspace::{Result, io_failure};
use lexforge_domain::api::{Pair, PairSource, PairsReport, RejectedPair};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// A line of a file of labelled questions.
#[derive(Deserialize)]
struct Line {
    #[serde(default, alias = "question_id")]
    id: Option<String>,
    question: String,
    passage_ids: Vec<String>,
    #[serde(default)]
    answer: Option<String>,
}

impl Answering<'_> {
    /// The labelled questions.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn pairs(&self) -> Result<Vec<Pair>> {
        let mut pairs = self.workspace.store.read(|r| r.pairs())?;
        // A label that was taken back has no words.
        pairs.retain(|pair| !pair.question.is_empty());
        Ok(pairs)
    }

    /// Brings labelled questions in from a file of JSON lines. What cannot be used is left out and told with its line.
    ///
    /// # Errors
    /// When the file cannot be read or the workspace cannot be written.
    pub fn import_pairs(&self, file: &Path) -> Result<PairsReport> {
        let text = std::fs::read_to_string(file).map_err(|e| io_failure(&e, file))?;
        let clauses = self.clauses()?;
        let known = self.pairs()?;
        let mut by_question: HashMap<String, Vec<String>> = known
            .iter()
            .map(|p| (p.question.clone(), p.passage_ids.clone()))
            .collect();
        let mut report = PairsReport::default();
        let mut new: Vec<Pair> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = number + 1;
            let mut reject = |reason: String| {
                report.rejected.push(RejectedPair {
                    line: number,
                    reason,
                });
            };
            let line: Line = match serde_json::from_str(line) {
                Ok(line) => line,
                Err(error) => {
                    reject(format!("It is not a labelled question: {error}."));
                    continue;
                }
            };
            let question = lexforge_text::fold::spaced(&line.question);
            let missing = line
                .passage_ids
                .iter()
                .find(|id| clauses.sentence_of(id).is_none());
            if question.is_empty() {
                reject("The question is empty.".to_owned());
            } else if let Some(id) = missing {
                reject(format!("There is no passage {id} in this workspace."));
            } else {
                match by_question.get(&question) {
                    Some(passages) if *passages == line.passage_ids => report.unchanged += 1,
                    Some(passages) if passages.is_empty() != line.passage_ids.is_empty() => {
                        reject(
                            "It contradicts an earlier label: one says that nothing answers this question, the other names \
                             a passage."
                                .to_owned(),
                        );
                    }
                    _ => {
                        let id = line
                            .id
                            .unwrap_or_else(|| format!("{}", known.len() + new.len() + 1));
                        by_question.insert(question.clone(), line.passage_ids.clone());
                        new.push(Pair {
                            id,
                            question,
                            passage_ids: line.passage_ids,
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
