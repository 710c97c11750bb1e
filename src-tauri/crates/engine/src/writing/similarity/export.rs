//! The scored pairs as a table, with a card that says what it holds.

use crate::review::Review;
use crate::workspace::{Result, write_named};
use crate::writing::Writing;
use lexforge_domain::api::{SimilarityRow, SimilarityWritten};
use lexforge_domain::review::SubjectKind;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::report::{SimilarityCard, similarity_card};
use lexforge_ingest::sheet::{Cell, table};
use std::path::Path;

/// The exported data.
#[derive(Clone, Debug)]
pub struct SimilarityExport {
    /// The table: `sentence1`, `sentence2`, `score`, and how many people scored.
    pub csv: Vec<u8>,
    /// The card, Markdown.
    pub card: String,
    /// Pairs in the table.
    pub pairs: u64,
    /// Pairs that were left out because their scores are too far apart.
    pub disputed: u64,
    /// Pairs that were left out because nobody has scored them.
    pub unscored: u64,
}

impl Writing<'_> {
    /// Writes the table of scored pairs to a file that a person named, and its card beside it.
    ///
    /// # Errors
    /// When no pair has a score that counts, or a file cannot be written.
    pub fn write_similarity(&self, file: &Path) -> Result<SimilarityWritten> {
        let found = self.export_similarity()?;
        let mut card = file.as_os_str().to_owned();
        card.push(".md");
        let (workspace, card) = (Some(self.workspace.path()), Path::new(&card));
        write_named(file, workspace, &found.csv)?;
        write_named(card, workspace, found.card.as_bytes())?;
        Ok(SimilarityWritten {
            pairs: found.pairs,
            disputed: found.disputed,
            unscored: found.unscored,
            file: file.display().to_string(),
            card: card.display().to_string(),
        })
    }

    /// Exports the scored pairs as a table with its card. Pairs without a score, and pairs whose scores differ too
    /// much, are left out and counted.
    ///
    /// # Errors
    /// When no pair has a score that counts.
    pub fn export_similarity(&self) -> Result<SimilarityExport> {
        let review = Review::of(self.workspace);
        let (rows, reviewers) = review.all_scores()?;
        let disputed = rows.iter().filter(|row| row.is_disputed()).count() as u64;
        let unscored = rows.iter().filter(|row| row.scores == 0).count() as u64;
        let scored: Vec<(&SimilarityRow, f64)> = rows
            .iter()
            .filter_map(|row| Some((row, row.score?)))
            .collect();
        if scored.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "No pair of sentences has a score that counts.",
                "Draw pairs and let experts score them first.",
            ));
        }
        let csv = table(
            &["sentence1", "sentence2", "score", "scores"],
            scored.iter().map(|(row, score)| {
                vec![
                    Cell::Text(&row.pair.one),
                    Cell::Text(&row.pair.other),
                    Cell::Figure(written(*score)),
                    Cell::Figure(row.scores.to_string()),
                ]
            }),
        )
        .map_err(|e| {
            Failure::new(
                Code::Internal,
                format!("The table cannot be made: {e}."),
                "Report this message.",
            )
        })?;
        let (draws, corpus, head) = self
            .workspace
            .store
            .read(|r| Ok((r.similarity_draws()?, r.corpus_hash()?, r.audit_head()?)))?;
        let points: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
        let card = similarity_card(&SimilarityCard {
            draws: &draws,
            points: &points,
            single: scored.iter().filter(|(row, _)| row.scores == 1).count() as u64,
            disputed,
            unscored,
            reviewers: reviewers as u32,
            alpha: review.agreement(SubjectKind::Similarity)?.overall.alpha,
            corpus: &corpus,
            head: &head,
        });
        Ok(SimilarityExport {
            csv,
            card,
            pairs: scored.len() as u64,
            disputed,
            unscored,
        })
    }
}

/// A score with at most three decimals, without zeros at the end.
fn written(score: f64) -> String {
    let text = format!("{score:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_without_what_says_nothing() {
        for (score, expected) in [(0.0, "0"), (3.0, "3"), (3.5, "3.5"), (10.0 / 3.0, "3.333")] {
            assert_eq!(written(score), expected);
        }
    }
}
