//! What a paraphrase must keep: every number, date, modal and negation (docs/methods.md, "Financial embeddings").
//!
//! Both texts are reduced to the parts that bind: the values of their numbers, their months, the effect of their
//! modals, and whether they have a negation. The order of the parts does not matter. If the parts differ, the
//! paraphrase states another rule.

use lexforge_domain::text::Language;
use lexforge_text::calendar::{MONTHS, WEEKDAYS};
use lexforge_text::words;
use lexforge_text::{is_han, numerals};
use std::collections::BTreeMap;

/// The kind of part that was lost or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// A number, amount, share or time limit.
    #[error("a number is not the same")]
    Number,
    /// A month or a day.
    #[error("a date is not the same")]
    Date,
    /// A word that obliges, allows or forbids.
    #[error("a modal is not the same")]
    Modal,
    /// A negation or an exception.
    #[error("a negation is not the same")]
    Negation,
}

impl Lost {
    /// The tag under which it is counted.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Number => "number_changed",
            Self::Date => "date_changed",
            Self::Modal => "modal_changed",
            Self::Negation => "negation_changed",
        }
    }
}

/// The words that bind, each with its count. Different spellings of a word have one name.
pub(super) type Bag = BTreeMap<String, usize>;

const MODALS: &[(&str, &str)] = &[
    ("shall", "must"),
    ("must", "must"),
    ("should", "should"),
    ("may", "may"),
    ("can", "can"),
    ("cannot", "can"),
    ("required", "required"),
    ("obliged", "required"),
    ("permitted", "permitted"),
    ("allowed", "permitted"),
    ("prohibited", "prohibited"),
    ("forbidden", "prohibited"),
];
const NEGATIONS: &[(&str, &str)] = &[
    ("not", "not"),
    ("cannot", "not"),
    ("no", "not"),
    ("nor", "not"),
    ("never", "not"),
    ("neither", "not"),
    ("none", "not"),
    ("without", "without"),
    ("unless", "except"),
    ("except", "except"),
    ("excluding", "except"),
];
/// Words for numbers beside those from zero to ninety-nine.
const NUMBERS: [(&str, u32); 6] = [
    ("hundred", 100),
    ("thousand", 1000),
    ("million", 1_000_000),
    ("half", 2),
    ("twice", 2),
    ("third", 3),
];
/// Longest first, so that 不得 is no 得.
const CHINESE_MODALS: &[(&str, &str)] = &[
    ("不得", "must_not"),
    ("禁止", "must_not"),
    ("严禁", "must_not"),
    ("应当", "must"),
    ("必须", "must"),
    ("应", "must"),
    ("可以", "may"),
    ("有权", "may"),
];
const CHINESE_NEGATIONS: &[&str] = &["不", "未", "无", "非", "除"];

/// The first part that binds and differs between `text` and `said`. `None` if all parts that bind are the same.
pub fn lost(text: &str, said: &str, language: Language) -> Option<Lost> {
    let chinese = language == Language::Zh;
    let of = |f: fn(&str) -> Bag| f(text) != f(said);
    if of(if chinese { chinese_numbers } else { numbers }) {
        return Some(Lost::Number);
    }
    if !chinese
        && of(|t| {
            counted(
                words(t)
                    .into_iter()
                    .filter(|w| names_a_day(w) || month_of_may(t, w)),
            )
        })
    {
        return Some(Lost::Date);
    }
    if of(if chinese { chinese_modals } else { modals }) {
        return Some(Lost::Modal);
    }
    let negations: fn(&str) -> Bag = if chinese {
        chinese_negations
    } else {
        negations
    };
    of(negations).then_some(Lost::Negation)
}

pub(super) fn counted(names: impl Iterator<Item = String>) -> Bag {
    let mut bag = Bag::new();
    names.for_each(|name| *bag.entry(name).or_default() += 1);
    bag
}

/// Whether a word is a month or a day of the week. "May" is excluded, because it is also a modal.
fn names_a_day(word: &str) -> bool {
    word != "may" && MONTHS.iter().chain(&WEEKDAYS).any(|name| *name == word)
}

