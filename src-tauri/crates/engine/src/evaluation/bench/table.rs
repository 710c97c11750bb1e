//! The answers of the systems as one table.

use super::lines::Answers;
use super::places::Places;
use super::systems::{ENDPOINT, baseline_of};
use crate::evaluation::limits::{FEW_CLUSTERS, few_clusters};
use crate::evaluation::scorers::{EMBEDDING, RESAMPLES, Scores, without_gap};
use crate::training::{FrozenItem, cluster_sizes};
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::api::{BenchMissing, BenchRow, BenchTable, ConfusedAt, ConfusedPair};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::statistics::PairedComparison;
use lexforge_domain::{Failure, QcaId};
use lexforge_evaluate::statistics::{PairedSeries, Plan, compare_all, holm, power};
use lexforge_evaluate::{ScoredItem, qca};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Confused terms that are listed for each system.
const LISTED: usize = 20;
/// Questions that are named for each pair of confused terms.
const SHOWN: usize = 20;

/// A system under one scorer.
pub(super) struct Line<'a> {
    pub(super) system: &'a str,
    pub(super) scorer: &'static str,
    pub(super) items: Vec<ScoredItem>,
    runs: usize,
    too_long: usize,
    confused: Vec<ConfusedPair>,
}

/// The table of results: each system with its intervals, and with its difference from the baseline under the same
/// scorer. Holm's correction is applied to all differences together.
pub(super) fn table(
    dataset: &Dataset,
    items: &[FrozenItem],
    measured: &[(String, Answers)],
    missing: Vec<BenchMissing>,
    baseline: Option<&str>,
    places: &Places,
) -> Result<BenchTable> {
    let lines: Vec<Line> = measured
        .iter()
        .flat_map(|(system, answers)| under_each_scorer(system, answers))
        .collect();
    let baseline = baseline_of(baseline, measured);
    let unit = dataset.clusters_by().tag();
    let mut rows = Vec::new();
    for line in &lines {
        let base = lines
            .iter()
            .find(|other| Some(other.system) == baseline.as_deref() && other.scorer == line.scorer)
            .filter(|base| base.system != line.system);
        let against = base.map(|base| compared(base, line, unit)).transpose()?;
        let mut figures = qca::metrics(&line.items, RESAMPLES, DEFAULT_SEED);
        // Each question occurs once for each run.
        figures.n /= line.runs;
        let groups = figures
            .by_type
            .values_mut()
            .chain(figures.by_level.values_mut());
        groups.for_each(|group| group.n /= line.runs);
        let mut by_class = places.by_class(&line.items);
        for group in by_class.values_mut() {
            group.n /= line.runs;
        }
        if line.scorer != EMBEDDING || line.system == "bm25" {
            without_gap(&mut figures);
        }
        rows.push(BenchRow {
            system: line.system.to_owned(),
            runs: (line.runs > 1).then_some(line.runs),
            by_run: of_each_run(line),
            scorer: line.scorer.to_owned(),
            figures,
            too_long: line.too_long / line.runs,
            against: against.flatten(),
            by_class,
            confused: places.of_pairs(&line.confused),
            general: None,
            written: None,
        });
    }
    correct(&mut rows);
    let sizes = cluster_sizes(items);
    Ok(BenchTable {
        dataset: dataset.hash.clone(),
        unit: unit.to_owned(),
        n: items.len(),
        clusters: sizes.len(),
        notes: notes(&rows, (items.len(), sizes.len()), baseline.as_deref()),
        baseline,
        systems: rows,
        missing,
        power: power(&Plan::Sizes(&sizes)),
        judge: None,
    })
}

/// A line for each scorer that a system has.
pub(super) fn under_each_scorer<'a>(system: &'a str, answers: &'a Answers) -> Vec<Line<'a>> {
    let scores = Scores::of(&answers.items, answers.lines.clone());
    let too_long = scores.too_long();
    answers
        .by
        .scorers()
        .iter()
        .filter_map(|scorer| {
            let items = scores.named(scorer)?;
            Some(Line {
                system,
                scorer,
                runs: answers.runs,
                too_long,
                confused: confused(&answers.items, &items),
                items,
            })
        })
        .collect()
}

