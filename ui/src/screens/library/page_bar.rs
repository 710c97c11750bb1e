//! Which page is shown, who read it, and how to turn it.

use super::reading::use_reading;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::PageView;

/// Below this agreement of the two readers, a page deserves a look.
const DOUBTFUL: f64 = 0.98;

/// The bar over the page.
#[component]
pub fn PageBar() -> impl IntoView {
    let reading = use_reading();
    let pages = move || reading.document().map_or(0, |d| d.pages);
    let number = move || reading.app.place.get().page.max(1);
    let readers = move || reading.page.value.get().map(|page| view! { <Readers page/> });
    view! {
        <div class="pane-head">
            <label class="row g-1 nowrap">
                <span class="strong">{t("library.page")}</span>
                <input
                    class="input page-number"
                    id="page-number"
                    inputmode="numeric"
                    aria-label=t("library.page_number")
                    prop:value=move || number().to_string()
                    on:change:target=move |event| match event.target().value().trim().parse() {
                        Ok(wanted) => reading.turn(wanted),
                        Err(_) => event.target().set_value(&number().to_string()),
                    }
                />
                <span class="t-mute" id="page-count">{move || tf("library.of", &[("n", &format::count(u64::from(pages())))])}</span>
            </label>
            {readers}
            <div class="push row g-1">
                <button class="btn ghost icon sm" id="page-back" aria-label=t("library.page_back") title=t("library.page_back") disabled=move || number() <= 1 on:click=move |_| reading.turn_by(-1)>
                    <Sign icon=Icon::Left/>
                </button>
                <button class="btn ghost icon sm" id="page-next" aria-label=t("library.page_next") title=t("library.page_next") disabled=move || { number() >= pages() } on:click=move |_| reading.turn_by(1)>
                    <Sign icon=Icon::Right/>
                </button>
                <button class="btn ghost icon sm" aria-label=t("library.zoom_out") title=t("library.zoom_out") on:click=move |_| reading.zoom_by(false)>
                    <Sign icon=Icon::Minus/>
                </button>
                <span class="t-small nowrap zoom">{move || format!("{} %", reading.zoom.get())}</span>
                <button class="btn ghost icon sm" aria-label=t("library.zoom_in") title=t("library.zoom_in") on:click=move |_| reading.zoom_by(true)>
                    <Sign icon=Icon::Plus/>
                </button>
            </div>
        </div>
    }
}

/// Which engine read the page, and whether the second reader agrees.
#[component]
fn Readers(page: PageView) -> impl IntoView {
    let engine = tag("engine", page.engine.tag());
    if page.scanned {
        return view! {
            <span class="badge warn" title=t("library.scanned_tip")><Sign icon=Icon::Warning small=true/>{t("library.scanned_page")}</span>
        }
        .into_any();
    }
    match page.agreement {
        Some(share) if share < DOUBTFUL => {
            let tip = tf("library.readers_differ_tip", &[("engine", &engine), ("share", &format::percent(share))]);
            view! { <span class="badge warn" title=tip><Sign icon=Icon::Warning small=true/>{format::percent(share)}</span> }.into_any()
        }
        Some(share) => {
            let tip = tf("library.readers_agree_tip", &[("engine", &engine), ("share", &format::percent(share))]);
            view! { <span class="badge line" title=tip>{engine} " · " {format::percent(share)}</span> }.into_any()
        }
        None => view! { <span class="badge line" title=t("library.one_reader_tip")>{engine}</span> }.into_any(),
    }
}
