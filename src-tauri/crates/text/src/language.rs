//! The language of a text, from its scripts and its commonest words.

use crate::lists::Word;
use crate::script::{is_han, is_hangul, is_kana};
use crate::word_lists;
use lexforge_domain::text::Language;
use std::collections::HashSet;

word_lists! {
    ENGLISH: HashSet<Word> = "english/commonest.txt";
}

/// Characters that are looked at.
const SAMPLE: usize = 40_000;

/// The language of `text`: Korean or Chinese where their scripts carry the text, English where its
/// function words do (or where there are too few words to say), else [`Language::Other`].
pub fn detect(text: &str) -> Language {
    let (mut han, mut hangul, mut kana, mut latin, mut other) =
        (0usize, 0usize, 0usize, 0usize, 0usize);
    for ch in text.chars().take(SAMPLE) {
        match ch {
            _ if is_han(ch) => han += 1,
            _ if is_hangul(ch) => hangul += 1,
            _ if is_kana(ch) => kana += 1,
            'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' => latin += 1,
            _ if ch.is_alphabetic() => other += 1,
            _ => {}
        }
    }
    // An ideograph or a syllable block carries about as much as three Latin letters.
    let (cjk, alphabetic) = (3 * (han + hangul + kana), latin + other);
    if cjk + alphabetic == 0 {
        return Language::Other;
    }
    if cjk > alphabetic {
        return if hangul * 3 > han && hangul > kana {
            Language::Ko
        } else if kana * 5 > han {
            Language::Other
        } else {
            Language::Zh
        };
    }
    if other > latin {
        return Language::Other;
    }
    let (mut words, mut known) = (0usize, 0usize);
    for word in text
        .split(|c: char| !c.is_alphabetic())
        .filter(|w| !w.is_empty())
        .take(4_000)
    {
        words += 1;
        known += usize::from(ENGLISH.contains(word.to_lowercase().as_str()));
    }
    let foreign = text
        .chars()
        .take(SAMPLE)
        .filter(|c| matches!(c, '\u{C0}'..='\u{24F}'))
        .count();
    if known * 100 >= words * 12 || (words < 12 && foreign == 0) {
        Language::En
    } else {
        Language::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        for (text, expected) in [
            (
                "The bank shall keep a register of the exposures that it holds.",
                Language::En,
            ),
            ("Capital ratio", Language::En),
            (
                "商业银行应当按照本办法规定计算资本充足率（CAR），并报送监管部门。",
                Language::Zh,
            ),
            (
                "은행은 이 법에 따라 자기자본비율을 산출하여야 한다.",
                Language::Ko,
            ),
            (
                "Die Bank hat ein Verzeichnis der Risiken zu führen und es der Behörde jährlich vorzulegen.",
                Language::Other,
            ),
            (
                "銀行は、この法律の定めるところにより、自己資本比率を算出しなければならない。",
                Language::Other,
            ),
            ("123 456", Language::Other),
        ] {
            assert_eq!(detect(text), expected, "{text}");
        }
    }
}
