//! Drawings as inline SVG. Their sizes are in pixels, so that text in them is not scaled. Colour is never the only
//! sign: each series also has its own line style and marks, and each verdict its own shape.

use super::markup::escape;
use super::numbers::{change, figure};
use lexforge_domain::metrics::{CurvePoint, Interval};
use lexforge_domain::verdict::Verdict;
use std::fmt::Write as _;

const WHISKER_WIDTH: f64 = 220.0;
/// Points of one line of a curve.
const MOST_POINTS: usize = 1200;

/// The scale (± this) on which all differences fit: a round number.
pub(super) fn whisker_scale<'a>(intervals: impl Iterator<Item = &'a Interval>) -> f64 {
    let widest = intervals
        .flat_map(|i| [i.low.abs(), i.high.abs()])
        .fold(0.01, f64::max);
    let power = 10f64.powf(widest.log10().floor());
    [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|s| *s >= widest - 1e-12)
        .unwrap_or(widest)
}

/// A difference with its interval around zero: circle better, square worse, hollow undecided.
pub(super) fn whisker(d: &Interval, verdict: Verdict, scale: f64) -> String {
    let x = |value: f64| {
        WHISKER_WIDTH / 2.0 + (value / scale).clamp(-1.0, 1.0) * (WHISKER_WIDTH / 2.0 - 6.0)
    };
    let (low, mid, high) = (x(d.low), x(d.value), x(d.high));
    let mark = match verdict {
        Verdict::Better => format!("<circle cx=\"{mid:.1}\" cy=\"10\" r=\"4.5\"/>"),
        Verdict::Worse => format!(
            "<rect x=\"{:.1}\" y=\"6\" width=\"8\" height=\"8\"/>",
            mid - 4.0
        ),
        Verdict::Undecided => {
            format!("<circle cx=\"{mid:.1}\" cy=\"10\" r=\"4\" class=\"hollow\"/>")
        }
    };
    format!(
        "<svg class=\"whisker {class}\" width=\"{WHISKER_WIDTH}\" height=\"20\" viewBox=\"0 0 {WHISKER_WIDTH} 20\" role=\"img\" \
         aria-label=\"{class}: change {value}, from {low_words} to {high_words}\">\
         <line class=\"axis\" x1=\"{zero}\" x2=\"{zero}\" y1=\"0\" y2=\"20\"/>\
         <line class=\"span\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"10\" y2=\"10\"/>\
         <line class=\"span\" x1=\"{low:.1}\" x2=\"{low:.1}\" y1=\"6\" y2=\"14\"/>\
         <line class=\"span\" x1=\"{high:.1}\" x2=\"{high:.1}\" y1=\"6\" y2=\"14\"/>{mark}</svg>",
        class = verdict.word(),
        value = change(d.value),
        low_words = change(d.low),
        high_words = change(d.high),
        zero = WHISKER_WIDTH / 2.0,
    )
}

/// What the shapes mean.
pub(super) fn whisker_legend() -> String {
    let zero = Interval {
        value: 0.0,
        low: -0.5,
        high: 0.5,
    };
    [Verdict::Better, Verdict::Worse, Verdict::Undecided]
        .map(|v| {
            let drawing = whisker(&zero, v, 8.0).replace("role=\"img\"", "aria-hidden=\"true\"");
            let drawing = drawing.replacen(
                &format!("viewBox=\"0 0 {WHISKER_WIDTH} 20\""),
                "viewBox=\"95 0 30 20\"",
                1,
            );
            let drawing =
                drawing.replacen(&format!("width=\"{WHISKER_WIDTH}\""), "width=\"30\"", 1);
            format!("<span>{drawing} {}</span>", v.word())
        })
        .join(" ")
}

/// The plot's frame in pixels: the axes' text is in the margins.
struct Frame {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    first: f64,
    steps: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn x(&self, step: f64) -> f64 {
        self.left + ((step - self.first) / (self.steps - self.first)) * self.width
    }

    fn y(&self, loss: f64) -> f64 {
        self.top + (self.high - loss) / (self.high - self.low) * self.height
    }

    fn path(&self, points: &[CurvePoint]) -> String {
        let mut path = String::new();
        for (i, p) in points.iter().enumerate() {
            let command = if i == 0 { 'M' } else { 'L' };
            let _ = write!(
                path,
                "{command}{:.1} {:.1}",
                self.x(p.step as f64),
                self.y(p.loss)
            );
        }
        path
    }
}

