//! Which choice a written answer names.

use lexforge_text::is_unspaced;

/// The one choice that a written answer names: the whole answer or a part of it equals the choice, ignoring case, white
/// space, and punctuation at the ends. `None` if it names no choice or several. A choice that occurs only inside
/// another named choice (`board` in `board secretary`) does not count as named.
pub(crate) fn named_choice(answer: &str, choices: &[&str]) -> Option<usize> {
    let answer = plain(answer);
    let choices: Vec<String> = choices.iter().map(|choice| plain(choice)).collect();
    let mut whole = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| **choice == answer);
    match (whole.next(), whole.next()) {
        (Some((index, choice)), None) if !choice.is_empty() => return Some(index),
        (Some(_), _) => return None, // two choices that read the same
        _ => {}
    }
    let places: Vec<Vec<(usize, usize)>> = choices
        .iter()
        .map(|choice| occurrences(&answer, choice))
        .collect();
    let inside_another = |index: usize, place: &(usize, usize)| {
        let longer = |other: &(usize, usize)| {
            other.0 <= place.0 && place.1 <= other.1 && other.1 - other.0 > place.1 - place.0
        };
        places
            .iter()
            .enumerate()
            .any(|(other, places)| other != index && places.iter().any(longer))
    };
    let mut named =
        (0..choices.len()).filter(|&i| places[i].iter().any(|place| !inside_another(i, place)));
    match (named.next(), named.next()) {
        (Some(index), None) => Some(index),
        _ => None,
    }
}

/// Lower case, single spaces, no punctuation at the ends, and none of the joiners that break special tokens.
fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| *c != '\u{2060}').collect();
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '€' | '$' | '£' | '¥'))
        .to_owned()
}

/// The places where a choice occurs in an answer as separate words, in bytes.
fn occurrences(answer: &str, choice: &str) -> Vec<(usize, usize)> {
    if choice.is_empty() {
        return Vec::new();
    }
    let joined = |a: Option<char>, b: Option<char>| {
        let spaced = |c: char| c.is_alphanumeric() && !is_unspaced(c);
        matches!((a, b), (Some(a), Some(b)) if spaced(a) && spaced(b))
    };
    answer
        .match_indices(choice)
        .map(|(start, _)| (start, start + choice.len()))
        .filter(|&(start, end)| {
            let before = joined(answer[..start].chars().next_back(), choice.chars().next());
            let after = joined(choice.chars().next_back(), answer[end..].chars().next());
            !before && !after
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_choice_must_be_named() {
        let english = [
            "the board",
            "the board secretary",
            "a supervisor",
            "the Board of Directors",
        ];
        let check = |answer: &str, expected: Option<usize>| {
            assert_eq!(named_choice(answer, &english), expected, "{answer}")
        };
        check("the board", Some(0));
        check("  The   BOARD. ", Some(0));
        check("- the board secretary", Some(1));
        check("The answer is: a supervisor!", Some(2));
        check("the board of directors", Some(3));
        check("the board secretary and a supervisor", None);
        check("the board or the board secretary", None);
        check("the boardroom", None);
        check("the", None);
        check("", None);
        check("…", None);
        let chinese = ["董事会", "董事会秘书", "监事会"];
        let check = |answer: &str, expected: Option<usize>| {
            assert_eq!(named_choice(answer, &chinese), expected, "{answer}")
        };
        check("董事会。", Some(0));
        check("应当由董事会秘书负责", Some(1));
        check("董事会和监事会", None);
        check("经理", None);
    }

    #[test]
    fn choices_that_read_the_same_name_nothing() {
        assert_eq!(named_choice("ten days", &["Ten days.", "ten days"]), None);
        assert_eq!(named_choice("10 %", &["10 %", "10"]), Some(0));
    }
}
