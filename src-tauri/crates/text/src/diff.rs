//! Which words of two wordings differ: the longest common sequence of words stays, all else is marked.

use crate::script::is_unspaced;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A stretch of a text, and whether the other text has it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The words with the blanks between them.
    pub text: String,
    /// The other text does not have it there.
    pub differs: bool,
}

/// If there are more pairs of words than this, only the common beginning and end of both texts count as equal.
const MOST_PAIRS: usize = 4_000_000;

/// Both texts in stretches, the older one first.
pub fn word_diff(before: &str, after: &str) -> (Vec<Stretch>, Vec<Stretch>) {
    let (old, new) = (words(before), words(after));
    let (same_old, same_new) = common(&old, &new);
    (stretches(&old, &same_old), stretches(&new, &same_new))
}

/// Words, single ideographs, blanks, and other characters one by one.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((from, c)) = chars.next() {
        let kind = kind(c);
        let mut to = from + c.len_utf8();
        while kind != Kind::Alone
            && let Some((at, next)) = chars.peek().copied()
            && self::kind(next) == kind
        {
            to = at + next.len_utf8();
            chars.next();
        }
        words.push(&text[from..to]);
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Blank,
    /// An ideograph or a mark: a word by itself.
    Alone,
}

fn kind(c: char) -> Kind {
    if c.is_whitespace() {
        Kind::Blank
    } else if c.is_alphanumeric() && !is_unspaced(c) {
        Kind::Word
    } else {
        Kind::Alone
    }
}

/// For each word of both texts, whether it belongs to a longest common sequence.
fn common(old: &[&str], new: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut in_old, mut in_new) = (vec![false; old.len()], vec![false; new.len()]);
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    in_old[..head].fill(true);
    in_new[..head].fill(true);
    in_old[old.len() - tail..].fill(true);
    in_new[new.len() - tail..].fill(true);
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if a.len() * b.len() <= MOST_PAIRS {
        for stretch in capture_diff_slices(Algorithm::Lcs, a, b) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = stretch
            {
                in_old[head + old_index..][..len].fill(true);
                in_new[head + new_index..][..len].fill(true);
            }
        }
    }
    (in_old, in_new)
}

/// Words of one kind joined; a blank between two words that differ differs with them.
fn stretches(words: &[&str], same: &[bool]) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let blank = word.trim().is_empty();
        let between = blank && at > 0 && !same[at - 1] && same.get(at + 1) == Some(&false);
        let differs = between || (!same[at] && !blank);
        match all.last_mut() {
            Some(last) if last.differs == differs => last.text.push_str(word),
            _ => all.push(Stretch {
                text: (*word).to_owned(),
                differs,
            }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both texts with what differs in brackets.
    fn check(before: &str, after: &str, expected: (&str, &str)) {
        let show = |all: Vec<Stretch>| -> String {
            all.into_iter()
                .map(|s| {
                    if s.differs {
                        format!("[{}]", s.text)
                    } else {
                        s.text
                    }
                })
                .collect()
        };
        let (old, new) = word_diff(before, after);
        assert_eq!((show(old).as_str(), show(new).as_str()), expected);
    }

    #[test]
    fn only_the_words_that_differ_are_marked() {
        check(
            "within four hours",
            "within 24 hours",
            ("within [four] hours", "within [24] hours"),
        );
        check(
            "shall report",
            "shall not report",
            ("shall report", "shall [not] report"),
        );
        check("the same", "the same", ("the same", "the same"));
        check("", "new words", ("", "[new words]"));
        check(
            "it may do so",
            "it must always do so",
            ("it [may] do so", "it [must always] do so"),
        );
    }

    #[test]
    fn ideographs_are_compared_one_by_one() {
        check(
            "应当在四小时内报告",
            "应当在二十四小时内报告",
            ("应当在四小时内报告", "应当在[二十]四小时内报告"),
        );
        check(
            "不得低于8%。",
            "不得低于10.5%。",
            ("不得低于[8]%。", "不得低于[10.5]%。"),
        );
    }

    #[test]
    fn two_very_long_texts_are_compared_at_their_ends_only() {
        let long = |word: &str| format!("begin {} end", vec![word; 2_100].join(" "));
        let (old, new) = word_diff(&long("a"), &long("b"));
        assert_eq!((old[0].text.trim(), new[0].text.trim()), ("begin", "begin"));
        assert!(old[1].differs && !old[2].differs);
    }
}
