//! The page as it is printed, with the regions of its sentences.

use super::laid::Laid;
use super::state::{unhover, use_reading};
use crate::backend::{call, commands, page_image};
use crate::components::error_panel::ErrorPanel;
use crate::components::password::Password;
use crate::components::size::use_width;
use crate::components::waiting::Waiting;
use crate::fetched::Fetched;
use crate::i18n::{t, tf};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::api::PageView;
use lexforge_domain::text::Region;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};

/// Resolutions that images are asked for, so that few are rendered twice.
const RESOLUTIONS: [u32; 4] = [96, 144, 192, 288];
/// Points in an inch.
const POINTS: f64 = 72.0;

/// The page on its desk.
#[component]
pub fn Page() -> impl IntoView {
    let reading = use_reading();
    let desk = NodeRef::<Div>::new();
    let width = use_width(desk);
    Effect::new(move |_| {
        let pinned = reading.app.place.get().sentence;
        reading.page.value.track();
        if let (Some(desk), Some(id)) = (desk.get(), pinned) {
            request_animation_frame(move || show_spot(&desk, id));
        }
    });
    let moved = RwSignal::new(0);
    let sheet = move || {
        reading.page.value.get().map(|page| {
            if page.width > 0.0 && page.height > 0.0 {
                view! { <Sheet page width/> }.into_any()
            } else {
                view! { <Laid page scroller=desk moved/> }.into_any()
            }
        })
    };
    let loading = move || {
        reading.page.value.with(Option::is_none) && reading.page.failure.with(Option::is_none)
    };
    // Another page begins at its top, unless a sentence on it is pinned.
    let page = reading.page_shown();
    Effect::new(move |_| {
        page.track();
        moved.update(|n| *n += 1);
        if let Some(desk) = desk.get_untracked()
            && reading.app.place.get_untracked().sentence.is_none()
        {
            desk.set_scroll_top(0);
        }
    });
    view! {
        <div
            class="scroll desk"
            tabindex="0"
            aria-label=t("library.page_image")
            node_ref=desk
            on:scroll:target=move |event| moved.set(event.target().scroll_top())
        >
            {move || reading.page.failure.get().map(|failure| view! {
                <ErrorPanel failure>
                    <button class="btn sm" on:click=move |_| reading.app.changes.update(|n| *n += 1)>{t("action.again")}</button>
                </ErrorPanel>
            })}
            {move || loading().then(|| view! { <div class="paper"><div class="skel"></div><div class="skel"></div><div class="skel half"></div></div> })}
            {sheet}
        </div>
    }
}

/// Scrolls the desk until the sentence's first region is in view.
fn show_spot(desk: &web_sys::Element, id: SentenceId) {
    let Some(spot) = desk
        .query_selector(&format!("[data-sentence='{id}']"))
        .ok()
        .flatten()
    else {
        return;
    };
    let (frame, place) = (
        desk.get_bounding_client_rect(),
        spot.get_bounding_client_rect(),
    );
    if place.top() < frame.top() || place.bottom() > frame.bottom() {
        let above = place.top() - frame.top() - frame.height() / 3.0;
        desk.set_scroll_top(desk.scroll_top() + above as i32);
    }
}

/// A page with an image.
#[component]
fn Sheet(page: PageView, width: Memo<f64>) -> impl IntoView {
    let reading = use_reading();
    let (points, tall) = (f64::from(page.width), f64::from(page.height));
    let shown = Memo::new(move |_| {
        ((width.get() - 48.0).max(200.0) * f64::from(reading.zoom.get()) / 100.0).round()
    });
    let (document, number) = (page.document, page.number);
    let resolution = Memo::new(move |_| resolution(shown.get(), points));
    let broken = RwSignal::new(false);
    let regions: Vec<(SentenceId, Region)> = page
        .sentences
        .iter()
        .flat_map(|s| {
            s.sentence
                .boxes
                .iter()
                .filter(|b| b.page == number)
                .map(|b| (s.sentence.id, *b))
        })
        .collect();
    let regions = regions
        .into_iter()
        .map(|(id, region)| view! { <Spot id region points tall/> })
        .collect_view();
    let differing = move || {
        let here = reading
            .differing
            .get()
            .into_iter()
            .filter(|region| region.page == number);
        here.map(|region| { let [x, y, w, h] = place(&region, points, tall); view! { <div class="spot on differing" style=("--x", x) style=("--y", y) style=("--w", w) style=("--h", h)></div> } })
            .collect_view()
    };
    view! {
        <div
            class="sheet"
            style=("--sheet-width", move || format!("{}px", shown.get()))
            style=("--sheet-height", move || format!("{}px", (shown.get() * tall / points).round()))
        >
            <Image document number resolution broken/>
            {move || broken.get().then(|| view! { <Undrawn document number broken/> })}
            {regions}
            {differing}
        </div>
    }
}

