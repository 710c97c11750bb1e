//! What a translation must keep: its numbers and dates, its demands and whom they bind, and whether it has a negation
//! or an exception.
//!
//! The words of two languages cannot be counted one by one, as they are within one language. So only values, the
//! strongest force, and the presence of a negation are compared. If these cannot be matched, the translation is
//! rejected.

use super::force::force;
use super::lost::{Lost, chinese_negations, chinese_numbers, counted, negations, numbers};
use lexforge_domain::text::Language;
use lexforge_text::calendar::MONTHS;
use lexforge_text::words;
use std::collections::BTreeSet;

/// English words that forbid: in Chinese a negation says so.
const FORBID: [&str; 4] = ["prohibited", "forbidden", "prohibit", "forbid"];
/// Chinese words that deny, beside the characters that do.
const CHINESE_FORBID: [&str; 3] = ["不得", "禁止", "严禁"];
/// How shares are written: the hundred in "ten per cent" is no number of its own.
const CHINESE_SHARES: [&str; 2] = ["百分之", "千分之"];
/// More often a word than a number, in both languages.
const ONE: &str = "1";

/// The language that a text of another one is translated into.
pub fn translated_into(language: Language) -> Option<Language> {
    match language {
        Language::En => Some(Language::Zh),
        Language::Zh => Some(Language::En),
        Language::Ko | Language::Other => None,
    }
}

/// The first difference between a translation and its text. `None` if all parts that can be compared are the same.
pub fn lost_in_translation(
    (text, from): (&str, Language),
    (said, into): (&str, Language),
) -> Option<Lost> {
    if values(text, from) != values(said, into) {
        return Some(Lost::Number);
    }
    let spoken = |language| matches!(language, Language::En | Language::Zh);
    if !spoken(from) || !spoken(into) {
        return None;
    }
    let does = |text, language| force(text, language).map(|(force, _)| force);
    if does(text, from) != does(said, into) {
        return Some(Lost::Modal);
    }
    (denies(text, from) != denies(said, into)).then_some(Lost::Negation)
}

/// Its figures, with months by their number.
fn values(text: &str, language: Language) -> BTreeSet<String> {
    let found = if language == Language::Zh {
        let shares = CHINESE_SHARES.iter();
        let plain = shares.fold(text.to_owned(), |text, share| text.replace(share, "，"));
        chinese_numbers(&plain)
    } else {
        let month = |word: &String| MONTHS.iter().position(|month| month == word);
        let months = words(text)
            .iter()
            .filter(|word| word.as_str() != "may" || super::lost::is_month(text))
            .filter_map(month)
            .map(|place| (place + 1).to_string())
            .collect::<Vec<_>>();
        let mut found = numbers(text);
        found.append(&mut counted(months.into_iter()));
        found
    };
    found.into_keys().filter(|value| value != ONE).collect()
}

fn denies(text: &str, language: Language) -> bool {
    if language == Language::Zh {
        return !chinese_negations(text).is_empty()
            || CHINESE_FORBID.iter().any(|word| text.contains(word));
    }
    let forbids = |word: &String| FORBID.contains(&word.as_str());
    !negations(text).is_empty() || words(text).iter().any(forbids)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "A bank shall not pay more than EUR 500 to an agent within thirty days, unless the board approves.";
    const REGEL: &str = "银行不得在30日内向代理人支付超过500欧元的报酬，但董事会批准的除外。";

    #[test]
    fn what_binds_is_the_same_in_both_languages() {
        let check = |english: &str, chinese: &str, expected: Option<Lost>| {
            let (en, zh) = ((english, Language::En), (chinese, Language::Zh));
            assert_eq!(
                lost_in_translation(en, zh),
                expected,
                "{english} | {chinese}"
            );
            assert_eq!(
                lost_in_translation(zh, en),
                expected,
                "{chinese} | {english}"
            );
        };
        check(RULE, REGEL, None);
        check(RULE, &REGEL.replace("30", "三十"), None);
        check(RULE, &REGEL.replace("30", "60"), Some(Lost::Number));
        check(RULE, &REGEL.replace("不得", "应当"), Some(Lost::Modal));
        check(RULE, &REGEL.replace("不得", "可以"), Some(Lost::Modal));
        check(
            "The master shall file the list by 31 March 2025.",
            "船长应当在2025年3月31日之前提交清单。",
            None,
        );
        check(
            "The master shall file the list by 31 March 2025.",
            "船长应当在2025年4月30日之前提交清单。",
            Some(Lost::Number),
        );
        check(
            "The master shall hold ten per cent of the fees in reserve.",
            "船长应当留存百分之十的费用。",
            None,
        );
        check(
            "The master shall file the list.",
            "船长应当提交清单，但董事会批准的除外。",
            Some(Lost::Negation),
        );
    }

    #[test]
    fn only_two_languages_are_translated_into_each_other() {
        assert_eq!(translated_into(Language::En), Some(Language::Zh));
        assert_eq!(translated_into(Language::Zh), Some(Language::En));
        assert_eq!(translated_into(Language::Ko), None);
    }
}
