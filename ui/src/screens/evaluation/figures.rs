//! The measures before and after, the change as point and interval, its p-value.

use super::compared::{Compared, heads, reach};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::said::said;
use leptos::prelude::*;
use lexforge_domain::metrics::{Comparison, Evaluation};

/// The table of comparisons.
#[component]
pub fn Figures(
    /// The figures.
    evaluation: Evaluation,
) -> impl IntoView {
    let n = evaluation.after.n as u64;
    let method = evaluation.comparisons.first().map(|c| {
        tf(
            "evaluation.method",
            &[
                ("unit", &tag("unit", &c.unit)),
                ("resamples", &format::count(c.resamples as u64)),
                (
                    "clusters",
                    &tn("units.cluster", evaluation.after.clusters as u64),
                ),
            ],
        )
    });
    let test = evaluation
        .comparisons
        .first()
        .map(|c| tested(&c.test, &c.against, c.p_holm.is_some()));
    let rows = evaluation
        .comparisons
        .iter()
        .map(|comparison| {
            let reach = reach_of(&evaluation.comparisons, &comparison.measure);
            view! { <Line comparison=comparison.clone() n reach/> }
        })
        .collect_view();
    let baseline = by_words(&evaluation);
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("evaluation.before_after")}</h2>
                <span class="t-small push">{method}</span>
            </div>
            <div class="table-wrap">
                <table class="table" id="comparisons">
                    <thead>
                        <tr>
                            <th>{t("evaluation.measure")}</th>
                            <th class="num">"n"</th>
                            {heads()}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <div class="card-body stack g-1">
                <p class="t-small">{by_class(&evaluation)}</p>
                {baseline.map(|text| view! { <p class="t-small">{text}</p> })}
                {test.map(|text| view! { <p class="t-small t-mute">{text}</p> })}
            </div>
        </article>
    }
}

/// The tuned model's figures, each class counted alike.
fn by_class(evaluation: &Evaluation) -> String {
    let after = &evaluation.after;
    tf(
        "evaluation.macro",
        &[
            ("precision", &format::share(after.precision)),
            ("recall", &format::share(after.recall)),
            ("f1", &format::share(after.f1)),
            ("interval", &format::interval(after.ci95[0], after.ci95[1])),
        ],
    )
}

/// What counting words reaches.
fn by_words(evaluation: &Evaluation) -> Option<String> {
    let tfidf = evaluation.tfidf.as_ref()?;
    Some(tf(
        "evaluation.tfidf",
        &[
            ("accuracy", &format::share(tfidf.accuracy)),
            ("interval", &format::interval(tfidf.ci95[0], tfidf.ci95[1])),
            ("n", &format::count(tfidf.n as u64)),
        ],
    ))
}

/// A text that names the test behind the p-values and the model that the tuned model is compared with. It also says
/// whether the p-values are corrected for the number of measures.
fn tested(test: &str, against: &str, is_corrected: bool) -> String {
    let against = against.strip_prefix("base ").unwrap_or(against);
    let test = said(test);
    let values = [("test", test.as_str()), ("base", against)];
    match is_corrected {
        true => tf("evaluation.tested_holm", &values),
        false => tf("evaluation.tested", &values),
    }
}

#[component]
fn Line(comparison: Comparison, n: u64, reach: f64) -> impl IntoView {
    view! {
        <tr>
            <td>{tag("measure", &comparison.measure)}</td>
            <td class="num">{format::count(n)}</td>
            <Compared comparison=Some(comparison) reach/>
        </tr>
    }
}

/// Half the width of the scale of a measure: accuracy and F1 share one, the gap has its own.
fn reach_of(all: &[Comparison], measure: &str) -> f64 {
    let gap = |measure: &str| measure == "choice_cosine_gap";
    reach(all.iter().filter(|c| gap(&c.measure) == gap(measure)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::said::translated;

    #[test]
    fn the_test_behind_a_p_value_is_said_in_words_and_in_chinese_too() {
        let test = "cluster permutation, two-sided";
        assert_eq!(
            tested(test, "base lexforge-demo", false),
            "p by cluster permutation, two-sided · against the untouched lexforge-demo"
        );
        assert_eq!(
            tested(test, "base lexforge-demo", true),
            "p by cluster permutation, two-sided, corrected over these measures (Holm) · against the untouched lexforge-demo"
        );
        assert_eq!(
            translated(test, Lang::Zh).as_deref(),
            Some("按簇置换检验，双侧")
        );
    }
}
