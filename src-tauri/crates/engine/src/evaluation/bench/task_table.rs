//! What systems gave for an exam of pairs, of similarity or of texts with a class, as one table.

use super::systems::baseline_of;
use super::task::{Given, Task};
use crate::evaluation::limits::FEW_CLUSTERS;
use crate::evaluation::scorers::RESAMPLES;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::api::{
    BenchMissing, Bounded, TaskFigure, TaskGain, TaskLine, TaskMeasure, TaskTable,
};
use lexforge_domain::exam::ExamKind;
use lexforge_evaluate::drawn::{interval_of, other_side, resampled};
use lexforge_evaluate::statistics::holm;
use std::collections::HashSet;

/// Items below which a reader is told that they are few.
const FEW: usize = 100;

/// The table of results: each system with its intervals and its difference from the baseline. Holm's correction is
/// applied to all differences together. `own` says that the systems that count words were fitted on the exam's own
/// texts.
pub(super) fn table(
    task: &Task,
    measured: &[(String, Given)],
    missing: Vec<BenchMissing>,
    baseline: Option<&str>,
    own: bool,
) -> TaskTable {
    let baseline = baseline_of(baseline, measured);
    let base = measured
        .iter()
        .find(|(name, _)| Some(name) == baseline.as_ref());
    let mut rows: Vec<TaskLine> = measured
        .iter()
        .map(|(name, given)| {
            let other = base.filter(|(base, _)| base != name);
            TaskLine {
                against: other.and_then(|(base, before)| gain(task, base, before, given)),
                ..line(task, name, given)
            }
        })
        .collect();
    let mut gains: Vec<&mut TaskGain> =
        rows.iter_mut().filter_map(|r| r.against.as_mut()).collect();
    let p_values: Vec<f64> = gains.iter().filter_map(|gain| gain.p_value).collect();
    let with_p = gains.iter_mut().filter(|gain| gain.p_value.is_some());
    for (gain, corrected) in with_p.zip(holm(&p_values)) {
        gain.p_holm = Some(corrected);
    }
    let clusters = task.clusters.iter().collect::<HashSet<_>>().len();
    TaskTable {
        exam: task.row.name.clone(),
        hash: task.row.hash.clone(),
        kind: task.row.kind,
        unit: if task.row.kind == ExamKind::Classes {
            "text".to_owned()
        } else {
            "pairs that share a text".to_owned()
        },
        n: task.gold.len(),
        clusters,
        baseline,
        notes: notes(task, &rows, clusters, own),
        systems: rows,
        missing,
    }
}

fn line(task: &Task, name: &str, given: &Given) -> TaskLine {
    let whole: Vec<usize> = (0..given.read.len()).collect();
    let several = given.runs.len() > 1;
    let figures = task.measures().iter().map(|&measure| TaskFigure {
        measure,
        of: bounded(task, given, &given.read, |drawn| {
            task.figure(measure, given, drawn)
        }),
        by_run: if several {
            let of = |values: &Vec<f64>| task.of_run(measure, given, values, &whole);
            given.runs.iter().filter_map(of).collect()
        } else {
            Vec::new()
        },
    });
    TaskLine {
        system: name.to_owned(),
        runs: several.then_some(given.runs.len()),
        n: given.read.len(),
        unread: task.gold.len() - given.read.len(),
        cut: given.cut,
        figures: figures.collect(),
        against: None,
    }
}

/// The difference from the baseline on what both can read.
fn gain(task: &Task, base: &str, before: &Given, after: &Given) -> Option<TaskGain> {
    let readable: HashSet<usize> = before.read.iter().copied().collect();
    let common: Vec<usize> = after
        .read
        .iter()
        .copied()
        .filter(|item| readable.contains(item))
        .collect();
    let (before, after) = (only(before, &common), only(after, &common));
    let measure = *task.measures().first()?;
    let difference = |drawn: &[usize]| difference(task, measure, [&before, &after], drawn);
    let whole: Vec<usize> = (0..common.len()).collect();
    let value = difference(&whole)?;
    let drawn = draws(task, &common, difference);
    Some(TaskGain {
        against: base.to_owned(),
        p_value: other_side(&drawn),
        difference: Bounded {
            value,
            interval: interval_of(drawn),
        },
        p_holm: None,
        n: common.len(),
    })
}

