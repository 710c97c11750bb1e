//! How near what systems wrote comes to the right choices: the figures of open answers beside those of choosing.

use super::BenchRequest;
use super::lines::Answers;
use crate::evaluation::Evaluations;
use crate::evaluation::bertscore::{BertScore, Matched, bertscore};
use crate::evaluation::scorers::GENERATION;
use crate::workspace::{Result, Watcher};
use lexforge_domain::Code;
use lexforge_domain::api::{BenchMissing, BenchTable, WrittenFigures};
use lexforge_domain::protocol::TokenMatchItem;
use lexforge_evaluate::text_metrics::{Answer, measure};

impl Evaluations<'_> {
    /// Puts the figures of what each system wrote beside its line. An encoder that cannot be used is missing, with the reason,
    /// and the other figures stay.
    pub(super) fn add_written(
        &self,
        table: &mut BenchTable,
        measured: &[(String, Answers)],
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let mut by = request.bertscore.as_ref();
        let mut noted = Vec::new();
        for (system, answers) in measured.iter().filter(|(_, answers)| answers.by.writes()) {
            let pairs = pairs(answers);
            let mut figures = of_texts(&pairs);
            if let Some(encoder) = by {
                match self.matched(encoder, &pairs, watcher) {
                    Ok(found) => {
                        let count = |places: &[usize]| places.len().to_string();
                        let notes = found.notes(&encoder.encoder, count);
                        noted.extend(notes.into_iter().map(|note| format!("{system}: {note}")));
                        figures.bertscore = Some(found.figures);
                    }
                    Err(failure) if failure.code == Code::Cancelled => return Err(failure),
                    Err(failure) => {
                        by = None;
                        table.missing.push(BenchMissing {
                            system: format!("BERTScore {}", encoder.encoder),
                            failure,
                        });
                    }
                }
            }
            let mut rows = table.systems.iter_mut();
            let row = rows.find(|row| row.system == *system && row.scorer == GENERATION);
            if let Some(row) = row {
                row.written = Some(figures);
            }
        }
        table.notes.extend(noted);
        Ok(())
    }

    fn matched(
        &self,
        by: &BertScore,
        pairs: &[TokenMatchItem],
        watcher: &dyn Watcher,
    ) -> Result<Matched> {
        bertscore(&self.workspace.bundles_dir()?, by, pairs, watcher)
    }
}

/// What was written for each question without its choices, with the right one.
fn pairs(answers: &Answers) -> Vec<TokenMatchItem> {
    let both = answers.items.iter().zip(&answers.lines);
    both.map(|(item, line)| {
        let draft = &item.question.draft;
        let written = line.open.as_ref();
        TokenMatchItem {
            prediction: written.map_or_else(String::new, |written| written.text.clone()),
            references: draft
                .choices
                .get(draft.answer)
                .cloned()
                .into_iter()
                .collect(),
        }
    })
    .collect()
}

fn of_texts(pairs: &[TokenMatchItem]) -> WrittenFigures {
    let answers: Vec<Answer<'_>> = pairs
        .iter()
        .map(|pair| Answer {
            prediction: &pair.prediction,
            references: pair.references.iter().map(String::as_str).collect(),
            language: None,
        })
        .collect();
    let found = measure(&answers, None, false);
    WrittenFigures {
        n: pairs.len(),
        empty: pairs
            .iter()
            .filter(|pair| pair.prediction.trim().is_empty())
            .count(),
        bleu: found.bleu[3],
        rouge_l: found.rouge[2].f1,
        meteor: found.meteor,
        chrf: found.chrf,
        bertscore: None,
        judged: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_written_counts_as_nothing() {
        let pair = |prediction: &str| TokenMatchItem {
            prediction: prediction.to_owned(),
            references: vec!["The board approves the plan.".to_owned()],
        };
        let found = of_texts(&[pair("The board approves the plan."), pair(" ")]);
        assert_eq!((found.n, found.empty), (2, 1));
        assert!((found.rouge_l - 0.5).abs() < 1e-12, "{found:?}");
    }
}
