//! What is linked with what, and why: the edges by kind, and one term's neighbourhood.

mod neighbourhood;
mod stats;

use crate::components::empty::Empty;
use crate::components::icon::Icon;
use crate::components::prepare::Prepare;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use neighbourhood::Neighbourhood;
use stats::Stats;

/// The newest graph.
#[component]
pub fn Graph() -> impl IntoView {
    let app = use_app();
    let graph = Memo::new(move |_| app.workspace.with(|ws| ws.as_ref().and_then(|ws| ws.graph.clone())));
    view! {
        <div class="head">
            <h1>{t("nav.graph")}</h1>
            <span class="t-mute clip">{move || graph.get().map(|g| g.encoder)}</span>
            <div class="push row">{move || graph.get().map(|_| view! { <Prepare/> })}</div>
        </div>
        {move || match graph.get() {
            Some(stats) => view! {
                <div class="panes listing">
                    <section class="pane" aria-label=t("graph.neighbourhood") data-pane="list"><Neighbourhood/></section>
                    <section class="pane quiet" aria-label=t("graph.figures") data-pane="detail"><Stats stats/></section>
                </div>
            }.into_any(),
            None => view! {
                <Empty icon=Icon::Graph title=t("graph.empty") text=t("graph.empty_text")>
                    <Prepare primary=true/>
                </Empty>
            }.into_any(),
        }}
    }
}
