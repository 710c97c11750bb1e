//! Which systems are measured, each with its tick, and which cannot be.

use super::material::takes;
use super::measurable::{BENCH, Measurable};
use super::measured_on::MeasuredOn;
use super::names::named;
use crate::components::error_panel::remedy_of;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{lang, t, tf};
use crate::said::Told;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchChoice, BenchMissing};

/// The systems; open as long as nothing was measured.
#[component]
pub fn Systems(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let unmeasured = measurable
        .last
        .value
        .with_untracked(|last| last.as_ref().is_none_or(Option::is_none));
    let all = Memo::new(move |_| {
        let mut choices = measurable.choices.value.get().unwrap_or_default();
        let systems = std::mem::take(&mut choices.systems);
        let taken = |choice: &BenchChoice| measurable.on.with(|on| takes(&choices, on, choice));
        let systems: Vec<BenchChoice> = systems.into_iter().filter(taken).collect();
        (systems, choices.missing)
    });
    let head = move || {
        let of = all.with(|(systems, _)| systems.len() as u64);
        let n = measurable.ticked.with(|ticked| ticked.len() as u64);
        tf(
            "systems.ticked",
            &[("n", &format::count(n)), ("of", &format::count(of))],
        )
    };
    let checkpoints = Memo::new(move |_| {
        all.with(|(systems, _)| {
            let of = |choice: &&BenchChoice| is_checkpoint(&choice.system);
            systems.iter().filter(of).count() as u64
        })
    });
    let folded = move || {
        let n = format::count(checkpoints.get());
        view! {
            <details class="history" id="bench-checkpoints">
                <summary>{t("bench_on.checkpoints")}" "<span class="t-small t-mute">{n}</span></summary>
                <Ticks measurable all checkpoints=true label=t("bench_on.checkpoints")/>
            </details>
        }
    };
    let none = move || measurable.ticked.with(Vec::is_empty);
    view! {
        <article class="card">
            <details class="bench-systems card-body" id="bench-systems" open=unmeasured>
                <summary><h2>{t("systems.systems")}</h2><span class="t-small">{head}</span></summary>
                <div class="stack">
                    <MeasuredOn measurable/>
                    {move || none().then(|| view! { <div id="bench-none"><Note tone=Tone::Info>{t("systems.none")}</Note></div> })}
                    <Ticks measurable all checkpoints=false label=t("systems.systems")/>
                    {move || (checkpoints.get() > 0).then(folded)}
                    {move || view! { <Missing missing=all.get().1/> }}
                </div>
            </details>
        </article>
    }
}

/// A tick for each of the systems, either the checkpoints or all others.
#[component]
fn Ticks(
    measurable: Measurable,
    /// The systems that can be measured on what is chosen, and those that are missing.
    all: Memo<(Vec<BenchChoice>, Vec<BenchMissing>)>,
    /// Whether the checkpoints are meant.
    checkpoints: bool,
    label: String,
) -> impl IntoView {
    let ticks = move || {
        let of = all.with(|(systems, _)| {
            let of = |choice: &&BenchChoice| is_checkpoint(&choice.system) == checkpoints;
            systems.iter().filter(of).cloned().collect::<Vec<_>>()
        });
        of.into_iter()
            .map(|choice| view! { <Tick measurable choice/> })
            .collect_view()
    };
    view! { <div class="bench-ticks" role="group" aria-label=label>{ticks}</div> }
}

#[component]
fn Tick(measurable: Measurable, choice: BenchChoice) -> impl IntoView {
    let app = use_app();
    let system = StoredValue::new(choice.system.clone());
    let ticked = Memo::new(move |_| {
        system.with_value(|system| measurable.ticked.with(|ticked| ticked.contains(system)))
    });
    let busy = Memo::new(move |_| app.busy(BENCH).is_some());
    let words = named(&choice.system);
    view! {
        <label class="check">
            <input
                type="checkbox"
                data-system=choice.system
                disabled=move || busy.get()
                prop:checked=move || ticked.get()
                on:change:target=move |event| system.with_value(|system| measurable.tick(app, system, event.target().checked()))
            />
            <span class="grow"><b>{words.name}</b><small class="t-mute">{words.is}</small></span>
        </label>
    }
}

/// Whether a system is a run as it was at a checkpoint.
fn is_checkpoint(system: &str) -> bool {
    system.starts_with("checkpoint ")
}

/// The name of the missing system. For a judge, also which judge.
fn told(system: &str) -> String {
    let words = named(system);
    match system.starts_with("judge ") {
        true => format!("{} ({})", words.name, words.is),
        false => words.name,
    }
}

/// Systems that could not be measured, each with its reason and what to do.
#[component]
pub fn Missing(
    /// The systems.
    missing: Vec<BenchMissing>,
) -> impl IntoView {
    if missing.is_empty() {
        return ().into_any();
    }
    let rows = missing
        .into_iter()
        .map(|one| {
            let hint = remedy_of(&one.failure, lang());
            view! {
                <li>
                    <b>{told(&one.system)}</b>" "
                    <Told text=one.failure.message/>" "
                    {hint.map(|hint| view! { <span class="t-mute">{hint}</span> })}
                </li>
            }
        })
        .collect_view();
    view! {
        <div class="bench-missing t-small">
            <h3>{t("systems.missing")}</h3>
            <ul class="stack limits">{rows}</ul>
        </div>
    }
    .into_any()
}
