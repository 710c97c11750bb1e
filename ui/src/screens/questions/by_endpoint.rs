//! Writing questions with an endpoint: choosing one, agreeing to what is sent, and how it is going.

use crate::backend;
use crate::components::bar::Bar;
use crate::components::dialog::Dialog;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::fetched::Fetched;
use crate::format::count;
use crate::i18n::{t, tag, tf, tn};
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::{AskPlan, AskProgress, Consent, EndpointRow, LOCAL};

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
                    {move || task.get().and_then(|task| task.asking).map(|progress| view! { <Going progress/> })}
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

/// How an asking is going: in one line, with the reasons of what did not pass as its tip.
#[component]
fn Going(progress: AskProgress) -> impl IntoView {
    let p = progress;
    let rejected: u64 = p.rejected.values().sum();
    let reasons: Vec<String> =
        p.rejected.iter().map(|(reason, n)| format!("{}: {}", tag("rejection", reason), count(*n))).collect();
    let mut text = tf(
        "ask.going",
        &[("accepted", &count(p.accepted)), ("rejected", &count(rejected)), ("rate", &format!("{:.1}", p.per_second))],
    );
    if let Some(seconds) = p.seconds_left.filter(|_| p.done < p.of) {
        text.push_str(&tf("ask.left", &[("time", &crate::format::duration(seconds))]));
    }
    if p.possibly_billed_twice > 0 {
        text.push_str(&tf("ask.twice", &[("n", &count(p.possibly_billed_twice))]));
    }
    view! {
        <span class="t-small" id="asking" title=reasons.join("\n")>{text}</span>
        <Bar done=p.done of=p.of label=t("ask.write")/>
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
    let rows = Fetched::<Vec<EndpointRow>>::default();
    rows.ask(backend::endpoints::endpoints());
    let chosen = RwSignal::new(None::<String>);
    let plan = Fetched::<AskPlan>::default();
    let choose = move |name: String| {
        chosen.set(Some(name.clone()));
        plan.value.set(None);
        plan.ask(async move { backend::endpoints::plan_questions(&name).await });
    };
    let send = move |plan: AskPlan| {
        let consent = Consent { scope: plan.scope.clone(), given: "window".to_owned() };
        app.attempt(async move { backend::endpoints::write_questions(&plan.endpoint, Some(&consent)).await }, |_| ());
        close.run(());
    };
    let names = move || {
        let named = rows.value.get().unwrap_or_default().into_iter().map(|row| row.endpoint.name);
        named.chain([LOCAL.to_owned()]).collect::<Vec<_>>()
    };
    view! {
        <Dialog label=t("ask.title") close id="consent">
            <div class="row between">
                <h2>{t("ask.title")}</h2>
                <button class="btn sm" on:click=move |_| close.run(())>{t("action.close")}</button>
            </div>
            <div class="row g-1">
                {move || names().into_iter().map(|name| {
                    let (this, label) = (name.clone(), if name == LOCAL { t("ask.local") } else { name.clone() });
                    let pressed = move || (chosen.get().as_deref() == Some(this.as_str())).to_string();
                    view! { <button class="chip" data-endpoint=name.clone() aria-pressed=pressed on:click=move |_| choose(name.clone())>{label}</button> }
                }).collect_view()}
                <button class="btn ghost sm" on:click=move |_| { close.run(()); app.go(Route::Settings); }>
                    <Sign icon=Icon::Plus small=true/>{t("endpoints.new")}
                </button>
            </div>
            {move || rows.failure.get().or_else(|| plan.failure.get().filter(|_| chosen.get().is_some())).map(|failure| view! { <ErrorPanel failure/> })}
            {move || match (chosen.get(), plan.value.get()) {
                (None, _) => view! { <p class="t-mute">{t("ask.choose")}</p> }.into_any(),
                (Some(_), None) => view! { <div class="skel"></div><div class="skel half"></div> }.into_any(),
                (Some(_), Some(plan)) => view! { <Plan plan send=Callback::new(send)/> }.into_any(),
            }}
        </Dialog>
    }
}

/// What would be sent, and the button that agrees to it.
#[component]
fn Plan(plan: AskPlan, send: Callback<AskPlan>) -> impl IntoView {
    let contents = tf(
        "ask.contents",
        &[("sentences", &tn("count.sentences", plan.sentences)), ("documents", &tn("count.documents", plan.documents))],
    );
    let question = if plan.local {
        tf("ask.question_local", &[("prompts", &tn("count.prompts", plan.prompts)), ("model", &plan.model)])
    } else {
        tf(
            "ask.question",
            &[("prompts", &tn("count.prompts", plan.prompts)), ("host", &plan.host), ("model", &plan.model)],
        )
    };
    let known = (plan.answered > 0).then(|| tf("ask.known", &[("n", &count(plan.answered))]));
    let label = if plan.local { t("ask.begin") } else { t("ask.agree") };
    view! {
        <p id="consent-line"><b>{question}</b>" "{contents}</p>
        {plan.unencrypted.then(|| view! { <p class="t-small c-warn">{t("ask.open")}</p> })}
        {known.map(|text| view! { <p class="t-small t-mute">{text}</p> })}
        <p class="t-small t-mute">{t("ask.replaces")}</p>
        <div class="row">
            <button class="btn primary" id="consent-agree" on:click=move |_| send.run(plan.clone())>{label}</button>
        </div>
    }
}