/// The chart of the training loss (a solid moving mean, with the single steps faint behind it) and the held-out loss
/// (dashed, with squares) over optimiser steps. `None` without training points.
pub(super) fn loss_curve(train: &[CurvePoint], dev: &[CurvePoint]) -> Option<String> {
    let finite = |points: &[CurvePoint]| {
        points
            .iter()
            .filter(|p| p.loss.is_finite())
            .copied()
            .collect::<Vec<_>>()
    };
    let (train, dev) = (finite(train), finite(dev));
    let (first, last) = (train.first()?, train.last()?);
    let losses = || train.iter().chain(&dev).map(|p| p.loss);
    let ticks = ticks(
        losses().fold(f64::INFINITY, f64::min),
        losses().fold(f64::NEG_INFINITY, f64::max),
    );
    let steps = || train.iter().chain(&dev).map(|p| p.step);
    // A first step of 1 begins at 0; a later stage begins where the one before it ended.
    let begins = steps().min().unwrap_or(0).min(first.step.saturating_sub(1));
    let ends = steps().max().unwrap_or(1).max(begins + 1);
    let frame = Frame {
        width: 912.0,
        height: 216.0,
        left: 48.0,
        top: 12.0,
        first: begins as f64,
        steps: ends as f64,
        low: *ticks.first()?,
        high: *ticks.last()?,
    };
    let smooth = moving_mean(&train);
    let label = format!(
        "Training loss from {} at step {} to {} at step {}{}",
        figure(smooth.first()?.loss),
        first.step,
        figure(smooth.last()?.loss),
        last.step,
        match (dev.first(), dev.last()) {
            (Some(a), Some(b)) => format!(
                "; held-out loss from {} to {}",
                figure(a.loss),
                figure(b.loss)
            ),
            _ => String::new(),
        }
    );
    let mut svg = format!(
        "<svg class=\"curve\" viewBox=\"0 0 976 272\" width=\"976\" height=\"272\" role=\"img\" aria-label=\"{}\">",
        escape(&label)
    );
    for tick in &ticks {
        let y = frame.y(*tick);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"48\" x2=\"960\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"40\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y + 4.0,
            tick_text(*tick)
        );
    }
    for step in step_ticks(frame.first, frame.steps) {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"246\" text-anchor=\"middle\">{step}</text>",
            frame.x(step as f64)
        );
    }
    svg.push_str("<text x=\"504\" y=\"266\" text-anchor=\"middle\">optimiser step</text>");
    if smooth.len() > 2 {
        let _ = write!(
            svg,
            "<path class=\"raw\" d=\"{}\"/>",
            frame.path(&thinned(&train))
        );
    }
    let _ = write!(
        svg,
        "<path class=\"train\" d=\"{}\"/>",
        frame.path(&thinned(&smooth))
    );
    let _ = write!(svg, "<path class=\"dev\" d=\"{}\"/>", frame.path(&dev));
    for p in &dev {
        let (x, y) = (frame.x(p.step as f64) - 3.5, frame.y(p.loss) - 3.5);
        let _ = write!(
            svg,
            "<rect class=\"dev-mark\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"7\" height=\"7\"/>"
        );
    }
    svg.push_str("</svg>");
    Some(svg + CURVE_LEGEND)
}

const CURVE_LEGEND: &str = "<p class=\"legend\"><span><svg class=\"curve\" width=\"28\" height=\"12\" aria-hidden=\"true\">\
    <path class=\"train\" d=\"M0 6H28\"/></svg> training, moving mean</span> <span><svg class=\"curve\" width=\"28\" height=\"12\" \
    aria-hidden=\"true\"><path class=\"raw\" d=\"M0 8L7 3L14 9L21 4L28 7\"/></svg> training, each step</span> <span><svg class=\"curve\" \
    width=\"28\" height=\"12\" aria-hidden=\"true\"><path class=\"dev\" d=\"M0 6H28\"/><rect class=\"dev-mark\" x=\"10.5\" y=\"2.5\" \
    width=\"7\" height=\"7\"/></svg> held out (dev)</span></p>";

