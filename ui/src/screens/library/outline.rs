//! The document's sections as a tree; a press turns to the page on which a section begins.

use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::t;
use crate::reading::{Reading, use_reading};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::SectionId;
use lexforge_domain::document::Section;
use std::collections::BTreeSet;

/// Height of a node in pixels; the style sheet says the same (a test compares them).
const NODE: f64 = 26.0;
/// Nodes that fit into the tree's box.
const IN_VIEW: usize = 14;
/// Nodes drawn beyond what is in view, on both sides.
const MORE: usize = 8;

/// The section tree, which can be folded away.
#[component]
pub fn Outline() -> impl IntoView {
    let reading = use_reading();
    let folded = RwSignal::new(false);
    let opened = RwSignal::new(BTreeSet::<SectionId>::new());
    let here = Memo::new(move |_| section_here(reading));
    let path = move || {
        let here = here.get();
        reading.outline.value.with(|outline| {
            let mut sections = outline.as_ref()?.sections.iter();
            let found = sections.find(|s| Some(s.id) == here);
            found.map(|section| section.path.clone())
        })
    };
    Effect::new(move |_| {
        let (Some(here), Some(outline)) = (here.get(), reading.outline.value.get()) else {
            return;
        };
        opened.update(|opened| opened.extend(above(&outline.sections, here)));
    });
    view! {
        <div class="pane-head">
            <h2>{t("library.sections")}</h2>
            <span class="t-mute t-small clip" title=path>{path}</span>
            <Folding folded/>
        </div>
        {move || (!folded.get()).then(|| view! { <Tree here opened/> })}
    }
}

/// The sections that are not folded away under others.
#[component]
fn Tree(
    /// The section that is read.
    here: Memo<Option<SectionId>>,
    /// Sections whose parts are shown.
    opened: RwSignal<BTreeSet<SectionId>>,
) -> impl IntoView {
    let reading = use_reading();
    let tree = NodeRef::<Div>::new();
    let scroll = RwSignal::new(0.0_f64);
    let parents = Memo::new(move |_| parents(reading));
    let visible = Memo::new(move |_| visible(reading, opened));
    // The tree follows the reading: the section of the page comes into view.
    Effect::new(move |_| {
        let here = here.get();
        let at = visible.with(|all| all.iter().position(|s| Some(s.id) == here));
        if let (Some(tree), Some(at)) = (tree.get(), at) {
            bring_into_view(&tree, at);
        }
    });
    let range = Memo::new(move |_| drawn(scroll.get(), visible.with(Vec::len)));
    let rows = move || {
        let (first, end) = range.get();
        visible.with(|all| {
            all[first.min(all.len())..end.min(all.len())]
                .iter()
                .enumerate()
                .map(|(at, section)| {
                    let parent = parents.with(|parents| parents.contains(&section.id));
                    let open = opened.with(|opened| opened.contains(&section.id));
                    view! { <Node section=section.clone() at=first + at parent open opened here/> }
                })
                .collect_view()
        })
    };
    let none = Memo::new(move |_| {
        reading.outline.value.with(Option::is_some) && visible.with(Vec::is_empty)
    });
    view! {
        <div
            class="treebox"
            role=move || if none.get() { "group" } else { "tree" }
            aria-label=t("library.sections")
            node_ref=tree
            on:scroll:target=move |event| scroll.set(f64::from(event.target().scroll_top()))
        >
            {move || none.get().then(|| view! { <p class="pad t-small">{t("library.no_sections")}</p> })}
            <div class="tree-space" style=("--total", move || format!("{}px", visible.with(Vec::len) as f64 * NODE))>{rows}</div>
        </div>
    }
}

/// The sections that have parts.
fn parents(reading: Reading) -> BTreeSet<SectionId> {
    reading.outline.value.with(|outline| {
        outline
            .as_ref()
            .map(|o| o.sections.iter().filter_map(|s| s.parent).collect())
            .unwrap_or_default()
    })
}

/// The sections of the tree as it is unfolded, in reading order.
fn visible(reading: Reading, opened: RwSignal<BTreeSet<SectionId>>) -> Vec<Section> {
    reading
        .outline
        .value
        .with(|outline| {
            outline
                .as_ref()
                .map(|o| opened.with(|opened| shown(&o.sections, opened)))
        })
        .unwrap_or_default()
}

/// The sections that a section lies in, the innermost first.
fn above(sections: &[Section], id: SectionId) -> impl Iterator<Item = SectionId> {
    let parent = move |id: &SectionId| sections.iter().find(|s| s.id == *id)?.parent;
    // No section lies in more than there are.
    std::iter::successors(parent(&id), parent).take(sections.len())
}

/// Scrolls the tree to the node at a place, where it is out of sight.
fn bring_into_view(tree: &web_sys::Element, at: usize) {
    let (top, from) = (at as f64 * NODE, f64::from(tree.scroll_top()));
    let height = f64::from(tree.client_height());
    if top < from || top + NODE > from + height {
        tree.set_scroll_top((top - height / 3.0).max(0.0) as i32);
    }
}

