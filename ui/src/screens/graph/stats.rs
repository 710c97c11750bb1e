//! The figures of a build.

use crate::format;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::graph::{EdgeKind, GraphStats};

/// Nodes, edges by kind, and how the build went.
#[component]
pub fn Stats(
    /// The figures.
    stats: GraphStats,
) -> impl IntoView {
    let edges = [
        (EdgeKind::SharedEntity, "shared_entity", stats.edges.shared_entity),
        (EdgeKind::SimilarEntity, "similar_entity", stats.edges.similar_entity),
        (EdgeKind::Reference, "reference", stats.edges.reference),
        (EdgeKind::Lexical, "lexical", stats.edges.lexical),
        (EdgeKind::SameType, "same_type", stats.edges.same_type),
    ];
    let rows = edges
        .into_iter()
        .map(|(kind, name, n)| {
            let class = match kind {
                EdgeKind::SharedEntity => "edge shared",
                EdgeKind::SimilarEntity => "edge similar",
                EdgeKind::Reference => "edge reference",
                EdgeKind::Lexical => "edge lexical",
                EdgeKind::SameType => "edge type",
            };
            view! {
                <tr>
                    <td>
                        <span class="row">
                            <svg class=class width="32" height="8" aria-hidden="true"><line x1="1" x2="31" y1="4" y2="4"></line></svg>
                            {tag("edge", name)}
                        </span>
                    </td>
                    <td class="num">{format::count(n)}</td>
                </tr>
            }
        })
        .collect_view();
    let line = |name: String, value: String| view! { <dt>{name}</dt><dd class="num">{value}</dd> };
    view! {
        <div class="scroll">
            <section class="part">
                <h2>{t("graph.edges")}</h2>
                <table class="table"><tbody>{rows}</tbody></table>
                <p class="t-small">{t("graph.counted")}</p>
            </section>
            <section class="part">
                <h2>{t("graph.build")}</h2>
                <dl class="kv">
                    {line(t("graph.sentences"), format::count(stats.sentences))}
                    {line(t("graph.entities"), format::count(stats.entities))}
                    {line(t("graph.threshold"), format::share(f64::from(stats.sentence_threshold)))}
                    {line(t("graph.anchors_sentence"), format::count(stats.anchors_sentence))}
                    {line(t("graph.anchors_token"), format::count(stats.anchors_token))}
                    {line(t("graph.isolated"), format::count(stats.isolated))}
                    {line(t("graph.seconds"), format::duration(stats.seconds))}
                    <dt>{t("graph.encoder")}</dt>
                    <dd class="num">{stats.encoder}</dd>
                </dl>
            </section>
        </div>
    }
}
