//! The places of the nodes of a neighbourhood. They are computed from the kinds of the edges, the sizes of the nodes
//! and the available space.
//!
//! The centre node is in the middle. Nodes one step away are on an inner ring, and nodes two steps away on an outer
//! ring. Each kind of edge has a fixed sector. The sectors on the right are, from top to bottom: same type, similar,
//! same words. On the left, shared terms are above references. On each side every node has its own row, so that labels
//! of any width cannot overlap. Each node's box begins about at its ring. If the rows need more space, the picture
//! grows and scrolls.

mod labels;
mod walk;

pub use labels::wrap;
pub use walk::{Way, walk};

use lexforge_domain::graph::{EdgeKind, Side};

/// Least and greatest space between two rows, in pixels.
const GAP: (f64, f64) = (8.0, 30.0);
/// Space above and below the rows.
const MARGIN: f64 = 40.0;
/// Space at the sides.
const EDGE: f64 = 10.0;
/// From the centre's side to the inner ring …
const REACH: f64 = 56.0;
/// … and from the inner ring to the outer, at least and at most.
const STEP: (f64, f64) = (44.0, 150.0);
/// No inner edge comes nearer to the middle than this.
const NEAREST: f64 = 14.0;
/// How far along an edge its number stands.
const ALONG: f64 = 0.72;
/// Space that a number takes.
pub const NUMBER: (f64, f64) = (34.0, 16.0);
/// A branch begins so far inside its node's inner edge, and its nodes begin so far outside of it at least.
const BRANCH: (f64, f64) = (12.0, 26.0);

/// The smallest size at which the names can be read well.
const SMALLEST: f64 = 0.92;

/// A node to be placed; the first is the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// The node to which it is linked, which comes before it in the list. `None` for the centre.
    pub parent: Option<usize>,
    /// The edge by which it hangs there.
    pub kind: EdgeKind,
    /// Its size, label included, in pixels.
    pub size: (f64, f64),
    /// The edge carries a number.
    pub numbered: bool,
}

/// A box: left, top, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Frame {
    pub fn middle(self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Whether the two have a point in common.
    #[cfg(test)]
    fn meets(self, other: Self) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// An edge as it is drawn, from the node that it hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub from: (f64, f64),
    /// To.
    pub to: (f64, f64),
    /// The place of its number (the middle).
    pub number: Option<(f64, f64)>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub width: f64,
    pub height: f64,
    /// The middle.
    pub centre: (f64, f64),
    /// Radii of the rings: across and down.
    pub rings: [(f64, f64); 2],
    /// The nodes' boxes, in their order.
    pub frames: Vec<Frame>,
    /// The edge of each node; `None` for the centre.
    pub lines: Vec<Option<Line>>,
}

/// Where a kind has its sector: at the right, and its turn from the top.
fn sector(kind: EdgeKind) -> (bool, u8) {
    let about = kind.about();
    (about.side == Side::Right, about.turn)
}

impl Scene {
    /// The scale at which the picture is drawn in this space. If a slightly smaller picture fits as a whole, the scale
    /// makes it that small. If the picture would have to be much smaller, it keeps its size, and the user scrolls it.
    pub fn fit(&self, room: (f64, f64)) -> f64 {
        let fits = ((room.0 - 1.0) / self.width).min((room.1 - 1.0) / self.height);
        if (SMALLEST..1.0).contains(&fits) {
            fits
        } else {
            1.0
        }
    }
}

/// A node of the first ring with what hangs on it.
struct Block {
    node: usize,
    children: Vec<usize>,
}