/// The difference in accuracy on the questions that both can read; `None` where there is no such question.
fn compared(base: &Line, line: &Line, unit: &str) -> Result<Option<PairedComparison>> {
    let (before, after) = (rights(&base.items), rights(&line.items));
    let mut seen = HashSet::new();
    let both: Vec<(f64, f64, i64)> = line
        .items
        .iter()
        .filter(|item| seen.insert(item.id))
        .filter_map(|item| Some((*before.get(&item.id)?, *after.get(&item.id)?, item.cluster)))
        .collect();
    if both.is_empty() {
        return Ok(None);
    }
    // In the order of their ids, as the report of a run has them: the two then draw the same swaps.
    let ids: BTreeSet<i64> = both.iter().map(|(_, _, cluster)| *cluster).collect();
    let numbers: HashMap<i64, usize> = ids.into_iter().zip(0..).collect();
    let clusters: Vec<usize> = both
        .iter()
        .filter_map(|(_, _, cluster)| numbers.get(cluster).copied())
        .collect();
    let series = PairedSeries {
        measure: "accuracy".to_owned(),
        against: base.system.to_owned(),
        before: both.iter().map(|(before, _, _)| *before).collect(),
        after: both.iter().map(|(_, after, _)| *after).collect(),
    };
    let found = compare_all(&[series], &clusters, unit, RESAMPLES, DEFAULT_SEED);
    Ok(found.map_err(Failure::from)?.into_iter().next())
}

/// The accuracy of each run. Empty if there is only one run.
fn of_each_run(line: &Line) -> Vec<f64> {
    let each = line.items.len() / line.runs.max(1);
    if line.runs < 2 || each == 0 {
        return Vec::new();
    }
    let accuracy = |items: &[ScoredItem]| {
        let right = items.iter().filter(|item| item.is_right()).count();
        right as f64 / items.len() as f64
    };
    line.items.chunks(each).map(accuracy).collect()
}

/// Whether each question was answered rightly: 1 or 0, or the share of runs that did.
fn rights(items: &[ScoredItem]) -> HashMap<QcaId, f64> {
    let mut sums: HashMap<QcaId, (f64, f64)> = HashMap::new();
    for item in items {
        let (right, all) = sums.entry(item.id).or_default();
        *right += f64::from(u8::from(item.is_right()));
        *all += 1.0;
    }
    let share = |(id, (right, all))| (id, right / all);
    sums.into_iter().map(share).collect()
}

/// Holm's correction over all differences of the table.
fn correct(rows: &mut [BenchRow]) {
    let mut compared: Vec<&mut PairedComparison> = rows
        .iter_mut()
        .filter_map(|row| row.against.as_mut())
        .collect();
    let p_values: Vec<f64> = compared.iter().map(|c| c.comparison.p_value).collect();
    for (one, corrected) in compared.iter_mut().zip(holm(&p_values)) {
        one.p_holm = corrected;
    }
}

/// For questions about terms: which wrong term was chosen instead of which right one.
fn confused(items: &[FrozenItem], scored: &[ScoredItem]) -> Vec<ConfusedPair> {
    let mut pairs: BTreeMap<(&str, &str), (usize, Vec<ConfusedAt>)> = BTreeMap::new();
    for (item, scored) in items.iter().zip(scored) {
        let draft = &item.question.draft;
        if draft.level != QcaLevel::Token || scored.is_right() {
            continue;
        }
        let text = |i: usize| draft.choices.get(i).map(String::as_str);
        let chosen = scored.chosen().and_then(text);
        if let (Some(right), Some(chosen)) = (text(draft.answer), chosen) {
            let (n, at) = pairs.entry((right, chosen)).or_default();
            *n += 1;
            let asked = ConfusedAt {
                question: draft.question.clone(),
                sentence: draft.anchor_sentence,
                document: None,
                page: None,
            };
            // Several runs of one recipe meet a question several times.
            if at.len() < SHOWN && !at.contains(&asked) {
                at.push(asked);
            }
        }
    }
    let mut pairs: Vec<ConfusedPair> = pairs
        .into_iter()
        .map(|((gold, predicted), (n, at))| ConfusedPair {
            gold: gold.to_owned(),
            predicted: predicted.to_owned(),
            n,
            at,
        })
        .collect();
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.n));
    pairs.truncate(LISTED);
    pairs
}

fn notes(rows: &[BenchRow], (n, clusters): (usize, usize), baseline: Option<&str>) -> Vec<String> {
    let mut notes = vec![
        "Systems are compared under the same scorer alone; figures of two scorers say nothing about each other."
            .to_owned(),
    ];
    notes.extend(few_clusters(n, clusters));
    if rows.iter().any(|row| row.system.starts_with(ENDPOINT)) {
        notes.push(
            "An endpoint names a choice by its number, a decoder of this machine by its words; what names none, or more than one, counts as wrong."
                .to_owned(),
        );
    }
    for row in rows {
        let name = format!("{} ({})", row.system, row.scorer);
        if let Some(runs) = row.runs {
            notes.push(format!(
                "{name}: {runs} runs of one recipe with other seeds; figures are means over them, by {runs} answers to each question."
            ));
        }
        if row.figures.n < n && row.system.starts_with(ENDPOINT) {
            notes.push(answered(&name, row.figures.n, n));
        } else if row.figures.n < n {
            notes.push(format!(
                "{name} reads {} of {n} questions; it is compared on those that the baseline reads too.",
                row.figures.n
            ));
        }
        if clusters >= FEW_CLUSTERS && row.figures.clusters < FEW_CLUSTERS {
            notes.push(format!(
                "{name} has answers in {} clusters alone: too few to tell systems apart.",
                row.figures.clusters
            ));
        }
        if let (None, Some(baseline)) = (&row.against, baseline)
            && row.system != baseline
        {
            notes.push(format!(
                "{name} is not compared: {baseline} has no figures under this scorer on the same questions."
            ));
        }
    }
    notes
}

