//! What the answer of an endpoint that fails says.

use reqwest::Response;
use reqwest::header;

/// The greatest number of characters that a message repeats of what an endpoint said.
pub(super) const SAID: usize = 200;

/// One line of at most [`SAID`] characters.
pub(super) fn excerpt(text: &str) -> String {
    let line: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let line = line.join(" ");
    match line.char_indices().nth(SAID) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

pub(super) fn is_page(response: &Response) -> bool {
    let kind = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default();
    kind.trim_start()
        .to_ascii_lowercase()
        .starts_with("text/html")
}

pub(super) fn looks_like_a_page(text: &str) -> bool {
    let start: String = text
        .trim_start()
        .chars()
        .take(14)
        .collect::<String>()
        .to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

pub(super) fn no_such_model(complaint: &str) -> bool {
    let words = complaint.to_lowercase();
    words.contains("model")
        && [
            "not exist",
            "not found",
            "unknown model",
            "no such",
            "invalid model",
        ]
        .iter()
        .any(|w| words.contains(w))
}
