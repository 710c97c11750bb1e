//! Whether a sentence quotes a law, for example "Section 4 of the Regulation says: …". The author of such a sentence
//! does not claim to do what the quoted law demands.

use crate::chinese::lexicon as zh;
use crate::english::lexicon as en;
use lexforge_domain::text::Language;

/// Between the subject and what is quoted stand no more words.
const LONGEST: usize = 24;

/// Whether a sentence quotes a law, or reports what one says.
pub fn quotes(sentence: &str, language: Language) -> bool {
    match language {
        Language::En | Language::Other => english(sentence),
        Language::Zh => chinese(sentence),
        Language::Ko => false,
    }
}

fn english(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().take(LONGEST).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    // The verb stands before a colon, a quotation or "that".
    let verb = words.iter().enumerate().position(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let opens =
            word.ends_with([':', ',']) || next == "that" || next.starts_with(['“', '"', '‘', '«']);
        opens && en::QUOTING_VERBS.contains(&bare(word).as_str())
    });
    let Some(verb) = verb else { return false };
    let subject = words[..verb].join(" ");
    let own = en::OWN_TEXTS.iter().any(|own| subject.contains(own));
    let names = words[..verb]
        .iter()
        .any(|word| en::QUOTED_TEXTS.contains(&bare(word).as_str()));
    names && !own
}

fn chinese(sentence: &str) -> bool {
    let Some(at) = zh::QUOTING.iter().filter_map(|q| sentence.find(q)).min() else {
        return false;
    };
    let subject = &sentence[..at];
    let own = ["本制度", "本办法", "本规程", "本政策"];
    let law = subject.contains('《') || subject.contains('第') && subject.contains('条');
    law && !own.iter().any(|own| subject.contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_that_is_quoted_is_no_deed() {
        for (sentence, language) in [
            (
                "Section 4 of the Regulation says: the bank shall test its plan each year.",
                Language::En,
            ),
            (
                "As Article 12 states, “the bank shall keep records for five years”.",
                Language::En,
            ),
            (
                "The Directive requires that each bank test its plan.",
                Language::En,
            ),
            (
                "《数据管理办法》第九条规定：银行应当对数据加密。",
                Language::Zh,
            ),
        ] {
            assert!(quotes(sentence, language), "{sentence}");
        }
        for (sentence, language) in [
            ("The bank tests its plan each year.", Language::En),
            (
                "Section 4 of this policy requires that keys be changed each year.",
                Language::En,
            ),
            (
                "The register states: name, address and date of each contract.",
                Language::En,
            ),
            (
                "The bank keeps to Article 12 and tests its plan.",
                Language::En,
            ),
            ("本制度第九条规定：数据应当加密。", Language::Zh),
            ("银行应当对数据加密。", Language::Zh),
        ] {
            assert!(!quotes(sentence, language), "{sentence}");
        }
    }
}
