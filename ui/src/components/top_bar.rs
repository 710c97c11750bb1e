//! The workspace, the place, the palette, the language and the theme.

use super::icon::{Icon, Sign};
use super::person::Me;
use crate::format::list;
use crate::i18n::{Lang, lang, speak, t, tf};
use crate::state::use_app;
use leptos::prelude::*;

/// The bar over everything.
#[component]
pub fn TopBar() -> impl IntoView {
    let app = use_app();
    let name = move || {
        app.workspace.with(|ws| {
            ws.as_ref()
                .map_or_else(|| t("top.no_workspace"), |ws| ws.name.clone())
        })
    };
    let path = move || {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.path.clone()))
    };
    let hosts = move || {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.hosts.clone()).unwrap_or_default())
    };
    let other = if lang() == Lang::En {
        "中文"
    } else {
        "English"
    };
    view! {
        <header class="topbar">
            <div class="ws">
                <svg class="logo" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
                    <path d="M5 3v14h10"></path>
                    <path d="M9 13V6.5l5 3.2z" fill="currentColor"></path>
                </svg>
                <span class="name clip" id="workspace-name" title=path>{name}</span>
                <span class="local" id="place" title=move || place_tip(&hosts())>
                    <Sign icon=Icon::Lock small=true/>
                    <span class="clip">{move || place(&hosts())}</span>
                </span>
            </div>
            <button class="cmd" on:click=move |_| app.palette.set(true)>
                <Sign icon=Icon::Search/>
                <span>{t("palette.placeholder")}</span>
                <kbd>"Ctrl K"</kbd>
            </button>
            <div class="who">
                <button class="btn ghost sm" id="switch-language" lang=lang().other().tag() title=t("top.language") on:click=|_| speak(lang().other())>
                    {other}
                </button>
                <button
                    class="btn ghost icon sm"
                    id="switch-theme"
                    title=move || tf("top.theme_now", &[("theme", &app.theme.get().title())])
                    aria-label=move || tf("top.theme_now", &[("theme", &app.theme.get().title())])
                    on:click=move |_| app.theme.update(|theme| *theme = theme.next())
                >
                    {move || view! { <Sign icon=app.theme.get().icon()/> }}
                </button>
                <Me/>
            </div>
        </header>
    }
}

/// Where the work is done: this machine, and the hosts that endpoints name.
pub fn place(hosts: &[String]) -> String {
    if hosts.is_empty() {
        t("top.place")
    } else {
        tf("top.place_hosts", &[("hosts", &list(hosts))])
    }
}

/// What goes where.
pub fn place_tip(hosts: &[String]) -> String {
    if hosts.is_empty() {
        t("top.place_tip")
    } else {
        tf("top.place_hosts_tip", &[("hosts", &list(hosts))])
    }
}
