//! What a question asks for, without the words that ask.

use crate::lists::Word;
use crate::script::is_han;
use crate::word_lists;

word_lists! {
    /// Chinese words that ask.
    ASKING: Vec<Word> = "chinese/asking.txt";
}

/// Single characters of Chinese that stand between what is asked for and the words that ask.
const PARTICLES: [char; 6] = ['的', '是', '有', '吗', '呢', '中'];

/// The question with blanks in the place of its words that ask. In Chinese these would be cut into pairs of characters like
/// any other text and weigh as much as the subject; in English they are stop words of the index. A question of nothing
/// else stays as it is.
pub fn subject(question: &str) -> String {
    if !question.chars().any(is_han) {
        return question.to_owned();
    }
    let mut text = question.to_owned();
    for word in ASKING.iter() {
        text = text.replace(word, " ");
    }
    // A particle inside a word stays: only at the edge of what is left.
    let pieces: Vec<&str> = text
        .split_whitespace()
        .map(|piece| piece.trim_matches(|c| PARTICLES.contains(&c) || is_stop(c)))
        .filter(|piece| !piece.is_empty())
        .collect();
    if pieces.iter().any(|piece| piece.chars().any(is_han)) {
        pieces.join(" ")
    } else {
        question.to_owned()
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, '？' | '?' | '，' | ',' | '。' | '、' | '；' | '：')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_ask_are_left_out() {
        for (question, expected) in [
            (
                "货币经纪公司的注册资本最低限额是多少？",
                "货币经纪公司的注册资本最低限额",
            ),
            ("什么是保险合同？", "保险合同"),
            (
                "保险合同成立后，投保人能否解除合同？",
                "保险合同成立后，投保人 解除合同",
            ),
            ("How long is it kept?", "How long is it kept?"),
            ("什么？", "什么？"),
        ] {
            assert_eq!(subject(question), expected);
        }
    }
}
