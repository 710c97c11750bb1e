//! The picture: nodes on two rings around the centre. Nothing moves unless the reader moves it.

use super::layout::{Frame, Item, Line, NUMBER, Scene, Way, inner_reach, lay, walk, wrap};
use super::measure::{Style, width};
use super::names::{crumb, label, spoken, strength};
use super::place::GraphPlace;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::size::use_size;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::in_view::nearest;
use crate::keys;
use crate::state::{App, use_app};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::{GraphLink, GraphNode, Neighbourhood, NodeContent};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::term::ReviewStatus;
use std::sync::Arc;

/// How large the picture can be drawn.
const ZOOMS: [f64; 7] = [0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0];
/// Most lines of a label.
const LINES: usize = 3;

/// A label ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
struct Label {
    style: Style,
    lines: Vec<String>,
}

/// A neighbourhood with its picture.
#[derive(Clone, PartialEq)]
struct Drawing {
    around: Arc<Neighbourhood>,
    items: Vec<Item>,
    labels: Vec<Label>,
    scene: Scene,
}

impl Drawing {
    fn of(around: Arc<Neighbourhood>, room: (f64, f64)) -> Self {
        let room = (room.0.max(320.0), room.1.max(280.0));
        let mut items: Vec<Item> = Vec::with_capacity(around.nodes.len());
        let mut labels = Vec::with_capacity(around.nodes.len());
        let mut reach = 0.0;
        for (at, node) in around.nodes.iter().enumerate() {
            let step = step_of(&around.nodes, at);
            let style = match (&node.what, step) {
                (_, 0) => Style::Centre,
                (NodeContent::Term { .. }, _) => Style::Term,
                _ => Style::Place,
            };
            // What a ring has at its side; a label that needs more makes the picture wider, it is never cut.
            let most = match (step, style) {
                (0, _) => (room.0 * 0.24).clamp(120.0, 230.0),
                (1, _) => room.0 / 2.0 - reach - 40.0,
                _ => room.0 / 2.0 - reach - 44.0 - 32.0,
            };
            let mut text = label(node);
            if step == 2
                && let Some(value) = node.link.and_then(|link| link.strength)
            {
                // Between the rings there is no space for a number, so it is shown with the name.
                text = format!("{text} {}", strength(value));
            }
            let lines = wrap(&text, most.clamp(84.0, 240.0), LINES, &|words: &str| {
                width(words, style)
            });
            let widest = lines
                .iter()
                .map(|line| width(line, style))
                .fold(0.0, f64::max);
            let (side, above) = match style {
                Style::Centre => (20.0, 8.0),
                Style::Term => (14.0, 5.0),
                Style::Place => (10.0, 4.0),
            };
            let size = (
                widest.ceil() + 2.0 * side,
                style.line() * lines.len() as f64 + 2.0 * above,
            );
            if at == 0 {
                reach = inner_reach(size.0);
            }
            items.push(Item {
                parent: node.link.map(|link| link.from),
                kind: node.link.map_or(EdgeKind::SimilarEntity, |link| link.kind),
                size,
                numbered: step == 1 && node.link.is_some_and(|link| link.strength.is_some()),
            });
            labels.push(Label { style, lines });
        }
        let scene = lay(&items, room);
        Self {
            around,
            items,
            labels,
            scene,
        }
    }
}

/// How many edges a node is away from the centre.
pub fn step_of(nodes: &[GraphNode], at: usize) -> u8 {
    match nodes[at].link {
        None => 0,
        Some(link) if link.from == 0 => 1,
        Some(_) => 2,
    }
}

/// Puts a node in the centre; one that stands for several is unfolded.
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

/// The picture with what steers it.
#[component]
pub fn Stage(
    /// What to draw.
    #[prop(into)]
    around: Signal<Option<Arc<Neighbourhood>>>,
    /// It could not be read, which is said above.
    #[prop(into)]
    failed: Signal<bool>,
) -> impl IntoView {
    let app = use_app();
    let place = app.graph;
    let coming = move || around.with(Option::is_none) && !failed.get();
    let holder = NodeRef::<Div>::new();
    let tree = NodeRef::<Div>::new();
    let room = use_size(holder);
    let drawing = Memo::new(move |_| {
        let (w, h) = room.get();
        around
            .get()
            .filter(|_| w > 0.0)
            .map(|around| Drawing::of(around, (w, h)))
    });
    keep_in_view(place, drawing, tree);
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
            return;
        }
        let done = drawing.with_untracked(|d| d.as_ref().is_some_and(|d| press(app, d, &event)));
        if done {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let active = move || {
        drawing
            .with(Option::is_some)
            .then(|| format!("node-{}", place.at.get()))
    };
    view! {
        <div class="stage-holder" node_ref=holder>
            {move || coming().then(|| view! { <p class="pad t-small waiting" role="status">{t("graph.coming")}</p> })}
            <div
                class="canvas"
                id="graph-tree"
                role="tree"
                tabindex="0"
                aria-label=t("graph.tree")
                aria-activedescendant=active
                node_ref=tree
                on:keydown=keydown
            >
                {move || drawing.get().map(|drawing| draw(place, drawing))}
            </div>
        </div>
        <Foot around/>
    }
}

