//! Keeping in view what the keys have come to.

use leptos::prelude::{document, request_animation_frame};
use web_sys::Element;

/// Scrolls the answer until what is active in it is in view.
pub fn keep_active_in_view() {
    request_animation_frame(|| {
        if let (Some(scroller), Some(active)) = (
            first(".ask-scroll"),
            first(".ask-scroll .cite[aria-current], .ask-scroll .near-clause.on"),
        ) {
            scroll_to(&scroller, &active);
        }
    });
}

/// Scrolls to the page, if it has no place beside the answer.
pub fn bring_page_into_view() {
    request_animation_frame(|| {
        if let Some(page) = first(".panes.ask > [data-pane='page']") {
            page.scroll_into_view_with_bool(false);
        }
    });
}

fn first(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

fn scroll_to(scroller: &Element, active: &Element) {
    let (frame, place) = (
        scroller.get_bounding_client_rect(),
        active.get_bounding_client_rect(),
    );
    if place.top() < frame.top() || place.bottom() > frame.bottom() {
        let above = place.top() - frame.top() - frame.height() / 3.0;
        scroller.set_scroll_top(scroller.scroll_top() + above as i32);
    }
}
