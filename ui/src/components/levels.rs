//! Figures with their intervals on one scale, against the line that they should reach.

use super::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::agreement::Interval;

const ROW: f64 = 22.0;
const HEAD: f64 = 4.0;
const FOOT: f64 = 22.0;
const FIGURE: f64 = 34.0;

/// The figures, from above.
#[component]
pub fn Levels(
    /// Names and figures.
    rows: Vec<(String, Interval)>,
    /// What should be reached.
    gate: f64,
    /// The name of the levels, for a screen reader.
    label: String,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let rows = StoredValue::new(rows);
    let told = tf(
        "review.levels_told",
        &[
            ("label", &label),
            (
                "rows",
                &rows.with_value(|rows| {
                    rows.iter()
                        .map(|(name, at)| format!("{name} {}", format::level(*at)))
                        .collect::<Vec<_>>()
                        .join("; ")
                }),
            ),
            ("gate", &format::short_share(gate)),
        ],
    );
    let drawn = move || rows.with_value(|rows| draw(rows, gate, width.get().max(200.0)));
    view! {
        <div class="chart-box" role="img" aria-label=told node_ref=holder>{drawn}</div>
    }
}

/// The scale's lower end: .4, or lower where an interval is, in steps of .2, not below −1.
fn lowest(rows: &[(String, Interval)], gate: f64) -> f64 {
    let ends = rows.iter().filter_map(|(_, at)| at.low.or(at.value));
    let least = ends.fold(gate.min(0.6), f64::min);
    ((least * 5.0 + 1e-9).floor() / 5.0).clamp(-1.0, 0.4)
}

fn draw(rows: &[(String, Interval)], gate: f64, width: f64) -> impl IntoView + use<> {
    let low = lowest(rows, gate);
    let left = (width * 0.36).min(118.0);
    let right = width - FIGURE - 8.0;
    let x = move |value: f64| left + (value.clamp(low, 1.0) - low) / (1.0 - low) * (right - left);
    let foot = HEAD + rows.len() as f64 * ROW;
    let ticks: Vec<f64> = (0..=10)
        .map(|i| low + f64::from(i) * 0.2)
        .filter(|v| *v < 1.001)
        .collect();
    let every = ticks.len().div_ceil(4);
    let ticks = ticks
        .into_iter()
        .enumerate()
        .map(|(i, value)| {
            let at = x(value).round() + 0.5;
            let near = (value - gate).abs() < 0.05 || (at - x(gate)).abs() < 34.0;
            let said = (i % every == 0 && !near).then(|| {
                view! { <text x=at y=foot + 16.0 text-anchor="middle">{format::tick(value)}</text> }
            });
            view! { <line class="grid" x1=at x2=at y1=HEAD y2=foot></line>{said} }
        })
        .collect_view();
    let lines = rows
        .iter()
        .enumerate()
        .map(|(i, (name, at))| {
            let y = HEAD + (i as f64 + 0.5) * ROW;
            let figure = at.value.map_or_else(|| "–".to_owned(), format::short_share);
            let whisker = at.low.zip(at.high).map(|(from, to)| {
                view! { <line class="level" x1=x(from) x2=x(to) y1=y y2=y></line> }
            });
            let point = at
                .value
                .map(|value| view! { <circle class="level" cx=x(value) cy=y r="4"></circle> });
            view! {
                <text class="level-name" x="0" y=y + 4.0>{name.clone()}</text>
                {whisker}
                {point}
                <text class="level-figure" x=width y=y + 4.0 text-anchor="end">{figure}</text>
            }
        })
        .collect_view();
    let line = x(gate).round() + 0.5;
    view! {
        <svg class="chart" width=width height=foot + FOOT aria-hidden="true">
            {ticks}
            <line class="gate" x1=line x2=line y1=HEAD y2=foot></line>
            <text class="gate-name" x=line y=foot + 16.0 text-anchor="middle">{format!("{} {}", t("review.gate"), format::tick(gate))}</text>
            {lines}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_begins_below_every_interval() {
        let at = |low| {
            vec![(
                String::new(),
                Interval {
                    value: Some(0.9),
                    low: Some(low),
                    high: Some(1.0),
                    undefined: None,
                },
            )]
        };
        for (low, begins) in [
            (0.75, 0.4),
            (0.4, 0.4),
            (0.39, 0.2),
            (-0.1, -0.2),
            (-1.0, -1.0),
        ] {
            assert!((lowest(&at(low), 0.8) - begins).abs() < 1e-9, "{low}");
        }
        assert!((lowest(&[], 0.8) - 0.4).abs() < 1e-9);
    }
}
