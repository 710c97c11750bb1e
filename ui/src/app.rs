//! The page: the frame, and in it the screen that is shown.

use crate::backend::{self, call, commands};
use crate::components::alert::Alert;
use crate::components::keys_help::KeysHelp;
use crate::components::palette::Palette;
use crate::components::rail::Rail;
use crate::components::ssh_asks::SshQuestions;
use crate::components::toast::Toasts;
use crate::components::top_bar::TopBar;
use crate::components::tray::Tray;
use crate::help::panel::HelpPanel;
use crate::i18n::{Lang, current, speak, t};
use crate::review::outcomes::Outcomes;
use crate::screens;
use crate::state::{App, use_app};
use crate::{keys, notify, prefs, text_size, theme};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The whole page. A change of language draws it again; what should outlive that is in [`App`].
#[component]
pub fn Page() -> impl IntoView {
    let app = App::remembered();
    provide_context(app);
    speak(Lang::from_tag(
        &prefs::read("language").unwrap_or_else(system_language),
    ));
    Effect::new(move |_| {
        let lang = current().get();
        prefs::keep("language", lang.tag());
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("lang", if lang == Lang::Zh { "zh-CN" } else { "en" });
        }
    });
    Effect::new(move |_| app.theme.get().apply());
    Effect::new(move |_| text_size::apply(app.text_size.get()));
    Effect::new(move |_| notify::remember(app.notify.get()));
    theme::watch_system(move || app.theme.get_untracked().apply());
    Effect::new(move |_| app.keep_place());
    Effect::new(move |_| app.bindings.with(|keys| keys.keep()));
    Effect::new(move |_| {
        prefs::keep(
            "single_keys",
            if app.single_keys.get() { "on" } else { "off" },
        )
    });
    backend::events::listen(move |notice| app.hear(notice));
    keys::listen(app);
    app.attempt(call(commands::StartFailure {}), move |failure| {
        app.failure.set(failure)
    });
    spawn_local(async move {
        if let Ok(ended) = call(commands::PageEnd {}).await {
            app.ended.set(ended);
        }
        if let Ok(questions) = call(commands::SshQuestions {}).await {
            app.ssh.set(questions);
        }
    });
    app.reload();
    move || {
        current().track();
        view! { <Frame/> }
    }
}

fn system_language() -> String {
    web_sys::window()
        .and_then(|window| window.navigator().language())
        .unwrap_or_default()
}

#[component]
fn Frame() -> impl IntoView {
    view! {
        <div class="app">
            <TopBar/>
            <Rail/>
            <main class="main" data-pane="main">
                <Screen/>
            </main>
            <Tray/>
        </div>
        <Alert/>
        <Toasts/>
        <Outcomes/>
        <Palette/>
        <KeysHelp/>
        <HelpPanel/>
        <SshQuestions/>
    }
}

/// Stands for every screen until the shell has told of the workspace. Nothing in it moves, since the machine is busy.
#[component]
fn Opening() -> impl IntoView {
    view! { <div class="empty waiting" id="opening" role="status"><p>{t("wait.open")}</p></div> }
}

/// The screen that is shown, or that the workspace is being opened.
#[component]
fn Screen() -> impl IntoView {
    let app = use_app();
    let open = Memo::new(move |_| app.workspace.with(Option::is_some));
    // These are memos, so that a reload of the figures does not draw the screen again.
    let route = Memo::new(move |_| app.route.get());
    let ready = Memo::new(move |_| app.ready.get());
    move || {
        if !ready.get() {
            return view! { <Opening/> }.into_any();
        }
        screens::shown(route.get(), open.get())
    }
}
