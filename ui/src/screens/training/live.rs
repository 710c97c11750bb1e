//! One run: where it is, stage by stage, with its curves.

mod head;
mod slots;

pub use slots::{Slot, SlotState, slots, within};

use super::cost;
use super::follow::follow;
use super::history::{History, StageHistory};
use crate::backend::{call, commands};
use crate::components::curve::{Curve, Curves, Kind, LegendBest, LegendLine, Line, TableSwitch};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::stat::stat;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::said::Told;
use head::{Again, Head};
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{RunDetail, RunRow, RunState};
use lexforge_domain::metrics::CurvePoint;
use lexforge_domain::protocol::TrainResult;

/// The chosen run.
#[component]
pub fn Live(
    /// Its number.
    id: RunId,
    /// The run as the list has it now.
    shown: Memo<Option<RunRow>>,
) -> impl IntoView {
    let events = follow(id);
    let run = Memo::new(move |_| shown.get().filter(|run| run.id == id));
    let state =
        Memo::new(move |_| run.with(|run| run.as_ref().map_or(RunState::Queued, |run| run.state)));
    let detail = Fetched::<RunDetail>::default();
    Effect::new(move |_| {
        state.track();
        detail.ask(call(commands::RunDetail { id }));
    });
    let history = Memo::new(move |_| {
        events
            .value
            .with(|known| History::of(known.as_deref().unwrap_or_default()))
    });
    let slots = Memo::new(move |_| {
        history.with(|history| {
            detail
                .value
                .with(|detail| slots(detail.as_ref(), history, state.get()))
        })
    });
    let names = Memo::new(move |_| {
        slots.with(|slots| slots.iter().map(|s| s.name.clone()).collect::<Vec<_>>())
    });
    let alive = move || is_alive(state.get());
    let failure = Memo::new(move |_| run.get().and_then(|run| run.failure));
    let notes = Memo::new(move |_| run.get().map(|run| run.notes).unwrap_or_default());
    let again = move || failure.with(Option::is_none) && !alive();
    let warnings = Memo::new(move |_| history.with(|history| history.warnings.clone()));
    let table = RwSignal::new(false);
    view! {
        {move || failure.get().map(|failure| view! { <ErrorPanel failure><Again detail/></ErrorPanel> })}
        {move || events.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        <article class="card" id="live">
            <Head id run detail again=Signal::derive(again)/>
            <div class="card-body stack g-4">
                {move || notes.get().into_iter().map(|text| view! { <Note tone=Tone::Info><Told text/></Note> }).collect_view()}
                {move || run.get().map(|run| view! { <Figures run history slots/> })}
                <StageBar slots/>
                {move || alive().then(|| view! { <p class="t-small t-mute">{t("training.closing")}</p> })}
                <ResultAndCost detail/>
                {move || warnings.get().into_iter().map(|text| view! { <Note tone=Tone::Warn><Told text/></Note> }).collect_view()}
            </div>
        </article>
        <div class="stage-cards" id="stage-cards">
            <For each=move || names.get().into_iter().enumerate() key=|(at, name)| (*at, name.clone()) children=move |(at, name)| view! { <StageCard at name slots history table/> }/>
        </div>
        {move || (!names.with(Vec::is_empty)).then(|| view! {
            <div class="row between wrap under-cards">{legend()}<TableSwitch table/></div>
        })}
    }
}

/// Whether a worker is there.
fn is_alive(state: RunState) -> bool {
    matches!(
        state,
        RunState::Starting | RunState::Running | RunState::Paused
    )
}

/// What a run came to, and what its machine cost until now.
#[component]
fn ResultAndCost(detail: Fetched<RunDetail>) -> impl IntoView {
    let result = Memo::new(move |_| {
        let of = |detail: &RunDetail| detail.result.clone();
        detail.value.with(|detail| detail.as_ref().and_then(of))
    });
    let spent = Memo::new(move |_| {
        let of = |detail: &RunDetail| detail.spent.clone();
        detail.value.with(|detail| detail.as_ref().and_then(of))
    });
    view! {
        {move || result.get().map(|result| view! { <Outcome result/> })}
        {move || spent.get().map(|spent| view! { <p class="t-small" id="run-spent">{cost::after(&spent)}</p> })}
    }
}

/// What the lines of the curves are.
fn legend() -> impl IntoView {
    view! {
        <div class="legend">
            <LegendLine kind=Kind::Train name=t("training.loss_train")/>
            <LegendLine kind=Kind::Dev name=t("training.loss_dev")/>
            <LegendBest/>
        </div>
    }
}

/// Where the run is, in figures.
#[component]
fn Figures(run: RunRow, history: Memo<History>, slots: Memo<Vec<Slot>>) -> impl IntoView {
    let steps = |done: u64, of: u64, name: String| {
        let of = (of > 0).then(|| format!(" / {}", format::count(of)));
        view! { <div class="stat"><b>{format::count(done)} <small>{of}</small></b><span>{name}</span></div> }
    };
    move || {
        let now = history.with(|history| history.latest.clone());
        let alive = is_alive(run.state);
        let slots = slots.get();
        let stage = slots.iter().find(|s| alive && s.name == now.stage);
        let many = slots.len() > 1;
        let planned: u64 = slots.iter().map(|s| s.of).sum();
        let of = run.of.max(now.of).max(planned);
        let left = now.eta_s.filter(|_| run.state == RunState::Running);
        let made = now.step.max(run.step);
        let begins = alive && stage.is_none() && now.rate.is_none();
        view! {
            <div class="stats" id="live-stats">
                {begins.then(|| view! { <p class="t-small" role="status">{t("training.loading")}</p> })}
                {(made > 0 || !begins).then(|| steps(made, of, if many { t("training.steps_all") } else { t("training.steps_plain") }))}
                {stage.filter(|_| many).map(|s| steps(s.made, s.of, tf("training.steps", &[("stage", &tag("run_stage", &s.name))])))}
                {now.tokens_per_s.filter(|_| alive).map(|n| stat(format::count(n.round() as u64), t("training.tokens")))}
                {now.memory_mb.filter(|_| alive && !begins).map(|n| stat(format::memory(n), t("training.memory")))}
                {now.rate.filter(|_| alive).map(|n| stat(format::rate_short(n), t("training.rate_now")))}
                {left.map(|s| stat(format::left(s), tf("training.ends_about", &[("time", &format::clock_after(s))])))}
            </div>
        }
    }
}

/// One bar a stage, as wide as its steps.
#[component]
fn StageBar(slots: Memo<Vec<Slot>>) -> impl IntoView {
    move || {
        let slots = slots.get();
        (slots.len() > 1).then(|| {
            let bars = slots.iter().enumerate().map(|(at, slot)| {
                let wide = if slot.of == 0 {
                    slot.made.max(1)
                } else {
                    slot.of
                };
                let ended = matches!(slot.state, SlotState::Done | SlotState::Early);
                let part = if ended {
                    100.0
                } else {
                    slot.made as f64 / wide as f64 * 100.0
                };
                let name = format!("{}. {}", at + 1, tag("stage_name", &slot.name));
                let label = name.clone();
                view! {
                    <span style=("--wide", wide.to_string())>
                        <span
                            class="bar"
                            class:ok=ended
                            role="progressbar"
                            aria-label=label
                            aria-valuemin="0"
                            aria-valuemax=wide.to_string()
                            aria-valuenow=slot.made.to_string()
                            style=("--part", format!("{part:.1}%"))
                        >
                            <i></i>
                        </span>
                        <small class="clip">{name}</small>
                    </span>
                }
            });
            view! { <div class="stage-bar">{bars.collect_view()}</div> }
        })
    }
}

/// How many steps a stage has made, and its best checkpoint.
fn so_far(slot: &Slot) -> Option<String> {
    if matches!(
        slot.state,
        SlotState::Waiting | SlotState::NotRun | SlotState::Passed
    ) {
        return (slot.of > 0).then(|| tn("count.steps", slot.of));
    }
    let steps = if slot.of > 0 {
        let (n, of) = (format::count(slot.made), format::count(slot.of));
        tf("training.step_of", &[("n", &n), ("of", &of)])
    } else {
        tn("count.steps", slot.made)
    };
    let loss = slot.best_loss.map(format::loss);
    let best = match (slot.best.map(format::count), loss) {
        (Some(step), Some(loss)) => match slot.unbeaten().map(format::loss) {
            Some(start) => tf(
                "training.no_better",
                &[("start", &start), ("loss", &loss), ("step", &step)],
            ),
            None => tf("training.best_at", &[("loss", &loss), ("step", &step)]),
        },
        (None, Some(loss)) => tf("training.best_loss", &[("loss", &loss)]),
        _ => return Some(steps),
    };
    Some(format!("{steps} · {best}"))
}

/// The curves of one stage.
#[component]
fn StageCard(
    at: usize,
    name: String,
    slots: Memo<Vec<Slot>>,
    history: Memo<History>,
    table: RwSignal<bool>,
) -> impl IntoView {
    let slot = {
        let name = name.clone();
        Memo::new(move |_| slots.with(|slots| slots.iter().find(|s| s.name == name).cloned()))
    };
    let title = format!("{}. {}", at + 1, tag("stage_name", &name));
    let shown = title.clone();
    let said = {
        let name = name.clone();
        Memo::new(move |_| history.with(|history| history.stage(&name).cloned()))
    };
    let curves = Memo::new(move |_| {
        let slot = slot.get()?;
        let before = slots.with(|slots| {
            at.checked_sub(1)
                .and_then(|before| slots.get(before))
                .map(|s| s.name.clone())
        });
        Some(stage_curves(
            &title,
            &slot,
            said.get().as_ref(),
            before.as_deref(),
        ))
    });
    let line = move || slot.with(|slot| slot.as_ref().and_then(so_far));
    view! {
        <article class="card stage-card" data-stage=name>
            <div class="card-head">
                <h2>{shown}</h2>
                {move || slot.get().map(|slot| view! { <SlotBadge state=slot.state/> })}
            </div>
            <div class="card-body">
                <Curve curves=Signal::derive(move || curves.get().unwrap_or_default()) table=table/>
                <p class="t-small t-mute">{line}</p>
            </div>
        </article>
    }
}

fn stage_curves(
    title: &str,
    slot: &Slot,
    said: Option<&StageHistory>,
    before: Option<&str>,
) -> Curves {
    let line = |kind, name: String, points: &[CurvePoint]| Line {
        kind,
        name,
        points: within(points, slot.from),
    };
    let lines = said.map_or_else(Vec::new, |said| {
        vec![
            line(Kind::Train, t("training.train_short"), &said.train),
            line(Kind::Dev, t("training.dev_short"), &said.dev),
        ]
    });
    let empty = lines.iter().all(|line| line.points.is_empty());
    let waiting = match (slot.state, before) {
        (SlotState::Waiting, Some(before)) => Some(tf(
            "training.starts_after",
            &[("stage", &tag("stage_name", before))],
        )),
        (SlotState::NotRun, _) => Some(t("slot.not_run_tip")),
        (SlotState::Passed, _) => Some(t("slot.passed_tip")),
        _ if empty => Some(t("training.curve_none")),
        _ => None,
    };
    let now = matches!(slot.state, SlotState::Running | SlotState::Paused).then_some(slot.made);
    // A stage that ended early is drawn over the steps that it made.
    let of = if slot.state == SlotState::Early {
        slot.made
    } else {
        slot.of
    };
    Curves {
        title: title.to_owned(),
        lines,
        of,
        best: slot.best,
        now,
        waiting,
    }
}

#[component]
fn SlotBadge(state: SlotState) -> impl IntoView {
    let (class, icon, text) = match state {
        SlotState::Waiting => ("badge", Icon::Clock, t("slot.waiting")),
        SlotState::NotRun => ("badge", Icon::Minus, t("slot.not_run")),
        SlotState::Unknown => ("badge", Icon::Question, t("slot.unknown")),
        SlotState::Passed => ("badge", Icon::Minus, t("slot.passed")),
        SlotState::Running => ("badge info", Icon::Play, t("slot.running")),
        SlotState::Paused => ("badge warn", Icon::Pause, t("slot.paused")),
        SlotState::Halted => ("badge", Icon::Stop, t("slot.halted")),
        SlotState::Done => ("badge ok", Icon::Check, t("slot.done")),
        SlotState::Early => ("badge ok", Icon::Check, t("slot.early")),
    };
    let tip = (state == SlotState::Early).then(|| t("slot.early_tip"));
    view! { <span class=class title=tip><Sign icon small=true/>{text}</span> }
}

/// The time and memory of a finished run, and what it could not learn from.
#[component]
fn Outcome(result: TrainResult) -> impl IntoView {
    let text = tf(
        "training.outcome",
        &[
            ("time", &format::duration(result.seconds)),
            ("memory", &format::memory(result.peak_memory_mb)),
            ("tokens", &format::count(result.tokens)),
            ("parameters", &format::amount(result.trainable_parameters)),
        ],
    );
    let left_out = (!result.left_out.is_empty()).then(|| {
        let reasons: Vec<String> =
            result.left_out.iter().map(|(reason, n)| format!("{reason}: {}", format::count(*n))).collect();
        view! { <p class="t-small">{t("training.not_learnt")} " " <Told text=reasons.join("; ")/></p> }
    });
    view! { <p class="t-small">{text}</p> {left_out} }
}

#[cfg(test)]
mod tests;