/// Scrolls the picture: to its centre when it was drawn anew, and to the selected node when another one is selected.
fn keep_in_view(place: GraphPlace, drawing: Memo<Option<Drawing>>, tree: NodeRef<Div>) {
    // If the picture is larger than its frame, its centre is shown in the middle of the frame.
    Effect::new(move |_| {
        let zoom = place.zoom.get();
        let Some(centre) = drawing.with(|d| d.as_ref().map(|d| d.scene.centre)) else {
            return;
        };
        if let Some(tree) = tree.get() {
            request_animation_frame(move || {
                tree.set_scroll_left(
                    (centre.0 * zoom - f64::from(tree.client_width()) / 2.0) as i32,
                );
                tree.set_scroll_top(
                    (centre.1 * zoom - f64::from(tree.client_height()) / 2.0) as i32,
                );
            });
        }
    });
    Effect::new(move |_| {
        let (at, zoom) = (place.at.get(), place.zoom.get_untracked());
        let frame =
            drawing.with_untracked(|d| d.as_ref().and_then(|d| d.scene.frames.get(at).copied()));
        if let (Some(frame), Some(tree)) = (frame, tree.get_untracked()) {
            bring_into_view(&tree, frame, zoom);
        }
    });
}

/// Scrolls the picture until a node's box is in view, with a little space around it.
fn bring_into_view(tree: &web_sys::Element, frame: Frame, zoom: f64) {
    let nearer = |from: i32, room: i32, low: f64, long: f64| {
        let (low, high) = (low * zoom - 8.0, (low + long) * zoom + 8.0);
        nearest(from.into(), room.into(), low, high) as i32
    };
    let (left, top) = (tree.scroll_left(), tree.scroll_top());
    tree.set_scroll_left(nearer(left, tree.client_width(), frame.x, frame.w));
    tree.set_scroll_top(nearer(top, tree.client_height(), frame.y, frame.h));
}

/// How many nodes are drawn, of how many; and how large the picture is.
#[component]
fn Foot(around: Signal<Option<Arc<Neighbourhood>>>) -> impl IntoView {
    let place = use_app().graph;
    let many = move || {
        around.get().map(|around| {
            let drawn = around.nodes.iter().filter(|n| n.what.node().is_some());
            let drawn = drawn.count() as u64;
            let (drawn_text, total) = (format::count(drawn), format::count(around.total));
            if drawn == around.total {
                tn("graph.all_drawn", drawn)
            } else {
                tf("graph.drawn", &[("drawn", &drawn_text), ("total", &total)])
            }
        })
    };
    view! {
        <div class="stage-foot">
            <span class="tally" role="status">{many}</span>
            <div class="zoomer">
                <button class="btn icon" id="zoom-out" aria-label=t("graph.zoom_out") title=t("graph.zoom_out")
                    disabled=move || { place.zoom.get() <= ZOOMS[0] } on:click=move |_| zoom(place, false)>
                    <Sign icon=Icon::Minus/>
                </button>
                <button class="btn icon" id="zoom-in" aria-label=t("graph.zoom_in") title=t("graph.zoom_in")
                    disabled=move || { place.zoom.get() >= ZOOMS[ZOOMS.len() - 1] } on:click=move |_| zoom(place, true)>
                    <Sign icon=Icon::Plus/>
                </button>
            </div>
        </div>
    }
}

/// Draws the picture larger or smaller.
fn zoom(place: GraphPlace, larger: bool) {
    place.zoom.update(|zoom| {
        let next = if larger {
            ZOOMS.into_iter().find(|z| *z > *zoom + 0.01)
        } else {
            ZOOMS.into_iter().rev().find(|z| *z < *zoom - 0.01)
        };
        *zoom = next.unwrap_or(*zoom);
    });
}

/// Does the action of a key; returns false if the key has none.
fn press(app: App, drawing: &Drawing, event: &leptos::ev::KeyboardEvent) -> bool {
    let place = app.graph;
    let at = place
        .at
        .get_untracked()
        .min(drawing.items.len().saturating_sub(1));
    let way = match event.key().as_str() {
        "ArrowUp" => Some(Way::Up),
        "ArrowDown" => Some(Way::Down),
        "ArrowLeft" => Some(Way::Left),
        "ArrowRight" => Some(Way::Right),
        _ => None,
    };
    if let Some(way) = way {
        place.at.set(walk(&drawing.items, &drawing.scene, at, way));
        return true;
    }
    match event.code().as_str() {
        "Enter" | "NumpadEnter" => enter(place, &drawing.around, at),
        "Backspace" => return place.back(),
        "Space" => place.shown.set((at > 0).then_some(at)),
        "Home" => place.at.set(0),
        _ => match keys::single(app, event).as_deref() {
            Some("KeyF") => fold(place, &drawing.around, at),
            Some("Equal" | "NumpadAdd") => zoom(place, true),
            Some("Minus" | "NumpadSubtract") => zoom(place, false),
            _ => return false,
        },
    }
    true
}

fn draw(place: GraphPlace, drawing: Drawing) -> impl IntoView {
    let (w, h) = (drawing.scene.width, drawing.scene.height);
    let rings = rings(&drawing);
    let edges = edges(place, &drawing);
    let nodes = nodes(place, drawing);
    let zoom = move || place.zoom.get();
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
    let lang = lang_tag(super::names::language(&node.what));
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
