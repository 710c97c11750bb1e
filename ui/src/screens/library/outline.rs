//! The document's sections as a tree; a press turns to the page on which a section begins.

use super::reading::{Reading, use_reading};
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::SectionId;
use lexforge_domain::document::Section;
use std::collections::BTreeSet;

/// The section tree, which can be folded away.
#[component]
pub fn Outline() -> impl IntoView {
    let reading = use_reading();
    let folded = RwSignal::new(false);
    let opened = RwSignal::new(BTreeSet::<SectionId>::new());
    let here = Memo::new(move |_| section_here(reading));
    let path = move || {
        let here = here.get();
        reading
            .outline
            .value
            .with(|outline| outline.as_ref()?.sections.iter().find(|s| Some(s.id) == here).map(|s| s.path.clone()))
    };
    Effect::new(move |_| {
        let (Some(here), Some(outline)) = (here.get(), reading.outline.value.get()) else { return };
        let mut above = outline.sections.iter().find(|s| s.id == here).and_then(|s| s.parent);
        opened.update(|opened| {
            while let Some(id) = above {
                opened.insert(id);
                above = outline.sections.iter().find(|s| s.id == id).and_then(|s| s.parent);
            }
        });
    });
    let rows = move || {
        let sections = reading.outline.value.get().map(|o| o.sections).unwrap_or_default();
        let opened_now = opened.get();
        let has_children: BTreeSet<SectionId> = sections.iter().filter_map(|s| s.parent).collect();
        let shown = shown(&sections, &opened_now);
        if shown.is_empty() {
            return view! { <p class="pad t-small">{t("library.no_sections")}</p> }.into_any();
        }
        shown
            .into_iter()
            .map(|section| {
                let parent = has_children.contains(&section.id);
                let open = opened_now.contains(&section.id);
                view! { <Node section parent open opened here/> }
            })
            .collect_view()
            .into_any()
    };
    view! {
        <div class="pane-head">
            <h2>{t("library.sections")}</h2>
            <span class="t-mute t-small clip" title=path>{path}</span>
            <button
                class="btn ghost icon sm push"
                aria-expanded=move || (!folded.get()).to_string()
                aria-label=t("library.fold")
                title=t("library.fold")
                on:click=move |_| folded.update(|on| *on = !*on)
            >
                {move || view! { <Sign icon=if folded.get() { Icon::Right } else { Icon::Down }/> }}
            </button>
        </div>
        {move || (!folded.get()).then(|| view! { <div class="treebox" role="tree" aria-label=t("library.sections")>{rows}</div> })}
    }
}

#[component]
fn Node(
    section: Section,
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
    let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\u{2002}");
    let sign = parent.then(|| view! { <Sign icon=if open { Icon::Down } else { Icon::Right } small=true/> });
    view! {
        <div
            class=format!("node level-{level}")
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

/// The sections whose ancestors are all open, in reading order.
fn shown(sections: &[Section], opened: &BTreeSet<SectionId>) -> Vec<Section> {
    let mut visible = BTreeSet::new();
    sections
        .iter()
        .filter(|section| {
            let show = section.parent.is_none_or(|parent| visible.contains(&parent) && opened.contains(&parent));
            if show {
                visible.insert(section.id);
            }
            show
        })
        .cloned()
        .collect()
}

/// The section of the pinned sentence, else that of the page's first sentence.
fn section_here(reading: Reading) -> Option<SectionId> {
    let pinned = reading.app.place.get().sentence;
    reading.page.value.with(|page| {
        let sentences = &page.as_ref()?.sentences;
        let sentence = sentences.iter().find(|s| Some(s.sentence.id) == pinned).or_else(|| sentences.first())?;
        sentence.sentence.section_id
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let sections = [section(1, None), section(2, Some(1)), section(3, Some(2)), section(4, None)];
        let ids = |opened: &[i64]| -> Vec<i64> {
            shown(&sections, &opened.iter().map(|id| SectionId(*id)).collect()).iter().map(|s| s.id.0).collect()
        };
        assert_eq!(ids(&[]), [1, 4]);
        assert_eq!(ids(&[1]), [1, 2, 4]);
        assert_eq!(ids(&[2]), [1, 4]);
        assert_eq!(ids(&[1, 2]), [1, 2, 3, 4]);
    }
}
