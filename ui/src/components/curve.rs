//! Losses over the steps of one stage. The training loss is a solid line, the held-out loss a dashed line with squares.
//! The losses of a second run have another colour and circles.

mod plot;

pub use plot::{Curves, Kind, Line};

use super::size::use_width;
use crate::format;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use plot::{BOTTOM, HEIGHT, LEFT, Plot, RIGHT, TOP};

/// The curves of a stage, or their table.
#[component]
pub fn Curve(
    /// What to draw.
    #[prop(into)]
    curves: Signal<Curves>,
    /// Show the table instead.
    #[prop(into)]
    table: Signal<bool>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = use_width(holder);
    view! {
        <div class="chart-box" node_ref=holder>
            {move || if table.get() { curves.with(draw_table).into_any() } else { curves.with(|c| draw(c, width.get())).into_any() }}
        </div>
    }
}

/// The button that changes between curves and tables.
#[component]
pub fn TableSwitch(
    /// Whether tables are shown.
    table: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <button class="btn ghost sm" id="as-table" aria-pressed=move || table.get().to_string() on:click=move |_| table.update(|on| *on = !*on)>
            {move || if table.get() { t("chart.as_curve") } else { t("chart.as_table") }}
        </button>
    }
}

/// A line's sample for a legend.
#[component]
pub fn LegendLine(
    /// The line.
    kind: Kind,
    name: String,
) -> impl IntoView {
    view! {
        <span>
            <svg class="chart" width="24" height="10" aria-hidden="true">
                <line class=kind.class() x1="0" x2="24" y1="5" y2="5"></line>
                {kind.is_marked().then(|| mark(kind, 12.0, 5.0))}
            </svg>
            {name}
        </span>
    }
}

/// The sign of the best checkpoint for a legend.
#[component]
pub fn LegendBest() -> impl IntoView {
    view! {
        <span>
            <svg class="chart" width="10" height="12" aria-hidden="true"><line class="best" x1="5" x2="5" y1="0" y2="12"></line></svg>
            {t("training.best_checkpoint")}
        </span>
    }
}

fn mark(kind: Kind, x: f64, y: f64) -> impl IntoView + use<> {
    if kind == Kind::OtherDev {
        view! { <circle class="dev-point other" cx=x cy=y r="3.5"></circle> }.into_any()
    } else {
        let class = if kind == Kind::OwnDev {
            "dev-point own"
        } else {
            "dev-point"
        };
        view! { <rect class=class x=x - 3.0 y=y - 3.0 width="6" height="6"></rect> }.into_any()
    }
}

fn draw(curves: &Curves, width: f64) -> impl IntoView + use<> {
    let plot = Plot::of(curves, width.max(180.0));
    let (foot, right) = (HEIGHT - BOTTOM, plot.width - RIGHT);
    // A scale without a line on it would be made up.
    let grid = plot
        .ticks()
        .into_iter()
        .filter(|_| !curves.is_empty())
        .map(|value| {
            let y = plot.y(value).round() + 0.5;
            view! {
                <line class="grid" x1=LEFT x2=right y1=y y2=y></line>
                <text x=LEFT - 6.0 y=y + 4.0 text-anchor="end">{tick(value, plot.step)}</text>
            }
        })
        .collect_view();
    let lines = curves
        .lines
        .iter()
        .map(|line| {
            let marks = line
                .points
                .iter()
                .filter(|p| line.kind.is_marked() && p.loss.is_finite());
            let marks = marks
                .map(|p| mark(line.kind, plot.x(p.step), plot.y(p.loss)))
                .collect_view();
            view! { <path class=line.kind.class() d=plot.path(&line.points)></path>{marks} }
        })
        .collect_view();
    let upright = |class: &'static str, step: Option<u64>| {
        step.filter(|step| *step <= plot.last).map(|step| {
            let x = plot.x(step);
            view! { <line class=class x1=x x2=x y1=TOP y2=foot></line> }
        })
    };
    let train = curves
        .lines
        .iter()
        .find(|line| line.kind == Kind::Train)
        .and_then(|line| line.points.last());
    let dot = curves.now.and(train).map(|point| {
        view! { <circle class="now-point" cx=plot.x(point.step) cy=plot.y(point.loss) r="3"></circle> }
    });
    let waiting = curves.waiting.clone().map(|text| {
        view! { <text class="said" x=(LEFT + right) / 2.0 y=(TOP + foot) / 2.0 text-anchor="middle">{text}</text> }
    });
    let last = (curves.of > 0 || !curves.is_empty()).then(|| {
        view! {
            <text x=LEFT y=HEIGHT - 6.0 text-anchor="middle">"0"</text>
            <text x=right y=HEIGHT - 6.0 text-anchor="end">{tf("training.step_n", &[("n", &format::count(plot.last))])}</text>
        }
    });
    view! {
        <svg class="chart" width=plot.width height=HEIGHT role="img" aria-label=told(curves)>
            {grid}
            <line class="axis" x1=LEFT x2=right y1=foot + 0.5 y2=foot + 0.5></line>
            {upright("best", curves.best)}
            {lines}
            {dot}
            {waiting}
            {last}
        </svg>
    }
}

