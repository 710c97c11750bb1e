//! Finds where a term is mentioned in a sentence, and puts another term in its place.
//!
//! A mention counts only if it is not part of a word and not part of a longer term of the same item. In English the
//! words around the term may have to change (a or an, a capital at the beginning). These changes are made; if they
//! cannot be known, the replacement is refused.

use lexforge_text::is_east_asian;
use std::ops::Range;

/// A sentence with another term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The sentence.
    pub text: String,
    /// The bytes of the term's first occurrence.
    pub first: Range<usize>,
}

/// The places where a term occurs by itself, as ranges of bytes. Its first letter may be a capital or not. Occurrences
/// within one of the `longer` terms do not count.
pub fn mentions(text: &str, term: &str, longer: &[&str]) -> Vec<Range<usize>> {
    let covering: Vec<Range<usize>> = longer
        .iter()
        .filter(|other| other.len() > term.len())
        .flat_map(|other| standing(text, other))
        .collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    for mention in standing(text, term) {
        let within = covering
            .iter()
            .any(|c| c.start <= mention.start && mention.end <= c.end);
        let overlaps = found.last().is_some_and(|last| mention.start < last.end);
        if !within && !overlaps {
            found.push(mention);
        }
    }
    found
}

/// The places where a term occurs at term boundaries.
fn standing(text: &str, term: &str) -> Vec<Range<usize>> {
    let Some(first) = term.chars().next() else {
        return Vec::new();
    };
    let rest = &term[first.len_utf8()..];
    let same = |letter: char| letter == first || letter.to_lowercase().eq(first.to_lowercase());
    text.char_indices()
        .filter(|&(_, letter)| same(letter))
        .filter_map(|(start, letter)| {
            let after = &text[start + letter.len_utf8()..];
            after
                .starts_with(rest)
                .then(|| start..start + letter.len_utf8() + rest.len())
        })
        .filter(|range| {
            let before = text[..range.start].chars().next_back();
            let after = text[range.end..].chars().next();
            let (head, tail) = (
                text[range.clone()].chars().next(),
                text[range.clone()].chars().next_back(),
            );
            !joined(before, head) && !joined(tail, after)
        })
        .collect()
}

/// Whether two neighbouring characters belong to one word. Characters of Chinese, Japanese and Korean never do, because
/// these languages write no spaces around a term, or attach endings to it.
fn joined(left: Option<char>, right: Option<char>) -> bool {
    let part = |letter: char| {
        (letter.is_alphanumeric() || letter == '-' || letter == '_') && !is_east_asian(letter)
    };
    matches!((left, right), (Some(left), Some(right)) if part(left) && part(right))
}

/// The sentence with another term in place of all mentions. `None` if the term is not mentioned by itself, or if it is
/// unknown whether the other term takes "a" or "an".
pub fn replaced(text: &str, term: &str, other: &str, longer: &[&str]) -> Option<Replaced> {
    let mut result = String::with_capacity(text.len() + other.len());
    let mut first = None;
    let mut read = 0;
    for mention in mentions(text, term, longer) {
        let before = &text[read..mention.start];
        let (kept, article) = split_article(before);
        result.push_str(kept);
        if let Some(article) = article {
            result.push_str(&mended(article, other)?);
        }
        let start = result.len();
        let initial = |s: &str| s.chars().next();
        let large = initial(&text[mention.clone()]).is_some_and(char::is_uppercase)
            && (begins_sentence(&text[..mention.start])
                || initial(term).is_some_and(char::is_lowercase));
        match initial(other) {
            Some(letter) if large => {
                result.extend(letter.to_uppercase());
                result.push_str(&other[letter.len_utf8()..]);
            }
            _ => result.push_str(other),
        }
        first.get_or_insert(start..result.len());
        read = mention.end;
    }
    result.push_str(&text[read..]);
    first.map(|first| Replaced {
        text: result,
        first,
    })
}

/// Whether what follows begins a sentence.
fn begins_sentence(before: &str) -> bool {
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || "\"'“‘(".contains(c));
    trimmed
        .chars()
        .next_back()
        .is_none_or(|last| ".!?。！？\n".contains(last))
}

/// The text before a term, and the indefinite article with its space at the end of this text.
fn split_article(before: &str) -> (&str, Option<&str>) {
    let word = before.trim_end_matches([' ', '\u{a0}']);
    if word.len() == before.len() {
        return (before, None);
    }
    let start = word.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| {
        at + word[at..].chars().next().map_or(1, char::len_utf8)
    });
    if word[start..].eq_ignore_ascii_case("a") || word[start..].eq_ignore_ascii_case("an") {
        (&before[..start], Some(&before[start..]))
    } else {
        (before, None)
    }
}

