//! What is left out of a Chinese question besides the words of its list that ask: its subject is what remains.

use crate::everyday;
use crate::lists::Word;
use crate::script::is_han;
use crate::word_lists;

word_lists! {
    /// Chinese words with the character of what should be done, which mean something else.
    WITH_SHOULD: Vec<Word> = "chinese/words_with_should.txt";
    /// Units of time.
    UNITS: Vec<Word> = "chinese/units_of_time.txt";
    /// Words before the words that ask, which say only how the question is meant.
    BEFORE_ASKING: Vec<Word> = "chinese/before_asking.txt";
}

/// Single characters of Chinese that are between what is asked for and the words that ask.
const PARTICLES: [char; 6] = ['的', '是', '有', '吗', '呢', '中'];

/// A Chinese question in which words that only help to ask are replaced by blanks. These words are 应当, 一个, and the
/// first half of 交不交. They are not in the lists of question words, because the same characters can also be parts of
/// other words, or (交不交) because any verb can be in this form.
pub(crate) fn without_words_of_asking(text: &str) -> String {
    without_one(&without_should(&without_choice(text)))
}

/// Removes the characters at the two ends of a piece of a Chinese question that are not part of the subject. These are
/// particles and punctuation marks. A single character beside a punctuation mark is also removed, if it is no word by
/// itself. A particle inside a word stays. The result is empty if nothing else is left.
pub(crate) fn without_edges(piece: &str) -> &str {
    let of_edge = |c: char| PARTICLES.contains(&c) || is_stop(c);
    let piece = piece.trim_matches(of_edge);
    let mut back = piece.chars().rev();
    let piece = match (back.next(), back.next()) {
        (Some(last), Some(mark)) if is_no_word(last) && is_stop(mark) => {
            piece.trim_end_matches(last).trim_matches(of_edge)
        }
        _ => piece,
    };
    let mut front = piece.chars();
    match (front.next(), front.next()) {
        (Some(only), None) if is_no_word(only) => "",
        (Some(first), Some(mark)) if is_no_word(first) && is_stop(mark) => {
            piece.trim_start_matches(first).trim_matches(of_edge)
        }
        _ => piece,
    }
}

/// A piece of a question without the word at its end that belongs to the words that ask behind it: 一般 of 一般多久.
pub(crate) fn without_how_it_is_meant(piece: &str) -> &str {
    let ends = BEFORE_ASKING
        .iter()
        .find_map(|word| piece.strip_suffix(*word));
    ends.unwrap_or(piece)
}

/// Whether a single character of Chinese is no word in whose place rules have another one.
fn is_no_word(c: char) -> bool {
    is_han(c) && !everyday::is_alone(c)
}

fn is_stop(c: char) -> bool {
    matches!(c, '？' | '?' | '，' | ',' | '。' | '、' | '；' | '：')
}

/// Whether a Chinese text asks by saying a word twice: 交不交.
pub(crate) fn asks_by_choice(text: &str) -> bool {
    without_choice(text) != text
}

/// A Chinese text with a blank in the place of 交不 of 交不交, and of 合不 of 合不合适.
fn without_choice(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        let asks = is_han(*c) && chars.get(at + 1) == Some(&'不') && chars.get(at + 2) == Some(c);
        if asks {
            out.push(' ');
            at += 2;
        } else {
            out.push(*c);
            at += 1;
        }
    }
    out
}

/// A Chinese text with a blank in the place of 应, 应当 and 应该: what follows is a word of its own.
fn without_should(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('应') {
        out.push_str(before);
        let should = after.strip_prefix(['当', '该']);
        let last = out.chars().next_back();
        let of_a_word = should.is_none()
            && WITH_SHOULD
                .iter()
                .any(|word| match word.strip_prefix('应') {
                    Some(end) => after.starts_with(end),
                    None => word.chars().next() == last,
                });
        out.push(if of_a_word { '应' } else { ' ' });
        rest = should.unwrap_or(after);
    }
    out.push_str(rest);
    out
}

/// A Chinese text with a blank in the place of 一个 and the like, which only name something: not in 一个月.
fn without_one(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('一') {
        out.push_str(before);
        let of_time = |after: &str| UNITS.iter().any(|unit| after.starts_with(unit));
        let named = after.strip_prefix(['个', '家', '名', '位']);
        match named.filter(|after| !of_time(after)) {
            Some(after) => {
                out.push(' ');
                rest = after;
            }
            None => {
                out.push('一');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_asked_by_saying_a_word_twice() {
        for (text, expected) in [
            ("停泊费交不交", "停泊费 交"),
            ("泊位合不合适", "泊位 合适"),
            ("停泊费不缴", "停泊费不缴"),
            ("不", "不"),
            ("", ""),
        ] {
            assert_eq!(without_choice(text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_before_the_words_that_ask_is_left_out() {
        for (piece, expected) in [
            ("停泊费一般", "停泊费"),
            ("一般", ""),
            ("一般停泊费", "一般停泊费"),
            ("停泊费", "停泊费"),
        ] {
            assert_eq!(without_how_it_is_meant(piece), expected, "{piece}");
        }
    }

    #[test]
    fn what_stands_at_the_edges_is_no_word() {
        for (piece, expected) in [
            ("的停泊费吗？", "停泊费"),
            ("停泊费，要", "停泊费"),
            ("要，停泊费", "停泊费"),
            ("停泊费，", "停泊费"),
            ("要", ""),
            ("？", ""),
            // Rules say 缴纳 for it.
            ("交", "交"),
            ("停泊费，交", "停泊费，交"),
            ("9", "9"),
            ("停泊费", "停泊费"),
        ] {
            assert_eq!(without_edges(piece), expected, "{piece}");
        }
    }
}
