//! How near what systems wrote comes to the right choices: the figures of open answers beside those of choosing.

use super::BenchRequest;
use super::lines::Answers;
use crate::evaluation::Evaluations;
use crate::evaluation::bertscore::{BertScore, Matched, bertscore};
use crate::evaluation::scorers::{GENERATION, RESAMPLES};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::{BenchMissing, BenchTable, WrittenFigures};
use lexforge_domain::protocol::TokenMatchItem;
use lexforge_domain::statistics::PairedComparison;
use lexforge_domain::{Code, Failure, QcaId};
use lexforge_evaluate::statistics::{PairedSeries, compare_all, holm};
use lexforge_evaluate::text_metrics::{Answer, Counting, TextFigures, measure};
use std::collections::BTreeMap;

impl Evaluations<'_> {
    /// For each system that wrote answers, adds the figures of its answers. If an encoder cannot be used, the encoder
    /// is listed as missing with the reason, and the other figures stay.
    pub(super) fn add_written(
        &self,
        table: &mut BenchTable,
        measured: &[(String, Answers)],
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let mut by = request.bertscore.as_ref();
        let mut noted = Vec::new();
        let mut writers: Vec<(&str, Wrote)> = Vec::new();
        for (system, answers) in measured.iter().filter(|(_, answers)| answers.by.writes()) {
            let pairs = pairs(answers);
            let texts = texts(&pairs);
            let mut figures = of_texts(&pairs, &texts);
            writers.push((system.as_str(), wrote(answers, &texts)));
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
        compare(table, &writers)
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

/// The text that was written for each question without its choices, with the right answer.
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

fn texts(pairs: &[TokenMatchItem]) -> TextFigures {
    let answers: Vec<Answer<'_>> = pairs
        .iter()
        .map(|pair| Answer {
            prediction: &pair.prediction,
            references: pair.references.iter().map(String::as_str).collect(),
            language: None,
        })
        .collect();
    measure(&answers, Counting::default())
}

fn of_texts(pairs: &[TokenMatchItem], found: &TextFigures) -> WrittenFigures {
    WrittenFigures {
        n: pairs.len(),
        empty: pairs
            .iter()
            .filter(|pair| pair.prediction.trim().is_empty())
            .count(),
        bleu: found.bleu[3],
        shorter_bleu: Some([found.bleu[0], found.bleu[1], found.bleu[2]]),
        rouge1: Some(found.rouge[0].f1),
        rouge2: Some(found.rouge[1].f1),
        rouge_l: found.rouge[2].f1,
        meteor: found.meteor,
        chrf: found.chrf,
        bertscore: None,
        against: Vec::new(),
        judged: None,
    }
}

/// The measures of single answers that are compared, in the order of their figures.
const COMPARED: [&str; 4] = ["rouge_l", "meteor", "chrf", "bleu"];

/// The figures of one answer, in the order of [`COMPARED`].
type Figures = [f64; COMPARED.len()];

/// The figures of the texts for each question: the cluster, and the means over the runs of one recipe.
type Wrote = BTreeMap<QcaId, (i64, Figures)>;

fn wrote(answers: &Answers, texts: &TextFigures) -> Wrote {
    let mut sums: BTreeMap<QcaId, (i64, Figures, f64)> = BTreeMap::new();
    for (item, figures) in answers.items.iter().zip(&texts.items) {
        let of = sums.entry(item.question.id).or_default();
        of.0 = item.cluster;
        let found = [
            figures.rouge[2].f1,
            figures.meteor,
            figures.chrf,
            figures.bleu[3],
        ];
        for (sum, one) in of.1.iter_mut().zip(found) {
            *sum += one;
        }
        of.2 += 1.0;
    }
    let mean = |(id, (cluster, sums, n)): (QcaId, (i64, Figures, f64))| {
        (id, (cluster, sums.map(|sum| sum / n)))
    };
    sums.into_iter().map(mean).collect()
}

/// For each system that writes answers, adds how its answers differ from the answers of the baseline. Only questions
/// that both systems answered are compared. Holm's correction is applied to all of these differences together.
fn compare(table: &mut BenchTable, writers: &[(&str, Wrote)]) -> Result<()> {
    let Some(base) = writers
        .iter()
        .find(|(system, _)| Some(*system) == table.baseline.as_deref())
    else {
        return Ok(());
    };
    let mut found: Vec<(&str, Vec<PairedComparison>)> = Vec::new();
    for (system, wrote) in writers.iter().filter(|(system, _)| *system != base.0) {
        let compared = compared(&base.1, wrote, base.0, &table.unit)?;
        found.push((*system, compared));
    }
    let all = found.iter().flat_map(|(_, compared)| compared);
    let p_values: Vec<f64> = all.map(|one| one.comparison.p_value).collect();
    let mut corrected = holm(&p_values).into_iter();
    for (system, mut compared) in found {
        for one in &mut compared {
            one.p_holm = corrected.next().unwrap_or(1.0);
        }
        let mut rows = table.systems.iter_mut();
        let row = rows.find(|row| row.system == system && row.scorer == GENERATION);
        if let Some(written) = row.and_then(|row| row.written.as_mut()) {
            written.against = compared;
        }
    }
    Ok(())
}

fn compared(
    base: &Wrote,
    other: &Wrote,
    against: &str,
    unit: &str,
) -> Result<Vec<PairedComparison>> {
    let mut numbers: BTreeMap<i64, usize> = BTreeMap::new();
    let (mut clusters, mut both) = (Vec::new(), Vec::new());
    for (id, (cluster, after)) in other {
        if let Some((_, before)) = base.get(id) {
            let next = numbers.len();
            clusters.push(*numbers.entry(*cluster).or_insert(next));
            both.push((before, after));
        }
    }
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let series = |measure: &str, at: usize| PairedSeries {
        measure: measure.to_owned(),
        against: against.to_owned(),
        before: both.iter().map(|(before, _)| before[at]).collect(),
        after: both.iter().map(|(_, after)| after[at]).collect(),
    };
    let all: Vec<PairedSeries> = (0..).zip(COMPARED).map(|(at, of)| series(of, at)).collect();
    compare_all(&all, &clusters, unit, RESAMPLES, DEFAULT_SEED).map_err(Failure::from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_written_counts_as_nothing() {
        let pair = |prediction: &str| TokenMatchItem {
            prediction: prediction.to_owned(),
            references: vec!["The board approves the plan.".to_owned()],
        };
        let pairs = [pair("The board approves the plan."), pair(" ")];
        let found = of_texts(&pairs, &texts(&pairs));
        assert_eq!((found.n, found.empty), (2, 1));
        for rouge in [found.rouge1, found.rouge2, Some(found.rouge_l)] {
            assert!((rouge.unwrap() - 0.5).abs() < 1e-12, "{found:?}");
        }
        // Half of the words are missing, which BLEU punishes for the whole corpus.
        let bleu = found.shorter_bleu.unwrap();
        assert!(
            bleu.iter().all(|one| *one > 0.0 && *one < 100.0),
            "{found:?}"
        );
    }

    #[test]
    fn answers_are_compared_on_what_both_have_answered() {
        let of = |from: i64, to: i64, rouge: f64| -> Wrote {
            let one = |id: i64| (QcaId(id), (id / 2, [rouge, 0.5, 50.0, 100.0 * rouge]));
            (from..to).map(one).collect()
        };
        let found = compared(&of(0, 8, 0.25), &of(2, 12, 0.75), "base a", "article").unwrap();
        let measures: Vec<&str> = found
            .iter()
            .map(|one| one.comparison.measure.as_str())
            .collect();
        assert_eq!(measures, COMPARED);
        // Questions 2 to 7, in three clusters.
        assert_eq!((found[0].n, found[0].clusters), (6, 3));
        assert!((found[0].comparison.difference.value - 0.5).abs() < 1e-12);
        assert!(found[1].comparison.difference.value.abs() < 1e-12);
        assert!(found[2].comparison.difference.value.abs() < 1e-12);
        assert!((found[3].comparison.difference.value - 50.0).abs() < 1e-9);
        // If no question is in both, there is nothing to compare.
        assert!(
            compared(&of(0, 2, 0.1), &of(4, 6, 0.1), "base a", "article")
                .unwrap()
                .is_empty()
        );
    }
}
