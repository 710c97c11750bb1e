//! A change as point and interval around zero: circle better, square worse, hollow undecided.

use crate::format;
use crate::i18n::tf;
use leptos::prelude::*;
use lexforge_domain::metrics::Interval;

const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 24.0;
const MARGIN: f64 = 8.0;

/// A change with its interval; higher is better.
#[component]
pub fn Whisker(
    change: Interval,
    /// Half the width of the scale: the largest bound among the changes shown together.
    reach: f64,
    /// The verdict of the change, if more than its interval decides.
    #[prop(optional)]
    verdict: Option<Verdict>,
) -> impl IntoView {
    let found = verdict.unwrap_or_else(|| self::verdict(change));
    let x = move |value: f64| place(value, reach);
    let (low, high, at, y) = (x(change.low), x(change.high), x(change.value), HEIGHT / 2.0);
    let class = match found {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Open => "open",
    };
    let shape = match found {
        Verdict::Worse => {
            view! { <rect class=class x=at - 4.0 y=y - 4.0 width="8" height="8"></rect> }.into_any()
        }
        _ => view! { <circle class=format!("{class} shape") cx=at cy=y r="4"></circle> }.into_any(),
    };
    let label = tf(
        "evaluation.whisker",
        &[
            ("change", &format::change(change.value)),
            (
                "interval",
                &format::change_interval(change.low, change.high),
            ),
        ],
    );
    view! {
        <svg class="chart" width=WIDTH height=HEIGHT role="img" aria-label=label>
            <line class="zero" x1=x(0.0) x2=x(0.0) y1="2" y2=HEIGHT - 2.0></line>
            <line class=class x1=low x2=high y1=y y2=y></line>
            {shape}
        </svg>
    }
}

/// What an interval says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It lies above zero.
    Better,
    /// It lies below zero.
    Worse,
    /// It contains zero.
    Open,
}

/// The verdict of an interval about a change, if higher is better.
pub fn verdict(change: Interval) -> Verdict {
    if change.low > 0.0 {
        Verdict::Better
    } else if change.high < 0.0 {
        Verdict::Worse
    } else {
        Verdict::Open
    }
}

fn place(value: f64, reach: f64) -> f64 {
    let half = WIDTH / 2.0 - MARGIN;
    let part = if reach > 0.0 {
        (value / reach).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    (WIDTH / 2.0 + part * half).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_around_zero_is_undecided() {
        let interval = |low, high| Interval {
            value: (low + high) / 2.0,
            low,
            high,
        };
        assert_eq!(verdict(interval(0.01, 0.03)), Verdict::Better);
        assert_eq!(verdict(interval(-0.03, -0.01)), Verdict::Worse);
        assert_eq!(verdict(interval(-0.01, 0.03)), Verdict::Open);
    }

    #[test]
    fn the_scale_is_symmetric() {
        assert_eq!(place(0.0, 0.2), WIDTH / 2.0);
        assert_eq!(place(0.2, 0.2) + place(-0.2, 0.2), WIDTH);
        assert_eq!(place(0.1, 0.0), WIDTH / 2.0);
    }
}
