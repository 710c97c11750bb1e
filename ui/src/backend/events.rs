//! The events that the shell sends to the page.

use super::invoke::{part, read};
use js_sys::{Function, Reflect};
use lexforge_domain::api::Notice;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Calls `on` for each notice from now on, as long as the page lives.
pub fn listen(mut on: impl FnMut(Notice) + 'static) {
    let handler = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let payload = Reflect::get(&event, &"payload".into()).unwrap_or(JsValue::NULL);
        if let Ok(notice) = read(&payload) {
            on(notice);
        }
    });
    if let Ok(listen) = part(&["event", "listen"]).and_then(|f| f.dyn_into::<Function>()) {
        let _ = listen.call2(&JsValue::NULL, &"lexforge".into(), handler.as_ref());
        handler.forget();
    }
}
