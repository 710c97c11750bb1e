//! Two runs side by side: what was set differently, the curves over each other, the figures.

use super::differences::{Setting, comparable, settings};
use super::history::History;
use super::live::{Slot, slots, within};
use crate::backend::{call, commands};
use crate::components::curve::{Curve, Curves, Kind, LegendLine, Line, TableSwitch};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::run_badge::RunBadge;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::RunDetail;
use lexforge_domain::metrics::{CurvePoint, Evaluation};
use lexforge_domain::protocol::{JobEvent, TrainResult};

/// One of the two runs.
#[derive(Clone, Copy)]
struct Side {
    detail: Fetched<RunDetail>,
    events: Fetched<Vec<JobEvent>>,
}

impl Side {
    fn of(id: RunId) -> Self {
        let side = Self {
            detail: Fetched::default(),
            events: Fetched::default(),
        };
        let app = use_app();
        Effect::new(move |_| {
            app.changes.track();
            side.detail.refresh(call(commands::RunDetail { id }));
            side.events.refresh(call(commands::RunEvents { id }));
        });
        side
    }
}

/// The two runs.
#[component]
pub fn Compared(
    /// The first.
    a: RunId,
    /// The second.
    b: RunId,
) -> impl IntoView {
    let app = use_app();
    let (first, second) = (Side::of(a), Side::of(b));
    let both = Memo::new(move |_| first.detail.value.get().zip(second.detail.value.get()));
    let failed = move || {
        let sides = [first.detail.failure, second.detail.failure];
        sides.iter().any(|side| side.with(Option::is_some))
    };
    let failures = move || {
        let all = [first.detail.failure.get(), second.detail.failure.get()];
        all.into_iter()
            .flatten()
            .map(|failure| view! { <ErrorPanel failure/> })
            .collect_view()
    };
    view! {
        <div class="row">
            <h2 class="t-role">{tf("compare.title", &[("a", &a.to_string()), ("b", &b.to_string())])}</h2>
            <button class="btn sm push" id="compare-back" on:click=move |_| app.compare.set(None)>
                <Sign icon=Icon::Left small=true/>
                {t("compare.back")}
            </button>
        </div>
        {failures}
        {move || match both.get() {
            None if failed() => ().into_any(),
            None => view! { <div class="skel"></div><div class="skel half"></div> }.into_any(),
            Some((a, b)) => view! {
                <Settings a=a.clone() b=b.clone()/>
                <Stages a=a.clone() b=b.clone() first second/>
                <Figures a b/>
            }.into_any(),
        }}
    }
}

fn run_n(detail: &RunDetail) -> String {
    tf("training.run_n", &[("n", &detail.run.id.to_string())])
}

/// The settings that differ; all of them on demand, with those that differ marked.
#[component]
fn Settings(a: RunDetail, b: RunDetail) -> impl IntoView {
    let all = RwSignal::new(false);
    let rows = settings(&a, &b);
    let differing = rows.iter().filter(|s| s.differs()).count();
    let (head_a, head_b) = (run_n(&a), run_n(&b));
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let line = move |setting: &Setting| {
        let differs = setting.differs();
        view! {
            <tr class:differs=differs>
                <td>{setting.name.clone()}</td>
                <td class="wrap-anywhere">{text(&setting.a)}</td>
                <td class="wrap-anywhere">{text(&setting.b)}</td>
            </tr>
        }
    };
    let lines = move || {
        rows.iter()
            .filter(|s| all.get() || s.differs())
            .map(line)
            .collect_view()
    };
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("compare.settings")}</h2>
                <button class="btn ghost sm push" id="all-settings" aria-pressed=move || all.get().to_string() on:click=move |_| all.update(|on| *on = !*on)>
                    {move || if all.get() { t("compare.only_differing") } else { t("compare.all_settings") }}
                </button>
            </div>
            {(differing == 0).then(|| view! { <p class="card-body t-small">{t("compare.same_settings")}</p> })}
            <div class="table-wrap">
                <table class="table compare-table" id="differences">
                    <thead><tr><th>{t("compare.setting")}</th><th>{head_a}</th><th>{head_b}</th></tr></thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
        </article>
    }
}

/// The curves of both runs over each other, a stage a chart.
#[component]
fn Stages(a: RunDetail, b: RunDetail, first: Side, second: Side) -> impl IntoView {
    let table = RwSignal::new(false);
    let (name_a, name_b) = (run_n(&a), run_n(&b));
    let names = |what: &str| (format!("{name_a} · {what}"), format!("{name_b} · {what}"));
    let (train, dev) = (
        names(&t("training.train_short")),
        names(&t("training.dev_short")),
    );
    let legend = view! {
        <div class="legend">
            <LegendLine kind=Kind::Train name=train.0.clone()/>
            <LegendLine kind=Kind::OwnDev name=dev.0.clone()/>
            <LegendLine kind=Kind::OtherTrain name=train.1.clone()/>
            <LegendLine kind=Kind::OtherDev name=dev.1.clone()/>
        </div>
    };
    let charts = move || {
        let history = |side: Side| {
            side.events
                .value
                .with(|e| History::of(e.as_deref().unwrap_or_default()))
        };
        let (said_a, said_b) = (history(first), history(second));
        let slots_a = slots(Some(&a), &said_a, a.run.state);
        let slots_b = slots(Some(&b), &said_b, b.run.state);
        stages_of(&slots_a, &slots_b)
            .into_iter()
            .map(|stage| {
                let mut lines = lines_of(
                    &said_a,
                    &slots_a,
                    &stage,
                    [(Kind::Train, &train.0), (Kind::OwnDev, &dev.0)],
                );
                lines.extend(lines_of(
                    &said_b,
                    &slots_b,
                    &stage,
                    [(Kind::OtherTrain, &train.1), (Kind::OtherDev, &dev.1)],
                ));
                view! { <StageCurves stage lines table/> }
            })
            .collect_view()
    };
    view! {
        <div class="stage-cards" id="compare-curves">{charts}</div>
        <div class="row between wrap under-cards">{legend}<TableSwitch table/></div>
    }
}

