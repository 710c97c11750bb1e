//! The size of an element as it is now, so that charts can be drawn at pixel size.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The width of a box in pixels; 0 before it is on the page.
pub fn use_width(node: NodeRef<Div>) -> Memo<f64> {
    let size = use_size(node);
    Memo::new(move |_| size.get().0)
}

/// Width and height of a box in pixels; 0 before it is on the page.
pub fn use_size(node: NodeRef<Div>) -> RwSignal<(f64, f64)> {
    let size = RwSignal::new((0.0, 0.0));
    let of = |element: &web_sys::HtmlDivElement| {
        (
            f64::from(element.client_width()),
            f64::from(element.client_height()),
        )
    };
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        size.set(of(&element));
        let observed = element.clone();
        let handler = Closure::<dyn Fn()>::new(move || {
            let now = of(&observed);
            if size.try_get_untracked().is_some_and(|before| before != now) {
                size.set(now);
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
    size
}
