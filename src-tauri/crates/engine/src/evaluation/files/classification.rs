//! Items put into classes.

use super::lines::{Clusters, Line, RESAMPLES, few, invalid, lines, named, unlike};
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::Failure;
use lexforge_domain::api::{ClassFigures, ClassificationFigures, ConfusedPair, OverlapFigures};
use lexforge_evaluate::classification::macro_of;
use lexforge_evaluate::statistics::{PairedSeries, Plan, compare_all, mean_interval, power};
use std::collections::{BTreeMap, BTreeSet};

const FORM: &str =
    r#"{"gold": class, "predicted": class, "cluster"?: name}, a class being text or a number"#;
/// Confused pairs that are listed.
const LISTED: usize = 20;

/// A file as it was read.
struct Read {
    lines: Vec<Line>,
    gold: Vec<String>,
    predicted: Vec<Option<String>>,
}

impl Read {
    fn right(&self) -> Vec<f64> {
        let both = self.gold.iter().zip(&self.predicted);
        both.map(|(gold, predicted)| f64::from(u8::from(predicted.as_ref() == Some(gold))))
            .collect()
    }
}

/// The figures of a file of predicted classes. If a second, named file is given, also the difference from that file's
/// predictions for the same items.
///
/// # Errors
/// When a line cannot be used, or the files do not have the same right classes.
pub fn classification_figures(
    text: &str,
    against: Option<(&str, &str)>,
) -> Result<ClassificationFigures> {
    let read = read(text)?;
    let clusters = Clusters::of(&read.lines, FORM)?;
    let right = read.right();
    let (accuracy, interval, count) = mean_interval(&right, &clusters.of, RESAMPLES, DEFAULT_SEED);
    let mut figures = of_classes(&read);
    figures.accuracy = accuracy;
    figures.ci95 = interval.unwrap_or([0.0, 1.0]);
    figures.clusters = count;
    figures.notes = notes(&read, count);
    if let Some((name, other)) = against {
        let before = of_the_same_items(&read, name, other)?.right();
        let differences: Vec<f64> = right.iter().zip(&before).map(|(a, b)| a - b).collect();
        let series = PairedSeries {
            measure: "accuracy".to_owned(),
            against: name.to_owned(),
            before,
            after: right,
        };
        let (of, unit) = (&clusters.of, clusters.unit);
        figures.against =
            compare_all(&[series], of, unit, RESAMPLES, DEFAULT_SEED).map_err(Failure::from)?;
        figures.power = power(&Plan::Measured {
            clusters: of,
            differences: &differences,
        });
    }
    Ok(figures)
}

fn of_the_same_items(mine: &Read, name: &str, other: &str) -> Result<Read> {
    let theirs = read(other)?;
    if theirs.gold.len() != mine.gold.len() {
        let why = format!(
            "it has {} items and the file {}",
            theirs.gold.len(),
            mine.gold.len()
        );
        return Err(unlike(name, &why));
    }
    let both = mine.gold.iter().zip(&theirs.gold);
    match both.clone().position(|(mine, theirs)| mine != theirs) {
        Some(at) => {
            let (there, here) = (theirs.lines[at].number, mine.lines[at].number);
            let why = format!("its line {there} has another right class than line {here}");
            Err(unlike(name, &why))
        }
        None => Ok(theirs),
    }
}

fn read(text: &str) -> Result<Read> {
    let lines = lines(text, FORM)?;
    let (mut gold, mut predicted) = (Vec::new(), Vec::new());
    for line in &lines {
        let class = line.label("gold", FORM)?;
        gold.push(class.ok_or_else(|| invalid(line.number, "it has no \"gold\" class", FORM))?);
        predicted.push(line.label("predicted", FORM)?);
    }
    Ok(Read {
        lines,
        gold,
        predicted,
    })
}

fn of_classes(read: &Read) -> ClassificationFigures {
    let named = read.predicted.iter().flatten();
    let classes: BTreeSet<&str> = read.gold.iter().chain(named).map(String::as_str).collect();
    let numbers: BTreeMap<&str, usize> = classes.iter().zip(0..).map(|(c, i)| (*c, i)).collect();
    let gold: Vec<usize> = read.gold.iter().map(|c| numbers[c.as_str()]).collect();
    let predicted: Vec<Option<usize>> = read
        .predicted
        .iter()
        .map(|c| c.as_deref().map(|c| numbers[c]))
        .collect();
    let mean = macro_of(&gold, &predicted);
    let mut counts = vec![[0_usize; 3]; classes.len()];
    let mut confused: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (gold, predicted) in gold.iter().zip(&predicted) {
        counts[*gold][2] += 1;
        if let Some(predicted) = predicted {
            counts[*predicted][1] += 1;
            if gold == predicted {
                counts[*gold][0] += 1;
            } else {
                *confused.entry((*gold, *predicted)).or_default() += 1;
            }
        }
    }
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    let by_class = classes.iter().zip(&counts).map(|(class, [hit, given, n])| {
        let figures = ClassFigures {
            precision: share(*hit, *given),
            recall: share(*hit, *n),
            f1: share(2 * hit, given + n),
            n: *n,
        };
        ((*class).to_owned(), figures)
    });
    let by_class = by_class.collect();
    let classes: Vec<&str> = classes.into_iter().collect();
    let mut confused: Vec<ConfusedPair> = confused
        .into_iter()
        .map(|((gold, predicted), n)| ConfusedPair {
            at: Vec::new(),
            gold: classes[gold].to_owned(),
            predicted: classes[predicted].to_owned(),
            n,
        })
        .collect();
    confused.sort_by_key(|pair| std::cmp::Reverse(pair.n));
    confused.truncate(LISTED);
    ClassificationFigures {
        n: gold.len(),
        macro_mean: OverlapFigures {
            precision: mean.precision,
            recall: mean.recall,
            f1: mean.f1,
        },
        unanswered: predicted.iter().filter(|p| p.is_none()).count(),
        by_class,
        confused,
        ..ClassificationFigures::default()
    }
}

