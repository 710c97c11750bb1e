//! What each of the three roles does first.

use crate::components::icon::{Icon, Sign};
use crate::i18n::t;
use crate::place::SettingsTab;
use crate::state::use_app;
use leptos::prelude::*;

/// The three roles' first steps.
#[component]
pub fn Roles() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="roles">
            <Role
                icon=Icon::Books
                name=t("welcome.officer")
                does=t("welcome.officer_does")
                steps=vec![t("welcome.officer_1"), t("welcome.officer_2"), t("welcome.officer_3")]
            >
                <p class="t-small t-mute">{t("welcome.needs_workspace")}</p>
            </Role>
            <Role
                icon=Icon::Terms
                name=t("welcome.expert")
                does=t("welcome.expert_does")
                steps=vec![t("welcome.expert_1"), t("welcome.expert_2"), t("welcome.expert_3")]
            >
                <p class="t-small t-mute">{t("welcome.needs_document")}</p>
            </Role>
            <Role
                icon=Icon::Chip
                name=t("welcome.operator")
                does=t("welcome.operator_does")
                steps=vec![t("welcome.operator_1"), t("welcome.operator_2"), t("welcome.operator_3")]
            >
                <button class="btn" on:click=move |_| app.open_settings(SettingsTab::Machines)>{t("action.check_machine")}</button>
            </Role>
        </div>
    }
}

#[component]
fn Role(
    icon: Icon,
    name: String,
    does: String,
    steps: Vec<String>,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="role">
            <div class="row g-3">
                <span class="role-sign"><Sign icon/></span>
                <div>
                    <h2 class="t-role">{name}</h2>
                    <span class="t-small t-mute">{does}</span>
                </div>
            </div>
            <ol>{steps.into_iter().map(|step| view! { <li>{step}</li> }).collect_view()}</ol>
            {children()}
        </section>
    }
}
