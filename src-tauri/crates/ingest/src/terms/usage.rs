//! How a corpus uses a word: as a noun, or as a verb. Stands in for a part-of-speech tagger.

use super::lexicon::{ADJECTIVE, FUNCTION, LY_NOUN, NOUN_LIKE_ADJECTIVE, VERB};
use super::tokens::Token;
use std::collections::HashMap;

const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "any", "each", "every", "its", "their", "his", "her", "our",
    "your", "such", "no", "some", "all", "other", "another",
];
const MODALS: &[&str] = &["shall", "must", "may", "might", "can", "could", "will", "would", "should", "cannot"];
const SUBJECTS: &[&str] = &["it", "they", "he", "she", "we", "you", "who", "which", "that"];

/// What speaks for a word as a noun, as a verb, and as a modifier.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    noun: f32,
    verb: f32,
    modifier: f32,
    /// Uses as a modifier right after a determiner: "the lead authority".
    determined: f32,
    count: f32,
}

/// The evidence for each lower-case word of a corpus.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    words: HashMap<String, Evidence>,
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
                let entry = usage.words.entry(token.lower.clone()).or_default();
                entry.count += 1.0;
                let closed = after.is_empty() || FUNCTION.contains(after) || !tokens.get(i + 1).is_some_and(|t| t.word);
                if !closed {
                    entry.modifier += 1.0;
                    entry.determined += if DETERMINERS.contains(&before) { 1.0 } else { 0.0 };
                } else if DETERMINERS.contains(&before) && before != "that" {
                    entry.noun += 2.0;
                } else if matches!(before, "of" | "by" | "for" | "in" | "with" | "and" | "or")
                    && !DETERMINERS.contains(&after)
                {
                    entry.noun += 1.0;
                }
                let modal = MODALS.contains(&before)
                    || (MODALS.contains(&before_that)
                        && (before == "not" || before == "also" || before.ends_with("ly")));
                if modal || SUBJECTS.contains(&before) {
                    entry.verb += 3.0;
                }
                if matches!(after, "the" | "a" | "an" | "its" | "their" | "any")
                    && !matches!(before, "the" | "a" | "an")
                {
                    // "implements the", "to contest a"; a noun is seldom followed by a determiner.
                    entry.verb += if before == "to" { 3.0 } else { 2.0 };
                }
                if matches!(before, "be" | "been" | "is" | "are" | "was" | "were") && token.lower.ends_with("ed") {
                    entry.verb += 2.0;
                }
            }
        }
        usage
    }

    fn of(&self, word: &str) -> Evidence {
        self.words.get(word).copied().unwrap_or_default()
    }

    /// Whether the corpus uses the word as a noun often enough for a term of its own.
    pub(crate) fn is_noun(&self, word: &str) -> bool {
        let Evidence { noun, verb, modifier, count, .. } = self.of(word);
        noun >= 4.0 && noun > verb && noun >= 0.25 * count && noun >= 0.5 * modifier
    }

    /// Whether the word cannot stand in a noun phrase here: a function word, an adverb, or a word that this
    /// corpus uses as a verb.
    pub(crate) fn breaks(&self, word: &str) -> bool {
        if FUNCTION.contains(word) || (word.len() > 4 && word.ends_with("ly") && !LY_NOUN.contains(word)) {
            return true;
        }
        let Evidence { noun, verb, determined, .. } = self.of(word);
        let noun = noun + 2.0 * determined;
        if VERB.contains(word) {
            // Listed verbs are nouns only on the corpus's word ("the use", "a transfer", "the lead authority").
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
        let Evidence { noun, verb, modifier, .. } = self.of(word);
        let adjectival = [
            "ful", "less", "ous", "ible", "able", "ical", "ial", "ional", "ular", "ish", "ive", "ic", "ary", "ory",
            "ual", "eral", "onal",
        ]
        .iter()
        .any(|e| word.ends_with(e));
        let nominal_al = word.ends_with("al") && noun < 4.0;
        let participle =
            word.ends_with("ed") && !matches!(word, "need" | "seed" | "speed" | "deed" | "feed" | "breed" | "shared");
        let gerund = word.ends_with("ing") && word.len() > 5 && (noun < 2.0 || verb > 2.0 * noun);
        if participle || gerund {
            return false;
        }
        // A word that looks like an adjective heads a phrase only if the corpus often uses it as a noun.
        !(adjectival || nominal_al) || (noun >= 4.0 && noun > 1.5 * modifier)
    }

    /// Whether a phrase can begin with the word.
    pub(crate) fn begins(&self, word: &str) -> bool {
        word.chars().count() > 1 && !word.ends_with('-')
    }
}