/// The article with its space as the term asks for it.
fn mended(article: &str, term: &str) -> Option<String> {
    let word = article.trim_end();
    let wanted = match indefinite(term)? {
        Article::A => "a",
        Article::An => "an",
    };
    let large = word.starts_with('A');
    let new = if word.eq_ignore_ascii_case(wanted) {
        word.to_owned()
    } else if large {
        format!("A{}", &wanted[1..])
    } else {
        wanted.to_owned()
    };
    Some(new + &article[word.len()..])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Article {
    A,
    An,
}

/// The indefinite article of a term in English, judged by its spelling; `None` if the spelling does not tell.
fn indefinite(term: &str) -> Option<Article> {
    use Article::{A, An};
    let word = term
        .split(|c: char| !c.is_alphanumeric())
        .find(|w| !w.is_empty())?;
    let letters = word.chars().all(|c| c.is_ascii_alphabetic());
    if word.chars().all(|c| c.is_ascii_digit()) {
        return match word {
            _ if word.starts_with('8') => Some(An),
            _ if word.starts_with("11") || word.starts_with("18") => None,
            _ => Some(A),
        };
    }
    if !letters {
        return None;
    }
    if word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()) {
        // An abbreviation may be spoken letter by letter or as a word; only a word without vowels is sure to be spelt.
        let spelt = !word.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
        return match word.as_bytes()[0] {
            b'A' | b'E' | b'I' | b'O' => Some(An),
            b'F' | b'H' | b'L' | b'M' | b'N' | b'R' | b'S' | b'X' => spelt.then_some(An),
            b'U' => None,
            _ => Some(A),
        };
    }
    let word = word.to_ascii_lowercase();
    let begins = |list: &[&str]| list.iter().any(|start| word.starts_with(start));
    Some(match word.as_bytes()[0] {
        b'a' | b'i' => An,
        b'e' if begins(&["eu", "ewe"]) => A,
        b'o' if word == "one" || word == "once" => A,
        b'e' | b'o' => An,
        b'h' if begins(&["hour", "honest", "honor", "honour", "heir"]) => An,
        b'u' if begins(&[
            "unif", "unio", "uniq", "unit", "univ", "use", "usu", "usa", "uti",
        ]) =>
        {
            A
        }
        b'u' if begins(&["uni"]) => return None,
        b'u' => An,
        _ => A,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_counts_where_it_stands_by_itself() {
        let check = |text: &str, term: &str, longer: &[&str], expected: &[&str]| {
            let marked: Vec<String> = mentions(text, term, longer)
                .into_iter()
                .map(|r| format!("{}|{}", &text[..r.start], &text[r]))
                .collect();
            assert_eq!(marked, expected, "{text:?} {term:?}");
        };
        check("The board met.", "board", &[], &["The |board"]);
        check(
            "Board papers, boards, keyboard, on-board, board-level.",
            "board",
            &[],
            &["|Board"],
        );
        check(
            "the board secretary tells the board",
            "board",
            &["board secretary"],
            &["the board secretary tells the |board"],
        );
        check("the board's view", "board", &[], &["the |board"]);
        check(
            "董事会秘书向董事会报告",
            "董事会",
            &["董事会秘书"],
            &["董事会秘书向|董事会"],
        );
        check(
            "董事会批准，董事会负责",
            "董事会",
            &[],
            &["|董事会", "董事会批准，|董事会"],
        );
        check("nothing here", "board", &[], &[]);
        check("", "board", &[], &[]);
        check("text", "", &[], &[]);
    }

    #[test]
    fn the_other_term_stands_as_the_first_did() {
        let check = |text: &str, term: &str, other: &str, expected: Option<&str>| {
            let found = replaced(text, term, other, &[term, other]);
            assert_eq!(
                found.as_ref().map(|r| r.text.as_str()),
                expected,
                "{text:?} {term:?} {other:?}"
            );
            if let Some(found) = found {
                assert!(
                    found.text[found.first.clone()].eq_ignore_ascii_case(other),
                    "{found:?}"
                );
            }
        };
        check(
            "The board approves it.",
            "board",
            "board secretary",
            Some("The board secretary approves it."),
        );
        check(
            "Board members sit.",
            "board",
            "auditor",
            Some("Auditor members sit."),
        );
        check(
            "It ends. Board members sit.",
            "board",
            "auditor",
            Some("It ends. Auditor members sit."),
        );
        check(
            "The Board met.",
            "board",
            "auditor",
            Some("The Auditor met."),
        );
        check(
            "The Board met.",
            "Board",
            "auditor",
            Some("The auditor met."),
        );
        check(
            "A supervisor signs.",
            "supervisor",
            "executive supervisor",
            Some("An executive supervisor signs."),
        );
        check(
            "by an auditor or a clerk",
            "auditor",
            "supervisor",
            Some("by a supervisor or a clerk"),
        );
        check(
            "a board, and the board",
            "board",
            "auditor",
            Some("an auditor, and the auditor"),
        );
        check("a board", "board", "unitholder", Some("a unitholder"));
        check("a board", "board", "unidentified owner", None);
        check("a fund", "fund", "SICAV", None);
        check("a fund", "fund", "NGO", None);
        check("a fund", "fund", "SPV", Some("an SPV"));
        check("the fund", "fund", "SICAV", Some("the SICAV"));
        check("no such term", "board", "auditor", None);
        check(
            "董事会批准该方案。",
            "董事会",
            "监事会",
            Some("监事会批准该方案。"),
        );
        check("董事会秘书报告。", "董事会", "董事会秘书", None);
    }
}
