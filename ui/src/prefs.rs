//! What the page remembers. Some settings are kept between starts, in the web view's local storage. Others are kept
//! until the application ends, in the session's storage.

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

/// The value under a key that this run of the application has kept.
pub fn read_of_session(key: &str) -> Option<String> {
    session()?.get_item(&full(key)).ok()?
}

/// Keeps a value under a key until the application ends: a page that is loaded again finds it.
pub fn keep_for_session(key: &str, value: &str) {
    if let Some(session) = session() {
        let _ = session.set_item(&full(key), value);
    }
}

fn full(key: &str) -> String {
    format!("lexforge.{key}")
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn session() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok()?
}