#[component]
fn Image(
    document: DocumentId,
    number: u32,
    resolution: Memo<u32>,
    broken: RwSignal<bool>,
) -> impl IntoView {
    let reading = use_reading();
    let hash = move || reading.document().map(|d| d.sha256).unwrap_or_default();
    let there = RwSignal::new(false);
    view! {
        {move || (!there.get() && !broken.get()).then(|| view! {
            <p class="page-coming t-small waiting" role="status">{t("library.page_coming")}</p>
        })}
        <img
            id="page-image"
            alt=tf("library.image_alt", &[("n", &number.to_string())])
            src=move || page_image(document, &hash(), number, resolution.get(), reading.drawn.get())
            on:error=move |_| broken.set(true)
            on:load=move |_| {
                broken.set(false);
                there.try_set(true);
            }
        />
    }
}

/// The place of a sentence on the page.
#[component]
fn Spot(id: SentenceId, region: Region, points: f64, tall: f64) -> impl IntoView {
    let reading = use_reading();
    let [x, y, w, h] = place(&region, points, tall);
    view! {
        <div
            class="spot"
            data-sentence=id.to_string()
            class:on=move || reading.lit() == Some(id)
            style=("--x", x)
            style=("--y", y)
            style=("--w", w)
            style=("--h", h)
            on:pointerenter=move |_| { reading.from_page.set(true); reading.hovered.set(Some(id)); }
            on:pointerleave=move |_| unhover(reading, id)
            on:click=move |_| reading.pin(id)
        ></div>
    }
}

/// Left and upper edge, width and height of a region as shares of its page, for the style sheet.
fn place(region: &Region, points: f64, tall: f64) -> [String; 4] {
    let part = |length: f32, whole: f64| format!("{:.3}%", f64::from(length) / whole * 100.0);
    [
        part(region.x0, points),
        part(region.y0, tall),
        part(region.x1 - region.x0, points),
        part(region.y1 - region.y0, tall),
    ]
}

/// Why the page is not drawn; a locked document can be opened here.
#[component]
fn Undrawn(document: DocumentId, number: u32, broken: RwSignal<bool>) -> impl IntoView {
    let reading = use_reading();
    let problem = Fetched::<Option<Failure>>::default();
    problem.ask(call(commands::PageProblem { document, number }));
    let unlock = move |password: String| {
        let opened = call(commands::Unlock { document, password });
        let words = t("wait.unlock_document");
        reading.app.attempt_once(words, opened, move |()| {
            broken.set(false);
            reading.drawn.update(|n| *n += 1);
        });
    };
    move || {
        problem.value.get().flatten().map(|failure| {
            let locked = failure.code == Code::PasswordRequired;
            view! {
                <div class="undrawn">
                    <ErrorPanel failure>
                        {locked.then(|| view! { <Password open=unlock close=move |()| ()/> <Waiting words=t("wait.unlock_document")/> })}
                    </ErrorPanel>
                </div>
            }
        })
    }
}

fn resolution(shown: f64, points: f64) -> u32 {
    let density = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
    let wanted = shown * density / points * POINTS;
    RESOLUTIONS
        .into_iter()
        .find(|dpi| f64::from(*dpi) >= wanted * 0.95)
        .unwrap_or(RESOLUTIONS[3])
}
