//! A neighbourhood with its picture: where its nodes are, how their labels are broken, and how far each is from the
//! centre.

use super::super::layout::{Item, Scene, inner_reach, lay, wrap};
use super::super::measure::{Style, width};
use super::super::names::{label, strength};
use lexforge_domain::api::{GraphNode, Neighbourhood, NodeContent};
use lexforge_domain::graph::EdgeKind;
use std::sync::Arc;

/// Most lines of a label.
const LINES: usize = 3;

/// A label ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) style: Style,
    pub(super) lines: Vec<String>,
}

/// A neighbourhood with its picture.
#[derive(Clone, PartialEq)]
pub(super) struct Drawing {
    pub(super) around: Arc<Neighbourhood>,
    pub(super) items: Vec<Item>,
    pub(super) labels: Vec<Label>,
    pub(super) scene: Scene,
    /// How large it is drawn so that it fits.
    pub(super) fit: f64,
}

impl Drawing {
    pub(super) fn of(around: Arc<Neighbourhood>, room: (f64, f64)) -> Self {
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
        let fit = scene.fit(room);
        Self {
            around,
            items,
            labels,
            scene,
            fit,
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
