//! A place where nothing is yet: what it will show, and the step that leads there.

use super::icon::{Icon, Sign};
use crate::i18n::t;
use leptos::prelude::*;

/// An empty state; its children are the buttons of the next step.
#[component]
pub fn Empty(
    /// Its sign.
    icon: Icon,
    /// What is missing.
    title: String,
    /// What to do.
    text: String,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <Sign icon/>
            <h2>{title}</h2>
            <p>{text}</p>
            {children.map(|children| view! { <div class="acts">{children()}</div> })}
        </div>
    }
}

/// A table in which a filter leaves nothing.
#[component]
pub fn NoneLeft(
    /// What it says.
    text: String,
    /// Takes the filter away.
    #[prop(into)]
    all: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="empty small">
            <b>{text}</b>
            <div class="acts"><button class="btn sm" on:click=move |_| all.run(())>{t("action.all")}</button></div>
        </div>
    }
}
