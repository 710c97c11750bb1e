//! Finds statements of a policy that only repeat the rules. For example, a policy may contain the whole regulation as
//! an annex. Such an annex covers no rule.

use super::pick::Picked;
use lexforge_text::fold::letters;
use std::collections::HashSet;

/// If this many statements in a row equal texts of the rules word for word, they are a copy of the rules. If there are
/// fewer, the firm wrote them itself, in the words of the law.
const IN_A_ROW: usize = 5;
/// Fewer words are in many texts.
const FEWEST_WORDS: usize = 6;

/// Marks the statements that repeat texts of the rules' documents word for word, many in a row; how many there are.
pub(super) fn mark_repeated<'t>(
    statements: &mut [Picked],
    rules: impl Iterator<Item = &'t str>,
) -> usize {
    let known: HashSet<String> = rules.map(plain).filter(|text| is_long(text)).collect();
    let copied: Vec<Option<bool>> = statements
        .iter()
        .map(|one| {
            let text = plain(&one.shown.text);
            // A short text is not informative, and does not end a row.
            is_long(&text).then(|| known.contains(&text))
        })
        .collect();
    let (mut row, mut all) = (Vec::new(), 0);
    let mut document = None;
    for (at, copied) in copied.into_iter().enumerate() {
        let own = statements.get(at).map(|one| one.shown.document);
        if own != document || copied == Some(false) {
            all += settle(&mut row, statements);
        }
        document = own;
        if copied == Some(true) {
            row.push(at);
        }
    }
    all + settle(&mut row, statements)
}

/// Ends a row: marks its statements where there are enough of them, and says how many it marked.
fn settle(row: &mut Vec<usize>, statements: &mut [Picked]) -> usize {
    let row = std::mem::take(row);
    if row.len() < IN_A_ROW {
        return 0;
    }
    for at in &row {
        if let Some(one) = statements.get_mut(*at) {
            one.repeats = true;
        }
    }
    row.len()
}

/// The words of a text, without the number or letter that is before it.
fn plain(text: &str) -> String {
    let letters = letters(text);
    let mut rest = letters.as_str();
    while let Some((first, behind)) = rest.split_once(' ') {
        let is_label = first.chars().count() == 1 || first.chars().all(|c| c.is_ascii_digit());
        match is_label {
            true => rest = behind,
            false => break,
        }
    }
    rest.to_owned()
}

/// Long enough that nobody writes it twice by chance; in a script without blanks two characters count for a word.
fn is_long(text: &str) -> bool {
    let blanks = text.split(' ').count();
    let unspaced = text.chars().filter(|c| lexforge_text::is_han(*c)).count();
    blanks.max(unspaced / 2) >= FEWEST_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::pick::picked;
    use lexforge_domain::DocumentId;

    fn rules() -> Vec<String> {
        (1..=8)
            .map(|n| format!("{n}. The master shall inspect raft number {n} in every harbour."))
            .collect()
    }

    /// Which of these statements, each of a document, are marked.
    fn marked(statements: &[(i64, String)]) -> Vec<bool> {
        let mut all: Vec<Picked> = statements
            .iter()
            .map(|(document, text)| {
                let mut one = picked(text);
                one.shown.document = DocumentId(*document);
                one
            })
            .collect();
        let rules = rules();
        let found = mark_repeated(&mut all, rules.iter().map(String::as_str));
        let marked: Vec<bool> = all.iter().map(|one| one.repeats).collect();
        assert_eq!(marked.iter().filter(|repeats| **repeats).count(), found);
        marked
    }

    #[test]
    fn many_in_a_row_are_a_copy_and_few_are_the_firm_s_own() {
        let copies = |document: i64, n: usize| -> Vec<(i64, String)> {
            rules()
                .into_iter()
                .take(n)
                .map(|rule| (document, rule))
                .collect()
        };
        // Another number before it, or a short line between, changes nothing.
        let mut six = copies(1, 6);
        six[2].1 = six[2].1.replacen("3.", "(c)", 1);
        six.insert(3, (1, "Annex, continued.".to_owned()));
        let expected = [true, true, true, false, true, true, true];
        assert_eq!(marked(&six), expected);
        assert_eq!(marked(&copies(1, 4)), [false; 4]);
        // A statement of its own ends the row, and so does another document.
        let mut parted = copies(1, 8);
        parted.insert(
            4,
            (
                1,
                "Our masters inspect whatever they find in the boats.".to_owned(),
            ),
        );
        assert_eq!(marked(&parted), [false; 9]);
        let two = [copies(1, 3), copies(2, 3)].concat();
        assert_eq!(marked(&two), [false; 6]);
    }
}
