//! The head of a run's page.

use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::said::said;
use crate::screens::questions::triplets::measure::{Measure, is_measurable};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{OwnPairs, RunDetail, RunRow};

/// The run's number, model, recipe and device, and the button that takes its settings over.
#[component]
pub fn Head(
    /// Its number.
    id: RunId,
    /// The run, as the list has it.
    run: Memo<Option<RunRow>>,
    /// What is known of it.
    detail: Fetched<RunDetail>,
    /// The button is shown.
    #[prop(into)]
    again: Signal<bool>,
) -> impl IntoView {
    let about = run.with_untracked(|run| {
        run.as_ref()
            .map(|run| format!("{} · {}", run.base, format::recipe(&run.recipe)))
    });
    let measuring = RwSignal::new(false);
    let measurable = Memo::new(move |_| run.with(|run| run.as_ref().is_some_and(is_measurable)));
    let device = Memo::new(move |_| {
        let device = detail.value.with(|d| d.as_ref().map(|d| d.device.clone()));
        said(&device.unwrap_or_default())
    });
    view! {
        <div class="card-head">
            <h2>{tf("training.run_n", &[("n", &id.to_string())])}</h2>
            <span class="t-small">{about}</span>
            {move || {
                let from = detail.value.with(|d| d.as_ref().and_then(|d| d.start_from));
                from.map(|from| view! { <span class="t-small" id="went-on-from">{tf("training.went_on_from", &[("n", &from.to_string())])}</span> })
            }}
            <span class="t-small t-mute push clip" title=move || device.get()>{move || device.get()}</span>
            {move || measurable.get().then(|| view! {
                <button class="btn sm" id="run-measure" title=t("measuring.run_tip") on:click=move |_| measuring.set(true)>{t("measuring.open")}</button>
            })}
            {move || again.get().then(|| view! { <Again detail/> })}
        </div>
        {move || measuring.get().then(|| view! {
            <Measure own=OwnPairs::WhereEnough of=id close=move |()| measuring.set(false)/>
        })}
    }
}

/// The button that sets the next run up like this one.
#[component]
pub fn Again(
    /// What is known of the run.
    detail: Fetched<RunDetail>,
) -> impl IntoView {
    let app = use_app();
    let take = move |_| {
        if let Some(detail) = detail.value.get_untracked() {
            app.draft.update(|draft| {
                draft.take_over(format::recipe_preset(&detail.run.recipe), &detail)
            });
        }
    };
    let known = move || detail.value.with(Option::is_some);
    view! { <button class="btn sm" id="take-settings" disabled=move || !known() on:click=take>{t("training.take_over")}</button> }
}
