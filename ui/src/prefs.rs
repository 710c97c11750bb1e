//! What the page remembers between starts, in the web view's local storage.

/// The value under a key.
pub fn read(key: &str) -> Option<String> {
    storage()?.get_item(&full(key)).ok()?
}

/// Keeps a value under a key. A full or forbidden storage is no reason to trouble anybody.
pub fn keep(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&full(key), value);
    }
}

fn full(key: &str) -> String {
    format!("lexforge.{key}")
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}
