//! The words that bind, read once from the lists in `words/`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The effect of a word or phrase in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    Must,
    MustNot,
    NeedNot,
    May,
    Should,
    ShouldNot,
    Not,
    Without,
    Except,
    Inclusive,
    If,
    When,
    Before,
    After,
    AtLeast,
    AtMost,
    More,
    Less,
    All,
    Each,
    Some,
    One,
    Only,
    Year,
    HalfYear,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Or,
    And,
    Neutral,
}

impl Mark {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "must" => Self::Must,
            "must_not" => Self::MustNot,
            "need_not" => Self::NeedNot,
            "may" => Self::May,
            "should" => Self::Should,
            "should_not" => Self::ShouldNot,
            "not" => Self::Not,
            "without" => Self::Without,
            "except" => Self::Except,
            "inclusive" => Self::Inclusive,
            "if" => Self::If,
            "when" => Self::When,
            "before" => Self::Before,
            "after" => Self::After,
            "at_least" => Self::AtLeast,
            "at_most" => Self::AtMost,
            "more" => Self::More,
            "less" => Self::Less,
            "all" => Self::All,
            "each" => Self::Each,
            "some" => Self::Some,
            "one" => Self::One,
            "only" => Self::Only,
            "year" => Self::Year,
            "half_year" => Self::HalfYear,
            "quarter" => Self::Quarter,
            "month" => Self::Month,
            "week" => Self::Week,
            "day" => Self::Day,
            "hour" => Self::Hour,
            "or" => Self::Or,
            "and" => Self::And,
            "neutral" => Self::Neutral,
            _ => return None,
        })
    }

    /// Whether it obliges, allows, forbids, frees or advises.
    pub(super) fn is_force(self) -> bool {
        matches!(
            self,
            Self::Must | Self::MustNot | Self::NeedNot | Self::May | Self::Should | Self::ShouldNot
        )
    }

    /// Whether the mark negates the words after it.
    pub(super) fn denies(self) -> bool {
        matches!(
            self,
            Self::MustNot | Self::NeedNot | Self::ShouldNot | Self::Not | Self::Without
        )
    }

    /// Whether it says how often.
    pub(super) fn is_period(self) -> bool {
        matches!(
            self,
            Self::Year
                | Self::HalfYear
                | Self::Quarter
                | Self::Month
                | Self::Week
                | Self::Day
                | Self::Hour
        )
    }

    /// How often it says, as a figure with its unit.
    pub(super) fn as_figure(self) -> (&'static str, &'static str) {
        match self {
            Self::Year => ("12", "month"),
            Self::HalfYear => ("6", "month"),
            Self::Quarter => ("3", "month"),
            Self::Month => ("1", "month"),
            Self::Week => ("7", "day"),
            Self::Day => ("1", "day"),
            _ => ("1", "hour"),
        }
    }

    /// Whether it says on which side of a figure.
    pub(super) fn is_bound(self) -> bool {
        matches!(self, Self::AtLeast | Self::AtMost | Self::More | Self::Less)
    }
}

/// Lines of `class: phrase; phrase`.
fn classes(list: &'static str) -> impl Iterator<Item = (Mark, &'static str)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (name, phrases) = line.split_once(':')?;
            Some((Mark::of(name.trim())?, phrases))
        })
        .flat_map(|(mark, phrases)| {
            phrases
                .split(';')
                .map(str::trim)
                .filter(|p| !p.is_empty())
                .map(move |phrase| (mark, phrase))
        })
}

const BE: [&str; 8] = ["be", "is", "are", "was", "were", "been", "being", "am"];
const HAVE: [&str; 4] = ["has", "have", "had", "having"];
const DO: [&str; 4] = ["do", "does", "did", "doing"];

type Phrases = HashMap<&'static str, Vec<(Vec<&'static str>, Mark)>>;

/// English phrases by their first word, the longest first.
static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::new();
    for (mark, phrase) in classes(include_str!("words/en.txt")) {
        let words: Vec<&'static str> = phrase.split(' ').collect();
        let Some(first) = words.first().copied() else {
            continue;
        };
        let firsts: Vec<&'static str> = match first {
            "BE" => BE.to_vec(),
            "HAVE" => HAVE.to_vec(),
            "DO" => DO.to_vec(),
            first => vec![first],
        };
        for first in firsts {
            phrases
                .entry(first)
                .or_default()
                .push((words.clone(), mark));
        }
    }
    phrases
        .values_mut()
        .for_each(|of| of.sort_by_key(|(words, _)| std::cmp::Reverse(words.len())));
    phrases
});

