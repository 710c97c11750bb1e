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
                <SecondReview share=plan.second_review choose=move |share: f64| change(&|plan| plan.second_review = share)/>
                <span>{t("plan.blind")}</span>
                <Check id="plan-blind" on=plan.blind tick=move |on: bool| change(&|plan| plan.blind = on)>{t("plan.blind_means")}</Check>
                <Line gate=plan.gate choose=move |gate: f64| change(&|plan| plan.gate = gate)/>
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

/// Which share of the decisions is reviewed a second time.
#[component]
fn SecondReview(share: f64, #[prop(into)] choose: Callback<f64>) -> impl IntoView {
    view! {
        <label for="plan-second">{t("plan.second")}</label>
        <div class="stack g-1">
            <span class="row">
                <input class="input short-field" id="plan-second" type="number" min="0" max="100" value=format!("{:.0}", share * 100.0)
                    on:change:target=move |event| {
                        let typed = event.target().value().trim().parse::<f64>().unwrap_or(0.0).clamp(0.0, 100.0);
                        choose.run(typed / 100.0);
                    }/>
                "%"
            </span>
            <span class="t-small t-mute">{t("plan.second_means")}</span>
        </div>
    }
}

/// The line under which agreement is named.
#[component]
fn Line(gate: f64, #[prop(into)] choose: Callback<f64>) -> impl IntoView {
    view! {
        <label for="plan-gate">{t("plan.gate")}</label>
        <div class="stack g-1">
            <input class="input short-field" id="plan-gate" inputmode="decimal" autocomplete="off" value=format::tick(gate)
                on:change:target=move |event| {
                    let field = event.target();
                    let chosen = line_typed(&field.value());
                    field.set_value(&format::tick(chosen.unwrap_or(gate)));
                    if let Some(chosen) = chosen {
                        choose.run(chosen);
                    }
                }/>
            <span class="t-small t-mute">{tf("plan.gate_means", &[("gate", &format::tick(gate))])}</span>
        </div>
    }
}

/// The line that was typed, from 0 to 1; `None` if it is no number.
fn line_typed(text: &str) -> Option<f64> {
    let typed = text.trim().parse::<f64>().ok()?;
    typed.is_finite().then(|| typed.clamp(0.0, 1.0))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_number_from_0_to_1_and_is_shown_as_other_figures_are() {
        for (typed, line, shown) in [
            (".8", Some(0.8), ".8"),
            (" 0.75 ", Some(0.75), ".75"),
            ("5", Some(1.0), "1"),
            ("-1", Some(0.0), "0"),
            ("0,8", None, ""),
            ("nan", None, ""),
            ("", None, ""),
        ] {
            assert_eq!(line_typed(typed), line, "{typed}");
            assert_eq!(line.map(format::tick).unwrap_or_default(), shown);
        }
    }
}