/// The picture of these nodes in a space of this width and height.
pub fn lay(items: &[Item], room: (f64, f64)) -> Scene {
    let centre_size = items.first().map_or((0.0, 0.0), |item| item.size);
    let sides = [true, false].map(|right| blocks(items, right));
    let rows = [rows_of(items, &sides[0]), rows_of(items, &sides[1])];
    let least = rows
        .iter()
        .map(|rows| height_of(items, rows) + GAP.0 * rows.len().saturating_sub(1) as f64);
    let height = least.fold(centre_size.1, f64::max) + 2.0 * MARGIN;
    let height = height.ceil().max(room.1.floor());
    let middle = height / 2.0;
    let tops = tops(items, &rows, height);

    let half_centre = centre_size.0 / 2.0;
    let down = middle - MARGIN + 12.0;
    // Rows beside a tall centre have their numbers beside it as well: the ring keeps its distance as far as it is tall.
    let beside = ((centre_size.1 + NUMBER.1) / 2.0 / ALONG / down).min(0.9);
    let inner = (
        inner_reach(centre_size.0) / (1.0 - beside * beside).sqrt(),
        down,
    );
    let is_outer = |at: &usize| items[*at].parent.is_some_and(|parent| parent != 0);
    let widest = (0..items.len())
        .filter(is_outer)
        .map(|at| items[at].size.0)
        .fold(0.0, f64::max);
    let outer_reach = (room.0 / 2.0 - EDGE - widest).clamp(inner.0 + STEP.0, inner.0 + STEP.1);
    let outer = (outer_reach, inner.1 + 20.0);

    let away = |at: usize| (tops[at] + items[at].size.1 / 2.0 - middle).abs();
    let mut begins = vec![0.0; items.len()];
    for block in sides.iter().flatten() {
        begin(block, [inner, outer], away, &mut begins);
    }
    let reach = (1..items.len())
        .map(|at| begins[at] + items[at].size.0)
        .fold(half_centre, f64::max);
    let half = (reach + EDGE).ceil().max((room.0 / 2.0).floor());
    let frames: Vec<Frame> = (0..items.len())
        .map(|at| frame(items, at, (begins[at], tops[at]), (half, middle)))
        .collect();
    let lines = (0..items.len())
        .map(|at| {
            items[at]
                .parent
                .map(|parent| line(items, &frames, parent, at, half))
        })
        .collect();
    Scene {
        width: 2.0 * half,
        height,
        centre: (half, middle),
        rings: [inner, outer],
        frames,
        lines,
    }
}

/// What rows take without the space between them.
fn height_of(items: &[Item], rows: &[usize]) -> f64 {
    rows.iter().map(|at| items[*at].size.1).sum()
}

/// Where each node begins from above: the rows of each side are spread around the middle.
fn tops(items: &[Item], sides: &[Vec<usize>], height: f64) -> Vec<f64> {
    let mut tops = vec![0.0; items.len()];
    for rows in sides {
        let (own, between) = (height_of(items, rows), rows.len().saturating_sub(1));
        let free = height - 2.0 * MARGIN - own;
        let gap = (free / between.max(1) as f64).clamp(GAP.0, GAP.1);
        let mut y = height / 2.0 - (own + gap * between as f64) / 2.0;
        for at in rows {
            tops[*at] = y;
            y += items[*at].size.1 + gap;
        }
    }
    tops
}

/// How far from the middle the boxes of a block begin; `away` = how far above or below the middle a box is.
fn begin(
    block: &Block,
    [inner, outer]: [(f64, f64); 2],
    away: impl Fn(usize) -> f64,
    begins: &mut [f64],
) {
    let own = on_ring(inner, away(block.node));
    begins[block.node] = own;
    // All children begin at the same distance, so that the branch to the last of them does not cross the others.
    let children = block
        .children
        .iter()
        .map(|at| on_ring(outer, away(*at)))
        .fold(f64::INFINITY, f64::min);
    for at in &block.children {
        begins[*at] = children.max(own + BRANCH.1);
    }
}

/// The box of a node that begins so far from the middle and from above.
fn frame(items: &[Item], at: usize, (begin, y): (f64, f64), centre: (f64, f64)) -> Frame {
    let (w, h) = items[at].size;
    let (x, y) = match (at, is_right(items, at)) {
        (0, _) => (centre.0 - w / 2.0, centre.1 - h / 2.0),
        (_, true) => (centre.0 + begin, y),
        (_, false) => (centre.0 - begin - w, y),
    };
    Frame { x, y, w, h }
}

