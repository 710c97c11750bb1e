//! The language of a text, from its scripts and its commonest words.

use crate::lists::Word;
use crate::script::{is_han, is_hangul, is_kana};
use crate::word_lists;
use lexforge_domain::text::Language;
use std::collections::HashSet;

word_lists! {
    ENGLISH: HashSet<Word> = "english/commonest.txt";
    ENGLISH_TELLING: HashSet<Word> = "english/telling.txt";
    OTHER_TELLING: HashSet<Word> = "other/telling.txt";
}

/// Characters that are looked at.
const SAMPLE: usize = 40_000;

/// The language of `text`. It is Korean or Chinese if most of the text is in that script. It is English if the text has
/// enough English function words, or too few words to decide. Otherwise it is [`Language::Other`].
pub fn detect(text: &str) -> Language {
    let Script::Latin = script(text) else {
        return of_script(text).unwrap_or(Language::Other);
    };
    let (mut words, mut known) = (0usize, 0usize);
    for word in words_of(text).take(4_000) {
        words += 1;
        known += usize::from(ENGLISH.contains(word.to_lowercase().as_str()));
    }
    let short = words < 12;
    if short && told_by_words(text) == Some(Language::Other) {
        return Language::Other;
    }
    let foreign = text
        .chars()
        .take(SAMPLE)
        .any(|c| matches!(c, '\u{C0}'..='\u{24F}'));
    if known * 100 >= words * 12 || (short && !foreign) {
        Language::En
    } else {
        Language::Other
    }
}

/// The language of a short text, such as a question. `None` if its letters are Latin and its words do not show the
/// language ("Kapitalquote Banken"), or if it has no letters.
pub fn of_short(text: &str) -> Option<Language> {
    match script(text) {
        Script::Latin => told_by_words(text),
        _ => of_script(text),
    }
}

/// What most of the letters are.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    None,
    Chinese,
    Korean,
    Latin,
    Other,
}

fn script(text: &str) -> Script {
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
        Script::None
    } else if cjk > alphabetic {
        if hangul * 3 > han && hangul > kana {
            Script::Korean
        } else if kana * 5 > han {
            Script::Other
        } else {
            Script::Chinese
        }
    } else if other > latin {
        Script::Other
    } else {
        Script::Latin
    }
}

/// The language that goes with a script; `None` if there are no letters, or Latin ones.
fn of_script(text: &str) -> Option<Language> {
    match script(text) {
        Script::Chinese => Some(Language::Zh),
        Script::Korean => Some(Language::Ko),
        Script::Other => Some(Language::Other),
        Script::None | Script::Latin => None,
    }
}

/// English or not by function words; one word alone of another language may be part of a name and says nothing.
fn told_by_words(text: &str) -> Option<Language> {
    let (mut english, mut other) = (0usize, 0usize);
    for word in words_of(text).take(400) {
        let word = word.to_lowercase();
        let word = word.as_str();
        english += usize::from(ENGLISH.contains(word) || ENGLISH_TELLING.contains(word));
        other += usize::from(OTHER_TELLING.contains(word));
    }
    if english > other {
        Some(Language::En)
    } else if other > english && other >= 2 {
        Some(Language::Other)
    } else {
        None
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|w| !w.is_empty())
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
            (
                "Wann muss die Bank den Vorfall der Behörde melden?",
                Language::Other,
            ),
        ] {
            assert_eq!(detect(text), expected, "{text}");
        }
    }

    #[test]
    fn questions_are_told_apart_by_few_words() {
        for (text, expected) in [
            (
                "Within how many hours must a breach be notified?",
                Some(Language::En),
            ),
            ("What does de minimis mean?", Some(Language::En)),
            (
                "What is the exposure to Société Générale?",
                Some(Language::En),
            ),
            ("Who supervises Banco de la Nación del Perú?", None),
            (
                "Wann muss die Bank den Vorfall melden?",
                Some(Language::Other),
            ),
            (
                "Wer darf die Daten nach der Frist speichern?",
                Some(Language::Other),
            ),
            (
                "Que doit faire la banque quand un incident est connu?",
                Some(Language::Other),
            ),
            (
                "Dans quel delai la banque doit notifier?",
                Some(Language::Other),
            ),
            (
                "Cuando debe notificar el responsable la violacion?",
                Some(Language::Other),
            ),
            (
                "Entro quando deve essere notificata la violazione?",
                Some(Language::Other),
            ),
            (
                "Wanneer moet een inbreuk worden gemeld?",
                Some(Language::Other),
            ),
            (
                "Quando deve ser notificada a violacao?",
                Some(Language::Other),
            ),
            ("Когда банк должен сообщить?", Some(Language::Other)),
            ("商业银行应当在多少小时内报告？", Some(Language::Zh)),
            ("은행은 언제 보고하여야 하는가?", Some(Language::Ko)),
            // Nothing says which language these are.
            ("Capital ratio", None),
            ("Eigenkapitalquote Banken", None),
            ("Was ist Eigenkapital?", None),
            ("Van der Waals", None),
            ("123 456", None),
        ] {
            assert_eq!(of_short(text), expected, "{text}");
        }
    }
}
