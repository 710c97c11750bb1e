//! What is folded into a node, as a list.

use super::names::{crumb, language, name};
use super::place::GraphPlace;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{GraphLink, NodeContent, Rows};

/// Rows that are asked for at a time.
const PAGE: u64 = 40;

/// The nodes of a group.
#[component]
pub fn Group(
    /// How the group hangs on its node.
    link: GraphLink,
    /// How many are folded.
    folded: u64,
    /// One of them is drawn as their example.
    example: bool,
) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let many = RwSignal::new(PAGE);
    let rows = Fetched::<Rows<NodeContent>>::default();
    Effect::new(move |_| {
        app.changes.track();
        let Some(request) = place.request() else {
            return;
        };
        let limit = many.get();
        rows.refresh(call(commands::GroupMembers {
            request,
            key: link.group,
            offset: 0,
            limit,
        }));
    });
    let list = move || match rows.value.get() {
        Some(found) => view! { <Members found many folded/> }.into_any(),
        None if rows.failure.with(Option::is_some) => ().into_any(),
        None => {
            view! { <div class="skel"></div><div class="skel"></div><div class="skel half"></div> }
                .into_any()
        }
    };
    let text = if example {
        tn("graph.folded_beside", folded)
    } else {
        tn("graph.folded", folded)
    };
    view! {
        <section class="part" id="group">
            <div class="row between wrap">
                <h2>{text}</h2>
                <button class="btn sm" id="fold-group" on:click=move |_| place.turn(link.group)>
                    {move || if place.unfold.get() == Some(link.group) { t("graph.fold_again") } else { t("graph.unfold") }}
                    <kbd>"F"</kbd>
                </button>
            </div>
            {move || rows.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {list}
        </section>
    }
}

/// The nodes that were fetched, and the button for more of them.
#[component]
fn Members(
    found: Rows<NodeContent>,
    /// How many are asked for.
    many: RwSignal<u64>,
    /// How many of the group are folded.
    folded: u64,
) -> impl IntoView {
    // The list holds those that are drawn, too.
    let whole = (found.total > folded).then(|| {
        view! { <p class="t-small t-mute">{tn("graph.whole_group", found.total)}</p> }
    });
    let more = found.total > found.rows.len() as u64;
    let total = format::count(found.total);
    let shown = format::count(found.rows.len() as u64);
    let lines = found
        .rows
        .into_iter()
        .map(|what| view! { <Row what/> })
        .collect_view();
    view! {
        {whole}
        <ul class="members">{lines}</ul>
        {more.then(|| view! {
            <div class="row between pad-row">
                <span class="t-small t-mute">{tf("graph.rows_of", &[("n", &shown), ("of", &total)])}</span>
                <button class="btn sm" on:click=move |_| many.update(|n| *n += PAGE)>{t("graph.more_rows")}</button>
            </div>
        })}
    }
}

#[component]
fn Row(what: NodeContent) -> impl IntoView {
    let place = use_app().graph;
    let title = name(&what);
    let lang = lang_tag(language(&what));
    let (text, figure) = match &what {
        NodeContent::Sentence { text, .. } => (Some(text.clone()), None),
        NodeContent::Term { mentions, .. } => (None, Some(format::count(u64::from(*mentions)))),
        NodeContent::Hub { .. } => (None, None),
    };
    let is_term = text.is_none();
    view! {
        <li>
            <button class="member" title=t("graph.centre_here") on:click=move |_| centre(place, &what)>
                <span class="row between"><span class="member-name" class:law=is_term class:cell=is_term lang=is_term.then_some(lang)>{title}</span><span class="t-small t-mute">{figure}</span></span>
                {text.map(|text| view! { <span class="law cell two-lines" lang=lang title=text.clone()>{text.clone()}</span> })}
            </button>
        </li>
    }
}

/// Puts a node in the centre.
fn centre(place: GraphPlace, what: &NodeContent) {
    if let Some(crumb) = crumb(what) {
        place.centre(crumb);
    }
}
