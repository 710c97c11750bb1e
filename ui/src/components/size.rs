//! The width of an element as it is now, so that charts can be drawn at pixel size.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The width of a box in pixels; 0 before it is on the page.
pub fn use_width(node: NodeRef<Div>) -> RwSignal<f64> {
    let width = RwSignal::new(0.0);
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        width.set(f64::from(element.client_width()));
        let observed = element.clone();
        let handler = Closure::<dyn Fn()>::new(move || {
            let now = f64::from(observed.client_width());
            if width.try_get_untracked().is_some_and(|before| (before - now).abs() > 0.5) {
                width.set(now);
            }
        });
        if let Ok(observer) = web_sys::ResizeObserver::new(handler.as_ref().unchecked_ref()) {
            observer.observe(&element);
            let kept = StoredValue::new_local(Some((observer, handler)));
            on_cleanup(move || {
                if let Some(Some((observer, _handler))) = kept.try_update_value(Option::take) {
                    observer.disconnect();
                }
            });
        }
    });
    width
}
