//! The next run: recipe, figures, snapshot.

use crate::backend;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::prepare::Prepare;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::TrainRequest;
use lexforge_domain::dataset::Dataset;
use std::str::FromStr;

/// The form that starts a run.
#[component]
pub fn Form() -> impl IntoView {
    let app = use_app();
    let recipe = Fetched::<TrainRequest>::default();
    recipe.ask(backend::training::default_recipe());
    let epochs = RwSignal::new(String::new());
    let batch = RwSignal::new(String::new());
    let rate = RwSignal::new(String::new());
    let steps = RwSignal::new(String::new());
    let dataset = Memo::new(move |_| app.workspace.with(|ws| ws.as_ref().and_then(|ws| ws.dataset.clone())));
    let default = move |show: fn(&TrainRequest) -> Option<String>| {
        recipe.value.with(|r| r.as_ref().and_then(show).unwrap_or_default())
    };
    let request = move || -> Option<TrainRequest> {
        Some(TrainRequest {
            epochs: value(&epochs.get(), |n: &usize| *n > 0)?,
            batch_size: value(&batch.get(), |n: &usize| *n > 1)?,
            learning_rate: value(&rate.get(), |r: &f64| *r > 0.0 && *r < 1.0)?,
            max_steps: value(&steps.get(), |n: &usize| *n > 0)?,
            ..TrainRequest::default()
        })
    };
    let waiting = RwSignal::new(false);
    let start = move |_| {
        let Some(request) = request() else { return };
        waiting.set(true);
        app.attempt(
            async move {
                let started = backend::training::start_training(&request).await;
                waiting.try_set(false);
                started
            },
            move |run| {
                app.run.set(Some(run.id));
                app.reload();
            },
        );
    };
    view! {
        <div class="scroll">
            <section class="part">
                <h2>{t("training.next_run")}</h2>
                <p class="strong">{t("training.recipe")}</p>
                <p class="t-small">{t("training.recipe_text")}</p>
                <dl class="kv t-small">
                    <dt>{t("training.base")}</dt>
                    <dd>{move || default(|r| r.base.clone())}</dd>
                </dl>
            </section>
            <section class="part">
                <div class="two">
                    <Field id="epochs" name=t("training.epochs") value=epochs default=Signal::derive(move || default(|r| r.epochs.map(|n| n.to_string()))) ok=|text| value(text, |n: &usize| *n > 0).is_some()/>
                    <Field id="batch" name=t("training.batch") value=batch default=Signal::derive(move || default(|r| r.batch_size.map(|n| n.to_string()))) ok=|text| value(text, |n: &usize| *n > 1).is_some()/>
                    <Field id="rate" name=t("training.rate") value=rate default=Signal::derive(move || default(|r| r.learning_rate.map(format::rate))) ok=|text| value(text, |r: &f64| *r > 0.0 && *r < 1.0).is_some()/>
                    <Field id="steps" name=t("training.max_steps") value=steps default=Signal::derive(move || default(|r| r.max_steps.map(|n| n.to_string()))) ok=|text| value(text, |n: &usize| *n > 0).is_some()/>
                </div>
                <p class="t-small t-mute">{t("training.defaults")}</p>
            </section>
            <section class="part">
                <h2>{t("training.dataset")}</h2>
                {move || match dataset.get() {
                    Some(dataset) => view! { <Snapshot dataset/> }.into_any(),
                    None => view! { <p>{t("training.no_dataset")}</p> }.into_any(),
                }}
            </section>
            <section class="part">
                {move || if dataset.get().is_some() {
                    view! {
                        <button class="btn primary lg" id="start-training" disabled=move || waiting.get() || request().is_none() on:click=start>
                            <Sign icon=Icon::Play/>
                            {t("training.start")}
                        </button>
                    }.into_any()
                } else {
                    view! { <Prepare primary=true/> }.into_any()
                }}
                <Note tone=Tone::Info>{t("training.closing")}</Note>
            </section>
        </div>
    }
}

/// A number, or nothing for the recipe's own; none if it is neither.
fn value<T: FromStr>(text: &str, fits: impl Fn(&T) -> bool) -> Option<Option<T>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(None);
    }
    text.parse().ok().filter(fits).map(Some)
}

#[component]
fn Field(
    id: &'static str,
    name: String,
    value: RwSignal<String>,
    default: Signal<String>,
    ok: fn(&str) -> bool,
) -> impl IntoView {
    let wrong = move || !value.with(|text| ok(text));
    view! {
        <div class="field">
            <label for=id>{name}</label>
            <input
                class="input"
                id=id
                inputmode="decimal"
                placeholder=default
                aria-invalid=move || wrong().to_string()
                prop:value=value
                on:input:target=move |event| value.set(event.target().value())
            />
            {move || wrong().then(|| view! { <span class="err" role="alert">{t("training.not_a_number")}</span> })}
        </div>
    }
}

#[component]
fn Snapshot(dataset: Dataset) -> impl IntoView {
    let part = |c: lexforge_domain::dataset::SplitCounts| format::count(u64::from(c.sentence + c.token));
    let counts = tf(
        "training.parts",
        &[("train", &part(dataset.train)), ("dev", &part(dataset.dev)), ("test", &part(dataset.test))],
    );
    let clean = dataset.leak_check.leaks.is_empty();
    view! {
        <div class="row wrap">
            <span class="mono" title=dataset.hash.clone()>{tf("training.snapshot", &[("n", &dataset.id.to_string())])} " · " {format::short_hash(&dataset.hash)}</span>
            {if clean {
                view! { <span class="badge ok push"><Sign icon=Icon::Check small=true/>{t("training.no_leaks")}</span> }.into_any()
            } else {
                view! { <span class="badge bad push"><Sign icon=Icon::Warning small=true/>{t("training.leaks")}</span> }.into_any()
            }}
        </div>
        <p class="t-small">{counts}</p>
        <p class="t-small">{t("training.policy")}</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_field_means_the_recipes_own_value() {
        assert_eq!(value(" ", |n: &usize| *n > 0), Some(None));
        assert_eq!(value("8", |n: &usize| *n > 0), Some(Some(8)));
        assert_eq!(value("0", |n: &usize| *n > 0), None);
        assert_eq!(value::<f64>("5e-4", |_| true), Some(Some(5e-4)));
        assert_eq!(value::<f64>("fast", |_| true), None);
    }
}