/// Folds the tree away, and back.
#[component]
fn Folding(folded: RwSignal<bool>) -> impl IntoView {
    view! {
        <button
            class="btn ghost icon sm push"
            aria-expanded=move || (!folded.get()).to_string()
            aria-label=t("library.fold")
            title=t("library.fold")
            on:click=move |_| folded.update(|on| *on = !*on)
        >
            {move || view! { <Sign icon=if folded.get() { Icon::Right } else { Icon::Down }/> }}
        </button>
    }
}

#[component]
fn Node(
    section: Section,
    at: usize,
    parent: bool,
    open: bool,
    opened: RwSignal<BTreeSet<SectionId>>,
    here: Memo<Option<SectionId>>,
) -> impl IntoView {
    let reading = use_reading();
    let (id, page) = (section.id, section.page);
    let toggle = move || {
        opened.update(|opened| {
            if !opened.remove(&id) {
                opened.insert(id);
            }
        });
    };
    let level = section.level.min(6);
    let name = [section.label.as_str(), section.title.as_str()];
    let name = name
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\u{2002}");
    let sign = parent
        .then(|| view! { <Sign icon=if open { Icon::Down } else { Icon::Right } small=true/> });
    view! {
        <div
            class=format!("node level-{level}")
            style=("--top", format!("{}px", at as f64 * NODE))
            role="treeitem"
            attr:aria-level=(section.level + 1).to_string()
            aria-expanded=parent.then(|| open.to_string())
            aria-current=move || (here.get() == Some(id)).then_some("true")
        >
            <button class="node-fold" tabindex="-1" disabled=!parent aria-label=t("library.fold") on:click=move |_| toggle()>{sign}</button>
            <button class="node-name" title=section.path.clone() on:click=move |_| { reading.turn(page); if parent && !open { toggle() } }>
                <span class="clip">{name}</span>
                <span class="n">{format::count(u64::from(section.sentences))}</span>
            </button>
        </div>
    }
}

/// First node and one past the last node to draw: what is in view, and a few more on both sides.
fn drawn(scroll: f64, many: usize) -> (usize, usize) {
    let first = (scroll / NODE).floor().max(0.0) as usize;
    (
        first.saturating_sub(MORE).min(many),
        (first + IN_VIEW + MORE).min(many),
    )
}

/// The sections whose ancestors are all open, in reading order.
fn shown(sections: &[Section], opened: &BTreeSet<SectionId>) -> Vec<Section> {
    let mut visible = BTreeSet::new();
    sections
        .iter()
        .filter(|section| {
            let show = section
                .parent
                .is_none_or(|parent| visible.contains(&parent) && opened.contains(&parent));
            if show {
                visible.insert(section.id);
            }
            show
        })
        .cloned()
        .collect()
}

/// The section of the lit sentence, else that of the page's first sentence.
fn section_here(reading: Reading) -> Option<SectionId> {
    let pinned = reading.lit();
    reading.page.value.with(|page| {
        let sentences = &page.as_ref()?.sentences;
        let sentence = sentences
            .iter()
            .find(|s| Some(s.sentence.id) == pinned)
            .or_else(|| sentences.first())?;
        sentence.sentence.section_id
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_nodes_in_view_are_drawn() {
        assert_eq!(drawn(0.0, 5_000), (0, IN_VIEW + MORE));
        assert_eq!(drawn(2_600.0, 5_000), (100 - MORE, 100 + IN_VIEW + MORE));
        assert_eq!(drawn(2_600.0, 3), (3, 3));
        let style = include_str!("../../../style/library.css");
        assert!(style.contains(&format!(".node {{ height: {NODE}px;")));
    }

    #[test]
    fn a_section_shows_when_all_above_it_are_open() {
        let section = |id, parent: Option<i64>| Section {
            id: SectionId(id),
            parent: parent.map(SectionId),
            level: 0,
            label: String::new(),
            title: String::new(),
            path: String::new(),
            page: 1,
            sentences: 1,
        };
        let sections = [
            section(1, None),
            section(2, Some(1)),
            section(3, Some(2)),
            section(4, None),
        ];
        let of = |id| {
            above(&sections, SectionId(id))
                .map(|s| s.0)
                .collect::<Vec<_>>()
        };
        assert_eq!((of(3), of(1), of(4)), (vec![2, 1], vec![], vec![]));
        let ids = |opened: &[i64]| -> Vec<i64> {
            shown(&sections, &opened.iter().map(|id| SectionId(*id)).collect())
                .iter()
                .map(|s| s.id.0)
                .collect()
        };
        assert_eq!(ids(&[]), [1, 4]);
        assert_eq!(ids(&[1]), [1, 2, 4]);
        assert_eq!(ids(&[2]), [1, 4]);
        assert_eq!(ids(&[1, 2]), [1, 2, 3, 4]);
    }
}
