//! Where the logs are, and how much goes into them.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{LogLevel, LogView};

/// The folder of the logs, and the choice of their level.
#[component]
pub fn Logs() -> impl IntoView {
    let app = use_app();
    let logs = Fetched::<LogView>::default();
    logs.ask(call(commands::Logs {}));
    let choose = move |level: LogLevel| {
        app.attempt(call(commands::SetLogLevel { level }), move |view| {
            logs.value.set(Some(view));
        });
    };
    view! {
        <section class="card" id="logs">
            <div class="card-head"><h2>{t("logs.title")}</h2></div>
            {move || logs.failure.get().map(|failure| view! { <div class="card-body"><ErrorPanel failure/></div> })}
            {move || logs.value.get().map(|view| view! { <Shown view choose=Callback::new(choose)/> })}
        </section>
    }
}

#[component]
fn Shown(view: LogView, choose: Callback<LogLevel>) -> impl IntoView {
    let now = view.level;
    let levels = LogLevel::ALL
        .map(|level| {
            view! {
                <button
                    id=format!("log-{}", level.tag())
                    aria-pressed=(level == now).to_string()
                    disabled=view.by_variable
                    on:click=move |_| choose.run(level)
                >
                    {tag("log_level", level.tag())}
                </button>
            }
        })
        .collect_view();
    let by_variable = view
        .by_variable
        .then(|| view! { <p class="t-small t-mute">{t("logs.by_variable")}</p> });
    let lost = (view.lost > 0).then(|| {
        let lost = format::amount(view.lost);
        view! { <p class="t-small">{tf("logs.lost", &[("lines", &lost)])}</p> }
    });
    let workspace = view.workspace.map(|folder| {
        view! {
            <span>{t("logs.workspace")}</span>
            <span class="mono wrap-anywhere">{folder}</span>
        }
    });
    view! {
        <div class="card-body settings-list">
            <span>{t("logs.folder")}</span>
            <span class="mono wrap-anywhere" id="log-folder">{view.folder}</span>
            {workspace}
            <span>{t("logs.level")}</span>
            <div class="stack g-1">
                <div class="seg">{levels}</div>
                {by_variable}
                {lost}
                <p class="t-small">{t("logs.text")}</p>
            </div>
        </div>
    }
}
