//! Shortcut controls that need neither a model nor vectors (docs/methods.md, "Evaluation"). They score choices only by
//! their form.
//!
//! They are computed when a snapshot is frozen, before there is any model. One control chooses the medoid: the choice
//! that is most like the others, by its words or by its character trigrams. If the wrong choices were made by changing
//! the right one, each of them is like the right one. So this control finds the right choice without reading the
//! question.

use crate::overlap::CorpusIndex;
use crate::shortcuts::row;
use lexforge_domain::metrics::ShortcutRow;
use lexforge_text::words;
use std::collections::HashMap;

/// Names of the controls that see the choices alone and nothing else.
pub const CHOICES_ALONE: [&str; 4] = [
    "choices_only_words",
    "choices_only_trigrams",
    "longest_choice",
    "first_choice",
];

/// The controls on questions given by their choices and the index of the right one; none where there are no questions.
pub fn controls(items: &[(&[String], usize)], corpus: &CorpusIndex) -> Vec<ShortcutRow> {
    let scored = |name: &str, score: &dyn Fn(&[String]) -> Vec<f64>| {
        row(
            name,
            items
                .iter()
                .map(|(choices, answer)| (score(choices), *answer)),
        )
    };
    let rows = [
        scored(CHOICES_ALONE[0], &|choices| medoid(choices, words)),
        scored(CHOICES_ALONE[1], &|choices| medoid(choices, trigrams)),
        scored(CHOICES_ALONE[2], &|choices| {
            choices.iter().map(|c| c.chars().count() as f64).collect()
        }),
        scored(CHOICES_ALONE[3], &|choices| {
            (0..choices.len()).map(|i| -(i as f64)).collect()
        }),
        scored("corpus_overlap", &|choices| {
            choices.iter().map(|c| corpus.overlap(c)).collect()
        }),
    ];
    rows.into_iter().filter(|row| row.n > 0).collect()
}

fn trigrams(text: &str) -> Vec<String> {
    let chars: Vec<char> = text
        .to_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    if chars.len() < 3 {
        vec![chars.into_iter().collect()]
    } else {
        chars.windows(3).map(|w| w.iter().collect()).collect()
    }
}

/// Sum of each choice's cosines with the others, over bags of pieces.
fn medoid(choices: &[String], pieces: impl Fn(&str) -> Vec<String>) -> Vec<f64> {
    let bags: Vec<HashMap<String, f64>> = choices
        .iter()
        .map(|choice| {
            let mut bag: HashMap<String, f64> = HashMap::new();
            for piece in pieces(choice) {
                *bag.entry(piece).or_default() += 1.0;
            }
            let norm = bag.values().map(|v| v * v).sum::<f64>().sqrt();
            bag.values_mut()
                .for_each(|v| *v /= norm.max(f64::MIN_POSITIVE));
            bag
        })
        .collect();
    let cosine = |a: &HashMap<String, f64>, b: &HashMap<String, f64>| {
        let mut terms: Vec<f64> = a
            .iter()
            .filter_map(|(piece, x)| Some(x * b.get(piece)?))
            .collect();
        // In one order, so that equal choices score equally whatever the order of the map.
        terms.sort_by(f64::total_cmp);
        terms.into_iter().sum::<f64>()
    };
    (0..bags.len())
        .map(|i| {
            (0..bags.len())
                .filter(|j| *j != i)
                .map(|j| cosine(&bags[i], &bags[j]))
                .sum()
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn accuracy(rows: &[ShortcutRow], name: &str) -> (f64, bool) {
        rows.iter()
            .find(|r| r.name == name)
            .map(|r| (r.accuracy, r.flagged))
            .unwrap()
    }

    #[test]
    fn the_middle_of_its_edits_is_found_without_the_question() {
        // The right choice is "pay the bank within ten days"; each wrong one changes one word of it.
        let edits = [
            "pay the bank within nine days",
            "pay the bank within ten days",
            "pay the fund within ten days",
        ]
        .map(String::from);
        let apart = ["one thing", "another matter", "something else"].map(String::from);
        let rows = controls(&[(&edits, 1)], &CorpusIndex::default());
        assert_eq!(accuracy(&rows, "choices_only_words"), (1.0, true));
        assert_eq!(accuracy(&rows, "choices_only_trigrams"), (1.0, true));
        let rows = controls(&[(&apart, 0)], &CorpusIndex::default());
        assert!((accuracy(&rows, "choices_only_words").0 - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(accuracy(&rows, "first_choice"), (1.0, true));
        assert_eq!(accuracy(&rows, "longest_choice").0, 0.0);
    }

    #[test]
    fn chinese_choices_are_compared_by_characters() {
        let edits = [
            "银行应当在十日内报告。",
            "银行应当在五日内报告。",
            "基金应当在十日内报告。",
        ]
        .map(String::from);
        let rows = controls(
            &[(&edits, 0)],
            &CorpusIndex::new(["银行应当在十日内报告。"]),
        );
        assert_eq!(accuracy(&rows, "choices_only_words").0, 1.0);
        assert_eq!(accuracy(&rows, "corpus_overlap").0, 1.0);
        assert!(controls(&[], &CorpusIndex::default()).is_empty());
    }
}
