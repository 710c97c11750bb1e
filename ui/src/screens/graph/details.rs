//! What is chosen in the picture: an edge with both its sides, what is folded into a node, or the centre itself.

mod centre;
mod quoted;

pub use quoted::review;

use super::group::Group;
use super::names::{crumb, strength};
use super::place::Crumb;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tn};
use crate::review::votes::ChoiceBadge;
use crate::state::{App, use_app};
use centre::Centre;
use leptos::prelude::*;
use lexforge_domain::api::{
    DecisionView, EdgeDetail, EdgeEnd, EdgeReason, GraphNode, Neighbourhood, NodeContent, NodeRef,
};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::review::Subject;
use quoted::InItsPlace;
use std::sync::Arc;

/// The pane at the right.
#[component]
pub fn Details(
    /// The neighbourhood.
    #[prop(into)]
    around: Signal<Option<Arc<Neighbourhood>>>,
    /// It could not be read, which the stage says.
    #[prop(into)]
    failed: Signal<bool>,
) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let shown = Memo::new(move |_| {
        let around = around.get()?;
        let at = place.shown.get()?;
        let node = around.nodes.get(at)?.clone();
        let parent = around.nodes.get(node.link?.from)?.clone();
        Some((node, parent))
    });
    let centre = Memo::new(move |_| {
        around.with(|around| Some(around.as_ref()?.nodes.first()?.what.clone()))
    });
    move || match (shown.get(), centre.get()) {
        (Some((node, parent)), _) => view! { <Chosen node parent/> }.into_any(),
        (None, Some(what)) => view! { <Centre what/> }.into_any(),
        (None, None) if failed.get() => ().into_any(),
        (None, None) => {
            view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div> }
                .into_any()
        }
    }
}

/// A node that hangs on another: the edge, and what is folded into it.
#[component]
fn Chosen(node: GraphNode, parent: GraphNode) -> impl IntoView {
    let Some(link) = node.link else {
        return ().into_any();
    };
    let ends = parent.what.node().zip(node.what.node());
    let title = tag("edge_pair", link.kind.tag());
    let folded = (node.folded > 0)
        .then(|| view! { <Group link folded=node.folded example=node.what.node().is_some()/> });
    match ends {
        Some((one, other)) => view! { <Edge one other title what=node.what/>{folded} }.into_any(),
        None => view! {
            <div class="pane-head"><b>{title}</b></div>
            {folded}
        }
        .into_any(),
    }
}

#[component]
fn Edge(one: NodeRef, other: NodeRef, title: String, what: NodeContent) -> impl IntoView {
    let app = use_app();
    let detail = Fetched::<EdgeDetail>::default();
    Effect::new(move |_| {
        app.changes.track();
        detail.refresh(call(commands::GraphEdge { one, other }));
    });
    let crumb = crumb(&what);
    let badge = move || {
        detail
            .value
            .with(|d| d.as_ref().and_then(|d| d.settled))
            .map(|choice| view! { <ChoiceBadge choice/> })
    };
    view! {
        <div class="pane-head" id="edge-head">
            <b>{title}</b>
            <span class="push">{badge}</span>
        </div>
        {move || detail.failure.get().map(|failure| view! { <div class="pad"><ErrorPanel failure/></div> })}
        {move || match detail.value.get() {
            Some(found) => view! { <Both found crumb=crumb.clone()/> }.into_any(),
            None if detail.failure.with(Option::is_some) => ().into_any(),
            None => view! { <div class="skel half"></div><div class="skel"></div><div class="skel"></div> }.into_any(),
        }}
    }
}

/// Why two nodes are linked, and how strongly.
fn reasons(found: &EdgeDetail) -> String {
    let said = |reason: &EdgeReason| {
        let name = tag("edge_name", reason.kind.tag());
        match reason.strength {
            Some(value) => format!("{name} {}", strength(value)),
            None => name,
        }
    };
    let all: Vec<String> = found.reasons.iter().map(said).collect();
    all.join(" · ")
}

