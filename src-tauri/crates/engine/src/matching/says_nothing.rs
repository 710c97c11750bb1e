//! Sentences of a document that say nothing of what is done: titles that stand alone on a line, and meanings of words.
//!
//! "a. Remote Access Policy" in a list of references has most words of a rule about remote access, and so has what a
//! policy says that a word means. Neither covers the rule.

use lexforge_domain::document::Sentence;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words by which a line in capital letters demands something.
    DEMANDS: HashSet<Word> = "demands.txt";
    /// Titles of the part of a document that says what its words mean.
    DEFINITION_TITLES: HashSet<Word> = "definition_titles.txt";
    /// What introduces the meaning of a word.
    DEFINITION_MARKS: Vec<Word> = "definition_marks.txt";
}

/// A line with more words is hardly a title.
const MOST_WORDS: usize = 12;
/// Words that a title writes small: "Review of Accounts and Permissions".
const SMALL: [&str; 16] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "vs",
    "with",
];
/// Characters of the number of a Chinese item: "（三）", "二、".
const NUMBERS_HAN: &str = "（）()、．.一二三四五六七八九十";
/// Words between a term and its meaning. "The manager refers to the register" says what is done, so "refers to" has to
/// follow a quoted term.
const MEANS: [&str; 6] = [
    " means ",
    " mean ",
    "” refers to ",
    "\" refers to ",
    "’ refers to ",
    "是指",
];
/// Beginnings of a short name in brackets: "the data protection officer (the “DPO”)".
const SHORT_NAMES: [&str; 6] = ["(“", "(\"", "(‘", "(the “", "(the \"", "(the ‘"];

/// What a statement is to a matching: its kind in its document, but for titles and meanings of words, of which many are
/// items of lists there. `binds` says that it obliges or allows somebody: then it is neither. Rows of tables stay as
/// they are, because the name of a control can be all that a table says of it.
pub(super) fn kind(sentence: &Sentence, binds: bool, language: Language) -> SentenceKind {
    let kind = sentence.kind;
    if matches!(kind, SentenceKind::TableCell | SentenceKind::Heading) {
        kind
    } else if !binds && tells_a_meaning(sentence) {
        SentenceKind::Definition
    } else if !binds && sentence.complete.is_none() && is_title(&sentence.text, language) {
        SentenceKind::Heading
    } else if kind == SentenceKind::Definition {
        // "The firm asks the data protection officer (“DPO”)" gives a short name and says what is done.
        SentenceKind::Rule
    } else {
        kind
    }
}

/// Whether a statement of this kind is a title, or says what a word means.
pub(super) fn is_so(kind: SentenceKind) -> bool {
    matches!(kind, SentenceKind::Heading | SentenceKind::Definition)
}

/// Whether a sentence stands where a document says what its words mean, or says it itself.
fn tells_a_meaning(sentence: &Sentence) -> bool {
    let title = sentence.section.rsplit(" › ").next().unwrap_or_default();
    let title = title.trim_matches(|c: char| !c.is_alphabetic());
    if DEFINITION_TITLES.contains(title.to_lowercase().as_str()) {
        return true;
    }
    let opening = sentence.complete.as_deref().unwrap_or_default();
    let opening = opening
        .split_once([':', '：'])
        .map(|(opening, _)| opening.to_lowercase());
    let opening = opening.unwrap_or_default();
    DEFINITION_MARKS.iter().any(|mark| opening.contains(mark))
        || sentence.kind == SentenceKind::Definition && says_a_meaning(&sentence.text)
}

/// Whether a sentence says what a word means, and does not only give a short name to what it speaks of.
fn says_a_meaning(text: &str) -> bool {
    let gives_a_name = SHORT_NAMES.iter().any(|sign| text.contains(sign));
    // "By means of a code" tells no meaning.
    let text = text.replace(" means of ", " ");
    !gives_a_name && MEANS.iter().any(|means| text.contains(means))
}

/// The words of an item of a list, without its number.
fn item(text: &str) -> &str {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) if is_number(first) => rest.trim_start(),
        _ => text,
    }
}

/// Whether a word is the number or the sign of an item: "a.", "(iv)", "2.1", "•".
fn is_number(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let marked = bare.len() < word.len();
    let roman = bare.chars().all(|c| "ivxlc".contains(c));
    let counted = bare.chars().all(|c| c.is_ascii_digit() || c == '.');
    marked && (roman || bare.chars().count() == 1) || counted && word.contains(['.', ')', '）'])
}

/// Whether a line is a title and no sentence: all its words but the smallest begin with a capital letter, it does not
/// end like a sentence, and it has no figure and no word that demands something. In Chinese, the name of a document.
fn is_title(text: &str, language: Language) -> bool {
    let line = item(text);
    if language == Language::Zh {
        let name = line.trim_start_matches(|c: char| c.is_ascii_digit() || NUMBERS_HAN.contains(c));
        let named = name.strip_prefix('《').and_then(|l| l.strip_suffix('》'));
        return named.is_some_and(|name| !name.contains(['《', '》', '。']));
    }
    let words: Vec<&str> = line
        .split([' ', '\u{a0}', '/', '-'])
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_small = |word: &str| SMALL.contains(&word);
    let is_of_a_title = |word: &&str| {
        is_small(word)
            || word.starts_with(char::is_uppercase)
                && !DEMANDS.contains(word.to_lowercase().as_str())
    };
    let big = words.iter().filter(|word| !is_small(word)).count();
    (2..=MOST_WORDS).contains(&words.len())
        && big >= 2
        && !line.ends_with(['.', ':', ';', ',', '!', '?'])
        && !line.contains(|c: char| c.is_ascii_digit())
        && words.iter().all(is_of_a_title)
}

#[cfg(test)]
mod tests;
