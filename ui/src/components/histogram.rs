//! How values are distributed, with a window of them marked.

use super::size::use_width;
use crate::format;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::Histogram as Counts;

const HEIGHT: f64 = 96.0;
const FOOT: f64 = 20.0;
const TOP: f64 = 6.0;

/// The bars of a distribution; those that lie in the window are coloured.
#[component]
pub fn Histogram(
    /// The values.
    counts: Counts,
    /// Ends of the window.
    #[prop(into)]
    window: Signal<(f32, f32)>,
    /// The subject of the histogram, for a screen reader.
    label: String,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let counts = StoredValue::new(counts);
    let drawn =
        move || counts.with_value(|counts| draw(counts, window.get(), width.get().max(160.0)));
    view! { <div class="chart-box" role="img" aria-label=label node_ref=holder>{drawn}</div> }
}

/// Places of a chart: where a value is, and how high so many of it are.
struct Scale {
    low: f64,
    high: f64,
    width: f64,
    most: f64,
}

impl Scale {
    fn of(counts: &Counts, width: f64) -> Self {
        let most = counts.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let (low, high) = (f64::from(counts.low), f64::from(counts.high));
        Self {
            low,
            high: if high > low { high } else { low + 1.0 },
            width,
            most,
        }
    }

    fn x(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low) * self.width
    }

    fn tall(&self, n: u64) -> f64 {
        // A bin that holds anything is seen.
        if n == 0 {
            0.0
        } else {
            (n as f64 / self.most * (HEIGHT - FOOT - TOP)).max(1.5)
        }
    }
}

/// From where to where each bin reaches.
fn bins(counts: &Counts) -> Vec<(f64, f64, u64)> {
    let (low, high) = (f64::from(counts.low), f64::from(counts.high));
    let step = (high - low) / counts.counts.len().max(1) as f64;
    let bin = |(at, n): (usize, &u64)| (low + step * at as f64, low + step * (at + 1) as f64, *n);
    counts.counts.iter().enumerate().map(bin).collect()
}

fn draw(counts: &Counts, window: (f32, f32), width: f64) -> impl IntoView + use<> {
    let scale = Scale::of(counts, width);
    let (from, to) = (f64::from(window.0), f64::from(window.1));
    let foot = HEIGHT - FOOT;
    let bars = bins(counts)
        .into_iter()
        .map(|(low, high, n)| {
            let middle = (low + high) / 2.0;
            let class = if middle > from && middle < to {
                "bin in"
            } else {
                "bin"
            };
            let (x, tall) = (scale.x(low), scale.tall(n));
            let wide = (scale.x(high) - x - 1.0).max(0.5);
            view! { <rect class=class x=x + 0.5 y=foot - tall width=wide height=tall></rect> }
        })
        .collect_view();
    let ends = [from, to]
        .into_iter()
        .filter(|end| (scale.low..=scale.high).contains(end))
        .map(|end| {
            let x = scale.x(end).round() + 0.5;
            view! { <line class="bound" x1=x x2=x y1="0" y2=foot></line> }
        })
        .collect_view();
    let mark = |value: f64| {
        let x = scale.x(value);
        let anchor = if x < 16.0 {
            "start"
        } else if x > width - 16.0 {
            "end"
        } else {
            "middle"
        };
        view! { <text x=x y=HEIGHT - 4.0 text-anchor=anchor>{format::short_share(value)}</text> }
    };
    let middle = (scale.low + scale.high) / 2.0;
    view! {
        <svg class="chart" width=width height=HEIGHT aria-hidden="true">
            {bars}
            <line class="axis" x1="0" x2=width y1=foot + 0.5 y2=foot + 0.5></line>
            {ends}
            {mark(scale.low)}{mark(middle)}{mark(scale.high)}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_share_the_range_and_every_value_is_seen() {
        let counts = Counts {
            low: 0.0,
            high: 1.0,
            counts: vec![0, 1, 10_000, 3],
            total: 10_004,
            quantiles: Vec::new(),
        };
        let found = bins(&counts);
        assert_eq!(found[1], (0.25, 0.5, 1));
        let scale = Scale::of(&counts, 200.0);
        assert!((scale.x(0.5) - 100.0).abs() < 1e-9);
        let tall: Vec<f64> = found.iter().map(|(.., n)| scale.tall(*n)).collect();
        assert!(tall[0] == 0.0 && tall[1] >= 1.0 && tall[2] > tall[3] && tall[2] <= HEIGHT - FOOT);
        // A single value has no range; it is still drawn.
        let one = Counts {
            low: 0.5,
            high: 0.5,
            counts: vec![4],
            total: 4,
            quantiles: Vec::new(),
        };
        assert!(Scale::of(&one, 200.0).x(0.5).is_finite());
    }
}