/// The note that an endpoint has not answered all questions.
pub(super) fn answered(name: &str, has: usize, of: usize) -> String {
    format!(
        "{name} has answered {has} of {of} questions; it is compared on those that the baseline has answered too."
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::qca::QuestionType;

    fn item(id: i64, cluster: i64, right: bool) -> ScoredItem {
        ScoredItem {
            id: QcaId(id),
            cluster,
            level: QcaLevel::Sentence,
            question_type: QuestionType::Statement,
            answer: 0,
            scores: if right {
                vec![1.0, 0.0]
            } else {
                vec![0.0, 1.0]
            },
        }
    }

    fn line(system: &str, runs: usize, items: Vec<ScoredItem>) -> Line<'_> {
        Line {
            system,
            scorer: EMBEDDING,
            items,
            runs,
            too_long: 0,
            confused: Vec::new(),
        }
    }

    #[test]
    fn the_bench_and_the_report_of_a_run_give_one_p_value() {
        // Clusters whose ids do not rise with the questions, of uneven size and unevenly answered.
        let items = |right: fn(i64) -> bool| -> Vec<ScoredItem> {
            let cluster = |id: i64| (97 - id % 23) * (1 + id % 2);
            (0..160)
                .map(|id| item(id, cluster(id), right(id)))
                .collect()
        };
        let (before, after) = (items(|id| id % 5 < 2), items(|id| id % 2 < 1));
        let reported = lexforge_evaluate::significance::compare(
            &before,
            &after,
            "base",
            "article",
            RESAMPLES,
            DEFAULT_SEED,
        )
        .unwrap();
        let (base, tuned) = (line("base", 1, before), line("run 1", 1, after));
        let found = compared(&base, &tuned, "article").unwrap().unwrap();
        assert_eq!(reported[0].measure, "accuracy");
        let (one, other) = (&reported[0], &found.comparison);
        assert!(one.p_value > 0.001 && one.p_value < 0.9, "{}", one.p_value);
        assert_eq!(one.p_value.to_bits(), other.p_value.to_bits());
        assert!((one.difference.low - other.difference.low).abs() < 1e-12);
        assert!((one.difference.high - other.difference.high).abs() < 1e-12);
    }

    #[test]
    fn too_few_clusters_are_said_in_words() {
        let told = |clusters: usize| {
            let notes = notes(&[], (40, clusters), None).join(" ");
            notes.contains(&format!("stand in {clusters} clusters"))
        };
        assert!(told(1) && told(FEW_CLUSTERS - 1) && !told(FEW_CLUSTERS));
    }

    #[test]
    fn the_spread_over_seeds_is_that_of_the_runs() {
        let of = |runs: usize, rights: &[bool]| {
            let items = (0..)
                .zip(rights)
                .map(|(i, right)| item(i % 4, i % 4, *right));
            of_each_run(&line("runs 1+2", runs, items.collect()))
        };
        let both = [true, true, true, false, true, false, false, false];
        assert_eq!(of(2, &both), [0.75, 0.25]);
        assert!(of(1, &both).is_empty() && of(2, &[]).is_empty());
    }

    #[test]
    fn a_question_counts_by_the_share_of_runs_that_answer_it_rightly() {
        let base = line(
            "base",
            1,
            (0..4).map(|id| item(id, id / 2, id == 0)).collect(),
        );
        // Two runs: both have the first question, one has the second, none has the others.
        let first = (0..4).map(|id| item(id, id / 2, id < 2));
        let second = (0..4).map(|id| item(id, id / 2, id == 0));
        let both = line("runs 1+2", 2, first.chain(second).collect());
        let found = compared(&base, &both, "article").unwrap().unwrap();
        assert_eq!((found.n, found.clusters), (4, 2));
        let c = &found.comparison;
        assert!((c.before - 0.25).abs() < 1e-12 && (c.after - 0.375).abs() < 1e-12);
        assert!((c.difference.value - 0.125).abs() < 1e-12);
        assert_eq!(found.by_item.mcnemar, None, "a share is not right or wrong");
        // The other way round it is the same difference.
        let back = compared(&both, &base, "article").unwrap().unwrap();
        assert!((back.comparison.difference.value + 0.125).abs() < 1e-12);
    }
}