fn notes(read: &Read, clusters: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let unanswered: Vec<usize> = read
        .lines
        .iter()
        .zip(&read.predicted)
        .filter(|(_, predicted)| predicted.is_none())
        .map(|(line, _)| line.number)
        .collect();
    if !unanswered.is_empty() {
        notes.push(format!(
            "No predicted class in {}: counted as wrong.",
            named(&unanswered)
        ));
    }
    let gold: BTreeSet<&String> = read.gold.iter().collect();
    if let (1, Some(only)) = (gold.len(), gold.first()) {
        notes.push(format!(
            "All items are of one class ({only}): whether classes are told apart cannot be seen here."
        ));
    }
    if clusters < 2 {
        notes.push(
            "All items are of one cluster: nothing is known of the spread, so the interval is the widest there is."
                .to_owned(),
        );
    }
    notes.extend(few(read.gold.len(), "items"));
    notes
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn file(pairs: &[(&str, &str)]) -> String {
        pairs
            .iter()
            .map(|(gold, predicted)| {
                format!("{{\"gold\":\"{gold}\",\"predicted\":\"{predicted}\"}}\n")
            })
            .collect()
    }

    #[test]
    fn figures_as_scikit_learn_gives_them() {
        // The expected figures are those of scikit-learn's `precision_recall_fscore_support([a,a,b,b,c], [a,d,b,c,c],
        // average="macro", zero_division=0)`. The class d is predicted once and is never right.
        let pairs = [("a", "a"), ("a", "d"), ("b", "b"), ("b", "c"), ("c", "c")];
        let found = classification_figures(&file(&pairs), None).unwrap();
        assert_eq!((found.n, found.accuracy), (5, 0.6));
        let mean = found.macro_mean;
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12);
        near(mean.precision, 0.625);
        near(mean.recall, 0.5);
        near(mean.f1, 0.5);
        near(found.by_class["c"].f1, 2.0 / 3.0);
        assert_eq!((found.confused.len(), found.confused[0].n), (2, 1));
        assert!(found.notes.iter().any(|n| n.contains("Only 5 items")));
    }

    #[test]
    fn one_class_and_missing_predictions_are_said() {
        let text = "{\"gold\":1,\"predicted\":1}\n{\"gold\":1,\"predicted\":null}\n{\"gold\":1}";
        let found = classification_figures(text, None).unwrap();
        assert_eq!(found.unanswered, 2);
        assert!(found.notes[0].contains("lines 2, 3"), "{:?}", found.notes);
        assert!(found.notes[1].contains("one class"), "{:?}", found.notes);
    }

    #[test]
    fn two_systems_are_compared_on_the_same_items_alone() {
        let mine = file(&[("a", "a"), ("a", "a"), ("b", "b")]);
        let theirs = file(&[("a", "b"), ("a", "a"), ("b", "b")]);
        let found = classification_figures(&mine, Some(("B", &theirs))).unwrap();
        let one = &found.against[0];
        assert_eq!(one.by_item.mcnemar.unwrap().only_after, 1);
        assert!((one.comparison.difference.value - 1.0 / 3.0).abs() < 1e-12);
        assert!(found.power.unwrap().measured);
        for other in [
            file(&[("a", "a")]),
            file(&[("a", "a"), ("b", "a"), ("b", "b")]),
        ] {
            assert!(classification_figures(&mine, Some(("B", &other))).is_err());
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_line() {
        let check = |text: &str, words: &str| {
            let failure = classification_figures(text, None).unwrap_err();
            assert!(failure.message.contains(words), "{}", failure.message);
        };
        check(
            "{\"gold\":\"a\",\"predicted\":\"a\"}\n{\"predicted\":\"a\"}",
            "Line 2",
        );
        check(
            "{\"gold\":{},\"predicted\":\"a\"}",
            "neither text nor a number",
        );
        check("{\"gold\":NaN,\"predicted\":1}", "NaN");
        check("", "no line");
    }
}
