//! Sentences of a document that say nothing of what is done: titles that stand alone on a line, and meanings of words.
//!
//! "a. Remote Access Policy" in a list of references has most words of a rule about remote access, and so has what a
//! policy says that a word means. Neither covers the rule.

use lexforge_domain::document::Sentence;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::numbering;
use lexforge_text::lists::Word;
use lexforge_text::{is_han, is_unspaced, word_lists};
use std::collections::HashSet;

word_lists! {
    /// Words by which a line in capital letters demands something.
    DEMANDS: HashSet<Word> = "demands.txt";
    /// Titles of the part of a document that says what its words mean.
    DEFINITION_TITLES: HashSet<Word> = "definition_titles.txt";
    /// What introduces the meaning of a word.
    DEFINITION_MARKS: Vec<Word> = "definition_marks.txt";
    /// Words in the title of a part that lists what the firm does.
    CONTROLS: Vec<Word> = "controls.txt";
    /// Words in the title of a part that names other documents.
    OTHER_DOCUMENTS: Vec<Word> = "other_documents.txt";
}

/// A line with more words is hardly a title.
const MOST_WORDS: usize = 12;
/// A sentence that says what is done has at least this many words.
const FEWEST_TO_SAY: usize = 4;
/// A shorter part of a path is the number of an item, in letters: "viii".
const FEWEST_LETTERS: usize = 5;
/// Words that a title writes small: "Review of Accounts and Permissions".
const SMALL: [&str; 16] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "vs",
    "with",
];
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
/// items of lists there. `next` is the sentence after it. `binds` says that it obliges or allows somebody: then it is
/// neither. Rows of tables stay as they are, because the name of a control can be all that a table says of it. A list
/// of controls is like a table: "Annual Penetration Testing" says there that the firm has this control.
pub(super) fn kind(
    sentence: &Sentence,
    next: Option<&Sentence>,
    binds: bool,
    language: Language,
) -> SentenceKind {
    let kind = sentence.kind;
    if matches!(kind, SentenceKind::TableCell | SentenceKind::Heading) {
        kind
    } else if !binds && tells_a_meaning(sentence) {
        SentenceKind::Definition
    } else if !binds
        && sentence.complete.is_none()
        && is_title(&sentence.text, language)
        && !names_a_control(sentence, next)
    {
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
    let title = titles(&sentence.section).last().copied();
    let title = title.unwrap_or_default();
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

/// Whether a name alone on a line is that of a control: the part where it stands lists controls, and nothing stands
/// under it in the list.
fn names_a_control(sentence: &Sentence, next: Option<&Sentence>) -> bool {
    let place = sentence.section.to_lowercase();
    let nearest = titles(&place).last().copied().unwrap_or_default();
    let next = next.filter(|next| titles(&next.section) == titles(&sentence.section));
    CONTROLS.iter().any(|word| place.contains(word))
        && !OTHER_DOCUMENTS.iter().any(|words| nearest.contains(words))
        && next.is_none_or(|next| goes_on(&sentence.text, &next.text))
}

/// The titles in the path of a section, without the numbers of items: "Policy" of "Policy › a › iv".
pub(super) fn titles(section: &str) -> Vec<&str> {
    let letters = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count();
    let is_title = |part: &&str| letters(part) >= FEWEST_LETTERS || part.contains(is_han);
    section.split(" › ").filter(is_title).collect()
}

/// Whether the second of two items of a list goes on with the numbers or signs of the first one.
fn goes_on(first: &str, second: &str) -> bool {
    let label = |text: &str| {
        let line: Vec<char> = text.chars().collect();
        numbering::label(&line, true)
    };
    let (Some(first), Some(second)) = (label(first), label(second)) else {
        return false;
    };
    let readings = std::iter::once((second.scheme, second.value)).chain(second.other);
    let mut readings = readings.filter(|(scheme, _)| *scheme == first.scheme);
    // Some lists have the same number before each item, and leave the counting to who shows them.
    readings.any(|(_, value)| value == first.value || value == first.value + 1)
}

/// The words of an item of a list, without its number or its sign.
pub(super) fn item(text: &str) -> String {
    let line: Vec<char> = text.trim().chars().collect();
    let label = numbering::label(&line, true).map_or(0, |label| label.len);
    line[label..].iter().collect()
}

/// Whether a text in a script with blanks has too few words to say who does what: "a. Removable media". Names of controls
/// in tables are as short ("Access review"), and are compared by their words.
pub(super) fn is_a_few_words(text: &str) -> bool {
    let line = item(text);
    !line.contains(is_unspaced) && line.split_whitespace().count() < FEWEST_TO_SAY
}

/// Whether a line is a title and no sentence: all its words but the smallest begin with a capital letter, it does not
/// end like a sentence, and it has no figure and no word that demands something. In Chinese, the name of a document.
pub(super) fn is_title(text: &str, language: Language) -> bool {
    let line = item(text);
    if language == Language::Zh {
        let named = line.strip_prefix('《').and_then(|l| l.strip_suffix('》'));
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