fn difference(
    task: &Task,
    measure: TaskMeasure,
    [before, after]: [&Given; 2],
    drawn: &[usize],
) -> Option<f64> {
    Some(task.figure(measure, after, drawn)? - task.figure(measure, before, drawn)?)
}

/// The values of a system for these of its items.
fn only(given: &Given, items: &[usize]) -> Given {
    let places: Vec<usize> = items
        .iter()
        .filter_map(|item| given.read.binary_search(item).ok())
        .collect();
    let pick = |values: &Vec<f64>| -> Vec<f64> { places.iter().map(|at| values[*at]).collect() };
    Given {
        read: items.to_vec(),
        runs: given.runs.iter().map(pick).collect(),
        cut: given.cut,
    }
}

fn draws(task: &Task, items: &[usize], figure: impl Fn(&[usize]) -> Option<f64>) -> Vec<f64> {
    let clusters: Vec<i64> = items.iter().map(|item| task.clusters[*item]).collect();
    resampled(&clusters, RESAMPLES, DEFAULT_SEED, figure)
}

/// A figure with its interval. A system without a value was refused before.
fn bounded(
    task: &Task,
    given: &Given,
    items: &[usize],
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Bounded {
    let whole: Vec<usize> = (0..given.read.len()).collect();
    Bounded {
        value: figure(&whole).unwrap_or(f64::NAN),
        interval: interval_of(draws(task, items, figure)),
    }
}

fn notes(task: &Task, rows: &[TaskLine], clusters: usize, own: bool) -> Vec<String> {
    let n = task.gold.len();
    let classes = task.row.kind == ExamKind::Classes;
    let mut notes = vec![if classes {
        "Each text is given the class whose centroid is the nearest by cosine; it does not count for its own. One to which several are equally near is given none and counts as wrong. Intervals resample the texts."
            .to_owned()
    } else {
        "Pairs that share a text, directly or through others, stand or fall together where intervals are made."
            .to_owned()
    }];
    notes.push(
        "No system learns anything from an exam; whether its texts stand in what a system was trained on is not looked for."
            .to_owned(),
    );
    if n < FEW {
        notes.push(format!(
            "There are {n} items only: a difference must be large to be seen."
        ));
    }
    if clusters < 2 {
        notes.push("All pairs share texts with others, so that there is no interval.".to_owned());
    } else if clusters < FEW_CLUSTERS {
        notes.push(format!(
            "The pairs stand in {clusters} clusters only, since they share texts: take intervals and p-values for hints."
        ));
    }
    let alone = task.alone();
    if alone > 0 {
        notes.push(format!(
            "Texts that stand alone in their class cannot be given it and count as wrong: {alone}."
        ));
    }
    for row in rows.iter().filter(|row| row.unread > 0) {
        notes.push(format!(
            "{} reads {} of {n} items; it is compared on those that the baseline reads too.",
            row.system, row.n
        ));
    }
    for row in rows.iter().filter(|row| row.cut > 0) {
        notes.push(format!(
            "{}: {} of {} texts are longer than it reads, and were cut.",
            row.system,
            row.cut,
            task.texts.len()
        ));
    }
    if let Some(row) = rows.iter().find(|row| row.runs.is_some()) {
        notes.push(format!(
            "{} are runs of one recipe with other seeds: figures are means over them, and the smallest and the largest stand beside.",
            row.system
        ));
    }
    if own && rows.iter().any(|row| !row.system.contains(' ')) {
        notes.push(
            "The workspace has no documents: tfidf, lsa and bm25 count the words of the exam's own texts."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
