//! The first steps: a workspace, then documents.

mod recent;
mod roles;

use crate::components::icon::{Icon, Sign};
use crate::components::waiting::Waiting;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use recent::Recent;
use roles::Roles;

/// What one sees before a workspace is open.
#[component]
pub fn Welcome() -> impl IntoView {
    let app = use_app();
    let opening = move || app.waits.has(&t("wait.open"));
    view! {
        <div class="scroll hello">
            <div class="hello-body">
                <header class="stack">
                    <h1 class="t-hero">{t("welcome.title")}</h1>
                    <p class="t-lead">{t("welcome.lead")}</p>
                </header>
                <section class="hello-start" aria-label=t("welcome.start")>
                    <span class="hello-sign"><Sign icon=Icon::Folder/></span>
                    <div class="grow">
                        <h2>{t("welcome.start")}</h2>
                        <p class="t-small">{t("welcome.start_text")}</p>
                    </div>
                    <button class="btn lg" id="open-workspace" disabled=opening on:click=move |_| app.pick_workspace()>
                        {t("action.open_workspace")}
                    </button>
                    <button class="btn primary lg" id="new-workspace" disabled=opening on:click=move |_| app.new_workspace()>
                        <Sign icon=Icon::Plus/>
                        {t("action.new_workspace")}
                    </button>
                </section>
                <section class="hello-start quiet" aria-label=t("welcome.look")>
                    <span class="hello-sign"><Sign icon=Icon::Books/></span>
                    <div class="grow">
                        <h2>{t("welcome.look")}</h2>
                        <p class="t-small">{t("welcome.look_text")}</p>
                    </div>
                    <button class="btn lg" id="open-sample" disabled=opening on:click=move |_| app.open_sample()>
                        {t("action.open_sample")}
                    </button>
                </section>
                <Waiting words=t("wait.open")/>
                <Recent/>
                <Roles/>
            </div>
        </div>
    }
}