/// The decisions of people about an edge, as far as they may be shown.
fn marked(found: &EdgeDetail) -> AnyView {
    if found.marked.is_empty() {
        let none = if found.blind {
            t("graph.blind")
        } else {
            t("graph.unmarked")
        };
        return view! { <span class="t-mute">{none}</span> }.into_any();
    }
    let line = |vote: &DecisionView| {
        let when = format::minute(&vote.decision.made);
        view! {
            <span class="row wrap marked-by" class:undone=vote.decision.undone title=when>
                <span>{vote.by.name.clone()}</span>
                <ChoiceBadge choice=vote.decision.choice/>
                {vote.decision.adjudicates.then(|| view! { <span class="t-small t-mute">{t("review.adjudicated")}</span> })}
                {vote.decision.undone.then(|| view! { <span class="t-small t-mute">{t("review.taken_back")}</span> })}
            </span>
        }
    };
    found.marked.iter().map(line).collect_view().into_any()
}

/// How many questions there are about an edge, and the way to the first of them.
fn questions(app: App, found: &EdgeDetail) -> AnyView {
    let Some(first) = found.question else {
        return view! { <span class="t-mute">{t("graph.no_questions")}</span> }.into_any();
    };
    let asked = match found.subject {
        Some(Subject::Term { .. }) => tn("graph.ask_here", found.questions),
        _ => tn("graph.ask_apart", found.questions),
    };
    view! { <button class="link" id="edge-questions" on:click=move |_| review(app, Subject::question(first))>{asked}</button> }
        .into_any()
}

/// Both sides of an edge, who decided about it, and the questions about it.
#[component]
fn Both(found: EdgeDetail, crumb: Option<Crumb>) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let strongest = found
        .reasons
        .iter()
        .find_map(|reason| Some((reason.kind, reason.strength?)));
    let class = found
        .reasons
        .first()
        .map_or(EdgeKind::SimilarEntity, |reason| reason.kind)
        .tag();
    let figure = strongest.map(|(kind, value)| {
        view! {
            <div class="stat edge-figure">
                <b>{strength(value)}</b>
                <span>{tag("edge_measure", kind.tag())}</span>
            </div>
        }
    });
    let reasons = reasons(&found);
    let marked = found.subject.is_some().then(|| marked(&found));
    let between_terms = matches!(found.subject, Some(Subject::Pair { .. }));
    let questions = questions(app, &found);
    let subject = found.subject;
    let open = subject.map(|subject| {
        view! {
            <button class="btn primary" id="open-in-review" on:click=move |_| review(app, subject)>
                <Sign icon=Icon::Terms/>
                {t("graph.open_in_review")}
            </button>
        }
    });
    let to_centre = crumb.map(|crumb| {
        view! { <button class="btn" id="centre-here" on:click=move |_| place.centre(crumb.clone())>{t("graph.centre_here")}</button> }
    });
    view! {
        <div class="scroll" id="edge-detail">
            <End end=found.one class figure=Some(figure.into_any())/>
            <End end=found.other class figure=None/>
            <section class="part">
                <dl class="kv">
                    <dt>{t("graph.linked_by")}</dt>
                    <dd>{reasons}</dd>
                    {marked.map(|marked| view! { <dt>{if between_terms { t("graph.marked_by") } else { t("graph.decided_by") }}</dt><dd>{marked}</dd> })}
                    <dt>{t("nav.questions")}</dt>
                    <dd>{questions}</dd>
                </dl>
            </section>
        </div>
        <div class="pane-foot">{open}{to_centre}</div>
    }
}

/// One side of an edge.
#[component]
fn End(end: EdgeEnd, class: &'static str, figure: Option<AnyView>) -> impl IntoView {
    let head = end.term.as_ref().map(|term| {
        let figures = format!(
            "{} · {}",
            tn("count.mentions", u64::from(term.mentions)),
            tn("count.documents", u64::from(end.documents))
        );
        view! {
            <div class="grow">
                <div class="law strong" lang=lang_tag(term.language)>{term.text.clone()}</div>
                <div class="t-small t-mute">{figures}</div>
            </div>
        }
    });
    let none = end
        .passage
        .is_none()
        .then(|| view! { <p class="t-small t-mute">{t("review.no_sentence")}</p> });
    let alone = head.is_none() && figure.is_none();
    view! {
        <section class="part edge-end">
            {(!alone).then(|| view! { <div class="row top between">{head}{figure}</div> })}
            {end.passage.map(|passage| view! { <InItsPlace passage class/> })}
            {none}
        </section>
    }
}
