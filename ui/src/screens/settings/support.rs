//! A file for a request for support: versions, checks, settings, counts and logs, and nothing of a document.

use crate::backend::{Answer, call, commands};
use crate::components::icon::{Icon, Sign};
use crate::components::waiting::Waiting;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::SupportPart;

/// How far it is.
#[derive(Clone, PartialEq)]
enum Step {
    /// No bundle was requested.
    Idle,
    /// The parts are gathered; it takes a while where there are many models.
    Busy,
    /// What would go in.
    Seen(Vec<SupportPart>),
    /// Where it was written, and what is in it.
    Written(String, Vec<SupportPart>),
}

/// Asks where to put the file and writes it; `None` if nobody chose a place.
async fn written() -> Answer<Option<(String, Vec<SupportPart>)>> {
    let asked = call(commands::PickSave {
        name: "lexforge-support".to_owned(),
        extension: "zip".to_owned(),
    });
    let Some(path) = asked.await? else {
        return Ok(None);
    };
    let parts = call(commands::WriteSupport { path: path.clone() }).await?;
    Ok(Some((path, parts)))
}

/// Shows what goes in, then asks where to put it.
#[component]
pub fn Support() -> impl IntoView {
    let app = use_app();
    let step = RwSignal::new(Step::Idle);
    let look = move |_| {
        step.set(Step::Busy);
        let seen = async move {
            let parts = call(commands::SupportParts {}).await;
            if parts.is_err() {
                step.try_set(Step::Idle);
            }
            parts
        };
        app.attempt(seen, move |parts| {
            step.try_set(Step::Seen(parts));
        });
    };
    let body = move || match step.get() {
        Step::Idle => ().into_any(),
        Step::Busy => {
            view! { <p class="t-small t-mute" aria-live="polite">{t("support.busy")}</p> }
                .into_any()
        }
        Step::Seen(parts) => view! { <Seen parts step/> }.into_any(),
        Step::Written(path, parts) => view! { <Written path parts/> }.into_any(),
    };
    view! {
        <section class="card" id="support">
            <div class="card-head">
                <h2>{t("support.title")}</h2>
                <button
                    class="btn sm push"
                    id="look-support"
                    disabled=move || step.with(|step| *step == Step::Busy)
                    on:click=look
                >
                    {t("support.look")}
                </button>
            </div>
            <div class="card-body stack">
                <p class="t-small">{t("support.text")}</p>
                {body}
            </div>
        </section>
    }
}

/// What would go in, and the button that writes it.
#[component]
fn Seen(parts: Vec<SupportPart>, step: RwSignal<Step>) -> impl IntoView {
    let app = use_app();
    let write = move |_| {
        app.attempt_once(t("wait.support"), written(), move |done| {
            if let Some((path, parts)) = done {
                step.try_set(Step::Written(path, parts));
            }
        });
    };
    let writing = move || app.waits.has(&t("wait.support"));
    view! {
        <div class="stack g-1" id="support-parts" aria-live="polite">
            <p class="t-small">{t("support.seen")}</p>
            <Parts parts/>
            <div class="row">
                <button class="btn sm" id="write-support" disabled=writing on:click=write>{t("support.write")}</button>
                <Waiting words=t("wait.support")/>
            </div>
        </div>
    }
}

/// Where the file is, and what is in it.
#[component]
fn Written(path: String, parts: Vec<SupportPart>) -> impl IntoView {
    view! {
        <div class="note ok" id="support-written" aria-live="polite">
            <Sign icon=Icon::Check small=true/>
            <div class="stack g-1">
                <span>{tf("support.written", &[("path", &path)])}</span>
                <Parts parts/>
            </div>
        </div>
    }
}

#[component]
fn Parts(parts: Vec<SupportPart>) -> impl IntoView {
    let lines = parts
        .into_iter()
        .map(|part| {
            view! { <li><span class="mono">{part.name}</span>" · "{format::bytes(part.bytes)}</li> }
        })
        .collect_view();
    view! { <ul class="t-small">{lines}</ul> }
}
