//! The workspace, the place, the palette, the language and the theme.

use super::icon::{Icon, Sign};
use super::person::Me;
use crate::format::list;
use crate::i18n::{Lang, lang, speak, t, tf};
use crate::state::{App, use_app};
use leptos::prelude::*;

/// The bar at the top of the window. The person's name is before the buttons, so that no button moves if the name comes
/// late or is changed.
#[component]
pub fn TopBar() -> impl IntoView {
    let app = use_app();
    let other = if lang() == Lang::En {
        "中文"
    } else {
        "English"
    };
    view! {
        <header class="topbar">
            <Workspace/>
            <button class="cmd" on:click=move |_| app.palette.set(true)>
                <Sign icon=Icon::Search/>
                <span>{t("palette.placeholder")}</span>
                <kbd>"Ctrl K"</kbd>
            </button>
            <div class="who">
                <div class="me"><Me/></div>
                <button class="btn ghost sm" id="switch-language" lang=lang().other().tag() title=t("top.language") on:click=|_| speak(lang().other())>
                    {other}
                </button>
                <button
                    class="btn ghost icon sm"
                    id="open-help"
                    title=format!("{}  ·  F1", t("help.title"))
                    aria-label=t("help.title")
                    on:click=move |_| app.help.set(true)
                >
                    <Sign icon=Icon::Info/>
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
            </div>
        </header>
    }
}

/// Which workspace is open, and where its texts go.
#[component]
fn Workspace() -> impl IntoView {
    let app = use_app();
    // Before the shell has answered, nobody knows whether a workspace is open.
    let opening = move || !app.ready.get();
    let none = move || match opening() {
        true => t("wait.open"),
        false => t("top.no_workspace"),
    };
    let name = move || {
        app.workspace
            .with(|ws| ws.as_ref().map_or_else(none, |ws| ws.name.clone()))
    };
    let path = move || {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.path.clone()))
    };
    view! {
        <div class="ws">
            <svg class="logo" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
                <path d="M5 3v14h10"></path>
                <path d="M9 13V6.5l5 3.2z" fill="currentColor"></path>
            </svg>
            <span class="name clip" class:waiting=opening id="workspace-name" title=path>{name}</span>
            <span class="local" class:unknown=opening id="place" title=move || Elsewhere::of(app).tip()>
                <Sign icon=Icon::Lock small=true/>
                <span class="clip">{move || Elsewhere::of(app).place()}</span>
            </span>
        </div>
    }
}

/// Where something may go: the hosts that endpoints name, and the machines that a training can be sent to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elsewhere {
    hosts: Vec<String>,
    machines: Vec<String>,
}

impl Elsewhere {
    /// The endpoints and machines of the open workspace.
    pub fn of(app: App) -> Self {
        app.workspace.with(|ws| {
            ws.as_ref()
                .map(|ws| Self {
                    hosts: ws.hosts.clone(),
                    machines: ws.machines.clone(),
                })
                .unwrap_or_default()
        })
    }

    /// Where the work is done: this machine, and all of these.
    pub fn place(&self) -> String {
        let mut all = [self.hosts.as_slice(), &self.machines].concat();
        all.sort();
        all.dedup();
        if all.is_empty() {
            t("top.place")
        } else {
            tf("top.place_hosts", &[("hosts", &list(&all))])
        }
    }

    /// What goes where.
    pub fn tip(&self) -> String {
        let hosts = match (self.hosts.as_slice(), self.machines.as_slice()) {
            ([], []) => return t("top.place_tip"),
            ([], _) => t("top.place_no_endpoint"),
            (hosts, _) => tf("top.place_hosts_tip", &[("hosts", &list(hosts))]),
        };
        match self.machines.as_slice() {
            [] => hosts,
            machines => {
                let machines = tf("top.machines_tip", &[("machines", &list(machines))]);
                format!("{hosts} {machines}")
            }
        }
    }
}
