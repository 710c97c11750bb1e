//! Verbs of rules and policies that name the same deed: a rule says "shall communicate", and a policy "we tell".

use crate::lists::{Group, Word};
use crate::word_lists;
use std::collections::HashMap;
use std::sync::LazyLock;

word_lists! {
    SAME_DEEDS: Vec<Group> = "english/same_deeds.txt";
}

/// The line of each verb.
static LINES: LazyLock<HashMap<Word, usize>> = LazyLock::new(|| {
    let lines = SAME_DEEDS.iter().enumerate();
    let verbs = lines.flat_map(|(at, line)| line.iter().map(move |verb| (*verb, at)));
    verbs.collect()
});

/// Whether two lower-case English verbs, as they are written, name the same deed.
pub fn is_same_deed(one: &str, other: &str) -> bool {
    let line = |verb: &str| LINES.get(verb);
    one == other || line(one).is_some_and(|own| line(other) == Some(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_of_one_deed_stand_for_each_other() {
        for (one, other, expected) in [
            ("communicate", "tells", true),
            ("erased", "delete", true),
            ("moors", "moors", true),
            ("erase", "keep", false),
            ("moor", "sail", false),
        ] {
            assert_eq!(is_same_deed(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_verb_names_one_deed() {
        let verbs: usize = SAME_DEEDS.iter().map(Vec::len).sum();
        assert_eq!(verbs, LINES.len());
    }
}
