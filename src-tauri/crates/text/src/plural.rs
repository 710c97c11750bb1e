//! Singular and plural of English nouns, by spelling.

use crate::lists::{Pair, Word};
use crate::word_lists;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

word_lists! {
    INVARIABLE: HashSet<Word> = "english/invariable.txt";
    IRREGULAR: Vec<Pair> = "english/irregular.txt";
}

/// The singular of each plural of its own, without those that stand as words by themselves: data, media, people.
static SINGULARS: LazyLock<HashMap<Word, Word>> = LazyLock::new(|| {
    let pairs = IRREGULAR.iter().rev();
    pairs
        .filter(|(one, _)| !["datum", "medium", "person"].contains(one))
        .map(|(one, many)| (*many, *one))
        .collect()
});

/// The singular of a lower-case word; the word itself if it is one already.
pub fn singular(word: &str) -> String {
    if let Some(one) = SINGULARS.get(word) {
        return (*one).to_owned();
    }
    let cut = |n: usize| word[..word.len() - n].to_owned();
    if !word.is_ascii()
        || word.len() < 4
        || !word.ends_with('s')
        || word.ends_with("ss")
        || INVARIABLE.contains(word)
    {
        return word.to_owned();
    }
    if word.ends_with("ies") {
        return format!("{}y", cut(3));
    }
    if ["sses", "shes", "ches", "xes", "zzes"]
        .iter()
        .any(|e| word.ends_with(e))
        || word.ends_with("statuses")
        || word.ends_with("biases")
        || word.ends_with("bonuses")
    {
        return cut(2);
    }
    if word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    cut(1)
}

/// The plural of a lower-case word; the word itself if it seems to be one.
pub fn plural(word: &str) -> String {
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == word) {
        return (*many).to_owned();
    }
    if !word.is_ascii() || singular(word) != word || word.len() < 2 {
        return word.to_owned();
    }
    let before_last = word
        .as_bytes()
        .get(word.len().wrapping_sub(2))
        .copied()
        .unwrap_or(b'a');
    if word.ends_with('y') && !b"aeiou".contains(&before_last) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    if ["s", "sh", "ch", "x", "z"]
        .iter()
        .any(|e| word.ends_with(e))
    {
        return format!("{word}es");
    }
    format!("{word}s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (one, many) in [
            ("authority", "authorities"),
            ("controller", "controllers"),
            ("process", "processes"),
            ("branch", "branches"),
            ("tax", "taxes"),
            ("basis", "bases"),
            ("key", "keys"),
            ("criterion", "criteria"),
            ("case", "cases"),
            ("clause", "clauses"),
            ("exposure", "exposures"),
            ("loss", "losses"),
        ] {
            assert_eq!(singular(many), one);
            assert_eq!(plural(one), many);
            assert_eq!(singular(one), one);
        }
        for same in ["means", "data", "series", "ethics", "status", "business"] {
            assert_eq!(singular(same), same);
        }
    }
}
