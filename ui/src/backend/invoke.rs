//! The bridge to the shell: `window.__TAURI__`, reached without generated bindings.

use js_sys::{Function, JSON, Promise, Reflect};
use lexforge_domain::api::commands::Command;
use lexforge_domain::{Code, DocumentId, Failure};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What a command gives.
pub type Answer<T> = Result<T, Failure>;

/// Asks the shell.
pub async fn call<C: Command>(command: C) -> Answer<C::Answer> {
    let promise = start(&command).map_err(|error| broken(C::NAME, &error))?;
    match JsFuture::from(promise).await {
        Ok(value) => read(&value).map_err(|reason| broken(C::NAME, &reason.into())),
        Err(error) => Err(read(&error).unwrap_or_else(|_| broken(C::NAME, &error))),
    }
}

/// The address of a page's image at a resolution in dots per inch. The document's hash keeps images of different
/// workspaces apart in the web view's cache. `turn` counts the tries, so that a failed image is not taken from the
/// cache.
pub fn page_image(document: DocumentId, sha256: &str, page: u32, dpi: u32, turn: u32) -> String {
    let base = core("convertFileSrc")
        .and_then(|convert| convert.call2(&JsValue::NULL, &"".into(), &"page".into()))
        .ok()
        .and_then(|address| address.as_string())
        .unwrap_or_else(|| "page://localhost/".to_owned());
    format!(
        "{base}{document}/{page}?dpi={dpi}&turn={turn}&of={}",
        sha256.get(..16).unwrap_or(sha256)
    )
}

fn start<C: Command>(command: &C) -> Result<Promise, JsValue> {
    let arguments = serde_json::to_string(command).map_err(|error| error.to_string())?;
    core("invoke")?
        .call2(&JsValue::NULL, &C::NAME.into(), &JSON::parse(&arguments)?)?
        .dyn_into()
}

fn core(function: &str) -> Result<Function, JsValue> {
    part(&["core", function])?.dyn_into()
}

/// A part of `window.__TAURI__`.
pub(super) fn part(path: &[&str]) -> Result<JsValue, JsValue> {
    let window: JsValue = web_sys::window().ok_or(JsValue::NULL)?.into();
    let mut value = Reflect::get(&window, &"__TAURI__".into())?;
    for name in path {
        value = Reflect::get(&value, &(*name).into())?;
    }
    Ok(value)
}

/// A JavaScript value as a Rust value.
pub(super) fn read<T: DeserializeOwned>(value: &JsValue) -> Result<T, String> {
    let json = if value.is_undefined() {
        "null".to_owned()
    } else {
        JSON::stringify(value)
            .map_err(|_| "not JSON".to_owned())?
            .into()
    };
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

fn broken(command: &str, error: &JsValue) -> Failure {
    let reason = error.as_string().unwrap_or_else(|| format!("{error:?}"));
    Failure::new(
        Code::Internal,
        format!("The window could not speak with the application ({command}): {reason}"),
        "Close the window and open it again.",
    )
}
