//! Why a connection failed, as the libraries below say it.

use std::error::Error as _;

/// The last cause of an error, in its own words.
pub(super) fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    // The outermost error names the whole address.
    if std::ptr::addr_eq(cause, error) {
        String::new()
    } else {
        cause.to_string()
    }
}

pub(super) fn chain(error: &reqwest::Error) -> String {
    let mut words = String::new();
    let mut cause = error.source();
    while let Some(next) = cause {
        words.push_str(&next.to_string().to_lowercase());
        words.push('\n');
        cause = next.source();
    }
    words
}

pub(super) fn holds<T: std::error::Error + 'static>(
    error: &(dyn std::error::Error + 'static),
) -> bool {
    // An error of the operating system's kind hides the one that it carries from `source`.
    let carried = error
        .downcast_ref::<std::io::Error>()
        .and_then(std::io::Error::get_ref);
    error.is::<T>()
        || carried.is_some_and(|e| holds::<T>(e))
        || error.source().is_some_and(holds::<T>)
}
