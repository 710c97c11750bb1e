//! How a corpus uses its verbs: as predicates, or before one noun as a part of its name.

use super::lexicon::{AFTER_VERB, MODAL};
use super::words::{Class, Words};
use std::collections::HashMap;

/// Uses from which on a verb is judged.
const JUDGED: u32 = 4;

/// The evidence in the corpus about a verb.
#[derive(Clone, Debug, Default)]
struct Evidence {
    count: u32,
    predicate: u32,
    before: HashMap<u32, u32>,
}

/// The roles of the verbs of a corpus.
#[derive(Debug, Default)]
pub(super) struct Usage {
    predicate: Vec<bool>,
    attributive: Vec<bool>,
}

impl Usage {
    pub(super) fn learn(sentences: &[Vec<u32>], words: &Words) -> Self {
        let entries = |test: &dyn Fn(&str) -> bool| -> Vec<bool> {
            (0..words.len() as u32)
                .map(|id| test(&words.entry(id).text))
                .collect()
        };
        let modal = entries(&|word| MODAL.contains(word));
        let after_verb = entries(&|word| AFTER_VERB.contains(word));
        let mut evidence = vec![Evidence::default(); words.len()];
        for sentence in sentences {
            for window in sentence.windows(3) {
                let [before, word, next] = [window[0], window[1], window[2]];
                if !words.entry(word).is_verb() {
                    continue;
                }
                let (left, right) = (words.entry(before), words.entry(next));
                let entry = &mut evidence[word as usize];
                entry.count += 1;
                let predicate = modal[before as usize]
                    || &*left.tag == "d"
                    || after_verb[next as usize]
                    || matches!(&*right.tag, "m" | "r");
                if predicate {
                    entry.predicate += 1;
                } else if matches!(right.class, Class::Noun | Class::Deverbal) {
                    *entry.before.entry(next).or_default() += 1;
                }
            }
        }
        let predicate: Vec<bool> = evidence
            .iter()
            .map(|e| e.predicate >= 2 && 20 * e.predicate > e.count)
            .collect();
        let attributive = evidence
            .iter()
            .zip(&predicate)
            .map(|(e, predicate)| {
                let most = e.before.values().copied().max().unwrap_or(0);
                !predicate
                    && e.count >= JUDGED
                    && 10 * e.predicate <= e.count
                    && most >= 3
                    && 10 * most >= 3 * e.count
            })
            .collect();
        Self {
            predicate,
            attributive,
        }
    }

    /// The word stands as a predicate in a good part of its uses.
    pub(super) fn is_predicate(&self, word: u32) -> bool {
        self.predicate.get(word as usize).copied().unwrap_or(false)
    }

    /// Whether a verb occurs mostly before the same noun and never as a predicate.
    pub(super) fn is_attributive(&self, word: u32) -> bool {
        self.attributive
            .get(word as usize)
            .copied()
            .unwrap_or(false)
    }
}
