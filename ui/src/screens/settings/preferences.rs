//! Language, theme, text size, keyboard, workspace.

use crate::components::check::Check;
use crate::components::top_bar::Elsewhere;
use crate::components::waiting::Waiting;
use crate::i18n::{Lang, lang, speak, t};
use crate::state::use_app;
use crate::text_size;
use crate::theme::Theme;
use leptos::prelude::*;

/// What a person may set to their liking.
#[component]
pub fn Preferences() -> impl IntoView {
    let app = use_app();
    let languages = [(Lang::En, "English"), (Lang::Zh, "中文")]
        .map(|(wish, name)| {
            view! { <button lang=wish.tag() aria-pressed=(lang() == wish).to_string() on:click=move |_| speak(wish)>{name}</button> }
        })
        .collect_view();
    let themes = Theme::ALL
        .map(|wish| {
            view! { <button id=format!("theme-{}", wish.tag()) aria-pressed=move || (app.theme.get() == wish).to_string() on:click=move |_| app.theme.set(wish)>{wish.title()}</button> }
        })
        .collect_view();
    let sizes = text_size::SIZES
        .map(|size| {
            view! { <button id=format!("text-size-{size}") aria-pressed=move || (app.text_size.get() == size).to_string() on:click=move |_| app.text_size.set(size)>{format!("{size} %")}</button> }
        })
        .collect_view();
    let path = move || {
        app.workspace.with(|ws| {
            ws.as_ref()
                .map_or_else(|| t("top.no_workspace"), |ws| ws.path.clone())
        })
    };
    let opening = move || app.waits.has(&t("wait.open"));
    view! {
        <section class="card" id="preferences">
            <div class="card-head"><h2>{t("settings.appearance")}</h2></div>
            <div class="card-body settings-list">
                <span>{t("top.language")}</span>
                <div class="seg">{languages}</div>
                <span>{t("top.theme")}</span>
                <div class="seg">{themes}</div>
                <span>{t("settings.text_size")}</span>
                <div class="seg" id="text-sizes">{sizes}</div>
                <span>{t("settings.notify")}</span>
                <Check id="notify" on=app.notify tick=move |on: bool| app.notify.set(on)>{t("settings.notify_tip")}</Check>
                <span>{t("settings.keyboard")}</span>
                <div class="stack g-1">
                    <Check on=app.single_keys tick=move |on: bool| app.single_keys.set(on)>{t("settings.single_keys")}</Check>
                    <div><button class="btn sm" on:click=move |_| app.keys.set(true)>{t("keys.title")} <kbd>"?"</kbd></button></div>
                </div>
                <span>{t("settings.workspace")}</span>
                <div class="stack g-1">
                    <span class="mono">{path}</span>
                    <div class="row">
                        <button class="btn sm" disabled=opening on:click=move |_| app.pick_workspace()>{t("action.open_workspace")}</button>
                        <button class="btn sm" disabled=opening on:click=move |_| app.new_workspace()>{t("action.new_workspace")}</button>
                        <Waiting words=t("wait.open")/>
                    </div>
                </div>
                <span>{t("settings.place")}</span>
                <div class="stack g-1">
                    <span>{move || Elsewhere::of(app).place()}</span>
                    <span class="t-small t-mute">{move || Elsewhere::of(app).tip()}</span>
                </div>
            </div>
        </section>
    }
}
