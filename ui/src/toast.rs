//! A word about what was just done, with a way back.

use leptos::prelude::Callback;

/// What is said.
#[derive(Clone)]
pub struct Toast {
    /// The word.
    pub text: String,
    /// What takes the deed back, where that can be done.
    pub undo: Option<Callback<()>>,
}
