//! Everyday words of questions, and the words that rules use instead. For example, if a question asks whom somebody
//! must "tell", the rule says whom somebody must "notify".

use crate::lists::Swap;
use crate::word_lists;

word_lists! {
    ENGLISH: Vec<Swap> = "english/everyday.txt";
    CHINESE: Vec<Swap> = "chinese/everyday.txt";
}

/// Each everyday word in all of its forms, with the words of rules that may stand in its place.
pub fn swaps() -> impl Iterator<Item = &'static Swap> {
    ENGLISH.iter().chain(CHINESE.iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_words_are_those_of_the_index() {
        for (forms, others) in CHINESE.iter() {
            for word in forms.iter().chain(others) {
                assert_eq!(word.chars().count(), 2, "{word}");
            }
            let both = forms.iter().find(|word| others.contains(word));
            assert_eq!(both, None);
        }
    }
}
