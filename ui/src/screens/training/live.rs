//! One run: where it is, and its curves.

use crate::backend;
use crate::components::bar::Bar;
use crate::components::curve::{Curve, Curves};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{RunRow, RunState};
use lexforge_domain::metrics::CurvePoint;
use lexforge_domain::protocol::{Event, JobEvent};

/// The chosen run.
#[component]
pub fn Live(
    /// Its number.
    id: RunId,
    /// The run as the list has it now.
    shown: Memo<Option<RunRow>>,
) -> impl IntoView {
    let app = use_app();
    let events = Fetched::<Vec<JobEvent>>::default();
    events.ask(backend::training::run_events(id));
    Effect::new(move |_| {
        let Some((from, event)) = app.heard.get() else { return };
        if from == id {
            events.value.update(|known| {
                if let Some(known) = known
                    && known.last().is_none_or(|last| last.seq < event.seq)
                {
                    known.push(event);
                }
            });
        }
    });
    let run = move || shown.get().filter(|run| run.id == id);
    let curves = Signal::derive(move || {
        let (of, best) = run().map_or((0, None), |run| (run.of, run.best));
        events.value.with(|known| curves(known.as_deref().unwrap_or_default(), of, best))
    });
    let now = Memo::new(move |_| events.value.with(|known| latest(known.as_deref().unwrap_or_default())));
    let remarks = Memo::new(move |_| events.value.with(|known| warnings(known.as_deref().unwrap_or_default())));
    let about = shown.with_untracked(|run| run.as_ref().map(|run| format!("{} · {}", run.base, run.recipe)));
    let failure = Memo::new(move |_| run().and_then(|run| run.failure));
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{tf("training.run_n", &[("n", &id.to_string())])}</h2>
                <span class="t-small t-mute">{about}</span>
            </div>
            <div class="card-body stack g-4">
                {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || events.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || run().map(|run| view! { <Figures run now=now.get()/> })}
                <Curve curves/>
                {move || remarks.get().into_iter().map(|text| view! { <p class="note warn">{text}</p> }).collect_view()}
            </div>
        </article>
    }
}

/// Where the run is, in figures.
#[component]
fn Figures(run: RunRow, now: Latest) -> impl IntoView {
    let stat = |value: String, name: String| view! { <div class="stat"><b>{value}</b><span>{name}</span></div> };
    let step = now.step.max(run.step);
    let stage = if run.stage.is_empty() {
        t("task.begins")
    } else {
        tf("training.steps", &[("stage", &tag("run_stage", &run.stage))])
    };
    let left = now.eta_s.filter(|_| run.state == RunState::Running);
    view! {
        <div class="stats" id="live-stats">
            <div class="stat">
                <b>{format::count(step)} <small>" / " {format::count(run.of)}</small></b>
                <span>{stage}</span>
            </div>
            {stat(now.loss.or(run.loss).map_or_else(|| "–".to_owned(), format::loss), t("training.loss_train"))}
            {stat(now.dev.map_or_else(|| "–".to_owned(), format::loss), t("training.loss_dev"))}
            {now.tokens_per_s.map(|n| stat(format::count(n.round() as u64), t("training.tokens")))}
            {now.memory_mb.map(|n| stat(format!("{} MB", format::count(n.round() as u64)), t("training.memory")))}
            {left.map(|s| stat(format::duration(s), t("training.time_left")))}
        </div>
        <Bar done=step of=run.of label=tf("training.run_n", &[("n", &run.id.to_string())])/>
    }
}

/// The figures of the latest progress.
#[derive(Clone, Copy, Default, PartialEq)]
struct Latest {
    step: u64,
    loss: Option<f64>,
    dev: Option<f64>,
    tokens_per_s: Option<f64>,
    memory_mb: Option<f64>,
    eta_s: Option<f64>,
}

fn latest(events: &[JobEvent]) -> Latest {
    let mut latest = Latest::default();
    for event in events {
        match &event.event {
            Event::Progress { step, loss, tokens_per_s, memory_mb, eta_s, .. } => {
                latest.step = *step;
                latest.loss = loss.or(latest.loss);
                latest.tokens_per_s = tokens_per_s.or(latest.tokens_per_s);
                latest.memory_mb = memory_mb.or(latest.memory_mb);
                latest.eta_s = *eta_s;
            }
            Event::Metric { name, value, .. } if name == "dev_loss" => latest.dev = Some(*value),
            _ => {}
        }
    }
    latest
}

/// The curves of all attempts; where an attempt goes on from a checkpoint, its points replace what came after it.
fn curves(events: &[JobEvent], of: u64, best: Option<u64>) -> Curves {
    let mut curves = Curves { of, best, ..Curves::default() };
    for event in events {
        match &event.event {
            Event::Started { step, .. } => {
                curves.train.retain(|p| p.step <= *step);
                curves.dev.retain(|p| p.step <= *step);
            }
            Event::Progress { step, loss: Some(loss), of, .. } => {
                curves.of = curves.of.max(*of);
                if curves.train.last().is_none_or(|p| p.step < *step) {
                    curves.train.push(CurvePoint { step: *step, loss: *loss });
                }
            }
            Event::Metric { name, value, step } if name == "dev_loss" => {
                curves.dev.retain(|p| p.step < *step);
                curves.dev.push(CurvePoint { step: *step, loss: *value });
            }
            _ => {}
        }
    }
    curves
}

fn warnings(events: &[JobEvent]) -> Vec<String> {
    let attempt = events.last().map_or(0, |e| e.attempt);
    events
        .iter()
        .filter(|e| e.attempt == attempt)
        .filter_map(|e| match &e.event {
            Event::Warning { message, .. } => Some(message.clone()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(seq: u64, step: u64, loss: f64) -> JobEvent {
        let event = Event::Progress {
            stage: "sentence".to_owned(),
            step,
            of: 10,
            loss: Some(loss),
            lr: None,
            tokens_per_s: None,
            memory_mb: None,
            eta_s: None,
        };
        JobEvent { attempt: 1, seq, time: 0.0, event }
    }

    #[test]
    fn a_resumed_attempt_replaces_what_came_after_its_checkpoint() {
        let started = Event::Started {
            pid: 1,
            device: "cpu".to_owned(),
            threads: 1,
            libtorch: String::new(),
            resumed_from: Some("checkpoints/step-0000001".to_owned()),
            step: 1,
        };
        let events = [
            progress(0, 1, 2.0),
            progress(1, 2, 1.5),
            JobEvent { attempt: 2, seq: 2, time: 0.0, event: started },
            progress(3, 2, 1.4),
        ];
        let curves = curves(&events, 10, None);
        assert_eq!(curves.train.iter().map(|p| (p.step, p.loss)).collect::<Vec<_>>(), [(1, 2.0), (2, 1.4)]);
        assert_eq!(latest(&events).step, 2);
    }
}
