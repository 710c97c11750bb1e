//! How a corpus uses a word: as a noun, or as a verb. Stands in for a part-of-speech tagger.

use super::lexicon::{ADJECTIVE, FUNCTION, LY_NOUN, NOUN_LIKE_ADJECTIVE, VERB};
use super::tokens::Token;
use std::collections::HashMap;

const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "any", "each", "every", "its", "their", "his", "her", "our", "your", "such", "no", "some", "all",
    "other", "another",
];
const MODALS: &[&str] = &["shall", "must", "may", "might", "can", "could", "will", "would", "should", "cannot"];
const SUBJECTS: &[&str] = &["it", "they", "he", "she", "we", "you", "who", "which", "that"];

/// Nominal and verbal occurrences of each lower-case word.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    counts: HashMap<String, (u32, u32)>,
}

impl Usage {
    /// Counts the surroundings of every word.
    pub(crate) fn learn(sentences: &[Vec<Token>]) -> Self {
        let mut usage = Self::default();
        for tokens in sentences {
            for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.word) {
                let before = i.checked_sub(1).map(|p| tokens[p].lower.as_str()).unwrap_or_default();
                let before_that = i.checked_sub(2).map(|p| tokens[p].lower.as_str()).unwrap_or_default();
                let after = tokens.get(i + 1).map(|t| t.lower.as_str()).unwrap_or_default();
                let entry = usage.counts.entry(token.lower.clone()).or_default();
                let closed = after.is_empty() || FUNCTION.contains(after) || !tokens.get(i + 1).is_some_and(|t| t.word);
                if DETERMINERS.contains(&before) && before != "that" {
                    // "the use of" is nominal, "the applied method" says little.
                    entry.0 += if closed { 2 } else { 1 };
                }
                if matches!(before, "of" | "by" | "for" | "in" | "with") && closed && !DETERMINERS.contains(&after) {
                    entry.0 += 1;
                }
                let modal = MODALS.contains(&before)
                    || (MODALS.contains(&before_that) && (before == "not" || before == "also" || before.ends_with("ly")));
                if modal || SUBJECTS.contains(&before) {
                    entry.1 += 3;
                }
                if before == "to" {
                    entry.1 += if DETERMINERS.contains(&after) { 3 } else { 1 };
                } else if matches!(after, "the" | "a" | "an" | "its" | "their" | "any") && !matches!(before, "the" | "a" | "an") {
                    entry.1 += 2;
                }
                if matches!(before, "be" | "been" | "is" | "are" | "was" | "were") && token.lower.ends_with("ed") {
                    entry.1 += 2;
                }
            }
        }
        usage
    }

    fn of(&self, word: &str) -> (f32, f32) {
        self.counts.get(word).map_or((0.0, 0.0), |(n, v)| (*n as f32, *v as f32))
    }

    /// Whether the word cannot stand in a noun phrase here: a function word, an adverb, or a word that this
    /// corpus uses as a verb.
    pub(crate) fn breaks(&self, word: &str) -> bool {
        if FUNCTION.contains(word) || (word.len() > 4 && word.ends_with("ly") && !LY_NOUN.contains(word)) {
            return true;
        }
        let (noun, verb) = self.of(word);
        if VERB.contains(word) {
            // Listed verbs are nouns only on the corpus's word ("the use", "a transfer", "the processing").
            return noun < 3.0 || noun < 1.2 * verb || word.ends_with("ed");
        }
        verb >= 4.0 && verb > 2.0 * noun && !word.ends_with("tion") && !word.ends_with("ment") && !word.ends_with("ity")
    }

    /// Whether a phrase can end with the word: by its spelling and by how the corpus uses it.
    pub(crate) fn heads(&self, word: &str) -> bool {
        if word.chars().count() < 2 || ADJECTIVE.contains(word) {
            return false;
        }
        if NOUN_LIKE_ADJECTIVE.contains(word) {
            return true;
        }
        let (noun, verb) = self.of(word);
        let adjectival = ["ful", "less", "ous", "ible", "able", "ical", "ial", "ional", "ular", "ish", "ive", "ic", "ary", "ory", "ual", "eral", "onal", "ant-"]
            .iter()
            .any(|e| word.ends_with(e));
        let nominal_al = word.ends_with("al") && noun < 4.0;
        let participle = word.ends_with("ed") && !matches!(word, "need" | "seed" | "speed" | "deed" | "feed" | "breed" | "shared");
        let gerund = word.ends_with("ing") && word.len() > 5 && (noun < 2.0 || verb > 2.0 * noun);
        if participle || gerund {
            return false;
        }
        // A word that looks like an adjective heads a phrase only if the corpus often uses it as a noun.
        !(adjectival || nominal_al) || noun >= 8.0
    }

    /// Whether a phrase can begin with the word.
    pub(crate) fn begins(&self, word: &str) -> bool {
        word.chars().count() > 1 && !word.ends_with('-')
    }
}
