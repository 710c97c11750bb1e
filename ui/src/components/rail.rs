//! The way through the house.

use super::icon::Sign;
use crate::format;
use crate::i18n::{t, tf};
use crate::route::{RailPart, Route};
use crate::state::use_app;
use leptos::prelude::*;

/// The screens, in the order in which one goes through them.
#[component]
pub fn Rail() -> impl IntoView {
    let of = |part: RailPart| {
        let routes = Route::ALL.into_iter().filter(|route| route.part() == part);
        routes.map(|route| view! { <Entry route/> }).collect_view()
    };
    view! {
        <nav class="rail" aria-label=t("nav.label") data-pane="rail">
            <div class="cap">{t("nav.teach")}</div>
            {of(RailPart::Teach)}
            <div class="gap"></div>
            <div class="cap">{t("nav.use")}</div>
            {of(RailPart::Use)}
            <div class="fill"></div>
            {of(RailPart::Beside)}
        </nav>
    }
}

#[component]
fn Entry(route: Route) -> impl IntoView {
    let app = use_app();
    let many = move || {
        app.workspace.with(|ws| {
            let ws = ws.as_ref()?;
            match route {
                Route::Library => Some(ws.documents),
                Route::Terms => Some(ws.terms),
                Route::Questions => Some(ws.questions),
                Route::Training => Some(ws.runs),
                _ => None,
            }
            .filter(|n| *n > 0)
        })
    };
    let name = route.title();
    // Without a workspace there is nothing for it to show.
    let waits =
        move || route.needs_workspace() && app.workspace.with(Option::is_none) && app.ready.get();
    let tip = {
        let name = name.clone();
        move || {
            if waits() {
                tf("nav.waits", &[("name", &name)])
            } else {
                format!("{name}  ·  G {}", route.key().1)
            }
        }
    };
    view! {
        <button
            id=format!("go-{}", route.tag())
            title=tip
            aria-disabled=move || waits().then_some("true")
            aria-current=move || (app.route.get() == route && !waits()).then_some("page")
            on:click=move |_| app.visit(route)
        >
            <Sign icon=route.icon()/>
            <span>{name.clone()}</span>
            {move || many().map(|n| view! { <span class="n">{format::count(n)}</span> })}
        </button>
    }
}
