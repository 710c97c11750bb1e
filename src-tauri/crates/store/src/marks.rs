//! Where the words of a query stand in a text.

use crate::words::{Side, each_word, is_cjk, words};
use std::collections::HashSet;

/// The ranges of `text` that a search for `query` finds, as (first scalar value, one past the last), in order and
/// without overlap.
pub fn marks(query: &str, text: &str) -> Vec<(u32, u32)> {
    let wanted: HashSet<String> = words(query).into_iter().collect();
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut mark = |from: usize, to: usize| match found.last_mut() {
        Some(last) if from as u32 <= last.1 => last.1 = last.1.max(to as u32),
        _ => found.push((from as u32, to as u32)),
    };
    let mut at = 0;
    while at < chars.len() {
        let end = at
            + chars[at..]
                .iter()
                .take_while(|c| is_cjk(**c) == is_cjk(chars[at]) && in_word(**c))
                .count();
        if end == at {
            at += 1;
        } else if is_cjk(chars[at]) {
            for i in at..end {
                let pair: String = chars[i..end.min(i + 2)].iter().collect();
                if wanted.contains(&pair) {
                    mark(i, end.min(i + 2));
                } else if wanted.contains(&chars[i].to_string()) {
                    mark(i, i + 1);
                }
            }
            at = end;
        } else {
            let word: String = chars[at..end].iter().collect();
            let mut hit = false;
            each_word(&word, Side::Document, |word| hit |= wanted.contains(word));
            if hit {
                mark(at, end);
            }
            at = end;
        }
    }
    found
}

/// Whether a character belongs to a word (an apostrophe does, inside one).
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || is_cjk(c) || matches!(c, '\'' | '\u{2019}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, text: &str, expected: &[&str]) {
        let chars: Vec<char> = text.chars().collect();
        let got: Vec<String> = marks(query, text)
            .into_iter()
            .map(|(from, to)| chars[from as usize..to as usize].iter().collect())
            .collect();
        assert_eq!(got, expected, "{query} in {text}");
    }

    #[test]
    fn words_are_marked_whatever_their_form() {
        check(
            "report exposure",
            "Institutions shall report Exposures, and reporting is due.",
            &["report", "Exposures", "reporting"],
        );
        check("of the", "the rules of the authority", &[]);
        check("2016/679", "Regulation (EU) 2016/679", &["2016", "679"]);
    }

    #[test]
    fn two_ideographs_are_marked_where_they_stand_together() {
        check(
            "资本",
            "商业银行资本充足率，资产与资本。",
            &["资本", "资本"],
        );
        check(
            "资本充足率",
            "资本充足率不得低于资本要求",
            &["资本充足率", "资本"],
        );
        check("银", "银行、商业银行", &["银", "银"]);
    }
}
