//! Recognises that the first clause contains the question's subject only in other words. Rules often use another word
//! than everyday language, and that word may have several meanings: for example, a rule on the dismissal of a worker
//! answers a question about "sacking", and a rule on the dismissal of a complaint does not. If the clause contains
//! hardly any word of the question itself, nothing shows which meaning it has.

use super::Answering;
use super::clauses::Clauses;
use super::short_names::named;
use crate::workspace::Result;
use lexforge_store::{formal, words};
use lexforge_text::{asked, is_han, phrasal, spelling};
use std::collections::HashSet;

/// Two words that begin with this many equal letters count as forms of one word: "disclose", "disclosure".
const OF_ONE_WORD: usize = 4;

/// Of the words that are not replaced by words of rules, more than one in this many must be in the clause.
const LEAST_SHARE: usize = 3;

/// Words that say nothing of what a question is about, wherever they stand.
const SAY_NOTHING: [&str; 24] = [
    "after", "again", "against", "also", "because", "before", "between", "both", "down", "during",
    "off", "out", "over", "same", "since", "too", "under", "until", "up", "very", "while",
    "within", "without", "yet",
];

impl Answering<'_> {
    /// Whether the first clause contains (almost) none of a question's own words, but only other words with the same
    /// meaning. Only English questions are examined.
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

/// Whether texts contain too little of a subject in its own words. This is so in two cases: some words of the subject
/// occur only as the words that rules use instead, and hardly any of the others occur; or a name of several words
/// occurs in no form.
fn only_in_other_words(subject: &str, texts: &[String]) -> bool {
    let lists: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let has: HashSet<&str> = lists.iter().flatten().map(String::as_str).collect();
    let parts = subject.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let (mut own, mut lacking, mut is_instead) = (0, 0, false);
    // Of a word such as "the" the index has none.
    for written in parts.filter(|written| !words(written).is_empty() && !says_nothing(written)) {
        let spelt = spelling::others(written);
        let itself = spelt.iter().flat_map(|other| words(other));
        let is_there = itself
            .chain(words(written))
            .any(|w| has.contains(w.as_str()));
        if is_there || is_spelled_out(written, &lists) {
            own += 1;
            continue;
        }
        let asked = words(written);
        let mut instead = asked.iter().flat_map(|word| {
            let others = formal(word).iter();
            others.map(move |other| (word, other))
        });
        let stands = |other: &str| other.split(' ').all(|part| has.contains(part));
        match instead.find(|(_, other)| stands(other)) {
            Some((word, other)) if are_forms_of_one(word, other) => own += 1,
            Some(_) => is_instead = true,
            None if phrasal::is_name(&written.to_lowercase()) => return true,
            None => lacking += 1,
        }
    }
    is_instead && own * LEAST_SHARE <= own + lacking
}

/// Whether a word says nothing of what a question is about.
pub(super) fn says_nothing(written: &str) -> bool {
    asked::helps_to_ask(written) || SAY_NOTHING.contains(&written.to_lowercase().as_str())
}

/// Whether a text has the words whose first letters these capitals are: "DPO" and "data protection officer".
pub(super) fn is_spelled_out(written: &str, texts: &[Vec<String>]) -> bool {
    let letters: Vec<char> = written.to_lowercase().chars().collect();
    let are_capitals = written.chars().all(char::is_uppercase);
    let begin = |run: &[String]| {
        let mut both = run.iter().zip(&letters);
        both.all(|(word, letter)| word.starts_with(*letter))
    };
    are_capitals
        && letters.len() > 1
        && texts
            .iter()
            .any(|words| words.windows(letters.len()).any(begin))
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
            // One word of four, and a name in other words.
            (
                "internet connection modem zeppelin workfromhome",
                "Telework needs a written permission and a good connection.",
                true,
            ),
            (
                "internet connection workfromhome",
                "Telework needs a written permission and a good connection.",
                false,
            ),
            // A name that is there in no form.
            (
                "days week workfromhome",
                "The days of the week are chosen.",
                true,
            ),
            (
                "DPO sacked",
                "A data protection officer is dismissed.",
                false,
            ),
            ("DPO sacked", "A warden is dismissed.", true),
            // Words that the index leaves out are not missing.
            (
                "keeps the list of the town",
                "The list of the town is maintained by the mayor.",
                false,
            ),
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
