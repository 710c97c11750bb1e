//! Words in which people ask, and the words that rules have in their place: who asks whom he must tell looks for whom he must
//! notify.

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
