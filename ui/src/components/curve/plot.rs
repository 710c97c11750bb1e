//! Curves as values, and where their points are on the picture.

use lexforge_domain::metrics::CurvePoint;

pub(super) const HEIGHT: f64 = 156.0;
pub(super) const LEFT: f64 = 36.0;
pub(super) const RIGHT: f64 = 10.0;
pub(super) const TOP: f64 = 10.0;
pub(super) const BOTTOM: f64 = 24.0;
/// A line of more points than this is drawn by the least and the largest of each stretch.
pub(super) const MOST_POINTS: usize = 600;

/// The subject of a line, which sets its colour, dashes and marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Training loss.
    Train,
    /// Held-out loss.
    Dev,
    /// Training loss of the second run of a comparison.
    OtherTrain,
    /// Held-out loss of the second run of a comparison.
    OtherDev,
    /// Held-out loss of the first run of a comparison: in the colour of its training loss.
    OwnDev,
}

impl Kind {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Dev => "dev",
            Self::OtherTrain => "train other",
            Self::OtherDev => "dev other",
            Self::OwnDev => "dev own",
        }
    }

    pub(super) fn is_marked(self) -> bool {
        !matches!(self, Self::Train | Self::OtherTrain)
    }
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is about.
    pub kind: Kind,
    /// Its name in the table and for a screen reader.
    pub name: String,
    /// Its points, by the step within the stage.
    pub points: Vec<CurvePoint>,
}

/// The curves of one stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// The subject of the curves, for a screen reader.
    pub title: String,
    pub lines: Vec<Line>,
    /// Steps of the stage, where known: the width of the chart.
    pub of: u64,
    /// Step of the best checkpoint.
    pub best: Option<u64>,
    /// Step that was just made, while the stage runs.
    pub now: Option<u64>,
    /// The text that is shown as long as there are no lines.
    pub waiting: Option<String>,
}

impl Curves {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.points.is_empty())
    }
}

/// From steps and losses to pixels.
pub(super) struct Plot {
    pub(super) width: f64,
    pub(super) last: u64,
    pub(super) step: f64,
    pub(super) top: f64,
}

impl Plot {
    pub(super) fn of(curves: &Curves, width: f64) -> Self {
        let points = || curves.lines.iter().flat_map(|line| &line.points);
        let last = points()
            .map(|p| p.step)
            .max()
            .unwrap_or_default()
            .max(curves.of)
            .max(1);
        let most = points()
            .map(|p| p.loss)
            .filter(|loss| loss.is_finite())
            .fold(0.0_f64, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let step = round_step(most / 4.0);
        Self {
            width,
            last,
            step,
            top: (most / step).ceil() * step,
        }
    }

    pub(super) fn x(&self, step: u64) -> f64 {
        LEFT + step as f64 / self.last as f64 * (self.width - LEFT - RIGHT)
    }

    pub(super) fn y(&self, loss: f64) -> f64 {
        HEIGHT - BOTTOM - (loss / self.top).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        (0..=(self.top / self.step).round() as usize)
            .map(|i| i as f64 * self.step)
            .collect()
    }

    pub(super) fn path(&self, points: &[CurvePoint]) -> String {
        let mut path = String::new();
        for point in thinned(points) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!(
                "{command}{:.1} {:.1}",
                self.x(point.step),
                self.y(point.loss)
            ));
        }
        path
    }
}

/// The finite points; of very many, the least and the largest of each stretch, so that no peak is lost.
pub(super) fn thinned(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let finite: Vec<CurvePoint> = points
        .iter()
        .copied()
        .filter(|p| p.loss.is_finite())
        .collect();
    if finite.len() <= MOST_POINTS {
        return finite;
    }
    let stretch = finite.len().div_ceil(MOST_POINTS / 2);
    let ends = |part: &[CurvePoint]| {
        let least = part
            .iter()
            .copied()
            .min_by(|a, b| a.loss.total_cmp(&b.loss));
        let most = part
            .iter()
            .copied()
            .max_by(|a, b| a.loss.total_cmp(&b.loss));
        let mut ends: Vec<CurvePoint> = least.into_iter().chain(most).collect();
        ends.sort_by_key(|p| p.step);
        ends.dedup();
        ends
    };
    finite.chunks(stretch).flat_map(ends).collect()
}

/// The next of 1, 2, 2.5, 5 × a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|s| *s >= least * 0.999)
        .unwrap_or(10.0 * power)
}
