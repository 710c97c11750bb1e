//! Draws the rings, the edges and the nodes.

use super::super::layout::{Frame, Line, NUMBER};
use super::super::measure::{Style, width};
use super::super::names::{self, crumb, spoken, strength};
use super::super::place::GraphPlace;
use super::drawing::{Drawing, Label, step_of};
use crate::components::law::lang_tag;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::{GraphLink, Neighbourhood, NodeContent};
use lexforge_domain::term::ReviewStatus;
use std::sync::Arc;

/// Puts a node into the centre. A node that represents several nodes is unfolded instead.
pub fn enter(place: GraphPlace, around: &Neighbourhood, at: usize) {
    let Some(node) = around.nodes.get(at) else {
        return;
    };
    match crumb(&node.what) {
        Some(crumb) => place.centre(crumb),
        None => fold(place, around, at),
    }
}

/// Draws all of a node's group as far as there is place, or folds it again.
pub fn fold(place: GraphPlace, around: &Neighbourhood, at: usize) {
    let Some(link) = around.nodes.get(at).and_then(|node| node.link) else {
        return;
    };
    place.turn(link.group);
}

pub(super) fn draw(place: GraphPlace, drawing: Drawing) -> impl IntoView {
    let (w, h, fit) = (drawing.scene.width, drawing.scene.height, drawing.fit);
    let rings = rings(&drawing);
    let edges = edges(place, &drawing);
    let nodes = nodes(place, drawing);
    let zoom = move || place.zoom.get() * fit;
    view! {
        <svg class="graph" width=move || w * zoom() height=move || h * zoom() viewBox=format!("0 0 {w} {h}") role="presentation">
            <defs>
                <marker id="graph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" orient="auto-start-reverse" markerUnits="userSpaceOnUse">
                    <path class="arrow" d="M0 .5 8 4 0 7.5z"></path>
                </marker>
            </defs>
            {rings}
            {edges}
            {nodes}
        </svg>
    }
}

/// The rings on which there are nodes, with their names.
fn rings(drawing: &Drawing) -> impl IntoView + use<> {
    let (cx, cy) = drawing.scene.centre;
    let nodes = &drawing.around.nodes;
    let steps = (0..nodes.len())
        .map(|at| step_of(nodes, at))
        .max()
        .unwrap_or(0);
    drawing
        .scene
        .rings
        .into_iter()
        .zip(1..)
        .take(usize::from(steps))
        .map(|((rx, ry), step)| {
            let name = if step == 1 {
                t("graph.one_step")
            } else {
                t("graph.two_steps")
            };
            let (y, wide) = (cy + ry, width(&name, Style::Place) + 12.0);
            view! {
                <ellipse class="ring" cx=cx cy=cy rx=rx ry=ry></ellipse>
                <rect class="ground" x=cx - wide / 2.0 y=y - 8.0 width=wide height="16"></rect>
                <text class="ring-name" x=cx y=y + 4.0 text-anchor="middle">{name}</text>
            }
        })
        .collect_view()
}

/// The edges by which the nodes hang on each other.
fn edges(place: GraphPlace, drawing: &Drawing) -> impl IntoView + use<> {
    let lines = drawing.scene.lines.iter().zip(&drawing.around.nodes);
    lines
        .enumerate()
        .filter_map(|(at, (line, node))| Some(edge(place, at, (*line)?, node.link?)))
        .collect_view()
}

