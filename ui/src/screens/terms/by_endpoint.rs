//! Finding terms with an endpoint, by the classes of schemas: choosing both, agreeing to what is sent.

use crate::backend::{call, commands};
use crate::components::asking::{ChooseEndpoint, Plan};
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::AskPlan;

/// The schema that is used if none is chosen.
const GENERAL: &str = "general";

/// Which endpoint and schemas, what would be sent, and the consent to that.
#[component]
pub fn FindByEndpoint(
    /// Puts the question away; nothing was sent then.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(None::<String>);
    let schemas = RwSignal::new(vec![GENERAL.to_owned()]);
    let plan = Fetched::<AskPlan>::default();
    Effect::new(move |_| {
        let (endpoint, schemas) = (chosen.get(), schemas.get());
        plan.forget();
        if let Some(endpoint) = endpoint.filter(|_| !schemas.is_empty()) {
            plan.ask(call(commands::PlanTerms { endpoint, schemas }));
        }
    });
    let send = move |plan: AskPlan| {
        let consent = plan.agreed("window");
        let schemas = schemas.get_untracked();
        // What was chosen stays until it has begun.
        let begun = call(commands::FindTerms {
            endpoint: plan.endpoint,
            schemas,
            consent: Some(consent),
        });
        app.attempt_once(t("wait.begin"), begun, move |_| {
            close.try_run(());
        });
    };
    view! {
        <Titled title=t("terms.find_title") close id="find-terms">
            <h3>{t("schemas.title")}</h3>
            <Schemas chosen=schemas/>
            <h3>{t("endpoints.title")}</h3>
            <ChooseEndpoint chosen choose=move |name| chosen.set(Some(name)) close/>
            {move || plan.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match (chosen.get(), plan.value.get()) {
                _ if schemas.with(Vec::is_empty) => view! { <p class="t-mute">{t("terms.choose_schema")}</p> }.into_any(),
                (None, _) => view! { <p class="t-mute">{t("ask.choose")}</p> }.into_any(),
                (Some(_), None) if plan.failure.with(Option::is_some) => ().into_any(),
                (Some(_), None) => view! { <Coming words=t("wait.plan")/> }.into_any(),
                (Some(_), Some(plan)) => view! { <Plan plan send replaces=t("terms.find_replaces")/> }.into_any(),
            }}
        </Titled>
    }
}

/// The schemas to choose from.
#[component]
fn Schemas(chosen: RwSignal<Vec<String>>) -> impl IntoView {
    let app = use_app();
    // A schema has the same name in each language and is shown once.
    let names = move || {
        let mut names: Vec<(String, String)> = Vec::new();
        for schema in app.schemas.get() {
            if names.iter().all(|(name, _)| *name != schema.name) {
                names.push((schema.name, schema.label));
            }
        }
        names
    };
    let toggle = move |name: &str| {
        chosen.update(|chosen| match chosen.iter().position(|n| n == name) {
            Some(at) => drop(chosen.remove(at)),
            None => chosen.push(name.to_owned()),
        });
    };
    view! {
        <div class="row g-1 wrap">
            {move || names().into_iter().map(|(name, label)| {
                let (this, other) = (name.clone(), name.clone());
                view! {
                    <button class="chip" data-schema=name aria-pressed=move || chosen.with(|s| s.contains(&this)).to_string() on:click=move |_| toggle(&other)>{label}</button>
                }
            }).collect_view()}
        </div>
    }
}
