//! The loss over the steps: training solid, held-out dashed with squares.

use super::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::metrics::CurvePoint;

const HEIGHT: f64 = 220.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;

/// The curves of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Training loss by step.
    pub train: Vec<CurvePoint>,
    /// Held-out loss by step.
    pub dev: Vec<CurvePoint>,
    /// Steps in all, where known: the width of the chart.
    pub of: u64,
    /// Step of the best checkpoint.
    pub best: Option<u64>,
}

/// The curves with their legend, a text alternative, and a table on demand.
#[component]
pub fn Curve(
    /// What to draw.
    curves: Signal<Curves>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    let table = RwSignal::new(false);
    view! {
        <div class="stack">
            <div class="chart-box" node_ref=holder>
                {move || if table.get() { curves.with(draw_table).into_any() } else { curves.with(|c| draw(c, width.get())).into_any() }}
            </div>
            <div class="row between wrap">
                <div class="legend">
                    <span>
                        <svg class="chart" width="24" height="10" aria-hidden="true">
                            <line class="train" x1="0" x2="24" y1="5" y2="5"></line>
                        </svg>
                        {t("training.loss_train")}
                    </span>
                    <span>
                        <svg class="chart" width="24" height="10" aria-hidden="true">
                            <line class="dev" x1="0" x2="24" y1="5" y2="5"></line>
                            <rect class="dev-point" x="9" y="2" width="6" height="6"></rect>
                        </svg>
                        {t("training.loss_dev")}
                    </span>
                </div>
                <button class="btn ghost sm" aria-pressed=move || table.get().to_string() on:click=move |_| table.update(|on| *on = !*on)>
                    {move || if table.get() { t("chart.as_curve") } else { t("chart.as_table") }}
                </button>
            </div>
        </div>
    }
}

fn draw(curves: &Curves, width: f64) -> impl IntoView + use<> {
    let plot = Plot::of(curves, width.max(240.0));
    let grid = plot
        .ticks()
        .into_iter()
        .map(|value| {
            let y = plot.y(value).round() + 0.5;
            view! {
                <line class="grid" x1=LEFT x2=plot.width - RIGHT y1=y y2=y></line>
                <text x=LEFT - 6.0 y=y + 4.0 text-anchor="end">{tick(value, plot.step)}</text>
            }
        })
        .collect_view();
    let squares = curves
        .dev
        .iter()
        .map(|point| {
            let (x, y) = (plot.x(point.step), plot.y(point.loss));
            view! { <rect class="dev-point" x=x - 3.0 y=y - 3.0 width="6" height="6"></rect> }
        })
        .collect_view();
    let best = curves.best.filter(|step| *step <= plot.last).map(|step| {
        let x = plot.x(step);
        view! { <line class="best" x1=x x2=x y1=TOP y2=HEIGHT - BOTTOM></line> }
    });
    view! {
        <svg class="chart" width=plot.width height=HEIGHT role="img" aria-label=told(curves)>
            {grid}
            <line class="axis" x1=LEFT x2=plot.width - RIGHT y1=HEIGHT - BOTTOM + 0.5 y2=HEIGHT - BOTTOM + 0.5></line>
            {best}
            <path class="train" d=plot.path(&curves.train)></path>
            <path class="dev" d=plot.path(&curves.dev)></path>
            {squares}
            <text x=LEFT y=HEIGHT - 6.0 text-anchor="middle">"0"</text>
            <text x=plot.width - RIGHT y=HEIGHT - 6.0 text-anchor="end">
                {tf("training.step_n", &[("n", &format::count(plot.last))])}
            </text>
        </svg>
    }
}

/// The curves in words.
fn told(curves: &Curves) -> String {
    match (curves.train.first(), curves.train.last()) {
        (Some(first), Some(last)) => {
            let dev = curves.dev.last().map_or_else(|| "–".to_owned(), |p| format::loss(p.loss));
            tf(
                "training.curve_told",
                &[
                    ("first", &format::loss(first.loss)),
                    ("last", &format::loss(last.loss)),
                    ("step", &format::count(last.step)),
                    ("dev", &dev),
                ],
            )
        }
        _ => t("training.curve_none"),
    }
}

/// The held-out steps (else each tenth of the training steps) as a table.
fn draw_table(curves: &Curves) -> impl IntoView + use<> {
    let steps: Vec<u64> = if curves.dev.is_empty() {
        let every = (curves.train.len() / 10).max(1);
        curves.train.iter().step_by(every).map(|p| p.step).collect()
    } else {
        curves.dev.iter().map(|p| p.step).collect()
    };
    let at = |points: &[CurvePoint], step: u64| {
        points.iter().find(|p| p.step == step).map_or_else(|| "–".to_owned(), |p| format::loss(p.loss))
    };
    let rows = steps
        .into_iter()
        .map(|step| {
            view! {
                <tr>
                    <td class="num">{format::count(step)}</td>
                    <td class="num">{at(&curves.train, step)}</td>
                    <td class="num">{at(&curves.dev, step)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="table">
            <thead>
                <tr>
                    <th class="num">{t("training.step")}</th>
                    <th class="num">{t("training.loss_train")}</th>
                    <th class="num">{t("training.loss_dev")}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn tick(value: f64, step: f64) -> String {
    let digits = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
    format!("{value:.digits$}")
}

/// From steps and losses to pixels.
struct Plot {
    width: f64,
    last: u64,
    step: f64,
    top: f64,
}

impl Plot {
    fn of(curves: &Curves, width: f64) -> Self {
        let last = |points: &[CurvePoint]| points.last().map_or(0, |p| p.step);
        let last = curves.of.max(last(&curves.train)).max(last(&curves.dev)).max(1);
        let losses = curves.train.iter().chain(&curves.dev).map(|p| p.loss).filter(|loss| loss.is_finite());
        let most = losses.fold(0.0_f64, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let step = round_step(most / 4.0);
        Self { width, last, step, top: (most / step).ceil() * step }
    }

    fn x(&self, step: u64) -> f64 {
        LEFT + step as f64 / self.last as f64 * (self.width - LEFT - RIGHT)
    }

    fn y(&self, loss: f64) -> f64 {
        HEIGHT - BOTTOM - (loss / self.top).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }

    fn ticks(&self) -> Vec<f64> {
        (0..=(self.top / self.step).round() as usize).map(|i| i as f64 * self.step).collect()
    }

    fn path(&self, points: &[CurvePoint]) -> String {
        let mut path = String::new();
        for point in points.iter().filter(|p| p.loss.is_finite()) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{command}{:.1} {:.1}", self.x(point.step), self.y(point.loss)));
        }
        path
    }
}

/// The next of 1, 2, 2.5, 5 × a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= least * 0.999).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_round_steps_and_holds_all_points() {
        for (most, step, top) in [(1.84, 0.5, 2.0), (0.39, 0.1, 0.4), (7.0, 2.0, 8.0)] {
            let curves = Curves { train: vec![CurvePoint { step: 1, loss: most }], ..Curves::default() };
            let plot = Plot::of(&curves, 400.0);
            assert!((plot.step - step).abs() < 1e-9, "{most}: step {}", plot.step);
            assert!((plot.top - top).abs() < 1e-9, "{most}: top {}", plot.top);
        }
    }

    #[test]
    fn a_path_begins_at_the_first_finite_point() {
        let train = vec![CurvePoint { step: 1, loss: f64::NAN }, CurvePoint { step: 2, loss: 1.0 }];
        let plot = Plot::of(&Curves { train: train.clone(), of: 2, ..Curves::default() }, 400.0);
        assert_eq!(plot.path(&train), "M388.0 10.0");
    }
}