/// The edge of a node: as wide as it is strong, with its number.
fn edge(place: GraphPlace, at: usize, line: Line, link: GraphLink) -> impl IntoView {
    let kind = format!("line {}", link.kind.tag());
    let strong = |s: f32| ((s - 0.5) * 2.0).clamp(0.0, 1.0);
    let wide = 1.25 + 1.75 * f64::from(link.strength.map_or(0.4, strong));
    let arrow = link.kind.about().directed.then_some("url(#graph-arrow)");
    let (end, start) = if link.referred_to {
        (arrow, None)
    } else {
        (None, arrow)
    };
    let ((x1, y1), (x2, y2)) = (line.from, line.to);
    let is_shown = move || place.shown.get() == Some(at);
    let number = line.number.map(|(x, y)| {
        view! {
            <rect class="ground" x=x - NUMBER.0 / 2.0 y=y - NUMBER.1 / 2.0 width=NUMBER.0 height=NUMBER.1 rx="4"></rect>
            <text class="number" x=x y=y + 4.0 text-anchor="middle">{link.strength.map(strength)}</text>
        }
    });
    view! {
        <g class="edge-of" class:shown=is_shown on:click=move |_| { place.at.set(at); place.shown.set(Some(at)); }>
            <line class="glow" x1=x1 y1=y1 x2=x2 y2=y2></line>
            <line class="hit" x1=x1 y1=y1 x2=x2 y2=y2></line>
            <line class=kind x1=x1 y1=y1 x2=x2 y2=y2 stroke-width=wide marker-end=end marker-start=start></line>
            {number}
        </g>
    }
}

/// The nodes at their places.
fn nodes(place: GraphPlace, drawing: Drawing) -> impl IntoView {
    let Drawing {
        around,
        labels,
        scene,
        ..
    } = drawing;
    let placed = scene.frames.into_iter().zip(labels).enumerate();
    placed
        .map(|(at, (frame, label))| node(place, Arc::clone(&around), at, frame, label))
        .collect_view()
}

/// A node with its label.
fn node(
    place: GraphPlace,
    around: Arc<Neighbourhood>,
    at: usize,
    frame: Frame,
    label: Label,
) -> impl IntoView {
    let node = &around.nodes[at];
    let (x, y, w, h) = (frame.x, frame.y, frame.w, frame.h);
    let pill = matches!(node.what, NodeContent::Term { .. });
    let round = if pill { (h / 2.0).min(18.0) } else { 4.0 };
    let unsure = matches!(
        node.what,
        NodeContent::Term {
            status: ReviewStatus::Conflict,
            ..
        }
    );
    let class = match (at, pill) {
        (0, _) => "node centre-node",
        (_, true) => "node pill",
        _ if node.what.node().is_none() => "node box hub",
        _ => "node box",
    };
    let stacked = (node.folded > 0).then(|| {
        view! { <rect class="behind" x=x + 4.0 y=y - 4.0 width=w height=h rx=round></rect> }
    });
    let lang = lang_tag(names::language(&node.what));
    let texts = words(label, lang, (x + w / 2.0, y + h / 2.0));
    let title = match &node.what {
        NodeContent::Sentence { text, .. } => text.clone(),
        NodeContent::Term { text, .. } => text.clone(),
        NodeContent::Hub { .. } => t("graph.hub_tip"),
    };
    let (level, said) = (step_of(&around.nodes, at) + 1, spoken(node));
    view! {
        <g
            class=class
            class:unsure=unsure
            class:active=move || place.at.get() == at
            class:shown=move || place.shown.get() == Some(at)
            id=format!("node-{at}")
            role="treeitem"
            aria-level=level
            aria-label=said
            aria-selected=move || (place.at.get() == at).to_string()
            on:click=move |_| { place.at.set(at); place.shown.set((at > 0).then_some(at)); }
            on:dblclick=move |_| enter(place, &around, at)
        >
            <title>{title}</title>
            {stacked}
            <rect class="shape" x=x y=y width=w height=h rx=round></rect>
            {texts}
        </g>
    }
}

/// The lines of a label around this middle.
fn words(label: Label, lang: &'static str, middle: (f64, f64)) -> impl IntoView {
    let (style, down) = match label.style {
        Style::Centre => ("t-centre", 6.0),
        Style::Term => ("t-term", 5.0),
        Style::Place => ("t-place", 4.0),
    };
    let line_height = label.style.line();
    let first = middle.1 - line_height * (label.lines.len() as f64 - 1.0) / 2.0;
    label
        .lines
        .into_iter()
        .zip(0..)
        .map(|(words, row)| {
            let y = first + f64::from(row) * line_height + down;
            view! { <text class=style x=middle.0 y=y text-anchor="middle" lang=lang>{words}</text> }
        })
        .collect_view()
}
