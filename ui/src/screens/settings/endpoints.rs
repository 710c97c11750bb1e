//! The endpoints of language models: which there are, whether they answer, naming another, taking one away.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::field::{Field, typed};
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::said::Told;
use crate::state::use_app;
use leptos::html::Input;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::endpoint::{
    Endpoint, EndpointCheck, EndpointRow, EndpointSettings, KeySource, Proxy,
};

/// All endpoints of the workspace.
#[component]
pub fn Endpoints() -> impl IntoView {
    let app = use_app();
    let rows = Fetched::<Vec<EndpointRow>>::default();
    Effect::new(move |_| {
        app.changes.track();
        if app.workspace.with(Option::is_some) {
            rows.refresh(call(commands::Endpoints {}));
        }
    });
    let adding = RwSignal::new(false);
    let open = move || app.workspace.with(Option::is_some);
    let none = move || {
        let empty = rows
            .value
            .with(|rows| rows.as_ref().is_some_and(Vec::is_empty));
        open() && empty && !adding.get()
    };
    view! {
        <section class="card" id="endpoints">
            <div class="card-head">
                <h2>{t("endpoints.title")}</h2>
                {move || (open() && !adding.get()).then(|| view! {
                    <button class="btn sm push" id="endpoint-new" on:click=move |_| adding.set(true)>
                        <Sign icon=Icon::Plus small=true/>{t("endpoints.new")}
                    </button>
                })}
            </div>
            <div class="card-body stack g-3">
                <p class="t-small t-mute">{t("endpoints.lead")}</p>
                {move || (!open()).then(|| view! { <p class="t-small">{t("endpoints.no_workspace")}</p> })}
                {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
                {move || none().then(|| view! { <p class="t-small" id="endpoints-none">{t("endpoints.none")}</p> })}
                {move || rows.value.get().unwrap_or_default().into_iter().map(|row| view! { <Line row/> }).collect_view()}
                {move || adding.get().then(|| view! { <Form close=move |()| adding.set(false)/> })}
            </div>
        </section>
    }
}

#[component]
fn Line(row: EndpointRow) -> impl IntoView {
    let app = use_app();
    let name = StoredValue::new(row.endpoint.name.clone());
    let checked = Fetched::<EndpointCheck>::default();
    let busy = RwSignal::new(false);
    let check = move |_| {
        busy.set(true);
        checked.ask(async move {
            let found = call(commands::CheckEndpoint {
                name: name.get_value(),
            })
            .await;
            busy.try_set(false);
            found
        });
    };
    let leaving = tf("wait.endpoint_removed", &[("name", &row.endpoint.name)]);
    let leaving = StoredValue::new(leaving);
    let remove = move |_| {
        let name = name.get_value();
        let removed = call(commands::RemoveEndpoint { name });
        app.attempt_once(leaving.get_value(), removed, move |()| app.reload());
    };
    let leaves = move || leaving.with_value(|words| app.waits.has(words));
    let confirmed = row.confirmed;
    view! {
        <div class="endpoint">
            <div class="row">
                <b>{row.endpoint.name.clone()}</b>
                {row.local.then(|| view! { <span class="badge ok">{t("endpoints.here")}</span> })}
                {row.unencrypted.then(|| view! { <span class="badge warn">{t("endpoints.open")}</span> })}
                {(!confirmed).then(|| view! { <span class="badge warn">{t("endpoints.new_here")}</span> })}
                <span class="push row g-1">
                    {if confirmed {
                        view! { <button class="btn sm" disabled=move || busy.get() on:click=check>{t("endpoints.check")}</button> }.into_any()
                    } else {
                        view! { <Confirm name=row.endpoint.name.clone() definition=row.definition.clone()/> }.into_any()
                    }}
                    <button class="btn ghost sm" disabled=leaves on:click=remove>{t("endpoints.remove")}</button>
                </span>
            </div>
            <Reached row/>
            {(!confirmed).then(|| view! { <Note tone=Tone::Warn>{t("endpoints.unconfirmed")}</Note> })}
            {move || busy.get().then(|| view! { <span class="t-small" role="status">{t("endpoints.checking")}</span> })}
            <Waiting words=leaving.get_value()/>
            {move || checked.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || checked.value.get().filter(|_| !busy.get()).map(|found| view! { <Found found/> })}
        </div>
    }
}

/// Where an endpoint is, through whom it is reached, and where its key and its password are.
#[component]
fn Reached(row: EndpointRow) -> impl IntoView {
    let missing = row.confirmed && !row.key_present && row.endpoint.key != KeySource::None;
    let key = if missing {
        t("endpoints.key_missing")
    } else {
        place(&row.endpoint.key)
    };
    let proxy = way(&row);
    let password = match &row.endpoint.settings.proxy_password {
        KeySource::None => None,
        source => Some(tf("endpoints.password_from", &[("where", &place(source))])),
    };
    view! {
        <span class="mono wrap-anywhere">{row.endpoint.url.clone()}</span>
        <span class="t-small t-mute">{tf("endpoints.line", &[("model", &row.endpoint.model), ("key", &key)])}</span>
        {proxy.map(|text| view! { <span class="t-small endpoint-via">{text}</span> })}
        {password.map(|text| view! { <span class="t-small t-mute">{text}</span> })}
    }
}

/// The button that confirms exactly the settings that are shown here.
#[component]
fn Confirm(name: String, definition: String) -> impl IntoView {
    let app = use_app();
    let words = StoredValue::new(tf("wait.endpoint_confirmed", &[("name", &name)]));
    let confirm = move |_| {
        let (name, definition) = (name.clone(), definition.clone());
        let confirmed = call(commands::ConfirmEndpoint { name, definition });
        app.attempt_once(words.get_value(), confirmed, move |_| app.reload());
    };
    let confirms = move || words.with_value(|words| app.waits.has(words));
    view! { <button class="btn sm endpoint-confirm" disabled=confirms on:click=confirm>{t("endpoints.confirm")}</button> }
}

/// Where a key or a password is.
fn place(source: &KeySource) -> String {
    match source {
        KeySource::None => t("endpoints.key_none"),
        KeySource::KeyRing => t("endpoints.key_ring"),
        KeySource::Variable { name } => tf("endpoints.key_variable", &[("name", name)]),
        KeySource::File { path } => tf("endpoints.key_file", &[("path", path)]),
    }
}

/// The proxy through which it is reached, in words; none if it is reached directly.
fn way(row: &EndpointRow) -> Option<String> {
    match (&row.endpoint.settings.proxy, &row.via) {
        (_, None) => None,
        (Proxy::Environment, Some(_)) if !row.confirmed => Some(t("endpoints.via_environment")),
        (_, Some(proxy)) => Some(tf("endpoints.via", &[("proxy", proxy)])),
    }
}

/// What a check found, in plain words.
#[component]
fn Found(found: EndpointCheck) -> impl IntoView {
    if let Some(failure) = found.failure {
        return view! { <ErrorPanel failure/> }.into_any();
    }
    let form = found.form.map(|form| match form {
        lexforge_domain::endpoint::AnswerForm::Schema => tag("answer_form", "schema"),
        lexforge_domain::endpoint::AnswerForm::Object => tag("answer_form", "object"),
        lexforge_domain::endpoint::AnswerForm::Free => tag("answer_form", "free"),
    });
    let milliseconds = found.milliseconds.unwrap_or_default().to_string();
    let text = tf(
        "endpoints.answers",
        &[("ms", &milliseconds), ("form", &form.unwrap_or_default())],
    );
    view! {
        <Note tone=Tone::Ok>{text}</Note>
        {found.notes.into_iter().map(|note| view! { <Note tone=Tone::Warn><Told text=note/></Note> }).collect_view()}
    }
    .into_any()
}

/// The form for another endpoint. Adding an endpoint sends nothing to it.
#[component]
fn Form(
    /// Puts the form away.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let (name, url, model, key) = (
        NodeRef::<Input>::new(),
        NodeRef::<Input>::new(),
        NodeRef::<Input>::new(),
        NodeRef::<Input>::new(),
    );
    let failure = RwSignal::new(None::<Failure>);
    let send = move |_| {
        let endpoint = Endpoint {
            name: typed(name),
            url: typed(url),
            model: typed(model),
            key: KeySource::None,
            settings: EndpointSettings::default(),
        };
        let secret = typed(key);
        let key = (!secret.trim().is_empty()).then_some(secret);
        let added = call(commands::AddEndpoint { endpoint, key });
        app.waits
            .attempt(t("wait.endpoint"), failure, added, move |_| {
                app.reload();
                close.try_run(());
            });
    };
    let field = |id: &'static str,
                 label: String,
                 kind: &'static str,
                 example: &'static str,
                 node: NodeRef<Input>| {
        view! {
            <Field id label>
                <input class="input" id=id type=kind autocomplete="off" spellcheck="false" placeholder=example node_ref=node/>
            </Field>
        }
    };
    view! {
        <div class="endpoint" id="endpoint-form">
            <div class="two">
                {field("endpoint-name", t("endpoints.name"), "text", "", name)}
                {field("endpoint-model", t("endpoints.model"), "text", "", model)}
            </div>
            {field("endpoint-url", t("endpoints.url"), "text", "https://llm.example.internal/v1", url)}
            {field("endpoint-key", t("endpoints.key"), "password", "", key)}
            <span class="t-small t-mute">{t("endpoints.key_kept")}</span>
            {move || failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            <div class="row">
                <span class="grow"><Waiting words=t("wait.endpoint")/></span>
                <button class="btn ghost" on:click=move |_| close.run(())>{t("action.cancel")}</button>
                <button class="btn primary" id="endpoint-keep" disabled=move || app.waits.has(&t("wait.endpoint")) on:click=send>{t("endpoints.keep")}</button>
            </div>
        </div>
    }
}
