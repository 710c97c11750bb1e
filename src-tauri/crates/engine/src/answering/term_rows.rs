//! Terms that are in a row of a table of their own, with their meaning in the row after.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_store::words;
use lexforge_text::{asked, is_han};

/// A row of fewer words names something.
const FEWEST_WORDS: usize = 5;
/// Sentences of a meaning that are quoted.
const MOST: usize = 8;

impl Answering<'_> {
    /// Adds to the row of a term that the question asks for the rows with its meaning. Returns whether there are any.
    pub(super) fn add_meaning(
        &self,
        question: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<bool> {
        let [row] = body.as_slice() else {
            return Ok(false);
        };
        let named = asked::meaning_of(question).or_else(|| asked::looked_up(question));
        if !named.is_some_and(|named| is_row_of(row, &words(named))) {
            return Ok(false);
        }
        let meaning = self.meaning_after(row, clauses)?;
        let found = !meaning.is_empty();
        body.extend(meaning);
        Ok(found)
    }

    /// The rows with the meaning of the term in a row, up to the row of the next term. Empty if there is no such row.
    pub(super) fn meaning_after(&self, row: &Sentence, clauses: &Clauses) -> Result<Vec<Sentence>> {
        let mut meaning: Vec<Sentence> = Vec::new();
        self.walk(Some(row), clauses, true, |sentence| {
            // At the end of a page.
            if sentence.kind == SentenceKind::Footnote {
                return true;
            }
            let of_it = sentence.section == row.section
                && match meaning.last() {
                    None => is_explanation(&sentence),
                    Some(last) => goes_on(last, &sentence),
                };
            if of_it {
                meaning.push(sentence);
            }
            of_it && meaning.len() < MOST
        })?;
        Ok(meaning)
    }
}

/// Whether a row has this term and nothing else.
pub(super) fn is_row_of(row: &Sentence, term: &[String]) -> bool {
    let alone = row.kind == SentenceKind::TableCell && row.complete.is_none();
    alone && is_called(without_label(&row.text), term)
}

/// Whether a text begins with a term and says behind a colon what it is: "• Late berth: a berth that …".
pub(super) fn is_labelled_with(text: &str, term: &[String]) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(');
    let Some((name, meaning)) = text.split_once(": ") else {
        return false;
    };
    words(meaning).len() >= FEWEST_WORDS && is_called(without_label(name), term)
}

/// Whether a name is one of the forms of a term: "reverse stress testing", or either name of "credit spread risk
/// (CSR)".
pub(super) fn is_called(name: &str, term: &[String]) -> bool {
    let parts = name.split_once('(').map(|(before, rest)| {
        let inside = rest.split(')').next().unwrap_or_default();
        [before, inside]
    });
    std::iter::once(name)
        .chain(parts.into_iter().flatten())
        .any(|name| words(name) == term)
}

/// "(4) Mooring fee" without its number.
fn without_label(text: &str) -> &str {
    const LONGEST: usize = 4;
    let labelled = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match labelled {
        Some((label, rest)) if label.len() <= LONGEST && !rest.trim().is_empty() => rest.trim(),
        _ => text,
    }
}

/// A row of one cell with enough words to explain something.
fn is_explanation(sentence: &Sentence) -> bool {
    let text = without_label(&sentence.text);
    let names = words(text).len() < FEWEST_WORDS && !text.chars().any(is_han);
    sentence.kind == SentenceKind::TableCell && !text.contains('\t') && !names
}

/// Whether the explanation of a term continues in the next sentence. This is so if the next sentence is another row of
/// explanation, or if a page break cut the explanation in two.
fn goes_on(last: &Sentence, next: &Sentence) -> bool {
    let begins_small = next.text.starts_with(char::is_lowercase);
    match next.kind {
        SentenceKind::TableCell => is_explanation(next),
        SentenceKind::Heading => false,
        _ => begins_small || (last.kind != SentenceKind::TableCell && next.is_item()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answering::made::sentence;

    #[test]
    fn a_term_has_a_row_of_its_own() {
        let is = |kind, text: &str| is_row_of(&sentence(kind, text), &words("mooring fee"));
        assert!(is(SentenceKind::TableCell, "Mooring fee"));
        assert!(is(SentenceKind::TableCell, "(4) Mooring fees"));
        assert!(!is(SentenceKind::TableCell, "Mooring fee\t12"));
        assert!(!is(SentenceKind::TableCell, "Late mooring fee"));
        assert!(!is(SentenceKind::Rule, "Mooring fee"));
        let mut row = sentence(SentenceKind::TableCell, "Mooring fee");
        row.complete = Some("Kind: Mooring fee".to_owned());
        assert!(!is_row_of(&row, &words("mooring fee")));
    }

    #[test]
    fn a_term_may_stand_before_a_colon() {
        let is = |text: &str| is_labelled_with(text, &words("late berth"));
        let meaning = "a berth that is taken after the office has closed";
        assert!(is(&format!("• Late berth: {meaning}.")));
        assert!(is(&format!("(4) Late berths: {meaning}.")));
        assert!(!is(&format!("Early berth: {meaning}.")));
        assert!(!is(&format!("A late berth is {meaning}.")));
        assert!(!is("Late berth: 12 euros."));
    }

    #[test]
    fn a_meaning_ends_at_the_next_term() {
        let cell = |text| sentence(SentenceKind::TableCell, text);
        let meaning = cell("What a vessel pays that stays in the harbour overnight");
        assert!(is_explanation(&meaning));
        for (next, more) in [
            (cell("It is paid in the harbour office before noon."), true),
            (cell("(5) Pilot fee"), false),
            (
                cell("Pilot\tWho leads a vessel into the harbour at night"),
                false,
            ),
            (sentence(SentenceKind::Rule, "or in its outer basin;"), true),
            (sentence(SentenceKind::Rule, "Each vessel pays."), false),
            (sentence(SentenceKind::Heading, "dues"), false),
        ] {
            assert_eq!(goes_on(&meaning, &next), more, "{}", next.text);
        }
    }
}
