//! Questions whose outcome differs between two systems.

use crate::error::Result;
use crate::item::ScoredItem;
use crate::significance::check_pairing;

/// A question that one system answers rightly and the other wrongly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Index into the lists compared.
    pub index: usize,
    /// Choice of the first system.
    pub before: usize,
    /// Choice of the second system.
    pub after: usize,
    /// Margin (right − best wrong) of the first system.
    pub margin_before: f64,
    /// Margin of the second system.
    pub margin_after: f64,
}

/// All changes, largest change of margin first; equal ones in the order of the lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Became right.
    pub improved: Vec<Change>,
    /// Became wrong.
    pub worsened: Vec<Change>,
}

/// The questions that became right and those that became wrong. If one of the systems gave no usable answer to a
/// question, the question is left out, because there is no choice to show.
///
/// # Errors
/// [`crate::EvaluateError::NotPaired`] unless both lists hold the same questions in the same order.
pub fn changes(before: &[ScoredItem], after: &[ScoredItem]) -> Result<Changes> {
    check_pairing(before, after)?;
    let mut changes = Changes::default();
    for (index, (b, a)) in before.iter().zip(after).enumerate() {
        let (Some(old), Some(new)) = (b.chosen(), a.chosen()) else {
            continue;
        };
        let change = Change {
            index,
            before: old,
            after: new,
            margin_before: b.margin(),
            margin_after: a.margin(),
        };
        match (old == b.answer, new == a.answer) {
            (false, true) => changes.improved.push(change),
            (true, false) => changes.worsened.push(change),
            _ => {}
        }
    }
    let gain = |c: &Change| c.margin_after - c.margin_before;
    changes.improved.sort_by(|x, y| gain(y).total_cmp(&gain(x)));
    changes.worsened.sort_by(|x, y| gain(x).total_cmp(&gain(y)));
    Ok(changes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::item::testing::item;

    #[test]
    fn largest_changes_of_margin_come_first() {
        let before = [
            item(1, 1, 0, &[0.4, 0.5]),
            item(2, 1, 0, &[0.1, 0.5]),
            item(3, 2, 1, &[0.1, 0.5]),
            item(4, 2, 1, &[0.5, 0.1]),
            item(5, 3, 0, &[0.9, 0.1]),
        ];
        let after = [
            item(1, 1, 0, &[0.6, 0.5]),
            item(2, 1, 0, &[0.6, 0.5]),
            item(3, 2, 1, &[0.6, 0.5]),
            item(4, 2, 1, &[0.5, 0.2]),
            item(5, 3, 0, &[0.9, 0.3]),
        ];
        let changes = changes(&before, &after).unwrap();
        assert_eq!(
            changes.improved.iter().map(|c| c.index).collect::<Vec<_>>(),
            [1, 0]
        );
        assert_eq!(
            changes.worsened.iter().map(|c| c.index).collect::<Vec<_>>(),
            [2]
        );
        assert_eq!(
            (changes.worsened[0].before, changes.worsened[0].after),
            (1, 0)
        );
    }

    #[test]
    fn other_questions_are_refused() {
        assert!(changes(&[item(1, 1, 0, &[0.4, 0.5])], &[item(2, 1, 0, &[0.4, 0.5])]).is_err());
        assert!(changes(&[item(1, 1, 0, &[0.4, 0.5])], &[]).is_err());
    }
}
