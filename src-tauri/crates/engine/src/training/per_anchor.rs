//! Limits the training questions of each rule. The choice is random. A question that is kept under a smaller limit is
//! also kept under a greater one.

use crate::workspace::Result;
use lexforge_domain::protocol::TrainItem;
use lexforge_domain::{Code, Failure};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Leaves at most so many training questions of each rule. With questions under attack, all are learnt.
pub(super) fn some_of_each_rule(
    train: &mut Vec<TrainItem>,
    most: u64,
    attacks: bool,
    seed: u64,
) -> Result<()> {
    if attacks {
        return Err(Failure::invalid(
            "Questions under attack are learnt beside all training questions, not beside some of each rule.",
            "Leave one of the two out.",
        ));
    }
    at_most_per_anchor(train, most, seed)
}

/// Keeps at most `most` questions of each rule, in their order. The choice depends only on the seed and the question.
/// So with one seed a smaller set is part of a larger one.
///
/// # Errors
/// [`Code::InvalidRequest`] where no question would be left.
fn at_most_per_anchor(items: &mut Vec<TrainItem>, most: u64, seed: u64) -> Result<()> {
    if most == 0 {
        return Err(Failure::new(
            Code::InvalidRequest,
            "Nothing can be learnt from no question of a rule.",
            "Name 1 or more questions of each rule.",
        ));
    }
    let mut of: HashMap<i64, Vec<([u8; 32], i64)>> = HashMap::new();
    for item in items.iter() {
        let lot = Sha256::digest(format!("{seed}\n{}\n{}", item.anchor, item.id));
        of.entry(item.anchor)
            .or_default()
            .push((lot.into(), item.id));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut kept = HashSet::new();
    for lots in of.values_mut() {
        lots.sort_unstable();
        kept.extend(lots.iter().take(most).map(|(_, id)| *id));
    }
    items.retain(|item| kept.contains(&item.id));
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn items() -> Vec<TrainItem> {
        let of = |id: i64, anchor: i64| -> TrainItem {
            serde_json::from_value(serde_json::json!({
                "id": id, "anchor": anchor, "question": "?", "answer": "a", "negatives": [], "answer_group": id
            }))
            .unwrap()
        };
        // Rules of one, two, … seven questions.
        let rules = (1..=7).flat_map(|anchor| (0..anchor).map(move |n| (10 * anchor + n, anchor)));
        rules.map(|(id, anchor)| of(id, anchor)).collect()
    }

    fn kept(most: u64, seed: u64) -> Vec<i64> {
        let mut some = items();
        at_most_per_anchor(&mut some, most, seed).unwrap();
        some.iter().map(|item| item.id).collect()
    }

    #[test]
    fn a_smaller_set_lies_in_a_greater_one_and_no_rule_is_left_out() {
        for (most, count) in [(1, 7), (2, 13), (4, 22), (7, 28), (90, 28)] {
            let some = kept(most, 42);
            assert_eq!(some.len(), count, "{most}");
            assert!(some.is_sorted(), "the order is kept");
            let more = kept(most + 1, 42);
            assert!(some.iter().all(|id| more.contains(id)), "{most}");
        }
        assert_eq!(kept(2, 42), kept(2, 42));
        assert_ne!(kept(2, 42), kept(2, 43), "another seed draws others");
        let none = at_most_per_anchor(&mut items(), 0, 42).unwrap_err();
        assert_eq!(none.code, Code::InvalidRequest);
    }
}