/// The longest phrase with which these English words begin: what it does, and how many words it has.
pub(super) fn english(words: &[&str]) -> Option<(Mark, usize)> {
    let fits = |known: &str, said: &str| match known {
        "BE" => BE.contains(&said),
        "HAVE" => HAVE.contains(&said),
        "DO" => DO.contains(&said),
        _ => known == said,
    };
    let of = ENGLISH.get(words.first()?)?;
    let (phrase, mark) = of.iter().find(|(phrase, _)| {
        phrase.len() <= words.len() && phrase.iter().zip(words).all(|(k, s)| fits(k, s))
    })?;
    Some((*mark, phrase.len()))
}

type Signs = HashMap<char, Vec<(&'static str, Mark)>>;

/// Chinese words by their first character, the longest first.
static CHINESE: LazyLock<Signs> = LazyLock::new(|| {
    let mut signs = Signs::new();
    for (mark, word) in classes(include_str!("words/zh.txt")) {
        if let Some(first) = word.chars().next() {
            signs.entry(first).or_default().push((word, mark));
        }
    }
    signs
        .values_mut()
        .for_each(|of| of.sort_by_key(|(word, _)| std::cmp::Reverse(word.len())));
    signs
});

/// The longest word with which a Chinese text begins, and what it does.
pub(super) fn chinese(text: &str) -> Option<(Mark, &'static str)> {
    let of = CHINESE.get(&text.chars().next()?)?;
    of.iter()
        .find(|(word, _)| text.starts_with(word))
        .map(|(word, mark)| (*mark, *word))
}

/// Words that deny each other: by word, the words of the other side.
type Opposites = HashMap<&'static str, Vec<Sides>>;
/// The words of a word's own side, and of the other.
pub(super) type Sides = (Vec<&'static str>, Vec<&'static str>);

fn opposites(list: &'static str) -> Opposites {
    let mut found = Opposites::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let Some((a, b)) = line.split_once('/') else {
            continue;
        };
        let (a, b): (Vec<&str>, Vec<&str>) = (
            a.split_whitespace().collect(),
            b.split_whitespace().collect(),
        );
        for (own, other) in [(&a, &b), (&b, &a)] {
            for word in own {
                found
                    .entry(*word)
                    .or_default()
                    .push((own.clone(), other.clone()));
            }
        }
    }
    found
}

static ENGLISH_OPPOSITES: LazyLock<Opposites> =
    LazyLock::new(|| opposites(include_str!("words/en_opposites.txt")));
static CHINESE_OPPOSITES: LazyLock<Opposites> =
    LazyLock::new(|| opposites(include_str!("words/zh_opposites.txt")));

/// The pairs of opposites of an English word: its own side first, then the opposite one.
pub(super) fn english_opposites(word: &str) -> &'static [Sides] {
    ENGLISH_OPPOSITES.get(word).map_or(&[], Vec::as_slice)
}

/// Every Chinese word that has opposites, with its sides.
pub(super) fn chinese_opposites() -> impl Iterator<Item = (&'static str, &'static [Sides])> {
    CHINESE_OPPOSITES
        .iter()
        .map(|(word, sides)| (*word, sides.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lists_has_a_known_class() {
        for list in [include_str!("words/en.txt"), include_str!("words/zh.txt")] {
            for line in list
                .lines()
                .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            {
                let name = line.split(':').next().unwrap_or_default();
                assert!(Mark::of(name).is_some(), "{line}");
            }
        }
    }

    #[test]
    fn the_longest_phrase_is_taken() {
        let check = |text: &str, expected| {
            assert_eq!(
                english(&text.split(' ').collect::<Vec<_>>()),
                expected,
                "{text}"
            );
        };
        check("is not required to pay", Some((Mark::NeedNot, 4)));
        check("shall not exceed ten", Some((Mark::AtMost, 3)));
        check("shall not pay", Some((Mark::MustNot, 2)));
        check("bank", None);
        assert_eq!(chinese("不得超过十日"), Some((Mark::AtMost, "不得超过")));
        assert_eq!(chinese("不动产登记"), Some((Mark::Neutral, "不动产")));
    }
}
