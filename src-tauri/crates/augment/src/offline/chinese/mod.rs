//! Chinese: how the offline writer asks, and what it changes.

mod edits;
mod figures;
mod items;
mod questions;

use super::patterns::{Patterns, Words};
use crate::chinese::{Chinese, lexicon, parse};

/// The patterns of Chinese.
pub(super) static PATTERNS: Patterns = Patterns {
    grammar: &Chinese,
    words: || Words {
        same: &lexicon::SAME,
        opposites: &lexicon::OPPOSITES,
        negated: &lexicon::NEGATED,
        conditions: &lexicon::CONDITIONS,
        unless: &lexicon::UNLESS,
    },
    find: |text, phrase| text.find(phrase),
    put: |text, from, to| Some(text.replacen(from, to, 1)),
    figures: edits::figures,
    verbs: edits::verbs,
    replaceable: edits::replaceable,
    replaced: edits::replaced,
    define: |term, meaning, usual| {
        format!("{term}{}{meaning}。", if usual { "是指" } else { "系指" })
    },
    is_actor: |clause| parse::is_agent(&clause.subject),
    with_actor: |subject, mention, other| (subject == mention).then(|| other.to_owned()),
    who: questions::who,
    actor: questions::actor,
    statuses: questions::statuses,
    figure_stems: figures::stems,
    placed: questions::placed,
    // The purpose of a law, and the day on which it came into force, are no rules.
    lays_down: |sentence, _| {
        let text = sentence.text.as_str();
        let aims = text.starts_with('为') && (text.contains("制定本") || text.contains("制订本"));
        !aims && !text.contains("起施行") && !text.contains("同时废止")
    },
    has_label: questions::has_label,
    what_means: |term| format!("“{term}”是指什么？"),
    what_means_here: |term, act| {
        let act = act.trim_start_matches('《').trim_end_matches('》');
        format!("《{act}》所称“{term}”是指什么？")
    },
    modals: questions::modals,
    other_duties: questions::other_duties,
    // A Chinese condition stands before its rule.
    lead_behind: |_| None,
    figures_otherwise: edits::figures_otherwise,
    rule: |lead, subject, modal, predicate| format!("{lead}{subject}{modal}{predicate}。"),
    wording: questions::wording,
    item: items::item,
    which_item: |lead| format!("以下哪一项属于“{lead}”所列的内容？"),
    laid_down: |topic| {
        format!(
            "{}是怎样规定的？",
            topic.map(|t| format!("关于“{t}”，")).unwrap_or_default()
        )
    },
    topic: edits::topic,
    stands_free: parse::stands_free,
    term_question: questions::term_question,
};
