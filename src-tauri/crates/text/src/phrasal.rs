//! Verbs of everyday questions that are two words or more: "sign off", "hand over", "push back". Rules have one word in
//! their place ("approve"), and the second word alone ("off") would be looked for as if it were a thing.

use crate::lists::Swap;
use crate::word_lists;
use std::sync::LazyLock;

word_lists! {
    /// The word that stands for all forms, then the forms; and the words of rules.
    PHRASAL: Vec<Swap> = "english/phrasal.txt";
}

/// Words between a verb and its particle, at most: "hand the running of a berth over to a pilot".
const MOST_BETWEEN: usize = 8;
/// Words behind a particle that stands apart from its verb. Before another word it is a preposition: "put the log in the
/// box".
const BEHIND: [&str; 14] = [
    "to", "for", "by", "until", "till", "from", "when", "if", "because", "before", "after", "and",
    "or", "without",
];

/// Each word that stands for such a verb in a search, with the words of rules that may stand in its place.
pub(crate) fn swaps() -> impl Iterator<Item = &'static Swap> {
    static AS_ONE: LazyLock<Vec<Swap>> = LazyLock::new(|| {
        let rows = PHRASAL.iter();
        rows.map(|(forms, others)| (forms.iter().take(1).copied().collect(), others.clone()))
            .collect()
    });
    AS_ONE.iter()
}

/// Before one of these no verb stands but a noun: "the first step in the process", "which checks on pilots".
const BEFORE_NOUNS: [&str; 34] = [
    "a", "an", "the", "this", "that", "these", "those", "any", "each", "every", "no", "some",
    "which", "what", "whose", "its", "their", "our", "your", "my", "his", "her", "first", "second",
    "third", "last", "next", "previous", "other", "another", "more", "many", "of", "all",
];

/// An English question with one word in the place of each such verb.
pub(crate) fn as_one(question: &str) -> String {
    let mut words: Vec<String> = question.split(' ').map(str::to_owned).collect();
    let mut at = 0;
    while at < words.len() {
        let found = PHRASAL.iter().filter_map(|(forms, _)| {
            let (one, forms) = forms.split_first()?;
            let stand = forms.iter().find_map(|form| places(form, &words, at));
            stand.map(|stand| (*one, stand))
        });
        // "Check up on" is no "check up".
        if let Some((one, stand)) = found.max_by_key(|(_, stand)| stand.len()) {
            let is_together = stand.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            // The mark behind the last word ends a part of the question.
            let last = stand.last().filter(|_| is_together);
            let mark = last.map_or("", |last| behind(&words[*last]));
            words[at] = format!("{one}{mark}");
            for place in stand.iter().skip(1).rev() {
                words.remove(*place);
            }
        }
        at += 1;
    }
    words.join(" ")
}

/// The places of the words of a form whose verb stands at `at`. The words behind the verb are one after the other, right
/// behind it or apart from it.
fn places(form: &str, words: &[String], at: usize) -> Option<Vec<usize>> {
    let (verb, particle) = form.split_once(' ')?;
    if bare(&words[at]) != verb || !behind(&words[at]).is_empty() {
        return None;
    }
    let before = at.checked_sub(1).map(|before| bare(&words[before]));
    if before.is_some_and(|before| BEFORE_NOUNS.contains(&before.as_str())) {
        return None;
    }
    let particle: Vec<&str> = particle.split(' ').collect();
    let stands = |from: usize| {
        let own = words.get(from..from + particle.len())?;
        let is_so = own
            .iter()
            .zip(&particle)
            .all(|(word, one)| bare(word) == *one);
        let all = std::iter::once(at).chain(from..from + particle.len());
        is_so.then(|| all.collect::<Vec<usize>>())
    };
    if let Some(together) = stands(at + 1) {
        // "Work out of hours", "hand in hand".
        let next = words.get(at + 1 + particle.len()).map(|next| bare(next));
        let is_other = next.is_some_and(|next| next == "of" || next == verb);
        return (!is_other).then_some(together);
    }
    // The object stands between: no mark does.
    let between = (at + 1..words.len()).take(MOST_BETWEEN);
    let mut apart = between.take_while(|place| behind(&words[*place]).is_empty());
    apart.find_map(|place| {
        let stand = stands(place + 1)?;
        let last = stand.last().copied()?;
        let ends = !behind(&words[last]).is_empty() || last + 1 == words.len();
        let next = words.get(last + 1).map(|next| bare(next));
        let goes_on = next.is_some_and(|next| BEHIND.contains(&next.as_str()));
        (ends || goes_on).then_some(stand)
    })
}

/// A word in lower case, without the marks around it.
fn bare(word: &str) -> String {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.to_lowercase()
}

/// The marks behind a word.
fn behind(word: &str) -> &str {
    let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    &word[letters.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_of_two_words_is_one() {
        for (question, one) in [
            (
                "Who signs off the berth plan?",
                "Who signoff the berth plan?",
            ),
            (
                "Who signs the berth plan off?",
                "Who signoff the berth plan",
            ),
            (
                "May a master hand the running of a barge over to a pilot?",
                "May a master handover the running of a barge to a pilot?",
            ),
            ("Can the dues be put off?", "Can the dues be putoff?"),
            (
                "Can the dues be put off, and until when?",
                "Can the dues be putoff, and until when?",
            ),
            (
                "Who must check up on a berth?",
                "Who must checkupon a berth?",
            ),
            // A preposition, and a verb that another part of the question has.
            (
                "Must a pilot send the log in the box?",
                "Must a pilot send the log in the box?",
            ),
            (
                "If a pilot hands the log, is it over?",
                "If a pilot hands the log, is it over?",
            ),
            // A noun before a preposition.
            (
                "What is the first step in the mooring of a barge?",
                "What is the first step in the mooring of a barge?",
            ),
            (
                "Which checks on pilots must a port make?",
                "Which checks on pilots must a port make?",
            ),
            (
                "May a pilot work out of hours at a berth?",
                "May a pilot work out of hours at a berth?",
            ),
            ("Is a pilot needed?", "Is a pilot needed?"),
            ("", ""),
        ] {
            assert_eq!(as_one(question), one, "{question}");
        }
    }

    #[test]
    fn each_form_begins_with_a_verb_and_is_known_once() {
        let mut seen = std::collections::HashSet::new();
        for (forms, others) in PHRASAL.iter() {
            let (one, forms) = (forms[0], &forms[1..]);
            assert!(!one.contains(' ') && !forms.is_empty(), "{one}");
            assert!(!others.is_empty(), "{one}");
            for form in forms {
                assert!(form.contains(' '), "{form}");
                assert!(seen.insert(*form), "{form} stands there twice");
            }
        }
    }
}
