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
    CHINESE: Vec<Swap> = "chinese/everyday.txt";
    /// Words that have others only where something is done.
    ONLY_DONE: Vec<Word> = "english/only_done.txt";
    /// Words behind which such a word names a thing.
    BEFORE_A_THING: Vec<Word> = "english/before_a_thing.txt";
}

/// Each everyday word in all of its forms, with the words of rules that may stand in its place. A verb of two words
/// ("sign off") is here the one word that stands for it in the subject of a question.
pub fn swaps() -> impl Iterator<Item = &'static Swap> {
    ENGLISH.iter().chain(CHINESE.iter()).chain(phrasal::swaps())
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

/// The words of a question that name a thing and have no others there: "fire" of "in case of a fire", and not of "when
/// may we fire a warden".
pub fn named_as_things(question: &str) -> Vec<String> {
    let words = words(question);
    let pairs = words.windows(2).filter(|pair| match pair {
        [before, word] => {
            ONLY_DONE.contains(&word.as_str()) && BEFORE_A_THING.contains(&before.as_str())
        }
        _ => false,
    });
    pairs.filter_map(|pair| pair.last().cloned()).collect()
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
        ] {
            assert_eq!(!named_as_things(question).is_empty(), thing, "{question}");
        }
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
