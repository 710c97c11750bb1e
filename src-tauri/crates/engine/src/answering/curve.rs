//! How much of a tuning pays: the gain in finding against what is forgotten of general language.

use super::Answering;
use super::rank::RankRequest;
use crate::corpus::Corpus;
use crate::evaluation::scored_table;
use crate::models::{Embedding, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Watcher, io_failure};
use lexforge_domain::api::{BlendPoint, EncoderChoice, RankingFigures, ScoredPair, Stage};
use lexforge_domain::{Failure, RunId};
use lexforge_evaluate::correlation::spearman;
use std::path::PathBuf;

/// Two sentences and how alike people say that they are.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikePair {
    pub one: String,
    pub other: String,
    /// How alike.
    pub score: f64,
}

/// Reads pairs from a table with the columns `sentence1`, `sentence2` and `score`, separated by commas, semicolons or
/// tabs. A table of three columns needs no names for them: the benchmarks of sentence pairs often have none.
///
/// # Errors
/// When a column is missing, or a score is not a number.
pub fn alike_pairs(bytes: &[u8]) -> Result<Vec<AlikePair>> {
    let pair = |pair: ScoredPair| AlikePair {
        one: pair.a,
        other: pair.b,
        score: pair.score,
    };
    Ok(scored_table(bytes)?.into_iter().map(pair).collect())
}

/// The pairs of each of these tables, under the table's name.
///
/// # Errors
/// When a file cannot be read, or is no such table.
pub fn scored_sets(files: &[PathBuf]) -> Result<Vec<(String, Vec<ScoredPair>)>> {
    let set = |file: &PathBuf| {
        let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok::<_, Failure>((name.into_owned(), scored_table(&bytes)?))
    };
    files.iter().map(set).collect()
}

impl Answering<'_> {
    /// Ranks the questions with the base model, with the tuned model and with mixtures of the two. Also measures how
    /// well each of them scores the likeness of general sentences. The encoder of `request` is ignored.
    ///
    /// # Errors
    /// As [`Answering::rank`]; when the run has no adapter of an encoder.
    pub fn blend_curve(
        &self,
        run: RunId,
        percents: &[u8],
        request: &RankRequest,
        general: &[AlikePair],
        watcher: &dyn Watcher,
    ) -> Result<Vec<BlendPoint>> {
        self.blended(run, percents, general, watcher, &mut |encoder| {
            let ranked = self.rank(&RankRequest {
                encoder: Some(encoder.clone()),
                ..request.clone()
            })?;
            Ok(ranked.report.figures)
        })
    }

    /// Figures of the mixtures, for questions that `ranked` ranks with an encoder.
    pub(super) fn blended(
        &self,
        run: RunId,
        percents: &[u8],
        general: &[AlikePair],
        watcher: &dyn Watcher,
        ranked: &mut dyn FnMut(&EncoderChoice) -> Result<RankingFigures>,
    ) -> Result<Vec<BlendPoint>> {
        let base = train_job(&Runs::of(self.workspace).bundle(run)?)?
            .model
            .name;
        let mut points = Vec::with_capacity(percents.len());
        for &percent in percents {
            let encoder = match percent {
                0 => EncoderChoice {
                    model: Some(base.clone()),
                    ..EncoderChoice::default()
                },
                _ => EncoderChoice {
                    run: Some(run),
                    percent: Some(percent),
                    ..EncoderChoice::default()
                },
            };
            self.prepare_encoder(&encoder, watcher)?;
            let figures = ranked(&encoder)?;
            points.push(BlendPoint {
                percent,
                recall_10: figures.recall_10,
                map_10: figures.map_10,
                questions: figures.n as u64,
                intervals: figures.intervals,
                general: self.general(&encoder, general, watcher)?,
                pairs: general.len() as u64,
            });
        }
        Ok(points)
    }

    /// Spearman's ρ between cosines and what people say.
    fn general(
        &self,
        encoder: &EncoderChoice,
        pairs: &[AlikePair],
        watcher: &dyn Watcher,
    ) -> Result<Option<f64>> {
        if pairs.is_empty() {
            return Ok(None);
        }
        let (base, adapter) = Corpus::of(self.workspace).model_of(encoder)?;
        let texts: Vec<&str> = pairs
            .iter()
            .flat_map(|pair| [pair.one.as_str(), pair.other.as_str()])
            .collect();
        let what = Embedding::of(Stage::Embed);
        let (vectors, _) = Models::of(self.workspace).embed_as(
            &base,
            adapter.as_deref(),
            &texts,
            &what,
            watcher,
        )?;
        let cosine = |pair: usize| {
            let (one, other) = (vectors.row(2 * pair), vectors.row(2 * pair + 1));
            let product: f32 = one.iter().zip(other).map(|(x, y)| x * y).sum();
            f64::from(product)
        };
        let cosines: Vec<f64> = (0..pairs.len()).map(cosine).collect();
        let said: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
        Ok(spearman(&cosines, &said))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_a_score_that_is_none_is_named() {
        let read = alike_pairs(b"sentence1,sentence2,score\n\"A, b\",C,4.5\nD,E,0\n").unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].one.as_str(), read[0].score), ("A, b", 4.5));
        for (table, row) in [
            ("sentence1,sentence2,score\nA,B,much\n", "row 2"),
            ("A,B,1\nC,D,much\n", "row 2"),
        ] {
            let bad = alike_pairs(table.as_bytes()).unwrap_err();
            assert!(bad.message.contains(row), "{}", bad.message);
        }
        for table in ["a,b\nc,d\n", "A,B,much\nC,D,1\n"] {
            assert!(alike_pairs(table.as_bytes()).is_err(), "{table}");
        }
    }

    #[test]
    fn pairs_are_read_from_the_tables_that_benchmarks_have() {
        for (table, expected) in [
            // Without names of columns.
            ("\"A, b\",C,4.5\nD,E,0.0\n", ["A, b", "C", "D", "E"]),
            // By tabs, without quoting, in any order, beside other columns.
            (
                "genre\tid\tscore\tsentence1\tsentence2\nnews\t01\t4.500\tA\t\"B\" is C\nnews\t02\t0.0\t\"D\tE\n",
                ["A", "\"B\" is C", "\"D", "E"],
            ),
            (
                "sentence1\tsentence2\tscore\nA\tB\t4.5\nC\tD\t0\n",
                ["A", "B", "C", "D"],
            ),
            // As this product writes its own, with what it says beside it.
            (
                "\u{feff}\"sentence1\",\"sentence2\",\"score\",\"scores\"\r\n\"A\",\"B\",\"4.5\",\"2\"\r\n\"C\",\"'-D\",\"0\",\"1\"\r\n",
                ["A", "B", "C", "-D"],
            ),
        ] {
            let read = alike_pairs(table.as_bytes()).unwrap();
            let texts: Vec<&str> = read
                .iter()
                .flat_map(|pair| [pair.one.as_str(), pair.other.as_str()])
                .collect();
            assert_eq!(texts, expected, "{table}");
            let scores: Vec<f64> = read.iter().map(|pair| pair.score).collect();
            assert_eq!(scores, [4.5, 0.0], "{table}");
        }
    }
}
