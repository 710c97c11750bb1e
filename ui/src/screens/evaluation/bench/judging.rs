//! Having what systems wrote judged: by whom, what would be sent, and the consent to that.

use super::measurable::Measurable;
use crate::backend::call;
use crate::components::asking::{ChooseEndpoint, Plan};
use crate::components::dialog::Titled;
use crate::components::error_panel::ErrorPanel;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::BenchJudging;
use lexforge_domain::endpoint::AskPlan;

/// Which endpoint, what it would be sent, and the consent to that.
#[component]
pub fn Judging(
    /// What was measured.
    measurable: Measurable,
    /// Puts the question away; nothing was sent then.
    #[prop(into)]
    close: Callback<()>,
) -> impl IntoView {
    let app = use_app();
    let chosen = RwSignal::new(None::<String>);
    let plan = Fetched::<AskPlan>::default();
    Effect::new(move |_| {
        plan.forget();
        let command = chosen.get().and_then(|name| measurable.plan_of(name));
        if let Some(command) = command {
            plan.ask(call(command));
        }
    });
    let send = move |plan: AskPlan| {
        let judging = BenchJudging {
            consent: Some(plan.agreed("window")),
            endpoint: plan.endpoint,
            asks: true,
        };
        measurable.again(app, Some(judging));
        close.run(());
    };
    let planned = move || match (chosen.get(), plan.value.get()) {
        (None, _) => view! { <p class="t-mute">{t("judging.choose")}</p> }.into_any(),
        (Some(_), None) if plan.failure.with(Option::is_some) => ().into_any(),
        (Some(_), None) => view! { <Coming words=t("wait.plan")/> }.into_any(),
        (Some(_), Some(plan)) => {
            let size = tf("judging.size", &[("n", &format::amount(plan.characters))]);
            view! {
                <p class="t-small t-mute" id="judging-size">{size}</p>
                <Plan plan send replaces=t("judging.replaces")/>
            }
            .into_any()
        }
    };
    view! {
        <Titled title=t("judging.title") close id="judging">
            <p class="t-small t-mute">{t("judging.is")}</p>
            <ChooseEndpoint chosen choose=move |name| chosen.set(Some(name)) close/>
            {move || plan.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {planned}
        </Titled>
    }
}
