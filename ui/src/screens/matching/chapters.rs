//! Coverage by chapter, as a map of the rules: a chapter that is pressed is listed alone.

use super::coverage::{Counts, Coverage, counted, told};
use super::deeds::show;
use crate::format;
use crate::i18n::t;
use crate::reading::use_reading;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::DocumentId;

/// A chapter with its counts.
#[derive(Clone, Debug, PartialEq)]
struct Chapter {
    place: usize,
    document: DocumentId,
    title: String,
    counts: Counts,
}

/// The chapters in reading order, those of several documents under the documents' titles.
#[component]
pub fn Chapters() -> impl IntoView {
    let app = use_app();
    let reading = use_reading();
    let place = app.matching;
    let chapters = Memo::new(move |_| {
        place.overview.value.with(|overview| {
            let Some(overview) = overview.as_ref().and_then(Option::as_ref) else {
                return Vec::new();
            };
            let of = |at: usize| {
                let rows = overview.rows.iter().filter(move |r| r.chapter == at);
                counted(rows.map(|r| r.verdict))
            };
            let all = overview.chapters.iter().enumerate();
            all.map(|(at, chapter)| Chapter {
                place: at,
                document: chapter.document,
                title: chapter.title.clone(),
                counts: of(at),
            })
            .collect()
        })
    });
    let rows = move || {
        let all = chapters.get();
        let several = all
            .iter()
            .any(|c| Some(c.document) != all.first().map(|f| f.document));
        let mut before = None;
        all.into_iter()
            .map(|chapter| {
                let document = reading.row(chapter.document).map(|d| d.title).unwrap_or_default();
                let head = (several && before != Some(chapter.document)).then(|| document.clone());
                before = Some(chapter.document);
                let title = if chapter.title.is_empty() { document } else { chapter.title.clone() };
                view! {
                    {head.map(|title| view! { <h3 class="m-chap-of clip" title=title.clone()>{title.clone()}</h3> })}
                    <One chapter title/>
                }
            })
            .collect_view()
    };
    view! {
        <section>
            <h2>{t("match.by_chapter")}<small>{t("match.rules_small")}</small></h2>
            <div id="match-chapters">{rows}</div>
        </section>
    }
}

#[component]
fn One(chapter: Chapter, title: String) -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let at = chapter.place;
    let counts = chapter.counts;
    let pressed = move || place.filter.with(|filter| filter.chapter == Some(at));
    let press = move |_| {
        place.filter.update(|filter| {
            filter.chapter = if filter.chapter == Some(at) {
                None
            } else {
                Some(at)
            };
        });
        let first = untrack(|| place.listed()).first().map(|r| r.rule.id);
        if let Some(first) = first {
            show(app, first);
        }
    };
    let all = counts.iter().sum::<u64>();
    view! {
        <button class="m-chap" aria-pressed=move || pressed().to_string() title=format!("{title}: {}", told(counts)) on:click=press>
            <span class="row between g-1"><span class="clip">{title.clone()}</span><small>{format::count(all)}</small></span>
            <Coverage counts/>
        </button>
    }
}
