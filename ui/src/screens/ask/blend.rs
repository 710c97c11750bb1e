//! Gain in finding against what is forgotten of general language, over the share of a tuning that counts.

use crate::components::curve::{Kind, LegendLine};
use crate::components::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::BlendPoint;

const HEIGHT: f64 = 148.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;
/// The scale begins and ends at a whole multiple of this.
const GRID: f64 = 0.05;

/// The two lines.
#[component]
pub fn Blend(
    /// From the base model to the tuned one.
    points: Vec<BlendPoint>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let general = points.iter().any(|point| point.general.is_some());
    let points = StoredValue::new(points);
    view! {
        <div class="chart-box" id="curve" node_ref=holder>
            {move || points.with_value(|points| draw(points, width.get().max(240.0)))}
        </div>
        <div class="legend">
            <LegendLine kind=Kind::Train name=t("labels.found")/>
            {general.then(|| view! { <LegendLine kind=Kind::Dev name=t("labels.general_rho")/> })}
        </div>
    }
}

/// The least and the most of the scale.
fn scale(points: &[BlendPoint]) -> (f64, f64) {
    let values = || {
        points
            .iter()
            .flat_map(|p| [Some(p.map_10), p.general])
            .flatten()
    };
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

fn draw(points: &[BlendPoint], width: f64) -> impl IntoView + use<> {
    let (low, high) = scale(points);
    let x = move |percent: u8| LEFT + f64::from(percent) / 100.0 * (width - LEFT - RIGHT);
    let y =
        move |value: f64| HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let path = |of: &dyn Fn(&BlendPoint) -> Option<f64>| {
        let mut path = String::new();
        for (point, value) in points.iter().filter_map(|p| Some((p, of(p)?))) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{command}{:.1} {:.1}", x(point.percent), y(value)));
        }
        path
    };
    let found = path(&|point| Some(point.map_10));
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
        .map(|point| view! { <circle class="now-point" cx=x(point.percent) cy=y(point.map_10) r="3"></circle> })
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
        <svg class="chart" width=width height=HEIGHT role="img" aria-label=told(points)>
            {ends}
            <path class="train" d=found></path>
            <path class="dev" d=general></path>
            {dots}
            {marks}
            {shares}
        </svg>
    }
}

/// The ends in words.
fn told(points: &[BlendPoint]) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return t("labels.tuning");
    };
    tf(
        "labels.curve_told",
        &[
            ("first", &format::share(first.map_10)),
            ("last", &format::share(last.map_10)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_holds_every_value_and_is_never_empty() {
        let point = |map_10, general| BlendPoint {
            percent: 0,
            recall_10: 0.0,
            map_10,
            questions: 0,
            intervals: std::collections::BTreeMap::new(),
            general,
            pairs: 0,
        };
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
}
