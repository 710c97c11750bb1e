//! How models answered, question by question, as it is kept.

use lexforge_domain::api::Hashes;
use lexforge_domain::gate::{ItemOutcome, Outcomes};
use lexforge_evaluate::ScoredItem;

/// The part of answered questions that is stored.
pub(super) fn outcomes(items: &[ScoredItem]) -> Vec<ItemOutcome> {
    items
        .iter()
        .map(|item| ItemOutcome {
            id: item.id,
            cluster: item.cluster,
            answer: item.answer,
            chosen: item.chosen(),
            gap: item.gap(),
        })
        .collect()
}

/// The answers of a base and of what was tuned from it.
pub(super) fn both(scorer: &str, hashes: &Hashes, of: [Vec<ItemOutcome>; 2]) -> [Outcomes; 2] {
    let [before, after] = of;
    let kept = |adapter: Option<String>, items| Outcomes {
        scorer: scorer.to_owned(),
        base: hashes.base.clone(),
        adapter,
        items,
    };
    [
        kept(None, before),
        kept(Some(hashes.adapter.clone()), after),
    ]
}
