//! The figure on the dev part against the number of questions of each rule, with its intervals.

use crate::components::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::{DevFigure, SweepRow};

const HEIGHT: f64 = 132.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 22.0;
const LEFT: f64 = 40.0;

/// Points at equal distances, the fewest questions first.
#[component]
pub fn ItemsCurve(
    /// Combinations that differ in the number of questions alone.
    rows: Vec<SweepRow>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let points: Vec<Point> = rows.iter().filter_map(Point::of).collect();
    let told: Vec<String> = points
        .iter()
        .map(|p| format!("{}: {}", p.name, format::share(p.value)))
        .collect();
    let label = tf("sweep.curve_label", &[("points", &told.join("; "))]);
    let drawn = move || draw(&points, width.get().max(200.0));
    view! { <div class="chart-box" id="items-curve" role="img" aria-label=label node_ref=holder>{drawn}</div> }
}

#[derive(Debug, PartialEq)]
struct Point {
    name: String,
    value: f64,
    low: f64,
    high: f64,
}

impl Point {
    fn of(row: &SweepRow) -> Option<Self> {
        let DevFigure {
            value, interval, ..
        } = row.dev?;
        let [low, high] = interval.unwrap_or([value, value]);
        let name = match row.values.items?.most() {
            Some(n) => format::count(n),
            None => t("sweep.all"),
        };
        Some(Self {
            name,
            value,
            low,
            high,
        })
    }
}

/// The least and the greatest that is drawn, with some air around.
fn range(points: &[Point]) -> (f64, f64) {
    let low = points.iter().map(|p| p.low).fold(f64::INFINITY, f64::min);
    let high = points
        .iter()
        .map(|p| p.high)
        .fold(f64::NEG_INFINITY, f64::max);
    let air = ((high - low) * 0.1).max(0.01);
    (low - air, high + air)
}

fn draw(points: &[Point], width: f64) -> impl IntoView + use<> {
    let (low, high) = range(points);
    let wide = (width - LEFT) / points.len().max(1) as f64;
    let x = |at: usize| LEFT + (at as f64 + 0.5) * wide;
    let y = |value: f64| TOP + (high - value) / (high - low) * (HEIGHT - TOP - FOOT);
    let corners: Vec<String> = points
        .iter()
        .enumerate()
        .map(|(at, p)| format!("{:.1},{:.1}", x(at), y(p.value)))
        .collect();
    let ticks = [low, (low + high) / 2.0, high]
        .map(|value| view! {
            <line class="grid" x1=LEFT x2=width y1=y(value) y2=y(value)></line>
            <text x=LEFT - 6.0 y=y(value) + 4.0 text-anchor="end">{format::short_share(value)}</text>
        })
        .collect_view();
    let marks = points
        .iter()
        .enumerate()
        .map(|(at, p)| {
            view! {
                <line class="open" x1=x(at) x2=x(at) y1=y(p.low) y2=y(p.high)></line>
                <circle class="dev-point" cx=x(at) cy=y(p.value) r="4"></circle>
                <text x=x(at) y=HEIGHT - 6.0 text-anchor="middle">{p.name.clone()}</text>
            }
        })
        .collect_view();
    view! {
        <svg class="chart" width=width height=HEIGHT aria-hidden="true">
            {ticks}
            <polyline class="train" points=corners.join(" ")></polyline>
            {marks}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_intervals_lie_within_the_chart() {
        let point = |value: f64, half: f64| Point {
            name: String::new(),
            value,
            low: value - half,
            high: value + half,
        };
        let (low, high) = range(&[point(0.5, 0.1), point(0.7, 0.05)]);
        assert!(low < 0.4 && high > 0.75 && low > 0.3 && high < 0.85);
        // Equal figures without intervals still have a height.
        let (low, high) = range(&[point(0.5, 0.0), point(0.5, 0.0)]);
        assert!(high - low > 0.019);
    }
}
