//! The part that all screens with an endpoint share: the choice of the endpoint, what it would be sent, and the
//! consent.

use super::error_panel::ErrorPanel;
use super::icon::{Icon, Sign};
use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use crate::place::SettingsTab;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::{AskPlan, EndpointRow, LOCAL};

/// The endpoints that can be asked, and the way to a new one.
#[component]
pub fn ChooseEndpoint(
    #[prop(into)] chosen: Signal<Option<String>>,
    /// One was chosen.
    #[prop(into)]
    choose: Callback<String>,
    /// Puts what asks away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<Vec<EndpointRow>>::default();
    rows.ask(call(commands::Endpoints {}));
    let names = move || {
        let named = rows
            .value
            .get()
            .unwrap_or_default()
            .into_iter()
            .map(|row| row.endpoint.name);
        named.chain([LOCAL.to_owned()]).collect::<Vec<_>>()
    };
    view! {
        <div class="row g-1 wrap">
            {move || names().into_iter().map(|name| {
                let (this, label) = (name.clone(), if name == LOCAL { t("ask.local") } else { name.clone() });
                let pressed = move || (chosen.get().as_deref() == Some(this.as_str())).to_string();
                view! { <button class="chip" data-endpoint=name.clone() aria-pressed=pressed on:click=move |_| choose.run(name.clone())>{label}</button> }
            }).collect_view()}
            <button class="btn ghost sm" on:click=move |_| { close.run(()); app.open_settings(SettingsTab::Models); }>
                <Sign icon=Icon::Plus small=true/>{t("endpoints.new")}
            </button>
        </div>
        {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
    }
}

/// The question whether so many prompts may be sent to whom.
pub fn question(plan: &AskPlan) -> String {
    if plan.local {
        tf(
            "ask.question_local",
            &[
                ("prompts", &tn("count.prompts", plan.prompts)),
                ("model", &plan.model),
            ],
        )
    } else {
        tf(
            "ask.question",
            &[
                ("prompts", &tn("count.prompts", plan.prompts)),
                ("host", &plan.host),
                ("model", &plan.model),
            ],
        )
    }
}

/// A line where some answers are known already.
pub fn known(plan: &AskPlan) -> Option<String> {
    (plan.answered > 0).then(|| tn("ask.known", plan.answered))
}

/// The proxy through which it would be sent.
pub fn via(plan: &AskPlan) -> Option<String> {
    let proxy = plan.via.as_ref()?;
    Some(tf("ask.via", &[("proxy", proxy)]))
}

/// What would be sent, and the button that agrees to it.
#[component]
pub fn Plan(
    /// What would be sent.
    plan: AskPlan,
    /// Somebody agreed.
    #[prop(into)]
    send: Callback<AskPlan>,
    /// What happens to the existing data.
    replaces: String,
) -> impl IntoView {
    let contents = tf(
        "ask.contents",
        &[
            ("sentences", &tn("count.sentences", plan.sentences)),
            ("documents", &tn("count.documents", plan.documents)),
        ],
    );
    let question = question(&plan);
    let (known, via) = (known(&plan), via(&plan));
    let label = if plan.local {
        t("ask.begin")
    } else {
        t("ask.agree")
    };
    view! {
        <p id="consent-line"><b>{question}</b>" "{contents}</p>
        {via.map(|text| view! { <p class="t-small c-warn" id="consent-via">{text}</p> })}
        {plan.unencrypted.then(|| view! { <p class="t-small c-warn">{t("ask.open")}</p> })}
        {known.map(|text| view! { <p class="t-small t-mute">{text}</p> })}
        <p class="t-small t-mute">{replaces}</p>
        <div class="row">
            <button class="btn primary" id="consent-agree" on:click=move |_| send.run(plan.clone())>{label}</button>
        </div>
    }
}
