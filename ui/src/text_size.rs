//! How large the page is shown: all of it, so that nothing overlaps; the layout has that much less space.

use crate::backend::{call, commands};
use crate::prefs;
use leptos::task::spawn_local;

/// The sizes that can be chosen, in per cent.
pub const SIZES: [u32; 6] = [90, 100, 115, 130, 150, 200];
/// As it was designed.
pub const USUAL: u32 = 100;

/// The key under which the size is remembered.
const KEY: &str = "text_size";

/// The size that is remembered.
pub fn remembered() -> u32 {
    from_text(&prefs::read(KEY).unwrap_or_default())
}

fn from_text(text: &str) -> u32 {
    let size = text.parse().ok();
    size.filter(|size| SIZES.contains(size)).unwrap_or(USUAL)
}

/// Shows the page in a size, and remembers it.
pub fn apply(size: u32) {
    prefs::keep(KEY, &size.to_string());
    spawn_local(async move {
        // Without an answer the page stays as it is.
        let _ = call(commands::SetTextSize { percent: size }).await;
    });
}

/// The size that a key with Ctrl asks for, by what the key writes.
pub fn by_key(now: u32, key: &str, code: &str) -> Option<u32> {
    // On some keyboards the key of the 0 writes something else.
    if matches!(code, "Digit0" | "Numpad0") {
        return Some(USUAL);
    }
    match key {
        "+" | "=" => Some(SIZES.into_iter().find(|size| *size > now).unwrap_or(now)),
        "-" | "_" => {
            let mut smaller = SIZES.into_iter().rev();
            Some(smaller.find(|size| *size < now).unwrap_or(now))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_step_by_step_and_no_further_than_the_ends() {
        for (now, key, expected) in [
            (100, "+", Some(115)),
            (100, "=", Some(115)),
            (200, "+", Some(200)),
            (100, "-", Some(90)),
            (90, "-", Some(90)),
            (150, "0", None),
            (150, "k", None),
        ] {
            assert_eq!(by_key(now, key, "Key"), expected, "{now} {key}");
        }
        assert_eq!(by_key(150, "à", "Digit0"), Some(100));
    }

    #[test]
    fn what_is_remembered_is_one_of_the_sizes() {
        for (text, expected) in [("150", 150), ("", 100), ("151", 100), ("x", 100)] {
            assert_eq!(from_text(text), expected);
        }
    }
}
