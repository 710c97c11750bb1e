//! Chinese words written with other characters: traditional instead of simplified ones, or characters that sound alike.
//! An input method offers all characters with the same sound, so a user may choose a wrong one.

use crate::lists::{Pair, Word};
use crate::word_lists;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

word_lists! {
    /// Traditional characters, and the simplified ones in their place.
    TRADITIONAL: Vec<Pair> = "chinese/traditional.txt";
    /// Characters of one sound.
    SOUNDS: Vec<Word> = "chinese/same_sound.txt";
    /// Words that are no slips of others that sound like them.
    NO_SLIPS: HashSet<Word> = "chinese/no_slips.txt";
}

/// A text in simplified characters.
pub fn simplified(text: &str) -> String {
    static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| pairs().collect());
    text.chars()
        .map(|c| SIMPLIFIED.get(&c).copied().unwrap_or(c))
        .collect()
}

/// A text in traditional characters. Of several for one simplified character it has the first of the list.
pub fn traditional(text: &str) -> String {
    static OTHER_WAY: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let mut first = HashMap::new();
        for (old, new) in pairs() {
            first.entry(new).or_insert(old);
        }
        first
    });
    text.chars()
        .map(|c| OTHER_WAY.get(&c).copied().unwrap_or(c))
        .collect()
}

fn pairs() -> impl Iterator<Item = (char, char)> {
    TRADITIONAL
        .iter()
        .flat_map(|(old, new)| old.chars().zip(new.chars()))
}

/// The other characters that sound like one, whatever their tone.
pub fn sound_alike(c: char) -> impl Iterator<Item = char> {
    let group = SOUNDS.iter().find(|group| group.contains(c));
    let others = group.into_iter().flat_map(|group| group.chars());
    others.filter(move |other| *other != c)
}

/// Whether two characters are a word that is no slip of another one of the same sound: 债券 is not written for 债权.
pub fn is_no_slip(word: &str) -> bool {
    NO_SLIPS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_in_the_other_script() {
        let (old, new) = ("船長應當繳納停泊費嗎？", "船长应当缴纳停泊费吗？");
        assert_eq!(simplified(old), new);
        assert_eq!(traditional(new), old);
        assert_eq!(simplified("Who pays 停泊?"), "Who pays 停泊?");
    }

    #[test]
    fn each_character_has_one_in_its_place() {
        let mut seen = HashSet::new();
        for (old, new) in TRADITIONAL.iter() {
            assert_eq!(old.chars().count(), new.chars().count(), "{old}");
            for c in old.chars() {
                assert!(seen.insert(c), "{c} stands there twice");
            }
        }
    }

    #[test]
    fn characters_that_sound_alike_are_known() {
        let alike = |one, other| sound_alike(one).any(|c| c == other);
        assert!(alike('泊', '博') && alike('但', '担'));
        assert!(!alike('泊', '停') && !alike('泊', '泊'));
        assert_eq!(sound_alike('x').count(), 0);
        assert!(is_no_slip("债券") && is_no_slip("中止") && !is_no_slip("停博"));
    }
}
