//! The memory that the planned training needs, beside the figures that decide it.

use super::next::Next;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::protocol::{MemoryAdvice, MemoryEstimate};

/// The estimate with its parts. If the memory does not suffice, also a setting with which it would.
#[component]
pub fn Memory() -> impl IntoView {
    let next = expect_context::<Next>();
    let estimate = Memo::new(move |_| {
        next.plan
            .value
            .with(|plan| plan.as_ref().and_then(|p| p.base.memory.clone()))
    });
    let planned = Memo::new(move |_| next.plan.value.with(Option::is_some));
    view! {
        <div class="row between">
            <h2>{t("memory.title")}</h2>
            <span class="t-small" id="memory-total" aria-live="polite">
                {move || if next.asking.get() {
                    t("training.reckoning").into_any()
                } else {
                    estimate.get().map(|estimate| view! { <Total estimate/> }).into_any()
                }}
            </span>
        </div>
        {move || match (estimate.get(), planned.get()) {
            // The figures of the recipe before are not read as those of this one; their place is kept.
            (Some(estimate), _) => view! {
                <div class="stack g-3" class:outdated=move || next.asking.get()><Parts estimate/></div>
            }.into_any(),
            (None, true) => view! { <p class="t-small t-mute">{t("memory.unknown")}</p> }.into_any(),
            (None, false) => view! { <div class="skel"></div> }.into_any(),
        }}
    }
}

#[component]
fn Total(estimate: MemoryEstimate) -> impl IntoView {
    match estimate.available_mb {
        Some(free) => {
            let (used, of) = format::memory_of(estimate.total_mb, free);
            view! { <b class:c-bad=!estimate.fits>{used}</b> " " {tf("memory.of", &[("free", &of)])} }.into_any()
        }
        None => view! { <b>{format::memory(estimate.total_mb)}</b> }.into_any(),
    }
}

#[component]
fn Parts(estimate: MemoryEstimate) -> impl IntoView {
    let parts = [
        ("weights", estimate.weights_mb),
        ("adapter", estimate.adapter_mb),
        ("activations", estimate.activations_mb),
    ];
    let whole = estimate
        .available_mb
        .unwrap_or_default()
        .max(estimate.total_mb)
        .max(1.0);
    let bars = parts.map(|(name, mb)| {
        let share = format!("{:.2}%", (mb / whole * 100.0).clamp(0.0, 100.0));
        view! { <i class=name style=("--part", share)></i> }
    });
    let legend = parts.map(|(name, mb)| {
        view! { <span><i class=format!("dot {name}")></i>{tag("memory_part", name)} " " {format::memory(mb)}</span> }
    });
    let said: Vec<String> = parts
        .iter()
        .map(|(name, mb)| format!("{} {}", tag("memory_part", name), format::memory(*mb)))
        .collect();
    let device = tf(
        "memory.where",
        &[
            ("device", &estimate.device.to_uppercase()),
            ("stage", &tag("run_stage", &estimate.stage)),
        ],
    );
    let lacking = (!estimate.fits).then(|| lacking(&estimate));
    view! {
        <div class="memory" role="img" aria-label=format::list(&said)>{bars}</div>
        <div class="legend">{legend}</div>
        <p class="t-small t-mute">{device}</p>
        {lacking}
    }
}

/// The advised change, with the button that makes it.
fn lacking(estimate: &MemoryEstimate) -> impl IntoView + use<> {
    let next = expect_context::<Next>();
    let (used, free) =
        format::memory_of(estimate.total_mb, estimate.available_mb.unwrap_or_default());
    let text = tf("memory.too_much", &[("used", &used), ("free", &free)]);
    let advice = estimate.advice.clone().map(|advice| {
        let set = advised(&advice);
        let then = tf("memory.then", &[("total", &format::memory(advice.total_mb))]);
        view! {
            <div class="row wrap">
                <button class="btn sm" id="take-advice" on:click=move |_| { next.draft.update(|draft| { draft.take(&advice); }); }>
                    <Sign icon=Icon::Check small=true/>
                    {set}
                </button>
                <span class="t-small">{then}</span>
            </div>
        }
    });
    view! { <Note tone=Tone::Warn>{text}</Note> {advice} }
}

/// The words of an advice.
fn advised(advice: &MemoryAdvice) -> String {
    match advice.setting.as_str() {
        "activation_checkpointing" => t("memory.set_checkpointing"),
        setting => tf(
            "memory.set",
            &[
                ("setting", &tag("figure", figure_of(setting))),
                ("value", &advice.value),
            ],
        ),
    }
}

/// The figure that a setting is typed into.
fn figure_of(setting: &str) -> &str {
    if setting == "batch_size" {
        "batch"
    } else {
        setting
    }
}
