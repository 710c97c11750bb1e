//! The recipes in plain words.

use super::next::{Next, needs_decoder, usable};
use crate::draft::stages_of;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::api::Preset;

/// One choice for each recipe, grouped by the kind of model that it trains. The purpose of the chosen recipe is shown.
#[component]
pub fn Presets() -> impl IntoView {
    let of = |encoders: bool| {
        Preset::ALL
            .into_iter()
            .filter(move |preset| preset.is_of_encoders() == encoders)
            .map(|preset| view! { <Choice preset/> })
            .collect_view()
    };
    view! {
        <div class="presets" role="radiogroup" aria-label=t("training.recipe_name")>
            <h3>{t("training.recipes_decoder")}</h3>
            {of(false)}
            <h3>{t("training.recipes_encoder")}</h3>
            {of(true)}
        </div>
    }
}

#[component]
fn Choice(preset: Preset) -> impl IntoView {
    let next = expect_context::<Next>();
    let on = Memo::new(move |_| next.preset() == Some(preset));
    // The base that the recipe would train: the chosen one if it fits, or else one of the list. If there is none, the
    // recipe cannot be chosen.
    let base = Memo::new(move |_| {
        if next.is_decoder() == Some(needs_decoder(preset)) {
            return next.draft.with(|draft| draft.base.clone());
        }
        next.bases
            .value
            .with(|rows| usable(rows.as_ref()?, preset).map(|row| row.name.clone()))
    });
    let unfit = move || base.get().is_none() && next.bases.value.with(Option::is_some);
    let choose = move |_| {
        next.draft.update(|draft| {
            draft.choose(preset);
            draft.base = base.get_untracked().or_else(|| draft.base.take());
        });
    };
    // With a single stage there is no order to show.
    let stages = stages_of(preset);
    let stages = (stages.len() > 1).then(|| {
        let names = stages.iter().map(|name| tag("stage_name", name));
        names.collect::<Vec<_>>().join(" → ")
    });
    view! {
        <label class="preset" class:on=move || on.get() class:off=unfit>
            <input
                type="radio"
                name="preset"
                id=format!("preset-{}", preset.tag())
                prop:checked=move || on.get()
                disabled=unfit
                on:change=choose
            />
            <span class="stack g-1">
                <b>{tag("preset", preset.tag())}</b>
                <small>{tag("preset_does", preset.tag())}</small>
                {move || on.get().then(|| view! {
                    <small>{tag("preset_for", preset.tag())}</small>
                    {stages.clone().map(|stages| view! { <small class="t-mute">{stages}</small> })}
                })}
                {move || unfit().then(|| {
                    let why = if needs_decoder(preset) { t("training.needs_decoder") } else { t("training.needs_encoder") };
                    view! { <small class="c-warn">{why}</small> }
                })}
            </span>
        </label>
    }
}
