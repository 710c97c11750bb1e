//! The summary of a matching: the rules by verdict and by people's decisions (a click filters the list), the chapters,
//! how much people agree, and a note on the limits of these figures.

use super::chapters::Chapters;
use super::coverage::{Counts, counted, fill, place as place_of};
use super::deeds::show;
use super::place::{STALE, STATES, UNREVIEWED};
use super::words;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tf, tn, tnf};
use crate::said::Told;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{MatchLearning, MatchVerdict};

/// The pane.
#[component]
pub fn Summary() -> impl IntoView {
    view! {
        <div class="scroll" tabindex="0" aria-label=t("match.coverage")>
            <Verdicts/>
            <Chapters/>
            <Decided/>
            <Meaning/>
        </div>
    }
}

/// The first of the rules that are listed now is shown.
fn show_first(app: App) {
    let first = untrack(|| app.matching.listed()).first().map(|r| r.rule.id);
    if let Some(first) = first {
        show(app, first);
    }
}

#[component]
fn Verdicts() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let counts: Memo<Counts> = Memo::new(move |_| {
        place.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            counted(rows.map(|r| r.verdict))
        })
    });
    let rows = MatchVerdict::ALL
        .into_iter()
        .map(|verdict| {
            let pressed = move || place.filter.with(|f| f.verdicts.contains(&verdict));
            let press = move |_| {
                place.filter.update(|filter| {
                    if !filter.verdicts.remove(&verdict) {
                        filter.verdicts.insert(verdict);
                    }
                });
                show_first(app);
            };
            let class = format!("m-swatch {}", fill(verdict));
            view! {
                <button class="m-row" data-verdict=verdict.tag() aria-pressed=move || pressed().to_string() title=words::verdict_means(verdict) on:click=press>
                    <i class=class aria-hidden="true"></i>
                    <Sign icon=words::sign(verdict) small=true/>
                    <span class="clip">{words::verdict(verdict)}</span>
                    <b>{move || format::count(counts.get()[place_of(verdict)])}</b>
                </button>
            }
        })
        .collect_view();
    let all = move || tn("match.count_rules", counts.get().iter().sum());
    view! {
        <section>
            <h2>{t("match.verdicts")}<small id="match-count">{all}</small></h2>
            {rows}
        </section>
    }
}

#[component]
fn Decided() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let count = move |state: &'static str| {
        place.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            rows.filter(|row| row.status == state).count() as u64
        })
    };
    let rows = STATES
        .into_iter()
        .map(|state| {
            let icon = match state {
                "accepted" => Icon::Check,
                "corrected" => Icon::Merge,
                STALE => Icon::Undo,
                UNREVIEWED => Icon::Chip,
                _ => Icon::Question,
            };
            let pressed = move || place.filter.with(|f| f.state == Some(state));
            let press = move |_| {
                place.filter.update(|filter| {
                    filter.state = if filter.state == Some(state) { None } else { Some(state) };
                });
                show_first(app);
            };
            view! {
                <button class="m-row" data-state=state aria-pressed=move || pressed().to_string() on:click=press>
                    <Sign icon small=true/>
                    <span class="clip">{words::state(state)}</span>
                    <b>{move || format::count(count(state))}</b>
                </button>
            }
        })
        .collect_view();
    let agreement = move || {
        place.overview.value.with(|overview| {
            let agreed = overview.as_ref()?.as_ref()?.agreement.as_ref()?;
            Some(tnf(
                "match.agreement",
                agreed.rules,
                &[
                    ("alpha", &format::level(agreed.alpha)),
                    ("people", &agreed.people.to_string()),
                ],
            ))
        })
    };
    view! {
        <section>
            <h2>{t("match.decided")}</h2>
            {rows}
            {move || agreement().map(|text| view! { <p class="t-small t-mute m-para" id="match-agreement">{text}</p> })}
        </section>
    }
}

/// What was learned from decisions about other policies, or why it was not.
fn learned(learning: &MatchLearning) -> String {
    let decisions = learning.decisions.len() as u64;
    if learning.void > 0 {
        tn("match.learning_void", learning.void as u64)
    } else if learning.needed > 0 {
        let needed = learning.needed.to_string();
        tnf("match.learning_few", decisions, &[("needed", &needed)])
    } else if learning.own + learning.pooled == 0 {
        tn("match.learning_none", decisions)
    } else {
        tnf(
            "match.learning",
            decisions,
            &[
                ("policies", &format::count(learning.policies as u64)),
                ("own", &format::count(learning.own as u64)),
                ("pooled", &format::count(learning.pooled as u64)),
            ],
        )
    }
}

/// What the probability of a rule means. Where something was learned, the words about contracts hold for a part of the
/// rules alone, or for none.
fn probability_means(learning: Option<&MatchLearning>) -> String {
    match learning {
        Some(learning) if learning.void == 0 && learning.own + learning.pooled > 0 => {
            t("match.probability_either")
        }
        _ => t("match.probability_is"),
    }
}

/// The meaning and the limits of the figures, what was skipped, and what was compared.
#[component]
fn Meaning() -> impl IntoView {
    let app = use_app();
    let place = app.matching;
    let told = move || {
        place.overview.value.with(|overview| {
            let overview = overview.as_ref()?.as_ref()?;
            let method = match &overview.encoder {
                Some(encoder) => tf("match.by_encoder", &[("encoder", encoder)]),
                None => t("match.by_words"),
            };
            let mut lines = vec![tf(
                "match.made",
                &[
                    ("when", &format::minute(&overview.made)),
                    ("method", &method),
                ],
            )];
            if overview.passed_over > 0 {
                lines.push(tn("match.passed_over", overview.passed_over as u64));
            }
            let aside = overview.set_aside;
            if aside.public > 0 {
                lines.push(tn("match.aside_public", aside.public as u64));
            }
            if aside.recitals > 0 {
                lines.push(tn("match.aside_recitals", aside.recitals as u64));
            }
            if aside.public + aside.recitals > 0 {
                lines.push(t("match.aside_how"));
            }
            if overview.to_a_model > 0 {
                lines.push(tn("match.to_a_model", overview.to_a_model as u64));
            }
            lines.extend(overview.learning.as_ref().map(learned));
            let lines = lines
                .into_iter()
                .map(|line| view! { <p class="t-small t-mute">{line}</p> })
                .collect_view();
            let warnings = overview
                .warnings
                .iter()
                .map(|text| view! { <p class="t-small"><Told text=text.clone()/></p> })
                .collect_view();
            Some(view! { {lines}{warnings} })
        })
    };
    let probability = move || {
        place.overview.value.with(|overview| {
            let learning = overview.iter().flatten().find_map(|o| o.learning.as_ref());
            probability_means(learning)
        })
    };
    view! {
        <section class="m-meaning">
            <h2>{t("match.what_it_says")}</h2>
            <p class="t-small m-para" id="match-honest">{t("match.read_all")}</p>
            <p class="t-small m-para">{probability}</p>
            <div class="m-para stack g-1">{told}</div>
        </section>
    }
}
