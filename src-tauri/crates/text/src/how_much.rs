//! Whether a text can tell the number or the amount that an English question asks for. For a question with "how many",
//! a text that only has a word for an amount, or "more than one", is no answer. If the question asks for a sum of
//! money, a length of time is no answer.

use crate::expected::{AMOUNTS_IN_WORDS, counted};
use crate::figures::{ENGLISH_UNITS, Figure, figures};
use crate::lists::Word;
use crate::{money, plural, word_lists};
use std::collections::HashSet;

word_lists! {
    /// English words that tell how many without a figure.
    NUMBERS_IN_WORDS: HashSet<Word> = "english/numbers_in_words.txt";
}

/// Whether a text can answer an English question for a number or an amount, in figures or in words. If the result is
/// false, the text certainly does not answer it.
pub fn may_be_told_in(question: &str, text: &str) -> bool {
    let (asked, lower) = (question.to_lowercase(), text.to_lowercase());
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let kind = Kind::of(&asked);
    // For these questions a length of time is not the answer: a sum or a number of things is asked for.
    let without_time = match kind {
        Kind::Number => true,
        Kind::Amount => money::is_asked_for(question) || !asks_for_time(&asked),
        Kind::Bound => money::is_asked_for(question),
    };
    let is_another = |figure: &Figure<'_>| without_time && figure.counts_time();
    let tells = |figure: Figure<'_>| !figure.is_of_a_day() && !is_another(&figure);
    let has_phrase = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let in_numbers = || words.iter().any(|word| NUMBERS_IN_WORDS.contains(*word));
    if figures(text).any(tells) || has_one(&words) {
        return true;
    }
    match kind {
        Kind::Number => in_numbers() || has_phrase(&AS_A_NUMBER) || has_none(question, &words),
        Kind::Amount => {
            let of_it = asked.contains("how much of ");
            let tells = |at: usize| {
                let word = words[at];
                if of_it && NO_SHARE.contains(&word) {
                    return false;
                }
                let is_no_time = word != "no" || !LATER.contains(&at_or_none(&words, Some(at + 1)));
                let is_known = AMOUNTS_IN_WORDS.contains(word) || NUMBERS_IN_WORDS.contains(word);
                is_known && is_no_time && !NO_AMOUNT.contains(&word)
            };
            has_phrase(&AS_AN_AMOUNT) || (0..words.len()).any(tells)
        }
        // "Fines shall be proportionate in each case" tells no sum.
        Kind::Bound => {
            let tells = |word: &&str| {
                AMOUNTS_IN_WORDS.contains(*word) && !(without_time && NO_SUM.contains(word))
            };
            has_phrase(&NO_BOUND) || words.iter().any(tells)
        }
    }
}

/// What such a question asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// "How many".
    Number,
    /// "How much".
    Amount,
    /// "What is the minimum": it may be a time, a share or a standard.
    Bound,
}

impl Kind {
    fn of(question: &str) -> Self {
        if question.contains("how many ") {
            Self::Number
        } else if question.contains("how much ") {
            Self::Amount
        } else {
            Self::Bound
        }
    }
}

/// Whether what follows "how much" in a question may be told by a time: "how much notice", "how much longer".
fn asks_for_time(question: &str) -> bool {
    let behind = question.split_once("how much ").map(|(_, behind)| behind);
    let words = behind
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric());
    let mut next = words.filter(|word| !word.is_empty()).take(BEHIND_MUCH);
    next.any(|word| MEASURED_IN_TIME.contains(&word))
}

/// Words behind "how much" among which the thing is that is asked for.
const BEHIND_MUCH: usize = 4;
/// Things that are measured in units of time.
const MEASURED_IN_TIME: [&str; 22] = [
    "time",
    "notice",
    "warning",
    "longer",
    "later",
    "earlier",
    "sooner",
    "leave",
    "delay",
    "holiday",
    "holidays",
    "vacation",
    "training",
    "education",
    "experience",
    "rest",
    "sleep",
    "service",
    "work",
    "overtime",
    "history",
    "data",
];

/// Whether "one" is a number: "has one pilot", "no more than one", and not "one of them", "more than one", "no one".
fn has_one(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let before = |n: usize| at_or_none(words, at.checked_sub(n));
        let behind = at_or_none(words, Some(at + 1));
        let is_more = before(1) == "than" && !matches!(before(3), "no" | "not");
        words[at] == "one"
            && !is_more
            && !BEFORE_A_PRONOUN.contains(&before(1))
            && !BEHIND_A_PRONOUN.contains(&behind)
            && !ENGLISH_UNITS.contains(&behind)
    })
}

