//! Which node the arrow keys lead to.

use super::{Item, Scene, is_right};
use std::cmp::Ordering;

/// A way to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Up a side.
    Up,
    /// Down a side.
    Down,
    Left,
    Right,
}

/// The node that an arrow key leads to from `at`: up and down along a side, sideways to the centre and away from it.
pub fn walk(items: &[Item], scene: &Scene, at: usize, way: Way) -> usize {
    let y = |node: &usize| scene.frames[*node].middle().1;
    let side = |right: bool| -> Vec<usize> {
        let mut nodes: Vec<usize> = (1..items.len())
            .filter(|node| is_right(items, *node) == right)
            .collect();
        nodes.sort_by(|a, b| y(a).partial_cmp(&y(b)).unwrap_or(Ordering::Equal));
        nodes
    };
    let nearest = |nodes: Vec<usize>| {
        let far = |node: &usize| (y(node) - y(&at)).abs();
        nodes
            .into_iter()
            .min_by(|a, b| far(a).partial_cmp(&far(b)).unwrap_or(Ordering::Equal))
    };
    let first_ring = |nodes: Vec<usize>| {
        nodes
            .into_iter()
            .filter(|node| items[*node].parent == Some(0))
            .collect()
    };
    let found = if at == 0 {
        match way {
            Way::Left => nearest(first_ring(side(false))),
            Way::Right => nearest(first_ring(side(true))),
            Way::Up | Way::Down => {
                let beyond = |node: &usize| (way == Way::Up) == (y(node) < y(&0));
                let both = side(true).into_iter().chain(side(false));
                nearest(first_ring(both.filter(beyond).collect()))
            }
        }
    } else {
        let right = is_right(items, at);
        let nodes = side(right);
        let here = nodes.iter().position(|node| *node == at).unwrap_or(0);
        match (way, right) {
            (Way::Up, _) => here.checked_sub(1).map(|to| nodes[to]),
            (Way::Down, _) => nodes.get(here + 1).copied(),
            (Way::Left, true) | (Way::Right, false) => items[at].parent,
            (Way::Right, true) | (Way::Left, false) => nearest(
                nodes
                    .into_iter()
                    .filter(|node| items[*node].parent == Some(at))
                    .collect(),
            ),
        }
    };
    found.unwrap_or(at)
}
