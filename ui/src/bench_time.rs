//! How long a bench takes, in words.

use crate::format;
use crate::i18n::tf;
use lexforge_domain::api::BenchTime;

/// A range of seconds: `about 3 min`, `up to 5 s`, `3 min to 5 min`.
pub fn range([least, most]: [f64; 2]) -> String {
    let (from, to) = (format::left(least), format::left(most));
    match least <= 0.0 {
        true => tf("ahead.up_to", &[("time", &to)]),
        false if from == to => tf("ahead.about", &[("time", &to)]),
        false => tf("ahead.between", &[("least", &from), ("most", &to)]),
    }
}

/// How long the rest takes; `None` where nothing is known of it.
pub fn left(time: &BenchTime) -> Option<String> {
    let left = tf("ask.time_left", &[("time", &range(time.seconds?))]);
    Some(match time.unknown {
        0 => left,
        n => {
            let unknown = tf("ahead.and_unknown", &[("n", &format::count(n))]);
            format!("{left}{unknown}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn a_range_is_told_in_words() {
        speak(Lang::En);
        for (seconds, expected) in [
            ([0.0, 5.0], "up to 5 s"),
            ([10.0, 50.0], "10 s to 50 s"),
            ([120.0, 120.0], "about 2 min"),
            ([180.0, 4_200.0], "3 min to 1 h 10 min"),
        ] {
            assert_eq!(range(seconds), expected);
        }
    }

    #[test]
    fn the_rest_is_told_only_where_it_is_known() {
        speak(Lang::En);
        let of = |seconds, unknown| left(&BenchTime { seconds, unknown });
        assert_eq!(of(None, 2), None);
        let known = of(Some([60.0, 120.0]), 0);
        assert_eq!(known.as_deref(), Some("1 min to 2 min left"));
        let more = of(Some([60.0, 120.0]), 1);
        let more = more.as_deref();
        assert_eq!(
            more,
            Some("1 min to 2 min left, and systems of unknown pace: 1")
        );
    }
}
