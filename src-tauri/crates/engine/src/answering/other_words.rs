//! Questions that the first clause has only in other words. A rule may have another word in the place of an everyday one
//! and speak of something else: who asks whom one may "sack" is answered by the dismissal of a worker, and not by the
//! dismissal of a complaint. If no word of the question stands in the clause itself, nothing tells the two apart.

use super::Answering;
use super::clauses::Clauses;
use super::short_names::named;
use crate::workspace::Result;
use lexforge_store::{formal, words};
use lexforge_text::{asked, is_han, spelling};
use std::collections::HashSet;

/// Two words that begin with so many of the same letters are forms of one: "disclose", "disclosure".
const OF_ONE_WORD: usize = 4;

/// Words that say nothing of what a question is about, wherever they stand.
const SAY_NOTHING: [&str; 24] = [
    "after", "again", "against", "also", "because", "before", "between", "both", "down", "during",
    "off", "out", "over", "same", "since", "too", "under", "until", "up", "very", "while",
    "within", "without", "yet",
];

impl Answering<'_> {
    /// Whether the clause that stands first has a question only in other words. Only English questions are looked at.
    pub(super) fn stands_in_other_words(
        &self,
        subject: &str,
        fused: &[(u32, f64)],
        clauses: &Clauses,
    ) -> Result<bool> {
        let first = fused.first().map(|first| first.0);
        let place = first.and_then(|first| clauses.map.sentences(first).map(|of| (first, of)));
        let Some((first, (from, to))) = place.filter(|_| !subject.chars().any(is_han)) else {
            return Ok(false);
        };
        let store = &self.workspace.store;
        let mut texts = store.read(|r| r.texts_between(from, to))?;
        texts.extend(clauses.document_of(first).map(named));
        Ok(only_in_other_words(subject, &texts))
    }
}

/// Whether texts have none of the words of a subject, and words of rules in their place.
fn only_in_other_words(subject: &str, texts: &[String]) -> bool {
    let has: HashSet<String> = texts.iter().flat_map(|text| words(text)).collect();
    let parts = subject.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let mut is_instead = false;
    let says_nothing = |written: &str| {
        asked::helps_to_ask(written) || SAY_NOTHING.contains(&written.to_lowercase().as_str())
    };
    for written in parts.filter(|written| !says_nothing(written)) {
        let spelt = spelling::others(written);
        let itself = spelt.iter().flat_map(|other| words(other));
        if itself.chain(words(written)).any(|word| has.contains(&word)) {
            return false;
        }
        for word in words(written) {
            for other in formal(&word) {
                if other.split(' ').all(|part| has.contains(part)) {
                    if are_forms_of_one(&word, other) {
                        return false;
                    }
                    is_instead = true;
                }
            }
        }
    }
    is_instead
}

/// Whether two words are forms of one, as a verb and its noun are.
fn are_forms_of_one(one: &str, other: &str) -> bool {
    let same = one.chars().zip(other.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    same >= OF_ONE_WORD || (same > 0 && same == one.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_that_has_only_other_words_is_told_apart() {
        for (subject, clause, only) in [
            (
                "a sacked worker",
                "An employee is dismissed in writing.",
                true,
            ),
            ("sack a warden", "A warden is dismissed in writing.", false),
            (
                "sack a warden",
                "A complaint is dismissed in writing.",
                true,
            ),
            (
                "sacked without notice",
                "An employee is dismissed without reason.",
                true,
            ),
            // A verb and its noun.
            ("disclosed", "The disclosure is made in writing.", false),
            ("paid", "The payment is made in writing.", true),
            ("pay", "The payment is made in writing.", false),
            // Found by its meaning alone: nothing stands in the place of a word.
            ("a zeppelin", "A warden is dismissed in writing.", false),
            ("organization", "An organisation sacks nobody.", false),
            ("", "", false),
        ] {
            let texts = [clause.to_owned()];
            assert_eq!(
                only_in_other_words(subject, &texts),
                only,
                "{subject}: {clause}"
            );
        }
    }
}
