//! The clauses that the cited ones refer to, as links that open their page.

use super::deeds::turn_to;
use super::figures::place_of;
use super::place::Spot;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, Referred};

/// What the cited clauses refer to; nothing where they refer to nothing else.
#[component]
pub fn Refers(answer: Answer) -> impl IntoView {
    let rows = answer.refers.into_iter().enumerate();
    let rows: Vec<_> = rows
        .map(|(at, referred)| view! { <li><Row at referred/></li> })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="stack" id="refers">
                <h2>{t("answering.refers")}</h2>
                <ul class="ask-refers">{rows}</ul>
            </section>
        }
    })
}

#[component]
fn Row(at: usize, referred: Referred) -> impl IntoView {
    let app = use_app();
    let from = tf(
        "answering.refers_from",
        &[("n", &(referred.from + 1).to_string())],
    );
    let place = said_place(&referred);
    let words = referred.text;
    let named = match referred.place {
        Some(_) => {
            let spot = Spot::Referred(at);
            let active = move || app.ask.spot.get() == Some(spot);
            view! {
                <button
                    class="link reference"
                    title=from
                    aria-current=move || active().then_some("true")
                    on:click=move |_| turn_to(app, spot)
                >
                    <Sign icon=Icon::Link small=true/>
                    {words}
                </button>
            }
            .into_any()
        }
        None => view! { <span class="reference" title=from><Sign icon=Icon::Link small=true/>{words}</span> }.into_any(),
    };
    view! { {named}" "<span class="t-small t-mute">{place}</span> }
}

/// Where the clause stands, or that its act is not here.
pub fn said_place(referred: &Referred) -> String {
    match &referred.place {
        Some(place) => place_of(place),
        None => t("answering.refers_elsewhere"),
    }
}
