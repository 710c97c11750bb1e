//! Everyday words of questions, and the words that rules use instead. For example, if a question asks whom somebody
//! must "tell", the rule says whom somebody must "notify".

use crate::lists::{Swap, Word};
use crate::phrasal;
use crate::word_lists;
use crate::words::words;
use std::collections::HashSet;
use std::sync::LazyLock;

word_lists! {
    ENGLISH: Vec<Swap> = "english/everyday.txt";
    /// By the field of the rules that have the other words.
    DEEDS: Vec<Swap> = "english/everyday_deeds.txt";
    BANKING: Vec<Swap> = "english/everyday_banking.txt";
    MARKETS: Vec<Swap> = "english/everyday_markets.txt";
    CRIME: Vec<Swap> = "english/everyday_crime.txt";
    PEOPLE: Vec<Swap> = "english/everyday_people.txt";
    FIRMS: Vec<Swap> = "english/everyday_firms.txt";
    GOODS: Vec<Swap> = "english/everyday_goods.txt";
    CHINESE: Vec<Swap> = "chinese/everyday.txt";
    /// Words that have others only where something is done.
    ONLY_DONE: Vec<Word> = "english/only_done.txt";
    /// Words behind which such a word names a thing.
    BEFORE_A_THING: Vec<Word> = "english/before_a_thing.txt";
    /// Words that name a thing, except where something is done.
    MOSTLY_THINGS: Vec<Word> = "english/mostly_things.txt";
    /// Words behind which such a word is what is done.
    BEFORE_A_DEED: Vec<Word> = "english/before_a_deed.txt";
}

/// Each everyday word in all its forms, with the words that rules may use instead. If an everyday verb or name has two
/// words ("sign off", "bad loan"), it is given as the one word that stands for it in a search. A replacement may have
/// several words, which must follow each other in the rule.
pub fn swaps() -> impl Iterator<Item = &'static Swap> {
    english().chain(CHINESE.iter()).chain(phrasal::swaps())
}

fn english() -> impl Iterator<Item = &'static Swap> {
    let by_field = [&DEEDS, &BANKING, &MARKETS, &CRIME, &PEOPLE, &FIRMS, &GOODS];
    let by_field = by_field.into_iter().flat_map(|list| list.iter());
    ENGLISH.iter().chain(by_field)
}

/// Whether a lower-case word is in one of the English lists, or is part of a verb or name there. Such a word is never
/// treated as a typing mistake.
pub fn is_known(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<Word>> = LazyLock::new(|| {
        let forms = english().flat_map(|(forms, _)| forms.iter().copied());
        forms.chain(phrasal::parts()).collect()
    });
    KNOWN.contains(word)
}

/// The everyday words of one Chinese character.
static ALONE: LazyLock<HashSet<Word>> = LazyLock::new(|| {
    let forms = CHINESE.iter().flat_map(|(forms, _)| forms).copied();
    forms.filter(|word| word.chars().nth(1).is_none()).collect()
});

/// Whether a single Chinese character is a word in whose place rules have another one: 变更 for 换.
pub(crate) fn is_alone(c: char) -> bool {
    let mut character = [0; 4];
    ALONE.contains(&*c.encode_utf8(&mut character))
}

