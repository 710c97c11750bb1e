//! The picture: nodes on two rings around the centre. Nothing moves unless the reader moves it.

mod drawing;
mod picture;

pub use drawing::step_of;
pub use picture::{enter, fold};

use super::layout::{Frame, Way, walk};
use super::place::GraphPlace;
use crate::components::icon::{Icon, Sign};
use crate::components::size::use_size;
use crate::i18n::{t, tf, tn};
use crate::in_view::nearest;
use crate::state::{App, use_app};
use crate::{format, keys};
use drawing::Drawing;
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::Neighbourhood;
use picture::draw;
use std::sync::Arc;

/// How large the picture can be drawn.
const ZOOMS: [f64; 7] = [0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0];

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

/// Scrolls the picture: to its centre when it was drawn again, and to the selected node when another one is selected.
fn keep_in_view(place: GraphPlace, drawing: Memo<Option<Drawing>>, tree: NodeRef<Div>) {
    // If the picture is larger than its frame, its centre is shown in the middle of the frame.
    Effect::new(move |_| {
        let Some((centre, fit)) = drawing.with(|d| d.as_ref().map(|d| (d.scene.centre, d.fit)))
        else {
            return;
        };
        let zoom = place.zoom.get() * fit;
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
        let found = drawing.with_untracked(|d| {
            let drawing = d.as_ref()?;
            Some((*drawing.scene.frames.get(at)?, drawing.fit))
        });
        if let (Some((frame, fit)), Some(tree)) = (found, tree.get_untracked()) {
            bring_into_view(&tree, frame, zoom * fit);
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
