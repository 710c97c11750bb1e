//! Text for other programs.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Puts a text into the clipboard; false where the web view does not let us.
pub async fn put(text: &str) -> bool {
    if let Ok(promise) = ask_navigator(text)
        && JsFuture::from(promise).await.is_ok()
    {
        return true;
    }
    copy_from_field(text).unwrap_or(false)
}

fn ask_navigator(text: &str) -> Result<Promise, JsValue> {
    let window: JsValue = web_sys::window().ok_or(JsValue::NULL)?.into();
    let navigator = Reflect::get(&window, &"navigator".into())?;
    let clipboard = Reflect::get(&navigator, &"clipboard".into())?;
    let write: Function = Reflect::get(&clipboard, &"writeText".into())?.dyn_into()?;
    write.call1(&clipboard, &text.into())?.dyn_into()
}

/// The older way, for a web view without the newer one: selects the text in a field and copies the selection.
fn copy_from_field(text: &str) -> Result<bool, JsValue> {
    let page = document();
    let body = page.body().ok_or(JsValue::NULL)?;
    let before = page.active_element();
    let field = page.create_element("textarea")?;
    field.set_class_name("sr");
    Reflect::set(&field, &"value".into(), &text.into())?;
    body.append_child(&field)?;
    let method = |of: &JsValue, name: &str| -> Result<Function, JsValue> {
        Reflect::get(of, &name.into())?.dyn_into()
    };
    let _ = method(&field, "select")?.call0(&field)?;
    let copied = method(&page, "execCommand")?.call1(&page, &"copy".into());
    field.remove();
    if let Some(before) = before.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = before.focus();
    }
    Ok(copied?.is_truthy())
}