/// How far at the side of a centre of this width the inner ring is from the middle: far enough for a number between.
pub fn inner_reach(width: f64) -> f64 {
    (width / 2.0 + REACH).max((width / 2.0 + NUMBER.0 / 2.0 + 4.0) / ALONG)
}

/// How far from the middle a ring is, so far above or below it.
fn on_ring(radii: (f64, f64), away: f64) -> f64 {
    let part = (away / radii.1).min(1.0);
    (radii.0 * (1.0 - part * part).sqrt()).max(NEAREST)
}

fn is_right(items: &[Item], at: usize) -> bool {
    match items[at].parent {
        Some(0) | None => sector(items[at].kind).0,
        Some(parent) => is_right(items, parent),
    }
}

/// The nodes of the first ring at one side, from the top.
fn blocks(items: &[Item], right: bool) -> Vec<Block> {
    let mut first: Vec<usize> = (1..items.len())
        .filter(|at| items[*at].parent == Some(0) && sector(items[*at].kind).0 == right)
        .collect();
    first.sort_by_key(|at| (sector(items[*at].kind).1, *at));
    let children = |node: usize| {
        (1..items.len())
            .filter(|at| items[*at].parent == Some(node))
            .collect()
    };
    first
        .into_iter()
        .map(|node| Block {
            node,
            children: children(node),
        })
        .collect()
}

/// The rows of a side from the top: what hangs on a node stands beyond it, seen from the middle.
fn rows_of(items: &[Item], blocks: &[Block]) -> Vec<usize> {
    let tall = |at: usize| items[at].size.1 + GAP.0;
    let total: f64 = blocks
        .iter()
        .map(|b| tall(b.node) + b.children.iter().map(|c| tall(*c)).sum::<f64>())
        .sum();
    let mut above = 0.0;
    let mut rows = Vec::new();
    for block in blocks {
        let whole: f64 = tall(block.node) + block.children.iter().map(|c| tall(*c)).sum::<f64>();
        let before_middle = above + whole / 2.0 < total / 2.0;
        if before_middle {
            rows.extend(block.children.iter().rev());
            rows.push(block.node);
        } else {
            rows.push(block.node);
            rows.extend(&block.children);
        }
        above += whole;
    }
    rows
}

/// The edge of a node.
fn line(items: &[Item], frames: &[Frame], parent: usize, at: usize, half: f64) -> Line {
    let (frame, from) = (frames[at], frames[parent]);
    let right = is_right(items, at);
    let to = (
        if right { frame.x } else { frame.x + frame.w },
        frame.middle().1,
    );
    if parent != 0 {
        // From the side of the node that looks at the branch.
        let x = if right {
            from.x + BRANCH.0
        } else {
            from.x + from.w - BRANCH.0
        };
        let y = if to.1 < from.y {
            from.y
        } else {
            from.y + from.h
        };
        return Line {
            from: (x, y),
            to,
            number: None,
        };
    }
    let middle = (half, from.middle().1);
    let number = (
        middle.0 + ALONG * (to.0 - middle.0),
        middle.1 + ALONG * (to.1 - middle.1),
    );
    Line {
        from: leaving(from, to),
        to,
        number: items[at].numbered.then_some(number),
    }
}

/// Where the way from a box's middle to a point leaves the box.
fn leaving(frame: Frame, to: (f64, f64)) -> (f64, f64) {
    let (x, y) = frame.middle();
    let (dx, dy) = (to.0 - x, to.1 - y);
    let part = |half: f64, d: f64| {
        if d.abs() < f64::EPSILON {
            f64::INFINITY
        } else {
            half / d.abs()
        }
    };
    let out = part(frame.w / 2.0, dx)
        .min(part(frame.h / 2.0, dy))
        .min(1.0);
    (x + dx * out, y + dy * out)
}

#[cfg(test)]
mod tests;
