//! A word about what was just done, with a way back.

use leptos::prelude::Callback;

/// What is said.
#[derive(Clone)]
pub struct Toast {
    /// The word.
    pub text: String,
    /// Undoes the action, if that is possible.
    pub undo: Option<Callback<()>>,
}
