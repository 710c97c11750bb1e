//! A long list of rows of different heights; only those in view, and some around them, are rendered.

use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Rows in a block. Blocks are drawn and taken away as a whole.
const BLOCK: usize = 40;
/// Up to so many rows, everything is drawn.
const FEW: usize = 120;

#[derive(Clone, Copy)]
struct Block {
    first: usize,
    end: usize,
    node: NodeRef<Div>,
    drawn: RwSignal<bool>,
    /// Height in pixels, as estimated or as last measured.
    height: RwSignal<f64>,
}

impl Block {
    /// The height for the style sheet.
    fn room(self) -> String {
        if self.drawn.get() {
            "auto".to_owned()
        } else {
            format!("{}px", self.height.get())
        }
    }
}

/// The rows; `each` draws one of them.
#[component]
pub fn Blocks<T, V>(
    /// What the rows show.
    items: Vec<T>,
    /// Draws a row.
    each: impl Fn(T) -> V + Clone + Send + Sync + 'static,
    /// Height of a row that was never drawn, in pixels.
    estimate: f64,
    /// The box that scrolls.
    scroller: NodeRef<Div>,
    /// Changes whenever that box scrolls or changes its size.
    #[prop(into)]
    moved: Signal<i32>,
    /// A row that must be drawn, wherever it is.
    #[prop(into)]
    target: Signal<Option<usize>>,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let many = items.len();
    let blocks = divided(many, estimate);
    let items = Arc::new(items);
    let all = StoredValue::new(blocks.clone());
    draw_target(all, target);
    if many > FEW {
        draw_in_view(all, scroller, moved);
    }
    blocks
        .into_iter()
        .map(|block| {
            let (items, each) = (Arc::clone(&items), each.clone());
            let rows = move || {
                block.drawn.get().then(|| {
                    items[block.first..block.end]
                        .iter()
                        .cloned()
                        .map(&each)
                        .collect_view()
                })
            };
            view! { <div class="block" node_ref=block.node style=("--height", move || block.room())>{rows}</div> }
        })
        .collect_view()
}

/// Draws the block of the row that must be drawn.
fn draw_target(all: StoredValue<Vec<Block>>, target: Signal<Option<usize>>) {
    Effect::new(move |_| {
        if let Some(target) = target.get() {
            all.with_value(|all| {
                if let Some(block) = all.iter().find(|b| (b.first..b.end).contains(&target)) {
                    draw(block, true);
                }
            });
        }
    });
}

/// Draws, whenever the box scrolls, the blocks in view.
fn draw_in_view(all: StoredValue<Vec<Block>>, scroller: NodeRef<Div>, moved: Signal<i32>) {
    Effect::new(move |_| {
        moved.track();
        let Some(scroller) = scroller.get() else {
            return;
        };
        request_animation_frame(move || {
            let _ = all.try_with_value(|all| look(all, &scroller));
        });
    });
}

/// The blocks of so many rows. Only the first one is drawn at first.
fn divided(many: usize, estimate: f64) -> Vec<Block> {
    let size = if many <= FEW { many.max(1) } else { BLOCK };
    (0..many.div_ceil(size))
        .map(|at| {
            let (first, end) = (at * size, ((at + 1) * size).min(many));
            Block {
                first,
                end,
                node: NodeRef::new(),
                drawn: RwSignal::new(at == 0),
                height: RwSignal::new((end - first) as f64 * estimate),
            }
        })
        .collect()
}

fn draw(block: &Block, on: bool) {
    if block.drawn.get_untracked() != on {
        block.drawn.set(on);
    }
}

/// Draws the blocks around what is in view and takes the others away; what is in view stays where it is.
fn look(all: &[Block], scroller: &web_sys::HtmlDivElement) {
    let frame = scroller.get_bounding_client_rect();
    let (from, to) = (
        frame.top() - frame.height(),
        frame.bottom() + frame.height(),
    );
    let mut above = None;
    for block in all {
        let Some(node) = block.node.get_untracked() else {
            continue;
        };
        let place = node.get_bounding_client_rect();
        let near = place.bottom() > from && place.top() < to;
        if block.drawn.get_untracked() && !near {
            block.height.set(place.height());
        }
        if near && !block.drawn.get_untracked() && place.bottom() < frame.top() {
            above = Some((node.clone(), place.height()));
        }
        draw(block, near);
    }
    if let Some((node, before)) = above {
        let scroller = scroller.clone();
        request_animation_frame(move || {
            let more = node.get_bounding_client_rect().height() - before;
            if more.abs() > 1.0 {
                scroller.set_scroll_top(scroller.scroll_top() + more as i32);
            }
        });
    }
}