/// The curves in words.
fn told(curves: &Curves) -> String {
    let line = |line: &Line| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        Some(tf(
            "training.curve_told",
            &[
                ("name", &line.name),
                ("first", &format::loss(first.loss)),
                ("last", &format::loss(last.loss)),
                ("step", &format::count(last.step)),
            ],
        ))
    };
    let mut parts: Vec<String> = curves.lines.iter().filter_map(line).collect();
    if parts.is_empty() {
        parts.push(
            curves
                .waiting
                .clone()
                .unwrap_or_else(|| t("training.curve_none")),
        );
    }
    format!("{}: {}", curves.title, parts.join("; "))
}

/// The held-out steps (else each tenth of the training steps) as a table.
fn draw_table(curves: &Curves) -> impl IntoView + use<> {
    let marked = curves.lines.iter().filter(|line| line.kind.is_marked());
    let mut steps: Vec<u64> = marked
        .flat_map(|line| line.points.iter().map(|p| p.step))
        .collect();
    if steps.is_empty() {
        let all = curves.lines.iter().flat_map(|line| {
            let every = (line.points.len() / 10).max(1);
            line.points.iter().step_by(every).map(|p| p.step)
        });
        steps.extend(all);
    }
    steps.sort_unstable();
    steps.dedup();
    if steps.is_empty() {
        let text = curves
            .waiting
            .clone()
            .unwrap_or_else(|| t("training.curve_none"));
        return view! { <p class="t-small t-mute">{text}</p> }.into_any();
    }
    let heads = curves
        .lines
        .iter()
        .map(|line| view! { <th class="num">{line.name.clone()}</th> })
        .collect_view();
    let rows = steps
        .into_iter()
        .map(|step| {
            let best = curves.best == Some(step);
            let cells = curves
                .lines
                .iter()
                .map(|line| {
                    let at = line.points.iter().find(|p| p.step == step);
                    view! { <td class="num">{at.map_or_else(|| "–".to_owned(), |p| format::loss(p.loss))}</td> }
                })
                .collect_view();
            let name =
                if best { tf("training.step_best", &[("n", &format::count(step))]) } else { format::count(step) };
            view! { <tr><td class="num" class:strong=best>{name}</td>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="table-wrap curve-table" tabindex="0">
            <table class="table tight" aria-label=curves.title.clone()>
                <thead>
                    <tr>
                        <th class="num">{t("training.step")}</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A value of the scale with as many digits as the scale's steps need.
fn tick(value: f64, step: f64) -> String {
    let whole = |digits: &usize| {
        let scaled = step * 10_f64.powi(*digits as i32);
        (scaled - scaled.round()).abs() < 1e-6 && scaled.round() >= 1.0
    };
    let digits = (0..9).find(whole).unwrap_or(9);
    format!("{value:.digits$}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
