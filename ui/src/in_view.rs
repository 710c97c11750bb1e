//! Scrolling no farther than is needed.

/// The new beginning of a view of this length, which begins at `from` now, so that all from `low` to `high` is visible.
pub fn nearest(from: f64, room: f64, low: f64, high: f64) -> f64 {
    if low < from {
        low
    } else if high > from + room {
        high - room
    } else {
        from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_view_moves_nothing() {
        for (from, low, high, expected) in [
            (100.0, 120.0, 140.0, 100.0),
            (100.0, 80.0, 100.0, 80.0),
            (100.0, 190.0, 210.0, 110.0),
            (0.0, 0.0, 100.0, 0.0),
        ] {
            assert_eq!(nearest(from, 100.0, low, high), expected);
        }
    }
}
