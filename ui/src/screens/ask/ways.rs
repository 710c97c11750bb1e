//! Who answers: the clauses themselves, an adapter, an endpoint; only what is there can be chosen.

use crate::i18n::{t, tf};
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{AnswerWay, AnswerWayRow};

/// A way in words.
pub fn words(row: &AnswerWayRow) -> String {
    match &row.way {
        AnswerWay::Extractive => t("answering.by_clauses"),
        AnswerWay::Adapter { run } => {
            let run = run.map(|run| run.to_string()).unwrap_or_default();
            tf(
                "answering.by_adapter",
                &[("run", &run), ("model", &row.model)],
            )
        }
        AnswerWay::Base { .. } => tf("answering.by_base", &[("model", &row.model)]),
        AnswerWay::Endpoint { name } => tf(
            "answering.by_endpoint",
            &[
                ("name", name.as_deref().unwrap_or_default()),
                ("model", &row.model),
            ],
        ),
    }
}

/// The choice of a way; its values are their places in the list.
#[component]
pub fn ChooseWay(
    /// The way that is chosen.
    way: RwSignal<AnswerWay>,
    id: &'static str,
) -> impl IntoView {
    let app = use_app();
    // The clauses themselves answer at once; which models can is looked up.
    let rows = move || {
        app.ask.ways.value.get().unwrap_or_else(|| {
            vec![AnswerWayRow {
                way: AnswerWay::Extractive,
                model: String::new(),
                host: None,
                local: true,
            }]
        })
    };
    let coming = move || {
        let ways = app.ask.ways;
        let words = match (ways.value.with(Option::is_some), ways.failure.get()) {
            (true, _) => return None,
            (false, None) => t("answering.ways_coming"),
            (false, Some(failure)) => {
                tf("answering.ways_failed", &[("why", &said(&failure.message))])
            }
        };
        Some(view! { <option disabled=true>{words}</option> })
    };
    let options = move || {
        let now = way.get();
        let option = |(place, row): (usize, AnswerWayRow)| {
            let selected = row.way == now;
            view! { <option value=place.to_string() selected=selected>{words(&row)}</option> }
        };
        rows().into_iter().enumerate().map(option).collect_view()
    };
    let choose = move |value: String| {
        let row = value
            .parse()
            .ok()
            .and_then(|place: usize| rows().into_iter().nth(place));
        if let Some(row) = row {
            way.set(row.way);
        }
    };
    view! {
        <label class="row g-1 t-small">
            <span class="t-mute">{t("answering.way")}</span>
            <span class="picker">
                <select class="select" id=id on:change:target=move |event| choose(event.target().value())>
                    {options}
                    {coming}
                </select>
            </span>
        </label>
    }
}
