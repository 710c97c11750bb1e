//! How often a rule would be right on the newest snapshot: a table, and the margins that are offered.

use super::words::margin;
use super::written::plain;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::screens::evaluation::gate::units;
use leptos::prelude::*;
use lexforge_domain::gate::{GatePlan, GateRates, MarginOffer};
use std::collections::BTreeMap;

/// What was worked out.
#[component]
pub fn Planned(
    plan: GatePlan,
    /// Takes an offered margin.
    take: Callback<f64>,
) -> impl IntoView {
    let questions = tn("rule.questions", plan.questions.into());
    let on = tf(
        "rule.on",
        &[
            ("n", &plan.dataset.to_string()),
            ("questions", &questions),
            ("anchors", &units(&plan.unit, plan.anchors.into())),
        ],
    );
    let shares = plan.policy.measures.iter().any(|m| m.measure.is_share());
    if !shares {
        return view! {
            <p class="t-small">{on}</p>
            <Note tone=Tone::Info>{t("rule.gap_alone")}</Note>
        }
        .into_any();
    }
    let told = &plan.characteristic;
    let never = told
        .decides_nothing()
        .then(|| view! { <Note tone=Tone::Warn>{t("gate.right_never")}</Note> });
    let assumed = tf(
        "rule.assumed",
        &[
            ("n", &format::count(told.simulations.into())),
            ("share", &plain(told.discordant * 100.0)),
            ("within", &plain(told.within)),
        ],
    );
    view! {
        <p class="t-small">{on}</p>
        {never}
        <Rates of=told.rates.clone()/>
        {offers_of(&told.offers, take)}
        <p class="t-small t-mute">{assumed}</p>
    }
    .into_any()
}

/// How often the rule passes, stops and leaves undecided a model that is worse by so many points.
#[component]
fn Rates(of: BTreeMap<String, GateRates>) -> impl IntoView {
    let lines = of
        .iter()
        .map(|(points, rates)| {
            let error = format!("± {:.1}", rates.error * 100.0);
            view! {
                <tr>
                    <th scope="row">{worse_by(points)}</th>
                    <td class="num">{format::whole_percent(rates.passes)}</td>
                    <td class="num">{format::whole_percent(rates.stopped)}</td>
                    <td class="num">{format::whole_percent(rates.undecided)}</td>
                    <td class="num t-mute">{error}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="table-wrap">
            <table class="table tight" id="gate-plan">
                <thead>
                    <tr>
                        <th>{t("rule.model")}</th>
                        <th class="num">{t("rule.passes")}</th>
                        <th class="num">{t("rule.stopped")}</th>
                        <th class="num">{t("rule.undecided")}</th>
                        <th class="num">{t("rule.error")}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}

/// The margins that are offered, each with the button that takes it.
fn offers_of(offers: &[MarginOffer], take: Callback<f64>) -> Option<impl IntoView + use<>> {
    let offers: Vec<_> = offers
        .iter()
        .filter_map(|offer| {
            let (said, value) = (offered(offer)?, offer.margins.first()?.margin);
            Some(view! {
                <li class="row wrap">
                    <span class="grow">{said}</span>
                    <button class="btn sm" on:click=move |_| take.run(value)>{t("rule.take")}</button>
                </li>
            })
        })
        .collect();
    // A list without items is announced as one by a screen reader.
    (!offers.is_empty())
        .then(|| view! { <ul class="stack limits t-small" id="gate-offers">{offers}</ul> })
}

/// Which model a line is about, by the points that it is worse.
fn worse_by(points: &str) -> String {
    match points {
        "0" => t("rule.equal"),
        "1" => t("rule.worse_one"),
        more => tf("rule.worse", &[("n", more)]),
    }
}

/// An offered margin, and how often a model that is worse by three points would be stopped with it.
fn offered(offer: &MarginOffer) -> Option<String> {
    let worse = offer.worse_stopped.get("3")?;
    Some(tf(
        "rule.offer",
        &[
            ("equal", &format::whole_percent(offer.equal_passes)),
            ("margin", &margin(offer.margins.first()?)),
            ("worse", &format::whole_percent(*worse)),
        ],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::gate::{GateMeasure, Margin};

    #[test]
    fn an_offer_says_its_margin_and_what_it_costs() {
        let offer = MarginOffer {
            equal_passes: 0.8,
            margins: vec![Margin {
                measure: GateMeasure::F1,
                margin: 0.034,
            }],
            worse_stopped: [("1", 0.02), ("3", 0.61)]
                .map(|(points, share)| (points.to_owned(), share))
                .into(),
        };
        for (lang, wanted) in [
            (Lang::En, ["80\u{a0}%", "3.4 points", "61\u{a0}%"]),
            (Lang::Zh, ["80\u{a0}%", "3.4 个百分点", "61\u{a0}%"]),
        ] {
            speak(lang);
            let said = offered(&offer).unwrap_or_default();
            assert!(wanted.iter().all(|part| said.contains(part)), "{said}");
        }
        speak(Lang::En);
        assert_eq!(worse_by("1"), "Worse by 1 point");
        assert_eq!(worse_by("3"), "Worse by 3 points");
    }
}
