//! Which page is shown, and how to turn it.

use super::state::{Reading, use_reading};
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;

/// The bar over the page.
#[component]
pub fn PageBar() -> impl IntoView {
    let reading = use_reading();
    let drawn = Memo::new(move |_| {
        reading
            .page
            .value
            .with(|p| p.as_ref().is_some_and(|p| p.width > 0.0))
    });
    let step = move |id: &'static str, name: String, icon: Icon, by: i64| {
        let end = move || {
            if by < 0 {
                number(reading) <= 1
            } else {
                number(reading) >= pages(reading)
            }
        };
        view! {
            <button class="btn ghost icon sm" id=id aria-label=name.clone() title=name.clone() disabled=end on:click=move |_| reading.turn_by(by)>
                <Sign icon/>
            </button>
        }
    };
    let zoom = move |name: String, icon: Icon, larger: bool| {
        view! {
            <button class="btn ghost icon sm" aria-label=name.clone() title=name.clone() on:click=move |_| reading.zoom_by(larger)>
                <Sign icon/>
            </button>
        }
    };
    view! {
        <div class="pane-head">
            <Number/>
            <div class="push row g-1">
                {step("page-back", t("library.page_back"), Icon::Left, -1)}
                {step("page-next", t("library.page_next"), Icon::Right, 1)}
                {move || drawn.get().then(|| view! {
                    {zoom(t("library.zoom_out"), Icon::Minus, false)}
                    <span class="t-small nowrap zoom">{move || format!("{} %", reading.zoom.get())}</span>
                    {zoom(t("library.zoom_in"), Icon::Plus, true)}
                })}
            </div>
        </div>
    }
}

/// How many pages the document has.
fn pages(reading: Reading) -> u32 {
    reading.document().map_or(0, |d| d.pages)
}

/// The number of the page that is shown.
fn number(reading: Reading) -> u32 {
    reading.app.place.get().page.max(1)
}

/// The number of the page, which can be typed, and how many there are.
#[component]
fn Number() -> impl IntoView {
    let reading = use_reading();
    view! {
        <label class="row g-1 nowrap">
            <span class="strong">{t("library.page")}</span>
            <input
                class="input page-number"
                id="page-number"
                inputmode="numeric"
                aria-label=t("library.page_number")
                prop:value=move || number(reading).to_string()
                on:change:target=move |event| match event.target().value().trim().parse() {
                    Ok(wanted) => reading.turn(wanted),
                    Err(_) => event.target().set_value(&number(reading).to_string()),
                }
            />
            <span class="t-mute" id="page-count">{move || tf("library.of", &[("n", &format::count(u64::from(pages(reading))))])}</span>
        </label>
    }
}