/// Mean over a window of a twentieth of the points (at least 1), centred and cut at the ends.
pub(super) fn moving_mean(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let reach = points.len() / 40;
    let mut sums = vec![0.0];
    for p in points {
        sums.push(sums[sums.len() - 1] + p.loss);
    }
    (0..points.len())
        .map(|i| {
            let (from, to) = (i.saturating_sub(reach), (i + reach + 1).min(points.len()));
            CurvePoint {
                step: points[i].step,
                loss: (sums[to] - sums[from]) / (to - from) as f64,
            }
        })
        .collect()
}

/// At most [`MOST_POINTS`] of the points, evenly spaced, with the last: more than pixels cannot be seen.
fn thinned(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let stride = points.len().div_ceil(MOST_POINTS).max(1);
    let mut thin: Vec<CurvePoint> = points.iter().step_by(stride).copied().collect();
    if let Some(last) = points.last().filter(|last| thin.last() != Some(last)) {
        thin.push(*last);
    }
    thin
}

/// Round values that span `low..=high`, about four steps apart.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-3 * high.abs()).max(1e-9);
    let power = 10f64.powf((span / 4.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|s| span / s <= 5.0)
        .unwrap_or(span);
    let (first, last) = ((low / step).floor(), (high / step).ceil());
    let last = if last <= first { first + 1.0 } else { last };
    (0..=(last - first) as usize)
        .map(|i| (first + i as f64) * step)
        .collect()
}

pub(super) fn tick_text(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if let Some(fraction) = text.strip_prefix("0.") {
        format!(".{fraction}")
    } else {
        text.to_owned()
    }
}

fn step_ticks(first: f64, last: f64) -> Vec<u64> {
    let steps = last - first;
    let power = 10f64.powf((steps / 6.0).log10().floor()).max(1.0);
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|s| steps / s <= 8.0)
        .unwrap_or(steps) as u64;
    let step = step.max(1);
    ((first as u64).div_ceil(step) * step..=last as u64)
        .step_by(step as usize)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_span_the_values() {
        let check = |low: f64, high: f64, expected: &[&str]| {
            let found: Vec<String> = ticks(low, high).into_iter().map(tick_text).collect();
            assert_eq!(found, expected, "{low} {high}");
        };
        check(0.42, 2.2, &["0", ".5", "1", "1.5", "2", "2.5"]);
        check(0.612, 0.655, &[".61", ".62", ".63", ".64", ".65", ".66"]);
        check(10.2, 38.0, &["10", "20", "30", "40"]);
        assert!(ticks(1.0, 1.0).len() > 1);
        assert!(ticks(0.0, 0.0).len() > 1);
    }

    #[test]
    fn the_scale_holds_every_interval() {
        let check = |low: f64, high: f64, expected: f64| {
            let found = whisker_scale(
                [Interval {
                    value: 0.0,
                    low,
                    high,
                }]
                .iter(),
            );
            assert!((found - expected).abs() < 1e-12, "{low} {high}: {found}");
        };
        check(0.447, 0.569, 0.6);
        check(-0.031, 0.001, 0.04);
        check(-4.0, 4.0, 4.0);
        check(0.0, 0.0, 0.01);
    }

    #[test]
    fn curves_short_long_and_broken() {
        let point = |step, loss| CurvePoint { step, loss };
        assert!(loss_curve(&[], &[]).is_none());
        assert!(loss_curve(&[point(1, f64::NAN)], &[]).is_none());
        assert!(
            !loss_curve(&[point(1, 0.5)], &[point(1, 0.5)])
                .unwrap()
                .contains("NaN")
        );
        let long: Vec<_> = (1..=100_000).map(|s| point(s, 1.0 / s as f64)).collect();
        assert!(loss_curve(&long, &[]).unwrap().len() < 60_000);
    }

    #[test]
    fn the_moving_mean_of_a_line_is_the_line() {
        let line: Vec<_> = (1..=200)
            .map(|step| CurvePoint {
                step,
                loss: step as f64,
            })
            .collect();
        let smooth = moving_mean(&line);
        assert!(
            smooth[5..195]
                .iter()
                .all(|p| (p.loss - p.step as f64).abs() < 1e-9)
        );
        // The window is cut at the end: the mean of steps 195 to 200.
        assert!((smooth[199].loss - 197.5).abs() < 1e-9);
    }
}