/// The words that a question uses as nouns. They must not be replaced by words of rules. For example, "fire" is a noun
/// in "in case of a fire", but it is a verb in "when may we fire a warden", and there it is replaced.
pub fn named_as_things(question: &str) -> Vec<String> {
    let words = words(question);
    let things = words.iter().enumerate().filter(|(at, word)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_behind = |list: &[Word]| before.is_some_and(|w| list.contains(&w.as_str()));
        let word = word.as_str();
        (ONLY_DONE.contains(&word) && is_behind(&BEFORE_A_THING))
            || (MOSTLY_THINGS.contains(&word) && !is_behind(&BEFORE_A_DEED))
    });
    things.map(|(_, word)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_has_no_other_words() {
        for (question, thing) in [
            ("What must be done in case of fire?", true),
            ("Who is told of a fire on a barge?", true),
            ("When may we fire a warden?", false),
            ("Can a warden be fired?", false),
            ("Fire", false),
            ("Who signs the annual report?", true),
            ("What does the reporting of dues involve?", true),
            ("When must we report a wreck?", false),
            ("Do pilots have to report a wreck?", false),
            ("When is a wreck reported?", false),
        ] {
            assert_eq!(!named_as_things(question).is_empty(), thing, "{question}");
        }
    }

    #[test]
    fn a_word_of_a_list_is_no_slip() {
        for (word, known) in [
            ("kickback", true),
            ("rainy", true),
            ("told", true),
            ("kikback", false),
            ("", false),
        ] {
            assert_eq!(is_known(word), known, "{word}");
        }
    }

    /// Words that rules have for something of their own have no others.
    #[test]
    fn a_word_of_rules_is_no_everyday_word() {
        let everyday: HashSet<Word> = english().flat_map(|(forms, _)| forms.clone()).collect();
        for word in [
            "account",
            "audit",
            "bank",
            "body",
            "breach",
            "capital",
            "claim",
            "consumer",
            "contract",
            "control",
            "credit",
            "data",
            "default",
            "deposit",
            "director",
            "exposure",
            "fee",
            "fund",
            "institution",
            "insurer",
            "interest",
            "investor",
            "law",
            "licence",
            "limit",
            "liquidity",
            "loan",
            "market",
            "member",
            "notice",
            "offence",
            "payment",
            "penalty",
            "premium",
            "price",
            "processor",
            "profit",
            "provider",
            "rating",
            "record",
            "redundancy",
            "register",
            "risk",
            "rule",
            "salary",
            "security",
            "share",
            "state",
            "supervisor",
            "tax",
            "tender",
            "term",
            "transaction",
            "value",
            "vehicle",
            "waste",
            "year",
        ] {
            assert!(!everyday.contains(word), "{word}");
        }
    }

    /// What stands in the place of a word must not be the word again, nor a word that any rule has.
    #[test]
    fn what_stands_in_the_place_of_a_word_says_something() {
        const SAYS_NOTHING: [&str; 20] = [
            "act", "any", "apply", "area", "article", "case", "do", "give", "have", "make",
            "matter", "member", "person's", "section", "shall", "state", "take", "thing", "use",
            "way",
        ];
        let by_field = || english().skip(ENGLISH.len());
        for (forms, others) in by_field().chain(phrasal::swaps()) {
            assert!(!forms.is_empty() && !others.is_empty(), "{forms:?}");
            for other in others {
                assert!(!forms.contains(other), "{other} stands for itself");
                assert!(!SAYS_NOTHING.contains(other), "{forms:?}: {other}");
            }
            for word in forms.iter().chain(others) {
                assert_eq!(*word, word.to_lowercase(), "{forms:?}");
            }
        }
        let mut seen = HashSet::new();
        for form in by_field().flat_map(|(forms, _)| forms) {
            assert!(!form.contains([' ', '-']), "{form} is a name");
            assert!(seen.insert(*form), "{form} stands there twice");
        }
        assert!(seen.len() > 1_500, "{}", seen.len());
    }

    #[test]
    fn a_word_of_one_character_is_known() {
        for (c, alone) in [('换', true), ('港', false), ('a', false)] {
            assert_eq!(is_alone(c), alone, "{c}");
        }
    }

    #[test]
    fn chinese_words_are_those_of_the_index() {
        for (forms, others) in CHINESE.iter() {
            for word in forms {
                assert!((1..=2).contains(&word.chars().count()), "{word}");
            }
            for word in others {
                assert_eq!(word.chars().count(), 2, "{word}");
            }
            let both = forms.iter().find(|word| others.contains(word));
            assert_eq!(both, None);
        }
    }
}