/// Whether a text says that the number is zero: "No pilot is needed."
fn has_none(question: &str, words: &[&str]) -> bool {
    let Some(thing) = counted(question) else {
        return false;
    };
    let one = plural::singular(&thing);
    (0..words.len()).any(|at| {
        let mut behind = words.iter().skip(at + 1).take(2);
        words[at] == "no" && behind.any(|word| plural::singular(word) == one)
    })
}

/// The word at a place; empty where there is none.
fn at_or_none<'w>(words: &[&'w str], at: Option<usize>) -> &'w str {
    at.and_then(|at| words.get(at)).copied().unwrap_or_default()
}

/// Words before "one" where it stands for a person or a thing, or for none.
const BEFORE_A_PRONOUN: [&str; 12] = [
    "no", "any", "every", "each", "another", "the", "this", "that", "which", "some", "other",
    "such",
];
/// Words behind "one" where it stands for a person or a thing, or for one at least.
const BEHIND_A_PRONOUN: [&str; 8] = ["of", "or", "and", "another", "who", "which", "that", "such"];
/// Phrases that tell how many without a number.
const AS_A_NUMBER: [&str; 6] = [
    "any number",
    "such number",
    "no limit",
    "as many",
    "same number",
    "equal number",
];
/// Phrases that tell how much without a number.
const AS_AN_AMOUNT: [&str; 8] = [
    "a third of",
    "a third off",
    "a quarter of",
    "a quarter off",
    "not pay",
    "not have to pay",
    "not be charged",
    "as much",
];
/// Words that tell an amount in other questions and none in one for how much.
const NO_AMOUNT: [&str; 8] = [
    "one", "once", "single", "sole", "each", "most", "least", "fewer",
];
/// Words of an amount that tell no share: "the amount of the data", "at a minimum".
const NO_SHARE: [&str; 6] = ["amount", "sum", "minimum", "maximum", "more", "less"];
/// Words of an amount that tell no sum of money: "fines shall be proportionate", "the maximum is laid down elsewhere".
const NO_SUM: [&str; 18] = [
    "no",
    "one",
    "once",
    "single",
    "sole",
    "each",
    "most",
    "least",
    "fewer",
    "more",
    "less",
    "amount",
    "sum",
    "minimum",
    "maximum",
    "proportionate",
    "proportional",
    "reasonable",
];
/// Phrases that tell that there is no bound.
const NO_BOUND: [&str; 5] = [
    "no minimum",
    "no maximum",
    "no limit",
    "no upper limit",
    "no lower limit",
];
/// Words behind a "no" that belongs to a time.
const LATER: [&str; 4] = ["later", "longer", "earlier", "sooner"];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, texts: &[(&str, bool)]) {
        for (text, told) in texts {
            assert_eq!(may_be_told_in(question, text), *told, "{question} {text}");
        }
    }

    #[test]
    fn how_many_is_told_by_a_number() {
        check(
            "How many pilots may a port appoint?",
            &[
                ("A port may appoint 3 pilots.", true),
                ("A port may appoint up to twenty-five pilots.", true),
                ("A port may appoint one pilot.", true),
                ("A port may appoint no more than one pilot.", true),
                ("A port may appoint not more than one pilot.", true),
                ("A port appoints at least one pilot.", true),
                ("A port may appoint a single pilot.", true),
                ("A port may appoint any number of pilots.", true),
                ("There is no limit to the pilots of a port.", true),
                ("A port may appoint as many pilots as berths.", true),
                ("A port may appoint no pilots.", true),
                ("A hundred pilots may be appointed.", true),
                ("Half of the masters may be appointed pilots.", true),
                ("A port may appoint 2000 pilots.", true),
                ("In 2000 cases a port may appoint pilots.", true),
                ("In Category 3, 5 pilots may be appointed.", true),
                ("A port shall schedule 3 pilots.", true),
                ("The pilots of a port are 5 % of its masters.", true),
                // No number.
                ("A port may appoint more than one pilot.", false),
                ("A port may appoint one or more pilots.", false),
                ("One of the pilots may be appointed.", false),
                ("No one may appoint a pilot.", false),
                ("The port appoints the one who pilots.", false),
                ("Each port may appoint pilots.", false),
                ("A port may appoint several pilots.", false),
                ("At least once a port appoints pilots.", false),
                ("No licence is needed to appoint pilots.", false),
                ("The least that pilots need is more light.", false),
                // The number of something else.
                ("Pilots are appointed within 5 days.", false),
                ("Pilots are appointed for one year.", false),
                ("Pilots of Category 3 may be appointed.", false),
                ("Pilots of Categories 1, 2 and 3A may be appointed.", false),
                ("Pilots are appointed under Articles 5, 6 and 7.", false),
                ("Pilots are appointed under Art. 5.", false),
                ("See Table 4 for pilots.", false),
                ("A pilot files form T453.", false),
                ("Pilots are appointed on 1 March 2020.", false),
                ("Pilots are appointed by March 1, 2020.", false),
                ("In 2002 the pilots were appointed.", false),
                ("From 2021 to 2022 pilots were appointed.", false),
                ("Pilots are those of the Harbour Act of 2002.", false),
                ("Pilots are appointed on the 5th.", false),
                ("Pilots are appointed on 2020-03-01.", false),
                ("Rule 4.15.7 is about pilots.", false),
            ],
        );
    }

    #[test]
    fn how_much_is_told_by_an_amount() {
        check(
            "How much may a vessel spill?",
            &[
                ("A vessel may spill 5 litres.", true),
                ("A vessel may spill 1.000.000 litres.", true),
                ("A vessel may spill five litres a day.", true),
                ("A vessel may spill one litre.", true),
                ("A vessel may spill a million litres.", true),
                ("A vessel may spill half of it.", true),
                ("A vessel may spill nothing.", true),
                ("A vessel may spill a third of it.", true),
                ("A vessel may spill twice the amount.", true),
                ("A Tier 2 vessel may spill 5 litres.", true),
                ("A vessel of Category 3 may spill.", false),
                ("A Tier 2 vessel may spill.", false),
                ("A vessel of Level 1 or 2 may spill.", false),
                ("A vessel may spill under Article 5.", false),
                ("A vessel may spill since 1 March.", false),
                ("A vessel may spill since 2015.", false),
                ("A vessel may spill from 31.12.2024.", false),
                ("Each vessel may spill.", false),
                ("A single vessel may spill once.", false),
                ("A vessel may spill no later than at noon.", false),
                // A time is no amount of a thing.
                ("A vessel may spill within 25 calendar days.", false),
                ("A vessel may spill every 12 or 18 months.", false),
                ("A vessel may spill for 6 to 9 months.", false),
                ("A vessel may spill for two or three days.", false),
                ("A vessel may spill 6 to 9 litres.", true),
                ("18 12 USC 1820(d) says what a vessel may spill.", false),
                ("36 The vessel may spill.", false),
                ("36 The vessel may spill 5 litres.", true),
            ],
        );
    }

    #[test]
    fn how_much_of_something_is_told_by_a_share() {
        check(
            "How much of a cargo may a vessel spill?",
            &[
                ("A vessel may spill 5 % of a cargo.", true),
                ("A vessel may spill half of a cargo.", true),
                ("A vessel may spill none of a cargo.", true),
                ("The amount of a cargo is told at a minimum.", false),
            ],
        );
    }

    #[test]
    fn a_greatest_sum_is_told_by_a_sum() {
        check(
            "What is the maximum fine for a spill?",
            &[
                ("A spill is fined with up to 5 euros.", true),
                ("A spill is fined with twice the dues.", true),
                ("Each port sets the fine for a spill.", false),
                ("The fine for a spill is proportionate.", false),
                ("The fine for a spill is due no later than in May.", false),
                ("There is no maximum for the fine for a spill.", true),
            ],
        );
        check(
            "What is the maximum number of berths?",
            &[("A port has each berth once.", true)],
        );
    }

    #[test]
    fn a_sum_is_no_time() {
        check(
            "How much is the fee for a berth?",
            &[
                ("The fee is 5 euros.", true),
                ("The fee is 5 euros a day.", true),
                ("The fee is €150.97 a week.", true),
                ("The fee is two weeks' pay.", true),
                ("No fee is due.", true),
                ("A tanker does not have to pay a fee.", true),
                ("The fee is due within 5 days.", false),
                ("The fee is due one month later.", false),
                ("The fee of Category 2 is due on 1 July 2021.", false),
                ("The fee for Class 3 is red.", false),
            ],
        );
        // Here a time may be the answer.
        for question in [
            "How much notice is given?",
            "How much longer may a berth be closed?",
            "How much paid leave does a pilot get?",
            "What is the maximum period for a berth?",
        ] {
            check(question, &[("It is 30 days.", true), ("It is red.", false)]);
        }
    }
}
