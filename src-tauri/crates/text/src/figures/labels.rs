//! Numbers that name something: articles, acts, categories, tables, notes.

use crate::lists::Group;
use crate::script::is_han;
use crate::word_lists;
use crate::wording::PLACES;

word_lists! {
    /// English words before a number that names one of several things.
    NUMBERED: Vec<Group> = "english/numbered.txt";
}

/// The letters that a text begins with; ideographs are none.
pub(super) fn first_word(text: &str) -> &str {
    let rest = text.trim_start_matches(is_letter);
    &text[..text.len() - rest.len()]
}

/// The letters that a text ends with; ideographs are none.
pub(super) fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_letter).len()..]
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !is_han(c)
}

/// Whether a number is that of a paragraph: "1. The office …", also behind another paragraph: "… is due. 2. It is …".
pub(super) fn is_label(before: &str, after: &str) -> bool {
    let rest = after.strip_prefix('.');
    let begins = rest.is_some_and(|rest| rest.starts_with(|c: char| c == ' ' || c.is_alphabetic()));
    let behind_another = || [". ", "; ", ": "].iter().any(|end| before.ends_with(*end));
    begins && (before.trim().is_empty() || behind_another())
}

/// Whether a number is that of a footnote, before its text: "18 12 USC 1820 demands …", "36 The rules …".
pub(super) fn is_of_a_footnote(before: &str, after: &str) -> bool {
    let word = first_word(after);
    let begins = BEGIN_A_SENTENCE.contains(&word) && after[word.len()..].starts_with(' ');
    before.trim().is_empty() && (begins || after.starts_with(|c: char| c.is_ascii_digit()))
}

/// Words that begin the sentence of a footnote, and that no number counts.
const BEGIN_A_SENTENCE: [&str; 9] = ["The", "A", "An", "In", "If", "For", "This", "These", "See"];

/// The last word is one that a number of a clause follows.
pub(super) fn names_a_place(before: &str) -> bool {
    let last = before
        .trim_end()
        .rsplit(|c: char| !c.is_alphabetic())
        .find(|word| !word.is_empty())
        .unwrap_or_default()
        .to_lowercase();
    PLACES.contains(last.as_str())
        || matches!(
            last.as_str(),
            "no" | "regulation" | "directive" | "cfr" | "usc"
        )
}

/// Whether a number names one of several things: "Category 3", "Art. 5", "Tiers 1 and 2", "Articles 5, 6 and 7", "A3".
pub(super) fn names_a_kind(before: &str, after: &str) -> bool {
    let letter = last_word(before);
    if letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_uppercase()) {
        return true;
    }
    if ["%", "per cent", "percent"]
        .iter()
        .any(|share| after.starts_with(*share))
    {
        return false;
    }
    let (mut rest, mut listed) = (before.trim_end(), false);
    loop {
        let bare = rest.strip_suffix('.').unwrap_or(rest);
        let word = last_word(bare);
        let above = &bare[..bare.len() - word.len()];
        let numbered = if matches!(word, "and" | "or" | "to") {
            above
        } else if let Some(above) = rest.strip_suffix([',', ';', '–']) {
            // "In Category 3, 5 pilots are needed" has one category, and "Categories 3, 5 and 7" has three.
            listed |= !rest.ends_with('–');
            above
        } else {
            return is_numbered(&word.to_lowercase(), listed) && !is_done(above);
        };
        let Some(next) = without_number(numbered.trim_end()) else {
            return false;
        };
        rest = next.trim_end();
    }
}

/// Whether a word stands before numbers that name something; of a list of them, in the plural.
fn is_numbered(word: &str, listed: bool) -> bool {
    let is_kind = NUMBERED.iter().any(|forms| match listed {
        true => forms.iter().skip(1).any(|form| *form == word),
        false => forms.contains(&word),
    });
    is_kind || (PLACES.contains(word) && (!listed || word.ends_with('s')))
}

/// Whether the next word is something that is done: "shall schedule 3 meetings".
fn is_done(before: &str) -> bool {
    let last = last_word(before.trim_end()).to_lowercase();
    matches!(
        last.as_str(),
        "shall" | "must" | "may" | "should" | "will" | "can" | "not" | "would"
    )
}

/// The length of a label in brackets, at most: "(viii)".
const LONGEST_LABEL: usize = 6;

/// A text without the number at its end: "Categories" of "Categories 3A", "Articles" of "Articles 5(2)".
fn without_number(text: &str) -> Option<&str> {
    let mut text = text;
    while text.ends_with(')') {
        let open = text.rfind('(');
        let label = open.filter(|open| text.len() - open <= LONGEST_LABEL)?;
        text = &text[..label];
    }
    let bare = text
        .strip_suffix(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text);
    let before = bare.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    (before.len() < bare.len()).then_some(before)
}

/// Whether a number in a Chinese text names one of several things: 附件2, 表1, 等级3.
pub(super) fn names_a_chinese_kind(before: &str) -> bool {
    let before = before.trim_end();
    if CHINESE_KINDS.iter().any(|kind| before.ends_with(*kind)) {
        return true;
    }
    // 代表3人 is no table.
    let Some(rest) = before.strip_suffix(['表', '图']) else {
        return false;
    };
    let last = rest.chars().next_back();
    last.is_none_or(|c| !is_han(c) || ['见', '如', '按', '照', '据'].contains(&c))
}

/// Words before such a number.
const CHINESE_KINDS: [&str; 11] = [
    "附件", "附录", "附表", "附图", "类别", "等级", "级别", "公式", "版本", "编号", "专栏",
];

/// Whether a Chinese number is a year, digit by digit: 二〇二四.
pub(super) fn is_year_in_numerals(number: &str) -> bool {
    let is_digit = |c: char| "〇零一二三四五六七八九".contains(c);
    number.chars().count() == 4 && number.chars().all(is_digit)
}

/// Whether a text ends with a code of law, behind which the number of a section stands: "12 U.S.C. 1818".
pub(super) fn ends_with_code(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches('.');
    CODES.iter().any(|code| before.ends_with(code))
}

/// Codes of law with the number of their title before them: "31 CFR 103".
pub(super) const CODES: [&str; 3] = ["CFR", "USC", "U.S.C"];
