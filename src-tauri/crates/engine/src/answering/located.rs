//! Finds the place of quoted words in a clause.

use super::statements::Quote;
use lexforge_store::words;
use lexforge_text::fold::{is_invisible, plain};
use lexforge_text::{is_han, is_unspaced};
use std::ops::Range;

/// A quote with fewer content words occurs in many places, so it has no certain place.
const FEWEST_WORDS: usize = 2;

/// Words of a clause.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Located {
    /// The sentences that hold them, by their places in the clause.
    pub sentences: Range<usize>,
    /// The words, as they stand.
    pub words: String,
}

/// Finds where the words of `quoted` are in a clause, letter by letter. Blanks, upper and lower case, and the form of
/// quotation marks are ignored.
pub(super) fn located(clause: &Quote, quoted: &str) -> Option<Located> {
    if words(quoted).len() < FEWEST_WORDS {
        return None;
    }
    let text: Vec<char> = clause.text().chars().collect();
    let (whole, places) = folded(&text);
    let wanted: Vec<char> = quoted.chars().collect();
    let (wanted, _) = folded(&wanted);
    let wanted = trimmed(&wanted);
    if wanted.is_empty() || wanted.len() > whole.len() {
        return None;
    }
    let at = (0..=whole.len() - wanted.len()).find(|&at| {
        let end = at + wanted.len();
        whole[at..end] == *wanted
            && !joins(at.checked_sub(1).map(|i| whole[i]), wanted.first().copied())
            && !joins(wanted.last().copied(), whole.get(end).copied())
    })?;
    let from = *places.get(at)?;
    let to = *places.get(at + wanted.len() - 1)? + 1;
    let (mut first, mut last, mut start) = (None, 0, 0);
    for (place, sentence) in clause.sentences.iter().enumerate() {
        start += clause.before(place).chars().count();
        let end = start + sentence.text.chars().count();
        if from < end && start < to {
            first.get_or_insert(place);
            last = place + 1;
        }
        start = end;
    }
    Some(Located {
        sentences: first?..last,
        words: text[from..to].iter().collect(),
    })
}

/// A text as it is compared, with the place of each character; no blank where a script has none.
fn folded(text: &[char]) -> (Vec<char>, Vec<usize>) {
    let (mut chars, mut places): (Vec<char>, Vec<usize>) = (Vec::new(), Vec::new());
    for (place, c) in text.iter().enumerate() {
        if is_invisible(*c) {
            continue;
        }
        let c = match plain(*c) {
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '«' | '»' => '"',
            c => c,
        };
        if c == ' ' {
            let solid = |c: Option<&char>| c.is_none_or(|c| *c == ' ' || is_unspaced(*c));
            if solid(chars.last()) {
                continue;
            }
        } else if is_unspaced(c) && chars.last() == Some(&' ') {
            chars.pop();
            places.pop();
        }
        chars.push(c);
        places.push(place);
    }
    (chars, places)
}

/// Without blanks, quotation marks and the marks that stand for something left out at the ends.
fn trimmed(text: &[char]) -> &[char] {
    let outside = |c: &char| matches!(c, ' ' | '"' | '…');
    let Some(from) = text.iter().position(|c| !outside(c)) else {
        return &[];
    };
    let to = text
        .iter()
        .rposition(|c| !outside(c))
        .map_or(from, |i| i + 1);
    &text[from..to]
}

/// Whether two characters are of one word, so that a quote cannot end between them.
fn joins(one: Option<char>, other: Option<char>) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
    letter(one) && letter(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::document::Sentence;
    use lexforge_domain::text::SentenceKind;
    use lexforge_domain::{DocumentId, SentenceId};

    fn clause(sentences: &[&str]) -> Quote {
        let sentence = |(id, text): (i64, &&str)| Sentence {
            id: SentenceId(id),
            document: DocumentId(1),
            position: 0,
            page: 1,
            section_id: None,
            section: String::new(),
            kind: SentenceKind::Rule,
            text: (*text).to_owned(),
            complete: None,
            boxes: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        };
        Quote {
            sentences: (1..).zip(sentences).map(sentence).collect(),
            own: 0,
        }
    }

    fn check(sentences: &[&str], quoted: &str, expected: Option<(Range<usize>, &str)>) {
        let found = located(&clause(sentences), quoted);
        let found = found
            .as_ref()
            .map(|l| (l.sentences.clone(), l.words.as_str()));
        assert_eq!(found, expected, "{quoted}");
    }

    #[test]
    fn words_are_found_where_they_stand() {
        let english = [
            "A bank shall not lend  to its “related parties”.",
            "Loans of up to EUR 500 are exempt.",
        ];
        let check_english = |quoted, expected| check(&english, quoted, expected);
        check_english(
            "shall not lend to its",
            Some((0..1, "shall not lend  to its")),
        );
        check_english(
            "\"Lend to its \"related parties\"\"",
            Some((0..1, "lend  to its “related parties")),
        );
        check_english(
            "related parties\". Loans of up",
            Some((0..2, "related parties”. Loans of up")),
        );
        check_english(
            "…Loans of up to EUR 500",
            Some((1..2, "Loans of up to EUR 500")),
        );
        // A changed figure, a dropped negation, half a word, too little to be a place.
        check_english("up to EUR 5", None);
        check_english("shall lend to its", None);
        check_english("ban shall not", None);
        check_english("of", None);
        check_english("", None);
        let chinese = ["银行不得向股东发放贷款。", "期限为三十日。"];
        check(
            &chinese,
            "不得 向股东发放贷款",
            Some((0..1, "不得向股东发放贷款")),
        );
        check(
            &chinese,
            "贷款。期限为三十日",
            Some((0..2, "贷款。期限为三十日")),
        );
        check(&chinese, "应当向股东发放贷款", None);
    }
}
