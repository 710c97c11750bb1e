//! What follows on the desk from decisions that are not saved yet.

/// The decisions that are not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsettled {
    /// How many are on their way.
    pub(super) waiting: usize,
    /// Whether one could not be saved.
    pub(super) refused: bool,
}

impl Unsettled {
    /// Whether the queue that was received is put onto the desk. It is not, if it was requested before the last
    /// decision was saved. It would put the decided item onto the desk again, and would close the form of the next item
    /// while somebody types in it.
    pub(super) fn takes_answer(self, is_latest: bool) -> bool {
        is_latest && self.waiting == 0 && !self.refused
    }

    /// Whether an item is on its way onto the desk. `lies` says that an item is there already, `failed` that the queue
    /// could not be requested, and `none_left` that the last answer had no item.
    pub(super) fn expects(self, lies: bool, failed: bool, none_left: bool) -> bool {
        !lies && !failed && !self.refused && (self.waiting > 0 || !none_left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Unsettled = Unsettled {
        waiting: 0,
        refused: false,
    };
    const WAITING: Unsettled = Unsettled { waiting: 2, ..NONE };
    const REFUSED: Unsettled = Unsettled {
        refused: true,
        ..NONE
    };

    #[test]
    fn an_answer_is_taken_only_when_every_decision_is_in_it() {
        assert!(NONE.takes_answer(true));
        assert!(!NONE.takes_answer(false));
        assert!(!WAITING.takes_answer(true));
        assert!(!REFUSED.takes_answer(true));
    }

    #[test]
    fn an_item_is_expected_on_an_empty_desk_unless_none_is_left_or_something_failed() {
        for (unsettled, lies, failed, none_left, expected) in [
            (NONE, false, false, false, true),
            (NONE, false, false, true, false),
            // Until the decisions are saved, the answer that said so is an old one.
            (WAITING, false, false, true, true),
            (WAITING, true, false, true, false),
            (WAITING, false, true, false, false),
            (REFUSED, false, false, false, false),
        ] {
            let found = unsettled.expects(lies, failed, none_left);
            assert_eq!(found, expected, "{unsettled:?} {lies} {failed} {none_left}");
        }
    }
}
