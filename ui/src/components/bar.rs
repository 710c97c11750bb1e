//! A bar of progress with its amount.

use leptos::prelude::*;

/// How much of a whole is done.
#[component]
pub fn Bar(
    /// Units done.
    done: u64,
    /// Of how many; 0 = not known, and then nothing is shown.
    of: u64,
    /// The name of the measured value, for a screen reader.
    label: String,
) -> impl IntoView {
    (of > 0).then(|| {
        let part = (done.min(of) as f64 / of as f64 * 100.0).round();
        view! {
            <span
                class="bar"
                role="progressbar"
                aria-label=label
                aria-valuemin="0"
                aria-valuemax=of.to_string()
                aria-valuenow=done.to_string()
                style=("--part", format!("{part}%"))
            >
                <i></i>
            </span>
        }
    })
}
