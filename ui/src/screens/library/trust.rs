//! How far the text of the page can be trusted: which reader read it, where the readers differ, and which pages
//! somebody should look at.

use super::details::{About, Differences, Remarks};
use super::removed::Removed;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::reading::{Detail, Reading, use_reading};
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::api::PageView;
use lexforge_domain::document::{DocumentWarning, ReadEngine};

/// The line under the page's bar, and what it opens.
#[component]
pub fn Trust() -> impl IntoView {
    let reading = use_reading();
    let verdict = move || {
        let page = reading.page.value.get()?;
        let warnings = here(reading, page.number);
        Some(view! { <Verdict page warnings/> })
    };
    let differences = move || {
        reading
            .page
            .value
            .with(|p| p.as_ref().map_or(0, |p| p.differences.len())) as u64
    };
    let remarks = move || reading.document().map_or(0, |d| d.warnings.len()) as u64;
    let removed = move || reading.removed().len() as u64;
    let toggle = move |id: &'static str, detail: Detail, words: Signal<String>| {
        view! {
            <button
                class="chip"
                id=id
                aria-pressed=move || (reading.detail.get() == Some(detail)).to_string()
                aria-expanded=move || (reading.detail.get() == Some(detail)).to_string()
                on:click=move |_| reading.toggle(detail)
            >
                {words}
            </button>
        }
    };
    view! {
        <div class="trust" aria-label=t("library.trust")>
            {verdict}
            <div class="row wrap g-1">
                {move || (differences() > 0).then(|| {
                    toggle("differences", Detail::Differences, Signal::derive(move || tn("library.differences", differences())))
                })}
                {move || (remarks() > 0).then(|| {
                    toggle("remarks", Detail::Remarks, Signal::derive(move || tn("library.warnings", remarks())))
                })}
                {move || (removed() > 0).then(|| {
                    toggle("removed", Detail::Removed, Signal::derive(move || tn("library.removed", removed())))
                })}
                {toggle("about", Detail::About, Signal::derive(|| t("library.about")))}
                <Looks/>
            </div>
        </div>
        {move || match reading.detail.get() {
            Some(Detail::About) => view! { <About/> }.into_any(),
            Some(Detail::Remarks) => view! { <Remarks/> }.into_any(),
            Some(Detail::Differences) => view! { <Differences/> }.into_any(),
            Some(Detail::Removed) => view! { <Removed/> }.into_any(),
            None => ().into_any(),
        }}
    }
}

/// The warnings about a page of the open document.
fn here(reading: Reading, number: u32) -> Vec<DocumentWarning> {
    let all = reading.document().map(|d| d.warnings).unwrap_or_default();
    all.into_iter()
        .filter(|warning| warning.page == Some(number))
        .collect()
}

/// Whose text was kept, and how sure that is, in a sentence.
#[component]
fn Verdict(page: PageView, warnings: Vec<DocumentWarning>) -> impl IntoView {
    let share = page.agreement.map(format::percent);
    let words = match (page.engine, share) {
        _ if page.scanned && page.sentences.is_empty() => t("library.scanned_tip"),
        (ReadEngine::Plain, _) => t("library.read_plain"),
        (ReadEngine::Ocr, _) => t("library.read_ocr"),
        (ReadEngine::PdfExtract, Some(share)) => tf("library.read_second", &[("share", &share)]),
        // The warning says how much they agree.
        (_, Some(_)) if warnings.iter().any(|w| w.code == "readers_differ") => {
            t("library.read_differ")
        }
        (_, Some(share)) => tf("library.read_both", &[("share", &share)]),
        (ReadEngine::PdfExtract, None) => t("library.read_second_alone"),
        (_, None) => t("library.read_first_alone"),
    };
    let doubtful = !warnings.is_empty()
        || page.scanned
        || matches!(page.engine, ReadEngine::Ocr | ReadEngine::PdfExtract);
    let icon = if doubtful { Icon::Warning } else { Icon::Check };
    let class = if doubtful { "c-warn" } else { "c-ok" };
    let why = warnings.into_iter().map(|warning| {
        view! {
            <span class="t-small why">
                {tag("warning", &warning.code)}
                <span class="t-mute">" · " <Told text=warning.message/></span>
            </span>
        }
    });
    view! {
        <div class="verdict-line" id="reading">
            <span class=class><Sign icon small=true/></span>
            <span class="stack g-0">
                <span class="t-small">{words}</span>
                {why.collect_view()}
            </span>
        </div>
    }
}

/// The pages that want a look, with the way to the previous and the next.
#[component]
fn Looks() -> impl IntoView {
    let reading = use_reading();
    let pages = Memo::new(move |_| {
        reading
            .doubtful()
            .into_iter()
            .map(|page| page.number)
            .collect::<Vec<u32>>()
    });
    let now = move || reading.app.place.get().page.max(1);
    let before = move || pages.with(|all| all.iter().rev().find(|n| **n < now()).copied());
    let after = move || pages.with(|all| all.iter().find(|n| **n > now()).copied());
    let step = move |id: &'static str, name: String, icon: Icon, to: Signal<Option<u32>>| {
        view! {
            <button
                class="btn ghost icon sm"
                id=id
                aria-label=name.clone()
                title=name.clone()
                disabled=move || to.get().is_none()
                on:click=move |_| if let Some(page) = to.get_untracked() { reading.turn(page) }
            >
                <Sign icon small=true/>
            </button>
        }
    };
    move || {
        let many = pages.with(Vec::len) as u64;
        (many > 0).then(|| {
            let list = pages.with(|all| {
                all.iter()
                    .take(40)
                    .map(u32::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            });
            let tip = tf("library.looks_tip", &[("pages", &list)]);
            view! {
                <span class="looks push" title=tip>
                    <Sign icon=Icon::Warning small=true/>
                    <span id="looks">{tn("library.looks", many)}</span>
                    {step("look-back", t("library.look_back"), Icon::Left, Signal::derive(before))}
                    {step("look-next", t("library.look_next"), Icon::Right, Signal::derive(after))}
                </span>
            }
        })
    }
}
