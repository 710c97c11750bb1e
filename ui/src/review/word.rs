//! The words for a choice after it was made, and for an item in a sentence.

use crate::i18n::{tag, tf, tn};
use lexforge_domain::api::QueueItem;
use lexforge_domain::review::Choice;

/// `accepted`, `scored 3.5`.
pub fn word(choice: Choice) -> String {
    match choice {
        Choice::Score(score) => tf("similarity.scored", &[("points", score.written())]),
        other => tag("did", other.tag()),
    }
}

/// What was done, in words: `accepted “incident”`, `accepted 12 terms`.
pub fn did(choice: Choice, items: u64, text: &str) -> String {
    let deed = word(choice);
    if items > 1 {
        tf(
            "review.did_many",
            &[("deed", &deed), ("items", &tn("count.items", items))],
        )
    } else {
        tf("review.did", &[("deed", &deed), ("text", text)])
    }
}

/// The name of an item in a sentence.
pub fn name(item: &QueueItem) -> String {
    match item {
        QueueItem::Term(card) => card.term.text.clone(),
        QueueItem::Pair(card) => tf(
            "review.pair_name",
            &[("one", &card.one.text), ("other", &card.other.term.text)],
        ),
        QueueItem::Question(card) => card.row.question.draft.question.clone(),
        QueueItem::Triplet(card) => card.row.triplet.source.clone(),
        QueueItem::Similarity(card) => tf(
            "review.pair_name",
            &[("one", &card.one), ("other", &card.other)],
        ),
    }
}
