//! The figures of the build.

use super::census::Census;
use super::legend::Sample;
use crate::format;
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::graph::{EdgeKind, GraphStats};

/// Nodes, edges by kind, and how the build went.
#[component]
pub fn Figures() -> impl IntoView {
    let app = use_app();
    let stats = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().and_then(|ws| ws.graph.clone()))
    });
    view! {
        <div class="scroll">
            <div class="page-body figures-page">
                {move || stats.get().map(|stats| view! { <Build stats/> })}
                <Census/>
            </div>
        </div>
    }
}

#[component]
fn Build(stats: GraphStats) -> impl IntoView {
    let rows = EdgeKind::ORDER
        .map(|kind| {
            view! {
                <tr>
                    <td><span class="row"><Sample kind/>{tag("edge_name", kind.tag())}</span></td>
                    <td>{tag("edge_means", kind.tag())}</td>
                    <td class="num">{format::count(stats.edges.of(kind))}</td>
                </tr>
            }
        })
        .collect_view();
    let line = |name: String, value: String| view! { <dt>{name}</dt><dd class="num">{value}</dd> };
    view! {
        <section class="card">
            <div class="card-head"><h2>{t("graph.edges")}</h2></div>
            <div class="card-body stack">
                <table class="table" id="graph-edges"><tbody>{rows}</tbody></table>
                <p class="t-small">{t("graph.counted")}</p>
            </div>
        </section>
        <section class="card">
            <div class="card-head"><h2>{t("graph.build")}</h2></div>
            <div class="card-body">
                <dl class="kv" id="graph-build">
                    {line(t("graph.sentences"), format::count(stats.sentences))}
                    {line(t("graph.entities"), format::count(stats.entities))}
                    {line(t("graph.threshold"), format::share(f64::from(stats.sentence_threshold)))}
                    {line(t("graph.anchors_sentence"), format::count(stats.anchors_sentence))}
                    {line(t("graph.anchors_token"), format::count(stats.anchors_token))}
                    {line(t("graph.isolated"), format::count(stats.isolated))}
                    {line(t("graph.seconds"), format::duration(stats.seconds))}
                    <dt>{t("graph.encoder")}</dt>
                    <dd class="num">{stats.encoder}</dd>
                    {stats.lexical_tokenizer.map(|model| line(t("graph.lexical_tokenizer"), model))}
                </dl>
            </div>
        </section>
    }
}
