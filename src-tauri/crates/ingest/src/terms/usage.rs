//! How a corpus uses a word: as a noun, or as a verb. Stands in for a part-of-speech tagger.

use super::lexicon::{ADJECTIVE, FUNCTION, LY_NOUN, NOUN_LIKE_ADJECTIVE, VERB};
use super::tokens::{Token, Words};
use std::collections::HashMap;

const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "any", "each", "every", "its", "their",
    "his", "her", "our", "your", "such", "no", "some", "all", "other", "another",
];
pub(super) const MODALS: &[&str] = &[
    "shall", "must", "may", "might", "can", "could", "will", "would", "should", "cannot",
];
const SUBJECTS: &[&str] = &[
    "it", "they", "he", "she", "we", "you", "who", "which", "that",
];

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

/// The closed classes of words, one bit each.
mod class {
    pub(super) const FUNCTION: u16 = 1;
    pub(super) const DETERMINER: u16 = 2;
    pub(super) const MODAL: u16 = 4;
    pub(super) const SUBJECT: u16 = 8;
    /// An article or possessive that opens an object.
    pub(super) const OPENS: u16 = 16;
    pub(super) const ARTICLE: u16 = 32;
    /// A preposition or conjunction before a noun.
    pub(super) const LINK: u16 = 64;
    pub(super) const BE: u16 = 128;
    /// An adverb between modal and verb.
    pub(super) const ADVERB: u16 = 256;
    pub(super) const TO: u16 = 512;
    pub(super) const THAT: u16 = 1024;
    pub(super) const ED: u16 = 2048;
}

fn class_of(word: &str) -> u16 {
    let bit = |is: bool, bit: u16| if is { bit } else { 0 };
    bit(word.is_empty() || FUNCTION.contains(word), class::FUNCTION)
        | bit(DETERMINERS.contains(&word), class::DETERMINER)
        | bit(MODALS.contains(&word), class::MODAL)
        | bit(SUBJECTS.contains(&word), class::SUBJECT)
        | bit(
            matches!(word, "the" | "a" | "an" | "its" | "their" | "any"),
            class::OPENS,
        )
        | bit(matches!(word, "the" | "a" | "an"), class::ARTICLE)
        | bit(
            matches!(word, "of" | "by" | "for" | "in" | "with" | "and" | "or"),
            class::LINK,
        )
        | bit(
            matches!(word, "be" | "been" | "is" | "are" | "was" | "were"),
            class::BE,
        )
        | bit(
            word == "not" || word == "also" || word.ends_with("ly"),
            class::ADVERB,
        )
        | bit(word == "to", class::TO)
        | bit(word == "that", class::THAT)
        | bit(word.ends_with("ed"), class::ED)
}

/// The evidence for each word of a corpus, by its number.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    words: Vec<Evidence>,
    ids: HashMap<Box<str>, u32>,
}

impl Usage {
    /// Counts the surroundings of every word.
    pub(crate) fn learn(sentences: &[Vec<Token>], words: &Words) -> Self {
        let classes: Vec<u16> = words.texts().map(class_of).collect();
        let mut evidence = vec![Evidence::default(); classes.len()];
        for tokens in sentences {
            for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.word) {
                let class_at = |at: Option<usize>| {
                    at.and_then(|at| tokens.get(at))
                        .map(|t| classes[t.lower as usize])
                };
                let before = class_at(i.checked_sub(1)).unwrap_or(0);
                let before_that = class_at(i.checked_sub(2)).unwrap_or(0);
                let next = tokens.get(i + 1);
                let after = class_at(Some(i + 1)).unwrap_or(0);
                let own = classes[token.lower as usize];
                let is = |class: u16, bits: u16| class & bits != 0;
                let entry = &mut evidence[token.lower as usize];
                entry.count += 1.0;
                let closed = next.is_none_or(|t| !t.word) || is(after, class::FUNCTION);
                if !closed {
                    entry.modifier += 1.0;
                    entry.determined += if is(before, class::DETERMINER) {
                        1.0
                    } else {
                        0.0
                    };
                } else if is(before, class::DETERMINER) && !is(before, class::THAT) {
                    entry.noun += 2.0;
                } else if is(before, class::LINK) && !is(after, class::DETERMINER) {
                    entry.noun += 1.0;
                }
                let modal = is(before, class::MODAL)
                    || (is(before_that, class::MODAL) && is(before, class::ADVERB));
                if modal || is(before, class::SUBJECT) {
                    entry.verb += 3.0;
                }
                if is(after, class::OPENS) && !is(before, class::ARTICLE) {
                    // "implements the", "to contest a"; a noun is seldom followed by a determiner.
                    entry.verb += if is(before, class::TO) { 3.0 } else { 2.0 };
                }
                if is(before, class::BE) && is(own, class::ED) {
                    entry.verb += 2.0;
                }
            }
        }
        let ids = words
            .texts()
            .zip(0..)
            .map(|(text, id)| (text.into(), id))
            .collect();
        Self {
            words: evidence,
            ids,
        }
    }

    fn of(&self, word: &str) -> Evidence {
        self.ids
            .get(word)
            .and_then(|id| self.words.get(*id as usize))
            .copied()
            .unwrap_or_default()
    }

    /// Whether the corpus uses the word as a noun often enough for a term of its own.
    pub(crate) fn is_noun(&self, word: &str) -> bool {
        let Evidence {
            noun,
            verb,
            modifier,
            count,
            ..
        } = self.of(word);
        noun >= 4.0 && noun > verb && noun >= 0.25 * count && noun >= 0.5 * modifier
    }

    /// Whether the word cannot be part of a noun phrase in this corpus: it is a function word, an adverb, or a word
    /// that this corpus uses as a verb.
    pub(crate) fn breaks(&self, word: &str) -> bool {
        if FUNCTION.contains(word)
            || (word.len() > 4 && word.ends_with("ly") && !LY_NOUN.contains(word))
        {
            return true;
        }
        let Evidence {
            noun,
            verb,
            determined,
            ..
        } = self.of(word);
        let noun = noun + 2.0 * determined;
        if VERB.contains(word) {
            // Listed verbs are nouns only on the corpus's word ("the use", "a transfer", "the lead authority").
            return noun < 3.0 || noun < 1.2 * verb || word.ends_with("ed");
        }
        verb >= 4.0
            && verb > 2.0 * noun
            && !word.ends_with("tion")
            && !word.ends_with("ment")
            && !word.ends_with("ity")
    }

    /// Whether a phrase can end with the word: by its spelling and by how the corpus uses it.
    pub(crate) fn heads(&self, word: &str) -> bool {
        if word.chars().count() < 2 || ADJECTIVE.contains(word) {
            return false;
        }
        if NOUN_LIKE_ADJECTIVE.contains(word) {
            return true;
        }
        let Evidence {
            noun,
            verb,
            modifier,
            ..
        } = self.of(word);
        let adjectival = [
            "ful", "less", "ous", "ible", "able", "ical", "ial", "ional", "ular", "ish", "ive",
            "ic", "ary", "ory", "ual", "eral", "onal",
        ]
        .iter()
        .any(|e| word.ends_with(e));
        let nominal_al = word.ends_with("al") && noun < 4.0;
        let participle = word.ends_with("ed")
            && !matches!(
                word,
                "need" | "seed" | "speed" | "deed" | "feed" | "breed" | "shared"
            );
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
