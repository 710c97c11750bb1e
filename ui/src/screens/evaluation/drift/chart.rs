//! The values of a series over the samples. The last days are a solid line with circles, the earlier days a dashed line
//! with squares. Below the chart are the figures of the fixed panel.

use crate::components::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::drift::{DriftPoint, PanelMark};

const HEIGHT: f64 = 132.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 12.0;
/// Space for the sign of an alarm above the highest point.
const TOP: f64 = 22.0;
const BOTTOM: f64 = 22.0;
/// The smallest range of the axis. With a smaller one, small changes would look like leaps.
const LEAST_RANGE: f64 = 0.1;
/// Height of the panel's strip.
const STRIP: f64 = 44.0;

/// The course of a series.
#[component]
pub fn Course(
    /// Its points, oldest first.
    points: Vec<DriftPoint>,
    name: String,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let points = StoredValue::new(points);
    let name = StoredValue::new(name);
    let drawn =
        move || points.with_value(|points| name.with_value(|name| draw(points, name, width.get())));
    view! { <div class="chart-box" node_ref=holder>{drawn}</div> }
}

fn draw(points: &[DriftPoint], name: &str, width: f64) -> impl IntoView + use<> {
    let plot = Plot::of(points, width.max(180.0));
    let (foot, right) = (HEIGHT - BOTTOM, plot.width - RIGHT);
    let drawn = plot.high > plot.low;
    let grid = [plot.low, (plot.low + plot.high) / 2.0, plot.high]
        .into_iter()
        .filter(|_| drawn)
        .map(|value| {
            let y = plot.y(value).round() + 0.5;
            view! {
                <line class="grid" x1=LEFT x2=right y1=y y2=y></line>
                <text x=LEFT - 6.0 y=y + 4.0 text-anchor="end">{format::short_share(value)}</text>
            }
        })
        .collect_view();
    let earlier = points.iter().enumerate().filter_map(|(at, point)| {
        let (x, y) = (plot.x(at), plot.y(point.earlier?));
        Some(view! { <rect class="dev-point" x=x - 3.0 y=y - 3.0 width="6" height="6"></rect> })
    });
    let recent = points.iter().enumerate().filter_map(|(at, point)| {
        let (x, y) = (plot.x(at), plot.y(point.recent?));
        // A shape of its own, so that an alarm is seen without its colour.
        let alarm = point.alarm.then(|| {
            let d = format!(
                "M{x:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
                y - 9.0,
                x - 5.0,
                y - 18.0,
                x + 5.0,
                y - 18.0
            );
            view! { <path class="worse alarm" d=d></path> }
        });
        Some(view! { <circle class="now-point" cx=x cy=y r="3"></circle>{alarm} })
    });
    let (earlier, recent) = (earlier.collect_view(), recent.collect_view());
    let ends = drawn.then(|| {
        let at =
            |point: Option<&DriftPoint>| point.map(|p| date(&p.at).to_owned()).unwrap_or_default();
        let last = (points.len() > 1).then(|| {
            view! { <text x=right y=HEIGHT - 5.0 text-anchor="end">{at(points.last())}</text> }
        });
        view! { <text x=LEFT y=HEIGHT - 5.0 text-anchor="start">{at(points.first())}</text>{last} }
    });
    let none = (!drawn).then(|| {
        view! { <text class="said" x=(LEFT + right) / 2.0 y=(TOP + foot) / 2.0 text-anchor="middle">{t("drift.course_none")}</text> }
    });
    view! {
        <svg class="chart" width=plot.width height=HEIGHT role="img" aria-label=told(points, name)>
            {grid}
            <line class="axis" x1=LEFT x2=right y1=foot + 0.5 y2=foot + 0.5></line>
            <path class="dev" d=plot.path(points.iter().map(|p| p.earlier))></path>
            <path class="train" d=plot.path(points.iter().map(|p| p.recent))></path>
            {earlier}
            {recent}
            {ends}
            {none}
        </svg>
    }
}