/// The month, which is written with a capital and has a number beside it; not the modal.
fn month_of_may(text: &str, word: &str) -> bool {
    word == "may" && is_month(text)
}

pub(super) fn is_month(text: &str) -> bool {
    let raw: Vec<&str> = text.split_whitespace().collect();
    let number = |w: Option<&&str>| w.is_some_and(|w| w.chars().any(|c| c.is_ascii_digit()));
    raw.iter().enumerate().any(|(i, w)| {
        w.trim_matches(|c: char| !c.is_alphanumeric()) == "May"
            && (number(i.checked_sub(1).and_then(|i| raw.get(i))) || number(raw.get(i + 1)))
    })
}

fn table(text: &str, table: &[(&str, &str)]) -> Bag {
    let name = |w: &String| {
        table
            .iter()
            .find(|(word, _)| word == w)
            .map(|(_, name)| (*name).to_owned())
    };
    counted(words(text).iter().filter_map(name))
}

fn modals(text: &str) -> Bag {
    let mut bag = table(text, MODALS);
    if is_month(text) {
        bag.remove("may");
    }
    bag
}

pub(super) fn negations(text: &str) -> Bag {
    table(text, NEGATIONS)
}

/// Digits with the separators of thousands taken out, and words for numbers as their values.
pub(super) fn numbers(text: &str) -> Bag {
    let mut digits = digits(text);
    let other = |word: &str| {
        NUMBERS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, value)| *value)
    };
    let named = |word: &String| {
        numerals::english(word)
            .or_else(|| other(word))
            .map(|value| value.to_string())
    };
    digits.extend(words(text).iter().filter_map(named));
    counted(digits.into_iter())
}

fn digits(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut number) = (Vec::new(), String::new());
    for (i, c) in chars.iter().enumerate() {
        let between = matches!(c, ',' | '.')
            && i > 0
            && chars[i - 1].is_ascii_digit()
            && chars.get(i + 1).is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() || between && *c == '.' {
            number.push(*c);
        } else if !between && !number.is_empty() {
            found.push(std::mem::take(&mut number));
        }
    }
    if !number.is_empty() {
        found.push(number);
    }
    found
}

/// Digits and Chinese numerals as their values. A single 一 is more often a word than a number and is left out.
pub(super) fn chinese_numbers(text: &str) -> Bag {
    let mut found = digits(text);
    let mut run = String::new();
    for c in text.chars().chain(['。']) {
        if numerals::is_chinese_numeral(c) {
            run.push(c);
        } else {
            if run != "一" && run != "万" {
                found.extend(numerals::chinese(&run).map(|v| v.to_string()));
            }
            run.clear();
        }
    }
    counted(found.into_iter())
}

fn chinese_modals(text: &str) -> Bag {
    let mut bag = Bag::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match CHINESE_MODALS
            .iter()
            .find(|(word, _)| rest.starts_with(word))
        {
            Some((word, name)) => {
                *bag.entry((*name).to_owned()).or_default() += 1;
                rest = &rest[word.len()..];
            }
            None => rest = &rest[c.len_utf8()..],
        }
    }
    bag
}

pub(super) fn chinese_negations(text: &str) -> Bag {
    let plain = text.replace("不得", "");
    counted(
        plain
            .chars()
            .filter(|c| is_han(*c))
            .map(|c| c.to_string())
            .filter(|c| CHINESE_NEGATIONS.contains(&c.as_str())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_their_values() {
        let same = |a: &str, b: &str| assert_eq!(numbers(a), numbers(b), "{a} | {b}");
        same("within ten days of EUR 1,500.50", "EUR 1500.50 in 10 days");
        assert_ne!(numbers("fourteen days"), numbers("sixteen days"));
        assert_eq!(chinese_numbers("三十日"), chinese_numbers("30日"));
        assert_ne!(chinese_numbers("三十日"), chinese_numbers("三百日"));
    }

    #[test]
    fn the_month_of_may_is_no_modal() {
        assert_eq!(modals("The bank reports by 3 May 2024."), Bag::new());
        assert_eq!(modals("The bank may report.").get("may"), Some(&1));
    }
}
