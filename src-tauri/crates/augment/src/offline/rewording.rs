//! A whole sentence in other words with the same meaning: the positive of a triplet.
//!
//! Four kinds of safe rewordings are applied one after another: another modal of the same force, the condition moved
//! behind its rule, phrases that keep the meaning wherever they occur, and figures written in another way. After each
//! rewording the text must still have every number, date, modal and negation ([`lost`]). Otherwise the rewording is
//! left out.

use super::edits;
use super::patterns::Patterns;
use crate::clause::Parsed;
use crate::keeps::lost;
use lexforge_domain::text::Language;

/// Phrases of one sentence that are put in other words; more would no longer read like a person's rewording.
const MOST_PHRASES: usize = 6;

/// A sentence in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reworded {
    pub(crate) text: String,
    /// The names of the rewordings that were applied, in order.
    pub(crate) how: Vec<&'static str>,
}

/// The sentence in as many other words as there are; `None` if nothing of it has any.
pub(crate) fn reworded(p: &Patterns, language: Language, sentence: &Parsed) -> Option<Reworded> {
    let mut done = Reworded {
        text: sentence.text.clone(),
        how: Vec::new(),
    };
    let keeps = |text: &str| lost(&sentence.text, text, language).is_none();
    let take = |done: &mut Reworded, text: Option<String>, how: &'static str| {
        if let Some(text) = text.filter(|text| *text != done.text && keeps(text)) {
            done.text = text;
            done.how.push(how);
            return true;
        }
        false
    };
    if let Some(clause) = &sentence.clause {
        let mut clause = clause.clone();
        if let Some([_, modal]) = (p.modals)(&clause, clause.duty) {
            let text = (p.rule)(&clause.lead, &clause.subject, &modal, &clause.predicate);
            if take(&mut done, Some(text), "same_force") {
                clause.modal = modal;
            }
        }
        take(&mut done, (p.lead_behind)(&clause), "clause_order");
    }
    // Words that one rewording puts in must not be replaced by another rewording.
    let mut put: Vec<&str> = Vec::new();
    for pair in (p.words)().same {
        if put.len() == MOST_PHRASES {
            break;
        }
        if put
            .iter()
            .any(|to| to.contains(pair.0) || pair.0.contains(to))
        {
            continue;
        }
        let text = edits::reworded_by(p, &done.text, pair);
        if take(&mut done, text, "same_words") {
            put.push(pair.1);
        }
    }
    done.how.dedup();
    let text = (p.figures_otherwise)(&done.text);
    take(&mut done, text, "figure_form");
    (!done.how.is_empty()).then_some(done)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::languages::patterns;
    use super::*;
    use crate::clause::parse;
    use lexforge_domain::SentenceId;

    fn of(text: &str, language: Language) -> Option<Reworded> {
        let p = patterns(language, text).unwrap();
        let parsed = parse(p.grammar, SentenceId(1), text.to_owned(), None);
        reworded(p, language, &parsed)
    }

    #[test]
    fn all_that_has_other_words_gets_them() {
        let check = |text: &str, language: Language, expected: &str, how: &[&str]| {
            let found = of(text, language).unwrap();
            assert_eq!(found.text, expected);
            assert_eq!(found.how, how, "{text}");
        };
        check(
            "Where a breach occurs, the keeper shall notify the office within 30 days in accordance with this Part.",
            Language::En,
            "The keeper must notify the office within thirty days in line with this Part where a breach occurs.",
            &["same_force", "clause_order", "same_words", "figure_form"],
        );
        check(
            "The bank must not lend more than thirty per cent of its own funds.",
            Language::En,
            "The bank shall not lend more than 30% of its own funds.",
            &["same_force", "figure_form"],
        );
        check(
            "商业银行应当按照本办法的规定在三十日内报送报表。",
            Language::Zh,
            "商业银行必须依照本办法的规定在30日内报送报表。",
            &["same_force", "same_words", "figure_form"],
        );
    }

    #[test]
    fn what_has_no_other_words_has_no_rewording() {
        assert_eq!(
            of("The sky is blue over the harbour town.", Language::En),
            None
        );
    }
}
