//! Endpoints among the systems: what each would be sent, and the consent to that, before anything is measured.

use super::measurable::Measurable;
use super::names::named;
use crate::backend::{call, commands};
use crate::components::asking::Plan;
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::endpoint::{AskPlan, Consent};

/// Whether an endpoint is among these systems.
pub fn asks(systems: &[String]) -> bool {
    systems.iter().any(|system| system.starts_with("endpoint "))
}

/// The plan that is to be agreed to next: what is known already is not sent, and needs no consent.
fn next(plans: &[AskPlan], agreed: &[Consent]) -> Option<AskPlan> {
    let mut open = plans.iter().filter(|plan| plan.prompts > 0);
    open.nth(agreed.len()).cloned()
}

/// Each endpoint with what it would be sent, one after the other; measuring begins once all are agreed to.
#[component]
pub fn Agreeing(
    /// What is ticked.
    measurable: Measurable,
    /// Puts the question away; nothing was sent then.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let plans = Fetched::<Vec<AskPlan>>::default();
    let agreed = RwSignal::new(Vec::<Consent>::new());
    plans.ask(call(commands::PlanBenchAsking {
        asked: measurable.asked(app, Vec::new()),
    }));
    // The plan that is there; none inside = all are agreed to.
    let open = Memo::new(move |_| {
        let plans = plans.value.get()?;
        Some(agreed.with(|agreed| next(&plans, agreed)))
    });
    Effect::new(move |_| {
        if open.get() == Some(None) {
            measurable.measure(app, agreed.get_untracked());
            close.run(());
        }
    });
    let send = move |plan: AskPlan| {
        agreed.update(|agreed| agreed.push(plan.agreed("window")));
    };
    let planned = move || match open.get() {
        None if plans.failure.with(Option::is_some) => ().into_any(),
        None => view! { <Coming words=t("wait.plan")/> }.into_any(),
        Some(None) => ().into_any(),
        Some(Some(plan)) => {
            let name = named(&format!("endpoint {}", plan.endpoint)).name;
            let size = tf("judging.size", &[("n", &format::amount(plan.characters))]);
            view! {
                <h3>{name}</h3>
                <p class="t-small t-mute">{size}</p>
                <Plan plan send replaces=t("judging.replaces")/>
            }
            .into_any()
        }
    };
    view! {
        <Titled title=t("systems.asking") close id="bench-asking">
            <p class="t-small t-mute">{t("systems.asking_is")}</p>
            {move || plans.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {planned}
        </Titled>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(endpoint: &str, prompts: u64) -> AskPlan {
        AskPlan {
            endpoint: endpoint.to_owned(),
            host: "h".to_owned(),
            via: None,
            model: "m".to_owned(),
            local: false,
            prompts,
            answered: 0,
            sentences: 1,
            documents: 1,
            characters: 1,
            unencrypted: false,
            at_most: false,
            scope: endpoint.to_owned(),
        }
    }

    #[test]
    fn each_endpoint_that_is_sent_something_is_agreed_to() {
        let plans = [plan("known", 0), plan("one", 3), plan("other", 1)];
        let consent = |scope: &str| Consent {
            scope: scope.to_owned(),
            given: "window".to_owned(),
        };
        let asked = |agreed: &[Consent]| next(&plans, agreed).map(|plan| plan.endpoint);
        assert_eq!(asked(&[]).as_deref(), Some("one"));
        assert_eq!(asked(&[consent("one")]).as_deref(), Some("other"));
        assert_eq!(asked(&[consent("one"), consent("other")]), None);
        assert!(asks(&["tfidf".to_owned(), "endpoint one".to_owned()]));
        assert!(!asks(&["tfidf".to_owned()]));
    }
}
