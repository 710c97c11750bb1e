//! What a question or a measurement would send, and the consent to that.

use super::deeds::{agree, agreed, begin_measuring};
use crate::components::asking::Plan;
use crate::components::dialog::Titled;
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::AskPlan;

/// The dialog, as long as a question waits for consent.
#[component]
pub fn ConsentAsked() -> impl IntoView {
    let app = use_app();
    let close = Callback::new(move |()| app.ask.consent.set(None));
    move || {
        app.ask.consent.get().map(|(inquiry, plan)| {
            let question = inquiry.question.clone();
            let inquiry = StoredValue::new(inquiry);
            let send = move |plan: AskPlan| agree(app, inquiry.get_value(), &plan);
            view! {
                <Titled title=t("answering.way") close id="ask-consent">
                    <Plan plan send replaces=question.clone()/>
                </Titled>
            }
        })
    }
}

/// The dialog, as long as a measurement waits for consent.
#[component]
pub fn MeasureAsked() -> impl IntoView {
    let app = use_app();
    let close = Callback::new(move |()| app.ask.measuring.set(None));
    move || {
        app.ask.measuring.get().map(|(way, plan)| {
            let way = StoredValue::new(way);
            let send = move |plan: AskPlan| {
                begin_measuring(app, way.get_value(), Some(agreed(&plan)));
            };
            view! {
                <Titled title=t("certificate.title") close id="measure-consent">
                    <Plan plan send replaces=t("answering.measure_tip")/>
                </Titled>
            }
        })
    }
}
