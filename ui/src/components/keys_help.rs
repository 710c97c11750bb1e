//! All keys.

use super::dialog::Dialog;
use crate::i18n::{t, tf};
use crate::review::bindings::Deed;
use crate::route::Route;
use crate::state::use_app;
use leptos::prelude::*;

/// The list of keys, over everything else.
#[component]
pub fn KeysHelp() -> impl IntoView {
    let app = use_app();
    let line = |keys: Vec<&'static str>, text: String| {
        view! {
            <span class="row g-1">{keys.into_iter().map(|key| view! { <kbd>{key}</kbd> }).collect_view()}</span>
            <span>{text}</span>
        }
    };
    let body = move || {
        view! {
            <Dialog label=t("keys.title") close=move |()| app.keys.set(false) id="keys-help">
                    <div class="row between">
                        <h2>{t("keys.title")}</h2>
                        <button class="btn sm" on:click=move |_| app.keys.set(false)>{t("action.close")} <kbd>"Esc"</kbd></button>
                    </div>
                    <div class="keys">
                        {line(vec!["Ctrl", "K"], t("keys.palette"))}
                        {line(vec!["Ctrl", "I"], t("keys.import"))}
                        {line(vec!["Ctrl", "J"], t("keys.tray"))}
                        {line(vec!["Ctrl", "F"], t("keys.find"))}
                        {line(vec!["Ctrl", ","], t("keys.settings"))}
                        {line(vec!["Ctrl", "P"], t("keys.print"))}
                        {line(vec!["Ctrl", "+", "−", "0"], t("keys.text_size"))}
                        {line(vec!["F6"], t("keys.pane"))}
                        {line(vec!["F1"], t("help.title"))}
                        {line(vec!["?"], t("keys.help"))}
                        {Route::ALL.into_iter().map(|route| line(vec!["G", route.key().1], route.title())).collect_view()}
                        {line(vec!["J", "K"], t("keys.sentence"))}
                        {line(vec!["Enter"], t("keys.pin"))}
                        {line(vec!["[", "]"], t("keys.page"))}
                        {line(vec!["+", "−"], t("keys.zoom"))}
                        {line(vec!["↑", "↓"], t("keys.row"))}
                        {line(vec!["↑", "↓", "←", "→"], t("keys.graph_walk"))}
                        {line(vec!["↵"], t("keys.graph_enter"))}
                        {line(vec!["⌫"], t("keys.graph_back"))}
                        {line(vec!["␣"], t("keys.graph_details"))}
                        {line(vec!["F"], t("keys.graph_fold"))}
                        {Deed::ALL.into_iter().map(|deed| {
                            let key = app.bindings.with(|keys| keys.letter(deed));
                            view! { <span class="row g-1"><kbd>{key}</kbd></span><span>{tf("keys.queue", &[("deed", &deed.title())])}</span> }
                        }).collect_view()}
                        {line(vec!["1", "–", "9"], t("keys.mark"))}
                        {line(vec!["Ctrl", "↵"], t("keys.settle"))}
                        {line(vec!["Esc"], t("keys.leave_box"))}
                        {line(vec!["J", "K"], t("keys.citation"))}
                        {line(vec!["↵"], t("keys.citation_page"))}
                        {line(vec!["1", "–", "4"], t("keys.verdict"))}
                        {line(vec!["↑", "↓"], t("keys.match_rule"))}
                        {line(vec!["A", "C"], t("keys.match_decide"))}
                        {line(vec!["L", "N", "O", "P", "U"], t("keys.match_more"))}
                    </div>
            </Dialog>
        }
    };
    move || app.keys.get().then(body)
}
