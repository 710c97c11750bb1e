//! Words and their comparison, for both languages: Latin script by words, Chinese by characters.

use crate::english::lexicon::STOP_WORDS;
use std::collections::HashSet;

/// Whether a character belongs to the Han script (with the extensions that law texts use).
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether an English word carries no content (`word` in lower case).
pub(crate) fn is_stop(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text in lower case: runs of letters and digits, each Han character by itself.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if is_han(c) {
            if !word.is_empty() {
                found.push(std::mem::take(&mut word));
            }
            found.push(c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if !word.is_empty() && !matches!(c, '\u{ad}') {
            found.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// The words that carry content, plural folded; for Chinese the pairs of neighbouring characters.
pub(crate) fn content(text: &str) -> HashSet<String> {
    let words = words(text);
    let mut found: HashSet<String> = words
        .iter()
        .filter(|w| !w.chars().any(is_han) && !is_stop(w) && (w.chars().count() > 1 || w.chars().all(char::is_numeric)))
        .map(|w| singular(w))
        .collect();
    for pair in words.windows(2) {
        if let [a, b] = pair
            && a.chars().any(is_han)
            && b.chars().any(is_han)
        {
            found.insert(format!("{a}{b}"));
        }
    }
    found
}

/// A word with its English plural ending taken off; wrong now and then, the same way everywhere.
pub(crate) fn singular(word: &str) -> String {
    if !word.is_ascii() || word.len() < 4 {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies")
        && stem.len() > 2
    {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes", "zes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        return word[..word.len() - 1].to_owned();
    }
    word.to_owned()
}

/// A text as it is compared: words in lower case joined by a space.
pub(crate) fn normal(text: &str) -> String {
    words(text).join(" ")
}

/// Share of common content words, 0 to 1 (Jaccard).
pub(crate) fn likeness(a: &str, b: &str) -> f64 {
    jaccard(&content(a), &content(b))
}

/// Jaccard index of two sets; two empty sets have nothing in common.
pub(crate) fn jaccard(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// Whether the words of `part` stand in `whole` one after the other; English plurals count as the same.
pub(crate) fn contains_words(whole: &str, part: &str) -> bool {
    let whole: Vec<String> = words(whole).iter().map(|w| singular(w)).collect();
    let part: Vec<String> = words(part).iter().map(|w| singular(w)).collect();
    !part.is_empty() && whole.windows(part.len()).any(|w| w == part)
}

/// White space collapsed to single spaces, invisible characters taken out, ends trimmed.
pub(crate) fn tidy(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(
            |c| !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}'),
        )
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Length in scalar values.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn words_of_both_scripts() {
        assert_eq!(words("The “controller” shall 30 days"), ["the", "controller", "shall", "30", "days"]);
        assert_eq!(words("商业银行 A类"), ["商", "业", "银", "行", "a", "类"]);
    }

    #[test]
    fn parts_are_found_whatever_their_number() {
        let check = |whole, part, expected| assert_eq!(contains_words(whole, part), expected, "{part} in {whole}");
        check("all personal data breaches", "personal data breach", true);
        check("the supervisory authorities", "supervisory authority", true);
        check("subprocessor", "processor", false);
        check("银行业监督管理机构", "监督管理", true);
        check("银行业监督管理机构", "监督机构", false);
    }

    #[test]
    fn likeness_ignores_function_words() {
        assert!((likeness("the bank of a state", "a bank in the state") - 1.0).abs() < 1e-9);
        assert!(likeness("the bank", "the insurer") < 1e-9);
    }
}
