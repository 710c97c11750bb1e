//! Writing questions with an endpoint: choosing one, agreeing to what is sent, and how it is going.

use crate::backend;
use crate::components::asking::{ChooseEndpoint, Going, Plan};
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::{AskPlan, Consent};

/// The button that begins to write, or how far it is.
#[component]
pub fn ByEndpoint() -> impl IntoView {
    let app = use_app();
    let asking = RwSignal::new(false);
    let task = Memo::new(move |_| app.busy("questions"));
    let working = Memo::new(move |_| task.with(|task| task.as_ref().map(|task| task.id)));
    view! {
        {move || match working.get() {
            Some(id) => view! {
                <span class="progress" role="status">
                    {move || task.get().and_then(|task| task.asking).map(|progress| view! { <Going progress label=t("ask.write")/> })}
                    <button class="btn ghost sm" on:click=move |_| app.attempt(backend::tasks::cancel_task(id), |()| ())>
                        {t("action.cancel")}
                    </button>
                </span>
            }.into_any(),
            None => view! {
                <button class="btn" id="write-by-endpoint" on:click=move |_| asking.set(true)>{t("ask.write")}</button>
            }.into_any(),
        }}
        {move || asking.get().then(|| view! { <Agree close=move |()| asking.set(false)/> })}
    }
}

/// Which endpoint, what it would be sent, and the consent to that.
#[component]
fn Agree(
    /// Puts the question away; nothing was sent then.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(None::<String>);
    let plan = Fetched::<AskPlan>::default();
    let choose = move |name: String| {
        chosen.set(Some(name.clone()));
        plan.forget();
        plan.ask(async move { backend::endpoints::plan_questions(&name).await });
    };
    let send = move |plan: AskPlan| {
        let consent = Consent { scope: plan.scope.clone(), given: "window".to_owned() };
        app.attempt(async move { backend::endpoints::write_questions(&plan.endpoint, Some(&consent)).await }, |_| ());
        close.run(());
    };
    view! {
        <Dialog label=t("ask.title") close id="consent" class="padded">
            <div class="row between">
                <h2>{t("ask.title")}</h2>
                <button class="btn sm" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            <ChooseEndpoint chosen choose close/>
            {move || plan.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || match (chosen.get(), plan.value.get()) {
                (None, _) => view! { <p class="t-mute">{t("ask.choose")}</p> }.into_any(),
                (Some(_), None) if plan.failure.with(Option::is_some) => ().into_any(),
                (Some(_), None) => view! { <div class="skel"></div><div class="skel half"></div> }.into_any(),
                (Some(_), Some(plan)) => view! { <Plan plan send replaces=t("ask.replaces")/> }.into_any(),
            }}
        </Dialog>
    }
}