/// The day of a time: `2026-03-20`.
fn date(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// The course in words.
fn told(points: &[DriftPoint], name: &str) -> String {
    let last = |of: fn(&DriftPoint) -> Option<f64>| {
        points
            .last()
            .and_then(of)
            .map_or_else(|| "–".to_owned(), format::share)
    };
    let alarms = points.iter().filter(|point| point.alarm).count();
    tf(
        "drift.course_told",
        &[
            ("name", name),
            ("n", &format::count(points.len() as u64)),
            ("recent", &last(|p| p.recent)),
            ("earlier", &last(|p| p.earlier)),
            ("alarms", &format::count(alarms as u64)),
        ],
    )
}

/// From samples and cosines to pixels.
struct Plot {
    width: f64,
    last: usize,
    low: f64,
    high: f64,
}

impl Plot {
    fn of(points: &[DriftPoint], width: f64) -> Self {
        let values = || points.iter().flat_map(|p| [p.recent, p.earlier]).flatten();
        let (low, high) = values().fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low > high {
            (0.0, 0.0)
        } else {
            let more = ((LEAST_RANGE - (high - low)) / 2.0).max(0.02);
            (low - more, high + more)
        };
        Self {
            width,
            last: points.len().saturating_sub(1),
            low,
            high,
        }
    }

    /// A sample's place; a single one stands in the middle.
    fn x(&self, at: usize) -> f64 {
        let part = match self.last {
            0 => 0.5,
            last => at as f64 / last as f64,
        };
        LEFT + 8.0 + part * (self.width - LEFT - RIGHT - 16.0)
    }

    fn y(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
    }

    /// A line through the values that are there, broken where one is not.
    fn path(&self, values: impl Iterator<Item = Option<f64>>) -> String {
        let mut path = String::new();
        let mut pen_down = false;
        for (at, value) in values.enumerate() {
            if let Some(value) = value {
                let command = if pen_down { 'L' } else { 'M' };
                path.push_str(&format!("{command}{:.1} {:.1}", self.x(at), self.y(value)));
            }
            pen_down = value.is_some();
        }
        path
    }
}

/// The readings of the fixed panel: a circle is like the first, a square is not.
#[component]
pub fn Strip(
    /// The readings, oldest first.
    marks: Vec<PanelMark>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let marks = StoredValue::new(marks);
    let drawn = move || marks.with_value(|marks| draw_strip(marks, width.get().max(180.0)));
    view! { <div class="chart-box" node_ref=holder>{drawn}</div> }
}

fn draw_strip(marks: &[PanelMark], width: f64) -> impl IntoView + use<> {
    let last = marks.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| 8.0 + at as f64 / last * (width - 16.0);
    let y = 14.0;
    let shapes = marks
        .iter()
        .enumerate()
        .map(|(at, mark)| {
            if mark.same {
                view! { <circle class="now-point" cx=x(at) cy=y r="4"></circle> }.into_any()
            } else {
                view! { <rect class="worse" x=x(at) - 4.0 y=y - 10.0 width="8" height="8"></rect> }
                    .into_any()
            }
        })
        .collect_view();
    let unlike = marks.iter().filter(|mark| !mark.same).count() as u64;
    let label = tf(
        "drift.panel_told",
        &[
            ("n", &format::count(marks.len() as u64)),
            ("unlike", &format::count(unlike)),
        ],
    );
    let day = |mark: Option<&PanelMark>| mark.map(|m| date(&m.at).to_owned()).unwrap_or_default();
    let newest = (marks.len() > 1).then(|| {
        view! { <text x=width - 4.0 y=STRIP - 6.0 text-anchor="end">{day(marks.last())}</text> }
    });
    view! {
        <svg class="chart" width=width height=STRIP role="img" aria-label=label>
            <line class="axis" x1="0" x2=width y1=y y2=y></line>
            {shapes}
            <text x="4" y=STRIP - 6.0 text-anchor="start">{day(marks.first())}</text>
            {newest}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    fn point(recent: Option<f64>, earlier: Option<f64>) -> DriftPoint {
        DriftPoint {
            at: "2026-03-20T13:00:00Z".to_owned(),
            recent,
            earlier,
            alarm: recent.is_some_and(|r| r > 0.5),
        }
    }

    #[test]
    fn a_line_is_broken_where_there_is_nothing_to_draw() {
        let points = [
            point(Some(0.3), None),
            point(None, Some(0.3)),
            point(Some(0.6), Some(0.3)),
            point(Some(0.5), Some(0.3)),
        ];
        let plot = Plot::of(&points, 252.0);
        let path = plot.path(points.iter().map(|p| p.recent));
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert_eq!(path.matches('L').count(), 1, "{path}");
        assert!(plot.y(0.6) >= TOP && plot.y(0.3) <= HEIGHT - BOTTOM);
        assert!(plot.x(0) >= LEFT && plot.x(3) <= 252.0 - RIGHT);
    }

    #[test]
    fn a_small_change_is_not_drawn_as_a_leap() {
        let points = [point(Some(0.300), Some(0.301))];
        let plot = Plot::of(&points, 252.0);
        assert!(plot.high - plot.low >= LEAST_RANGE - 1e-9);
        let nothing = Plot::of(&[point(None, None)], 252.0);
        assert!((nothing.high - nothing.low).abs() < 1e-9);
    }

    #[test]
    fn the_course_is_told_in_words() {
        speak(Lang::En);
        let text = told(&[point(Some(0.6), Some(0.31))], "New sentences · pdf");
        assert!(
            text.contains(".600") && text.contains(".310") && text.contains('1'),
            "{text}"
        );
        assert!(told(&[], "x").contains('–'));
    }
}
