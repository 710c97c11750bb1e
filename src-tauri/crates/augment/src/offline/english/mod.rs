//! English: how the offline writer asks, and what it changes.

mod edits;
mod figures;
mod items;
mod place;
mod questions;
mod rewording;
mod rules;
mod verbs;

use super::patterns::{Patterns, Words};
use crate::english::{English, lexicon, parse, terms};

/// The patterns of English.
pub(super) static PATTERNS: Patterns = Patterns {
    grammar: &English,
    words: || Words {
        same: &lexicon::SAME,
        opposites: &lexicon::OPPOSITES,
        negated: &lexicon::NEGATED,
        conditions: &lexicon::CONDITIONS,
        unless: &lexicon::UNLESS,
    },
    find: edits::find_word,
    put: edits::swap,
    figures: edits::figures,
    verbs: verbs::swapped,
    replaceable: edits::replaceable,
    replaced: terms::replace_all,
    define: |term, meaning, usual| {
        format!(
            "“{term}” {} {meaning}.",
            if usual { "means" } else { "denotes" }
        )
    },
    is_actor: parse::is_actor,
    with_actor: questions::with_actor,
    who: questions::who,
    actor: questions::actor,
    statuses: questions::statuses,
    figure_stems: figures::stems,
    placed: place::placed,
    lays_down: rules::lays_down,
    has_label: place::has_label,
    what_means: |term| format!("What does the term “{term}” mean?"),
    what_means_here: |term, act| {
        format!("What is meant by the term “{term}” within the meaning of “{act}”?")
    },
    modals: questions::modals,
    other_duties: questions::other_duties,
    rule: parse::render,
    lead_behind: rewording::lead_behind,
    figures_otherwise: rewording::figures_otherwise,
    wording: questions::wording,
    item: items::item,
    which_item: |lead| format!("Which of these stands in the list that begins “{lead} …”?"),
    laid_down: |topic| {
        format!(
            "What is laid down{}?",
            topic
                .map(|t| format!(" as regards {t}"))
                .unwrap_or_default()
        )
    },
    topic: edits::topic,
    stands_free: terms::stands_free,
    term_question: questions::term_question,
};
