//! What failed, why and what to do, the code, and then the buttons.

use super::icon::{Icon, Sign};
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::Failure;

/// A failure as a person reads it; its children are buttons, the remedy first.
#[component]
pub fn ErrorPanel(
    /// The failure.
    failure: Failure,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let code = failure.code.tag();
    let place = match failure.page {
        Some(page) => format!("{code} · {}", tf("count.page_n", &[("n", &page.to_string())])),
        None => code.clone(),
    };
    let head = tag("failure", &code);
    let title = failure.file.clone().map_or_else(|| head.clone(), |file| format!("{file} · {head}"));
    let (message, hint) = (failure.message.clone(), failure.hint.clone());
    view! {
        <div class="error" role="alert" aria-label=t("error.label")>
            <Sign icon=Icon::Info/>
            <b>{title}</b>
            <span class="t-small">{message}</span>
            {(!hint.is_empty()).then(|| view! { <span class="t-small remedy">{hint}</span> })}
            <span class="code">{place}</span>
            {children.map(|children| view! { <span class="acts">{children()}</span> })}
        </div>
    }
}
