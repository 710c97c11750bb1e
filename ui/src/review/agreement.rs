//! How far reviewers agree: each figure as a point and an interval next to the value that it should reach, and the
//! classes below that value.

use super::class;
use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::levels::Levels;
use crate::components::note::{Note, Tone};
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::agreement::{AgreementRow, Interval, PairAgreement, Undefined};
use lexforge_domain::api::AgreementView;
use lexforge_domain::review::SubjectKind;

/// Classes that are listed.
const MOST: usize = 6;

/// The agreement on items of a kind.
#[component]
pub fn Agreement(
    /// The kind of items.
    kind: SubjectKind,
) -> impl IntoView {
    let app = use_app();
    let view = Fetched::<AgreementView>::default();
    Effect::new(move |_| {
        app.changes.track();
        view.refresh(call(commands::Agreement { kind }));
    });
    view! {
        <section id="agreement">
            {move || view.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || view.value.get().map(|view| view! { <Alike names=view.alike.clone()/><Shown view kind/> })}
        </section>
    }
}

/// Names that look alike and count as one reviewer.
#[component]
fn Alike(names: Vec<(String, String)>) -> impl IntoView {
    names
        .into_iter()
        .map(|(name, other)| {
            let text = tf("review.alike", &[("name", &name), ("other", &other)]);
            view! { <Note tone=Tone::Warn>{text}</Note> }
        })
        .collect_view()
}

#[component]
fn Shown(view: AgreementView, kind: SubjectKind) -> impl IntoView {
    let overall = view.overall;
    let head = tf(
        "review.agreement_of",
        &[
            ("items", &tn("count.items", overall.items)),
            (
                "reviewers",
                &tn("count.reviewers", u64::from(overall.reviewers)),
            ),
        ],
    );
    if overall.items == 0 {
        return view! {
            <h2>{t("review.agreement")}</h2>
            <p class="t-small t-mute">{t("review.agreement_none")}</p>
        }
        .into_any();
    }
    let mut rows = vec![
        (t("review.percent"), overall.percent),
        ("Krippendorff α".to_owned(), overall.alpha),
    ];
    // κ counts only whether scores are the same, and not how near they are.
    if kind != SubjectKind::Similarity {
        rows.push(("Fleiss κ".to_owned(), overall.fleiss));
    }
    rows.push(("Gwet AC2".to_owned(), overall.gwet));
    let undefined = undefined(&rows);
    let gate = view.gate;
    view! {
        <div class="row between">
            <h2>{t("review.agreement")}</h2>
            <span class="t-small t-mute clip">{head}</span>
        </div>
        <Levels rows gate label=t("review.agreement")/>
        {undefined.into_iter().map(|text| view! { <p class="t-small">{text}</p> }).collect_view()}
        {(kind == SubjectKind::Similarity).then(|| view! { <p class="t-small t-mute">{t("similarity.alpha")}</p> })}
        <p class="t-small t-mute">{tf("review.intervals", &[("n", &format::count(u64::from(view.resamples)))])}</p>
        <Classes rows=view.by_class gate kind/>
        <Pairs pairs=view.pairs/>
    }
    .into_any()
}

/// The agreement by class, the classes below the required value first, because they should be looked at.
#[component]
fn Classes(rows: Vec<AgreementRow>, gate: f64, kind: SubjectKind) -> impl IntoView {
    let app = use_app();
    let mut rows = rows;
    rows.sort_by(|a, b| {
        let value = |row: &AgreementRow| row.alpha.value.unwrap_or(f64::INFINITY);
        value(a).total_cmp(&value(b))
    });
    let left_out = rows.len().saturating_sub(MOST) as u64;
    let line = |row: AgreementRow| {
        let under = row.alpha.value.is_some_and(|alpha| alpha < gate);
        let class = row.class.unwrap_or_default();
        // What questions are counted by is what they ask for, and no class of a schema.
        let name = move || match kind {
            SubjectKind::Question => tag("question_type", &class),
            SubjectKind::Term | SubjectKind::Pair => class::title(app, &class),
            SubjectKind::Triplet | SubjectKind::Similarity => class.clone(),
        };
        let tip = tn("count.items", row.items);
        let why = row.alpha.undefined.map(why).unwrap_or_default();
        let said = if under { t("review.under_gate") } else { why };
        view! {
            <span class="clip" title=tip>{name}</span>
            <span class="num" class:c-warn=under title=said>{under.then_some("▾ ")}{format!("α {}", format::level(row.alpha))}</span>
        }
    };
    view! {
        <div class="up">{rows.into_iter().take(MOST).map(line).collect_view()}</div>
        {(left_out > 0).then(|| view! { <p class="t-small t-mute">{tn("review.more_classes", left_out)}</p> })}
    }
}

/// The agreement of each two reviewers.
#[component]
fn Pairs(pairs: Vec<PairAgreement>) -> impl IntoView {
    let line = |pair: PairAgreement| {
        let names = tf(
            "review.pair_of_people",
            &[("one", &pair.one), ("other", &pair.other)],
        );
        let tip = tn("count.items", pair.items);
        let (sign, figure) = match pair.alpha {
            Some(alpha) => ("α", alpha),
            None => ("κ", pair.kappa),
        };
        let said = figure.undefined.map(why);
        view! { <span class="clip" title=tip>{names}</span><span class="num" title=said>{format!("{sign} {}", format::level(figure))}</span> }
    };
    view! { <div class="up">{pairs.into_iter().map(line).collect_view()}</div> }
}

/// Why figures are not defined, those with the same reason together.
fn undefined(rows: &[(String, Interval)]) -> Vec<String> {
    let mut reasons: Vec<(Undefined, Vec<String>)> = Vec::new();
    for (name, at) in rows {
        let Some(reason) = at.undefined.filter(|_| at.value.is_none()) else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name.clone()),
            None => reasons.push((reason, vec![name.clone()])),
        }
    }
    reasons
        .into_iter()
        .map(|(reason, names)| {
            tf(
                "review.not_defined",
                &[("figures", &format::list(&names)), ("why", &why(reason))],
            )
        })
        .collect()
}

/// Why a figure is not defined.
fn why(reason: Undefined) -> String {
    match reason {
        Undefined::NoPairs => t("review.no_pairs"),
        Undefined::OneCategory => t("review.one_category"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_said_once_for_all_its_figures() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let at = |value, undefined| Interval {
            value,
            low: None,
            high: None,
            undefined,
        };
        let rows = [
            ("a".to_owned(), at(Some(1.0), None)),
            ("b".to_owned(), at(None, Some(Undefined::OneCategory))),
            ("c".to_owned(), at(None, Some(Undefined::OneCategory))),
            ("d".to_owned(), at(None, Some(Undefined::NoPairs))),
        ];
        let said = undefined(&rows);
        assert_eq!(said.len(), 2);
        assert!(
            said[0].contains("b, c") && said[0].contains(&why(Undefined::OneCategory)),
            "{said:?}"
        );
    }
}