/// The stages of a run, and those that only the other run has.
fn stages_of(slots: &[Slot], other: &[Slot]) -> Vec<String> {
    let further = other
        .iter()
        .filter(|o| slots.iter().all(|s| s.name != o.name));
    let all = slots.iter().chain(further);
    all.map(|s| s.name.clone()).collect()
}

/// A stage with the curves of both runs.
#[component]
fn StageCurves(stage: String, lines: Vec<Line>, table: RwSignal<bool>) -> impl IntoView {
    let title = tag("stage_name", &stage);
    let waiting = lines
        .iter()
        .all(|l| l.points.is_empty())
        .then(|| t("training.curve_none"));
    let curves = Curves {
        title: title.clone(),
        lines,
        waiting,
        ..Curves::default()
    };
    view! {
        <article class="card stage-card">
            <div class="card-head"><h2>{title}</h2></div>
            <div class="card-body"><Curve curves=Signal::stored(curves) table/></div>
        </article>
    }
}

fn lines_of(said: &History, slots: &[Slot], stage: &str, kinds: [(Kind, &String); 2]) -> Vec<Line> {
    let (Some(stage), Some(slot)) = (said.stage(stage), slots.iter().find(|s| s.name == stage))
    else {
        return Vec::new();
    };
    let points: [&[CurvePoint]; 2] = [&stage.train, &stage.dev];
    let line = |((kind, name), points): ((Kind, &String), &[CurvePoint])| Line {
        kind,
        name: name.clone(),
        points: within(points, slot.from),
    };
    kinds.into_iter().zip(points).map(line).collect()
}

/// A line of the comparison: its name, and its value for one side. `None` if it has no value.
type Row<T> = (String, fn(&T) -> Option<String>);

/// What is compared of a run's result, under its name.
fn results() -> [Row<TrainResult>; 5] {
    [
        (t("compare.steps"), |r| Some(format::count(r.steps))),
        (t("training.best"), |r| {
            r.stages.last()?.dev_loss_best.map(format::loss)
        }),
        (t("compare.time"), |r| Some(format::duration(r.seconds))),
        (t("compare.peak"), |r| {
            Some(format::memory(r.peak_memory_mb))
        }),
        (t("compare.trained"), |r| {
            Some(format::amount(r.trainable_parameters))
        }),
    ]
}

/// What is compared of a run's evaluation, under its name.
fn figures() -> [Row<Evaluation>; 6] {
    [
        (t("compare.scorer"), |e| Some(tag("scorer", &e.scorer))),
        (t("compare.questions"), |e| {
            Some(format::count(e.after.n as u64))
        }),
        (t("measure.accuracy"), |e| {
            let interval = format::interval(e.after.ci95[0], e.after.ci95[1]);
            Some(format!("{} {interval}", format::share(e.after.accuracy)))
        }),
        (t("compare.accuracy_change"), |e| change(e, "accuracy")),
        (t("measure.f1"), |e| Some(format::share(e.after.f1))),
        (t("compare.f1_change"), |e| change(e, "f1")),
    ]
}

/// How far a measure has changed by the training, with its interval.
fn change(evaluation: &Evaluation, measure: &str) -> Option<String> {
    let mut all = evaluation.comparisons.iter();
    let found = all.find(|comparison| comparison.measure == measure)?;
    let change = format::change(found.difference.value);
    let interval = format::change_interval(found.difference.low, found.difference.high);
    let p = format::p_value(found.p_decides());
    Some(format!("{change} {interval}, p {p}"))
}

/// A line of the table: what both runs have of something.
fn line(name: String, a: Option<String>, b: Option<String>) -> impl IntoView {
    let text = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
    view! { <tr><td>{name}</td><td class="num">{text(a)}</td><td class="num">{text(b)}</td></tr> }
}

/// Results and figures; where they do not say anything about each other, why.
#[component]
fn Figures(a: RunDetail, b: RunDetail) -> impl IntoView {
    let verdict = match comparable(&a, &b) {
        Ok(()) => view! { <p class="card-body t-small">{t("compare.unpaired")}</p> }.into_any(),
        Err(apart) => {
            view! { <div class="card-body" id="not-comparable"><Note tone=Tone::Warn>{apart.told()}</Note></div> }
                .into_any()
        }
    };
    let results = results().map(|(name, show)| {
        let of = |detail: &RunDetail| detail.result.as_ref().and_then(show);
        line(name, of(&a), of(&b))
    });
    let figures = figures().map(|(name, show)| {
        let of = |detail: &RunDetail| show(&detail.evaluation.as_ref()?.evaluation);
        line(name, of(&a), of(&b))
    });
    view! {
        <article class="card">
            <div class="card-head"><h2>{t("compare.figures")}</h2></div>
            {verdict}
            <div class="table-wrap">
                <table class="table compare-table" id="compare-figures">
                    <thead>
                        <tr>
                            <th>{t("evaluation.measure")}</th>
                            <th class="num">{run_n(&a)} " " <RunBadge state=a.run.state/></th>
                            <th class="num">{run_n(&b)} " " <RunBadge state=b.run.state/></th>
                        </tr>
                    </thead>
                    <tbody>{results}{figures}</tbody>
                </table>
            </div>
        </article>
    }
}
