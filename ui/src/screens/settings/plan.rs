//! How the workspace is reviewed: second reviews, blind or not, and the line under which agreement is named.

use crate::backend::{call, commands};
use crate::components::check::Check;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::ReviewPlan;
use lexforge_domain::dataset::ReviewPolicy;

/// The plan; it holds from the next decision on.
#[component]
pub fn Plan() -> impl IntoView {
    let app = use_app();
    let plan = Memo::new(move |_| {
        app.people
            .with(|view| view.as_ref().map(|view| view.plan.clone()))
    });
    let change = move |change: &dyn Fn(&mut ReviewPlan)| {
        let Some(mut plan) = plan.get_untracked() else {
            return;
        };
        change(&mut plan);
        app.attempt(call(commands::SetReviewPlan { plan }), move |people| {
            app.people.set(Some(people));
            app.changes.update(|n| *n += 1);
        });
    };
    let fields = move || {
        plan.get().map(|plan| {
            view! {
                <label for="plan-second">{t("plan.second")}</label>
                <div class="stack g-1">
                    <span class="row">
                        <input class="input short-field" id="plan-second" type="number" min="0" max="100" value=format!("{:.0}", plan.second_review * 100.0)
                            on:change:target=move |event| {
                                let typed = event.target().value().trim().parse::<f64>().unwrap_or(0.0).clamp(0.0, 100.0);
                                change(&|plan| plan.second_review = typed / 100.0);
                            }/>
                        "%"
                    </span>
                    <span class="t-small t-mute">{t("plan.second_means")}</span>
                </div>
                <span>{t("plan.blind")}</span>
                <Check id="plan-blind" on=plan.blind tick=move |on: bool| change(&|plan| plan.blind = on)>{t("plan.blind_means")}</Check>
                <label for="plan-gate">{t("plan.gate")}</label>
                <div class="stack g-1">
                    <input class="input short-field" id="plan-gate" type="number" min="0" max="1" step="0.05" value=format!("{:.2}", plan.gate)
                        on:change:target=move |event| {
                            let typed = event.target().value().trim().parse::<f64>().unwrap_or(0.8).clamp(0.0, 1.0);
                            change(&|plan| plan.gate = typed);
                        }/>
                    <span class="t-small t-mute">{tf("plan.gate_means", &[("gate", &format::tick(plan.gate))])}</span>
                </div>
                <Terms policy=plan.terms choose=move |policy: ReviewPolicy| change(&|plan| plan.terms = policy)/>
            }
        })
    };
    view! {
        <section class="card" id="plan">
            <div class="card-head"><h2>{t("plan.title")}</h2></div>
            <div class="card-body settings-list">
                {fields}
                {move || plan.with(Option::is_none).then(|| view! { <span class="t-small">{t("people.no_workspace")}</span> })}
            </div>
        </section>
    }
}

/// Which terms the graph and the questions are made of.
#[component]
fn Terms(policy: ReviewPolicy, #[prop(into)] choose: Callback<ReviewPolicy>) -> impl IntoView {
    let change = move |chosen: String| {
        let mut all = ReviewPolicy::ALL.into_iter();
        if let Some(policy) = all.find(|policy| policy.tag() == chosen) {
            choose.run(policy);
        }
    };
    let options = ReviewPolicy::ALL
        .into_iter()
        .map(|each| {
            let (name, selected) = (each.tag(), each == policy);
            view! { <option value=name selected=selected>{tag("policy", name)}</option> }
        })
        .collect_view();
    view! {
        <label for="plan-terms">{t("plan.terms")}</label>
        <div class="stack g-1">
            <span class="picker"><select class="select" id="plan-terms" aria-describedby="plan-terms-hint"
                on:change:target=move |event| change(event.target().value())>
                {options}
            </select></span>
            <span class="t-small t-mute" id="plan-terms-hint">{t("plan.terms_means")}</span>
        </div>
    }
}
