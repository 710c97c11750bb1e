//! Which of many items or rows fit the question.

use lexforge_domain::document::Sentence;
use lexforge_store::words;
use lexforge_text::expected::{self, Expected};
use std::collections::HashSet;

/// Sentences after a lead-in that are quoted with it.
pub(super) const MOST_ITEMS: usize = 20;
/// Rows of a table, or items of a long list, that are quoted with its head.
const MOST_ROWS: usize = 3;

/// The rows of a table, or the items of a list, that answer a question best. They contain the most words of the
/// question that are not already in the head of the table or list. If no row contains such words, or if the question
/// asks for a list, the first rows are taken.
pub(super) fn fitting(question: &str, head: &[Sentence], mut rows: Vec<Sentence>) -> Vec<Sentence> {
    let named: HashSet<String> = head.iter().flat_map(|s| words(&s.text)).collect();
    let mut asked: HashSet<String> = words(question).into_iter().collect();
    asked.retain(|word| !named.contains(word));
    // If a figure is asked for and some items of the list tell it, only these items are quoted.
    let by_figure = expected::asks_for_a_figure(question);
    let wanted = expected::beside(question).filter(|_| by_figure);
    let tells = |row: &Sentence| wanted.is_some_and(|wanted| wanted.is_in(&row.text));
    if rows.iter().any(tells) {
        rows.retain(tells);
    }
    let most = rows.iter().map(|row| shared(&asked, row)).max();
    let most = most.filter(|most| *most > 0 && !asks_for_a_list(question));
    if let Some(most) = most {
        rows.retain(|row| shared(&asked, row) == most);
    }
    rows.truncate(most.map_or(MOST_ITEMS, |_| MOST_ROWS));
    rows
}

pub(super) fn asks_for_a_list(question: &str) -> bool {
    expected::of_question(question) == Some(Expected::List)
        || expected::asks_what_is_in_it(question)
}

/// How many words of a question a sentence has.
pub(super) fn shared(asked: &HashSet<String>, sentence: &Sentence) -> usize {
    let own: HashSet<String> = words(&sentence.text).into_iter().collect();
    asked.intersection(&own).count()
}
