//! A remark beside what it is about.

use super::icon::{Icon, Sign};
use leptos::prelude::*;

/// How much a remark matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good to know.
    Info,
    /// Look before you go on.
    Warn,
    /// All is well.
    Ok,
}

/// A remark with its sign.
#[component]
pub fn Note(
    /// How much it matters.
    tone: Tone,
    /// The remark.
    children: Children,
) -> impl IntoView {
    let (class, icon) = match tone {
        Tone::Info => ("note info", Icon::Info),
        Tone::Warn => ("note warn", Icon::Warning),
        Tone::Ok => ("note ok", Icon::Check),
    };
    view! {
        <div class=class>
            <Sign icon small=true/>
            <span class="grow">{children()}</span>
        </div>
    }
}
