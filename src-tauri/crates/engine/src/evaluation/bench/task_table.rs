//! What systems gave for an exam of pairs, of similarity or of texts with a class, as one table.

use super::systems::baseline_of;
use super::task::{Figure, Given, Task};
use crate::evaluation::limits::FEW_CLUSTERS;
use crate::evaluation::scorers::RESAMPLES;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::api::{BenchMissing, Bounded, TaskFigure, TaskGain, TaskLine, TaskTable};
use lexforge_domain::exam::ExamKind;
use lexforge_evaluate::drawn::{interval_of, other_side, resampled};
use lexforge_evaluate::statistics::holm;
use std::collections::HashSet;

/// Items below which a reader is told that they are few.
const FEW: usize = 100;

/// The table of results: each system with its intervals and its difference from the baseline. Holm's correction is
/// applied to all differences together. With `own`, the systems that count words counted the words of the exam itself.
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
    let figures = task.figures().map(|(measure, figure)| TaskFigure {
        measure: measure.to_owned(),
        of: bounded(task, given, &given.read, |drawn| {
            task.figure(figure, given, drawn)
        }),
        by_run: if several {
            let of = |values: &Vec<f64>| task.of_run(figure, given, values, &whole);
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
        figures: figures.into(),
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
    let [(_, figure), _] = task.figures();
    let difference = |drawn: &[usize]| difference(task, figure, [&before, &after], drawn);
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
    figure: Figure,
    [before, after]: [&Given; 2],
    drawn: &[usize],
) -> Option<f64> {
    Some(task.figure(figure, after, drawn)? - task.figure(figure, before, drawn)?)
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
mod tests {
    use super::*;
    use lexforge_domain::api::ExamRow;
    use lexforge_domain::exam::{ClassedText, ExamPair};
    use std::collections::BTreeMap;

    fn row(kind: ExamKind) -> ExamRow {
        ExamRow {
            name: "ferries".to_owned(),
            kind,
            questions: 40,
            several: 0,
            subjects: BTreeMap::new(),
            hash: "ab".to_owned(),
            files: Vec::new(),
            made: "2026-03-05T14:20:31Z".to_owned(),
        }
    }

    fn pairs(n: usize) -> Task {
        let pair = |i: usize| ExamPair {
            a: format!("question {}", i / 2),
            b: format!("passage {i}"),
            score: (i % 2) as f64,
            asks: true,
        };
        Task::of_pairs(row(ExamKind::Pairs), (0..n).map(pair).collect())
    }

    /// Values of a system that is right except for every n-th pair.
    fn given(n: usize, wrong: usize) -> Given {
        let value = |i: usize| {
            let right = (i % 2) as f64;
            let noise = i as f64 / 1e4;
            noise
                + if i.is_multiple_of(wrong) {
                    1.0 - right
                } else {
                    right
                }
        };
        Given {
            read: (0..n).collect(),
            runs: vec![(0..n).map(value).collect()],
            cut: 0,
        }
    }

    #[test]
    fn systems_are_compared_by_cluster_with_a_correction_over_the_table() {
        let task = pairs(80);
        let measured = [
            ("tfidf".to_owned(), given(80, 3)),
            ("base minilm".to_owned(), given(80, 4)),
            ("run 2".to_owned(), given(80, 1_000)),
        ];
        let table = table(&task, &measured, Vec::new(), None, true);
        assert_eq!(table.baseline.as_deref(), Some("base minilm"));
        assert_eq!((table.n, table.clusters), (80, 40));
        let [tfidf, base, run] = &table.systems[..] else {
            panic!("{table:?}")
        };
        assert_eq!(base.against, None);
        let auc = |line: &TaskLine| line.figures[0].of;
        assert!(auc(run).value > auc(base).value && auc(base).interval.is_some());
        let gain = run.against.as_ref().unwrap();
        assert!(gain.difference.value > 0.0 && gain.p_value.unwrap() < 0.05);
        let other = tfidf.against.as_ref().unwrap();
        assert!(gain.p_holm >= gain.p_value && other.p_holm >= other.p_value);
        assert_eq!(gain.n, 80);
        for part in ["80 items only", "count the words of the exam"] {
            assert!(table.notes.iter().any(|note| note.contains(part)), "{part}");
        }
    }

    #[test]
    fn pairs_that_nearly_all_share_texts_are_told_to_say_little() {
        let noted = |questions: usize| {
            let pair = |i: usize| ExamPair {
                a: format!("question {}", i % questions),
                b: format!("passage {i}"),
                score: (i / questions % 2) as f64,
                asks: true,
            };
            let task = Task::of_pairs(row(ExamKind::Pairs), (0..120).map(pair).collect());
            let measured = [("tfidf".to_owned(), given(120, 3))];
            let notes = table(&task, &measured, Vec::new(), None, false).notes;
            let has = |part: &str| notes.iter().any(|note| note.contains(part));
            (has("there is no interval"), has("stand in 9 clusters only"))
        };
        assert_eq!(noted(1), (true, false));
        assert_eq!(noted(9), (false, true));
        assert_eq!(noted(FEW_CLUSTERS), (false, false));
    }

    #[test]
    fn a_text_is_one_however_it_stands_in_a_pair() {
        let pair = |a: &str, b: &str, asks| ExamPair {
            a: a.to_owned(),
            b: b.to_owned(),
            score: 1.0,
            asks,
        };
        let pairs = vec![
            pair("Who keeps it?", "The clerk.", true),
            pair("who keeps it", "The board.", true),
            pair("The clerk.", "A clerk.", false),
            pair("A fee.", "A fine.", false),
        ];
        let task = Task::of_pairs(row(ExamKind::Pairs), pairs);
        assert_eq!(task.clusters, [0, 0, 0, 3]);
        // At this point every text is separate.
        assert_eq!(task.texts.len(), 8);
    }

    #[test]
    fn a_text_that_is_like_none_is_wrong_whatever_class_comes_first() {
        let text = |i: usize| ClassedText {
            text: format!("text {i}"),
            class: ["fees", "ferries"][i % 2].to_owned(),
        };
        let task = Task::of_classes(row(ExamKind::Classes), (0..40).map(text).collect());
        let read: Vec<usize> = (0..40).collect();
        let values = task.values(&read, |_, _| 0.0).unwrap();
        let given = Given {
            read,
            runs: vec![values],
            cut: 0,
        };
        let table = table(&task, &[("lsa".to_owned(), given)], Vec::new(), None, false);
        let values = [0, 1].map(|at: usize| table.systems[0].figures[at].of.value);
        assert_eq!(values, [0.0, 0.0]);
        assert!(table.notes[0].contains("is given none"));
    }

    #[test]
    fn runs_of_one_recipe_are_one_system_with_the_spread_over_seeds() {
        let task = pairs(80);
        let mut several = given(80, 4);
        several.runs.extend(given(80, 1_000).runs);
        let table = table(
            &task,
            &[("runs 3+4".to_owned(), several)],
            Vec::new(),
            None,
            false,
        );
        let line = &table.systems[0];
        assert_eq!(line.runs, Some(2));
        let figure = &line.figures[0];
        let mean = figure.by_run.iter().sum::<f64>() / 2.0;
        assert!(figure.by_run[0] < figure.by_run[1]);
        assert!((figure.of.value - mean).abs() < 1e-12);
    }

    #[test]
    fn what_both_read_is_compared_and_what_has_no_figure_is_refused() {
        let task = pairs(80);
        let mut part = given(80, 1_000);
        part.read = (40..80).collect();
        part.cut = 3;
        part.runs[0] = part.runs[0].split_off(40);
        let measured = [
            ("base minilm".to_owned(), given(80, 4)),
            ("run 2".to_owned(), part.clone()),
        ];
        let table = table(&task, &measured, Vec::new(), None, false);
        assert_eq!((table.systems[1].n, table.systems[1].unread), (40, 40));
        assert_eq!(table.systems[1].against.as_ref().unwrap().n, 40);
        let cut = |line: &TaskLine| line.cut;
        assert_eq!([0, 1].map(|at: usize| cut(&table.systems[at])), [0, 3]);
        let told = |note: &&String| note.contains("were cut");
        let notes: Vec<&String> = table.notes.iter().filter(told).collect();
        assert_eq!(
            notes,
            ["run 2: 3 of 120 texts are longer than it reads, and were cut."]
        );

        let told = |given: Given| task.usable("run 2", given).unwrap_err().message;
        part.read.truncate(10);
        assert!(told(part).contains("reads 10 of 80"));
        let mut alike = given(80, 4);
        alike.runs[0] = vec![0.5; 80];
        assert!(told(alike).contains("equally alike"));
        let right: Vec<usize> = (0..80).filter(|i| i % 2 == 1).collect();
        let of_one = only(&given(80, 4), &right);
        assert!(told(of_one).contains("one label"));
        assert!(task.values(&right, |_, _| f64::NAN).is_err());
        assert!(pairs(10).check().is_err() && task.check().is_ok());
    }

    #[test]
    fn texts_go_to_the_nearest_class() {
        let text = |i: usize| ClassedText {
            text: format!("text {i}"),
            class: ["fees", "ferries"][i % 2].to_owned(),
        };
        let mut about = row(ExamKind::Classes);
        about.subjects = [("fees".to_owned(), 20), ("ferries".to_owned(), 20)].into();
        let task = Task::of_classes(about, (0..40).map(text).collect());
        assert_eq!(task.clusters.iter().collect::<HashSet<_>>().len(), 40);
        let read: Vec<usize> = (0..40).collect();
        let angle = |i: usize| (i % 2) as f64 + i as f64 / 100.0;
        let values = task
            .values(&read, |a, b| (angle(a) - angle(b)).cos())
            .unwrap();
        let given = Given {
            read,
            runs: vec![values],
            cut: 0,
        };
        let table = table(&task, &[("lsa".to_owned(), given)], Vec::new(), None, false);
        let figures = &table.systems[0].figures;
        assert_eq!(
            (figures[0].measure.as_str(), figures[0].of.value),
            ("accuracy", 1.0)
        );
        assert_eq!(figures[1].measure, "macro_f1");
    }
}
