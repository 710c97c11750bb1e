//! Scores of pairs against what people say of them.

use super::lines::{Clusters, RESAMPLES, few, lines};
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::api::SimilarityFigures;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::correlation::{intervals, pearson, spearman};
use std::collections::{BTreeMap, BTreeSet};

const FORM: &str = r#"{"gold": number, "score": number, "cluster"?: name}"#;
/// Above this no interval is made: every resample sorts all pairs again.
const RESAMPLED: usize = 20_000;

/// The figures of a file of scored pairs.
///
/// # Errors
/// When a line cannot be used, there are fewer than three pairs, or one of the two columns (`gold` or `score`) has only
/// equal values.
pub fn similarity_figures(text: &str) -> Result<SimilarityFigures> {
    let lines = lines(text, FORM)?;
    let (mut gold, mut scores) = (Vec::new(), Vec::new());
    for line in &lines {
        gold.push(line.number("gold", FORM)?);
        scores.push(line.number("score", FORM)?);
    }
    if lines.len() < 3 {
        return Err(Failure::new(
            Code::TooLittleData,
            format!("A correlation of {} pairs says nothing.", lines.len()),
            "Give at least three pairs; for a figure that can be relied upon, a hundred or more.",
        ));
    }
    for (name, series) in [("gold", &gold), ("score", &scores)] {
        if series.windows(2).all(|pair| pair[0] == pair[1]) {
            return Err(Failure::new(
                Code::TooLittleData,
                format!("Every \"{name}\" is the same number, so there is no correlation."),
                "Give pairs whose numbers differ.",
            ));
        }
    }
    let no_number = || {
        Failure::invalid(
            "The numbers are too large to compute with.",
            "Give numbers of an ordinary size.",
        )
    };
    let clusters = Clusters::of(&lines, FORM)?;
    let mut found = SimilarityFigures {
        n: lines.len(),
        spearman: spearman(&gold, &scores).ok_or_else(no_number)?,
        pearson: pearson(&gold, &scores).ok_or_else(no_number)?,
        clusters: clusters.of.iter().collect::<BTreeSet<_>>().len(),
        intervals: BTreeMap::new(),
        notes: few(lines.len(), "pairs").into_iter().collect(),
    };
    if lines.len() <= RESAMPLED {
        let both = intervals(&gold, &scores, &clusters.of, RESAMPLES, DEFAULT_SEED);
        let named = ["spearman", "pearson"].into_iter().zip(both);
        found.intervals = named
            .filter_map(|(name, interval)| Some((name.to_owned(), interval?)))
            .collect();
    } else {
        found.notes.push(format!(
            "No intervals: there are more than {RESAMPLED} pairs, and so many leave next to no spread."
        ));
    }
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn correlations_and_what_has_none() {
        let file = |pairs: &[(f64, f64)]| -> String {
            let line =
                |(gold, score): &(f64, f64)| format!("{{\"gold\":{gold},\"score\":{score}}}\n");
            pairs.iter().map(line).collect()
        };
        let found =
            similarity_figures(&file(&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.9), (4.0, 0.8)])).unwrap();
        assert!((found.spearman - 0.8).abs() < 1e-12);
        assert!(found.notes[0].contains("Only 4 pairs"));
        let [low, high] = found.intervals["spearman"];
        assert!(low <= 0.8 && high >= 0.8);
        let refused = |text: &str, words: &str| {
            let failure = similarity_figures(text).unwrap_err();
            assert!(failure.message.contains(words), "{}", failure.message);
        };
        refused(&file(&[(1.0, 0.1), (2.0, 0.2)]), "2 pairs");
        refused(
            &file(&[(1.0, 0.1), (1.0, 0.2), (1.0, 0.3)]),
            "\"gold\" is the same",
        );
        refused("{\"gold\":1,\"score\":\"x\"}", "Line 1");
        refused("{\"gold\":1,\"score\":NaN}", "NaN");
        refused("{\"gold\":1}", "no \"score\"");
    }
}
