//! The neighbourhood as a list: the same nodes, for who does not see or does not want the picture.

use super::legend::Sample;
use super::names::{label, language, strength};
use super::stage::{enter, step_of};
use crate::components::law::lang_tag;
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Neighbourhood, NodeContent};
use std::sync::Arc;

/// The list.
#[component]
pub fn Outline(
    /// What to list.
    #[prop(into)]
    around: Signal<Option<Arc<Neighbourhood>>>,
) -> impl IntoView {
    let place = use_app().graph;
    let rows = move || {
        around.get().map(|around| {
            (1..around.nodes.len())
                .map(|at| {
                    let node = &around.nodes[at];
                    let second = step_of(&around.nodes, at) == 2;
                    let link = node.link;
                    let is_term = matches!(node.what, NodeContent::Term { .. });
                    let text = match &node.what {
                        NodeContent::Sentence { text, .. } => text.clone(),
                        _ => String::new(),
                    };
                    let lang = lang_tag(language(&node.what));
                    let all = Arc::clone(&around);
                    view! {
                        <tr class="pick" class:second=second aria-selected=move || (place.shown.get() == Some(at)).to_string()
                            on:click=move |_| { place.at.set(at); place.shown.set(Some(at)); }>
                            <td>
                                <span class="row nowrap">
                                    {link.map(|link| view! { <Sample kind=link.kind/><span>{tag("edge_name", link.kind.tag())}</span> })}
                                </span>
                            </td>
                            <td class="num">{link.and_then(|link| link.strength).map(strength)}</td>
                            <td>
                                <button class="link outline-name" class:law=is_term class:cell=is_term lang=is_term.then_some(lang)
                                    on:click=move |event| { event.stop_propagation(); enter(place, &all, at); }>
                                    {label(node)}
                                </button>
                                <div class="law cell two-lines t-mute" lang=lang title=text.clone()>{text.clone()}</div>
                            </td>
                        </tr>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <div class="scroll">
            <table class="table outline" id="graph-list">
                <thead><tr><th>{t("graph.edge")}</th><th class="num">{t("graph.strength")}</th><th>{t("graph.node")}</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
