//! Gain of a tuning against what is forgotten of general language, over the share of the tuning that counts.

use super::curve::{Kind, LegendLine};
use super::size::use_width;
use crate::format;
use crate::i18n::tf;
use leptos::html::Div;
use leptos::prelude::*;

const HEIGHT: f64 = 148.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;
/// The scale begins and ends at a whole multiple of this.
const GRID: f64 = 0.05;

/// A point between the base model and the tuned one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// How much of the tuning counts, in hundredths.
    pub percent: u8,
    /// What it gains by, if that was measured.
    pub gain: Option<f64>,
    /// How well it still knows general language, if that was measured.
    pub general: Option<f64>,
}

/// The two lines; one that was not measured is not drawn.
#[component]
pub fn Blend(
    /// From the base model to the tuned one.
    points: Vec<Share>,
    /// The name of the gain.
    gain: String,
    /// The name of the figure of general language.
    general: String,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let gained = points.iter().any(|point| point.gain.is_some());
    let kept = points.iter().any(|point| point.general.is_some());
    let label = told(&points, &gain, &general);
    let points = StoredValue::new(points);
    view! {
        <div class="chart-box" id="curve" node_ref=holder>
            {move || points.with_value(|points| draw(points, width.get().max(240.0), label.clone()))}
        </div>
        <div class="legend">
            {gained.then(|| view! { <LegendLine kind=Kind::Train name=gain/> })}
            {kept.then(|| view! { <LegendLine kind=Kind::Dev name=general/> })}
        </div>
    }
}

/// The least and the most of the scale.
fn scale(points: &[Share]) -> (f64, f64) {
    let values = || points.iter().flat_map(|p| [p.gain, p.general]).flatten();
    let least = values().fold(1.0_f64, f64::min);
    let most = values().fold(0.0_f64, f64::max);
    let low = (least / GRID).floor() * GRID;
    let high = (most / GRID).ceil() * GRID;
    if high - low < GRID {
        (low, low + GRID)
    } else {
        (low, high)
    }
}

fn draw(points: &[Share], width: f64, label: String) -> impl IntoView + use<> {
    let (low, high) = scale(points);
    let x = move |percent: u8| LEFT + f64::from(percent) / 100.0 * (width - LEFT - RIGHT);
    let y =
        move |value: f64| HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let path = |of: &dyn Fn(&Share) -> Option<f64>| {
        let mut path = String::new();
        for (point, value) in points.iter().filter_map(|p| Some((p, of(p)?))) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{command}{:.1} {:.1}", x(point.percent), y(value)));
        }
        path
    };
    let gain = path(&|point| point.gain);
    let general = path(&|point| point.general);
    let marks = points
        .iter()
        .filter_map(|point| {
            let (x, y) = (x(point.percent), y(point.general?));
            Some(view! { <rect class="dev-point" x=x - 3.0 y=y - 3.0 width="6" height="6"></rect> })
        })
        .collect_view();
    let dots = points
        .iter()
        .filter_map(|point| {
            let (x, y) = (x(point.percent), y(point.gain?));
            Some(view! { <circle class="now-point" cx=x cy=y r="3"></circle> })
        })
        .collect_view();
    let ends = [low, high]
        .map(|value| {
            let at = y(value).round() + 0.5;
            view! {
                <line class="grid" x1=LEFT x2=width - RIGHT y1=at y2=at></line>
                <text x=LEFT - 6.0 y=at + 4.0 text-anchor="end">{format::short_share(value)}</text>
            }
        })
        .collect_view();
    let shares = points
        .iter()
        .map(|point| {
            view! {
                <text x=x(point.percent) y=HEIGHT - 6.0 text-anchor="middle">{format!("{}\u{a0}%", point.percent)}</text>
            }
        })
        .collect_view();
    view! {
        <svg class="chart" width=width height=HEIGHT role="img" aria-label=label>
            {ends}
            <path class="train" d=gain></path>
            <path class="dev" d=general></path>
            {dots}
            {marks}
            {shares}
        </svg>
    }
}

/// The ends of both lines in words.
fn told(points: &[Share], gain: &str, general: &str) -> String {
    let line = |name: &str, of: fn(&Share) -> Option<f64>| {
        let first = points.first().and_then(of)?;
        let last = points.last().and_then(of)?;
        let words = [
            ("name", name),
            ("first", &format::share(first)),
            ("last", &format::share(last)),
        ];
        Some(tf("labels.curve_told", &words))
    };
    let lines = [line(gain, |p| p.gain), line(general, |p| p.general)];
    format::sentences(&lines.into_iter().flatten().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(gain: f64, general: Option<f64>) -> Share {
        Share {
            percent: 0,
            gain: Some(gain),
            general,
        }
    }

    #[test]
    fn the_scale_holds_every_value_and_is_never_empty() {
        for (points, low, high) in [
            (
                vec![point(0.508, Some(0.82)), point(0.576, Some(0.81))],
                0.5,
                0.85,
            ),
            (vec![point(0.5, None)], 0.5, 0.55),
            (Vec::new(), 1.0, 1.05),
        ] {
            let found = scale(&points);
            assert!(
                (found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9,
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_picture_is_told_with_the_lines_that_it_has() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let points = [point(0.5, Some(0.82)), point(0.75, Some(0.81))];
        let said = told(&points, "right", "general");
        assert!(
            said.contains("right: .500") && said.contains("general: .820"),
            "{said}"
        );
        let said = told(&[point(0.5, None), point(0.75, None)], "right", "general");
        assert!(said.contains(".750") && !said.contains("general"), "{said}");
        assert!(told(&[], "right", "general").is_empty());
    }
}
