//! A series of one type of document: how it stands, its course, and the texts that moved it most.

use super::chart::Course;
use crate::components::curve::{Kind, LegendLine};
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf, tnf};
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
#[cfg(test)]
use lexforge_domain::drift::DriftAdvice;
use lexforge_domain::drift::{
    DriftMover, DriftPoint, DriftSeries, DriftState, DriftTest, MoverPlace,
};

/// What a series is called within a sentence.
pub fn series_name(series: DriftSeries, stratum: &str) -> String {
    match series {
        // A document without a class is named by its format.
        DriftSeries::Sentences => tf("drift.sentences", &[("type", &tag("format", stratum))]),
        DriftSeries::Questions => t("drift.questions"),
    }
}

#[component]
pub fn Series(
    /// What was found.
    test: DriftTest,
    /// Its course.
    points: Vec<DriftPoint>,
) -> impl IntoView {
    let name = series_name(test.series, &test.stratum);
    let (class, icon) = match test.state {
        DriftState::Quiet => ("badge ok", Icon::Check),
        DriftState::Alarm => ("badge bad", Icon::Warning),
        DriftState::TooFew => ("badge", Icon::Info),
    };
    let key = format!("{}{}", test.series.tag(), test.stratum);
    view! {
        <article class="card drift-series" data-series=key>
            <div class="card-head">
                <h2 class="begins">{name.clone()}</h2>
                <span class=class><Sign icon small=true/>{tag("drift_state", test.state.tag())}</span>
            </div>
            <div class="card-body stack">
                <Course points=points.clone() name/>
                <div class="row legend t-small">
                    <LegendRecent/>
                    <LegendLine kind=Kind::Dev name=t("drift.earlier")/>
                    {points.iter().any(|point| point.alarm).then(|| view! { <LegendAlarm/> })}
                </div>
                <p class="t-small">{figures(&test)}</p>
                <p class="t-small t-mute">{grounds(&test)}</p>
                <AsTable points/>
                <Movers movers=test.movers/>
            </div>
        </article>
    }
}

/// The keys of states and of what to do.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let states = [DriftState::Quiet, DriftState::Alarm, DriftState::TooFew];
    let states = states.map(|state| format!("drift_state.{}", state.tag()));
    let advice = DriftAdvice::ALL.map(|advice| format!("drift_advice.{}", advice.tag()));
    states.into_iter().chain(advice).collect()
}

#[component]
fn LegendRecent() -> impl IntoView {
    view! {
        <span>
            <svg class="chart" width="24" height="10" aria-hidden="true">
                <line class="train" x1="0" x2="24" y1="5" y2="5"></line>
                <circle class="now-point" cx="12" cy="5" r="3"></circle>
            </svg>
            {t("drift.recent")}
        </span>
    }
}

#[component]
fn LegendAlarm() -> impl IntoView {
    view! {
        <span>
            <svg class="chart" width="24" height="10" aria-hidden="true">
                <path class="worse alarm" d="M7 1 17 1 12 9z"></path>
            </svg>
            {t("drift.alarm_sign")}
        </span>
    }
}

fn figures(test: &DriftTest) -> String {
    tnf(
        "drift.figures",
        test.recent.texts.into(),
        &[
            ("earlier", &format::count(test.earlier.texts.into())),
            (
                "now",
                &cosine(test.recent.texts, test.recent.mean_pairwise_cosine),
            ),
            (
                "before",
                &cosine(test.earlier.texts, test.earlier.mean_pairwise_cosine),
            ),
        ],
    )
}

/// A mean cosine. Fewer than two texts have none.
fn cosine(texts: u32, value: f64) -> String {
    if texts > 1 {
        format::share(value)
    } else {
        "–".to_owned()
    }
}

/// Why it is an alarm, or none.
fn grounds(test: &DriftTest) -> String {
    match (test.state, test.p_value, test.threshold) {
        (DriftState::TooFew, ..) => t("drift.too_few_is"),
        (_, Some(p), Some(threshold)) => tf(
            "drift.p",
            &[
                ("change", &format::change(test.change)),
                ("p", &fine(p)),
                ("threshold", &fine(threshold)),
            ],
        ),
        _ => tf(
            "drift.false_alarms",
            &[
                ("change", &format::change(test.change)),
                ("n", &format!("{:.1}", test.false_alarms_a_year)),
            ],
        ),
    }
}

/// A small share with as many decimals as a threshold has: `.0014`.
fn fine(value: f64) -> String {
    format!("{value:.4}").trim_start_matches('0').to_owned()
}

/// The course as figures.
#[component]
fn AsTable(points: Vec<DriftPoint>) -> impl IntoView {
    let share = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::share);
    let rows = points
        .into_iter()
        .rev()
        .map(|point| {
            let alarm = point.alarm.then(|| t("drift_state.alarm"));
            view! {
                <tr>
                    <td class="nowrap" title=format::in_utc(&point.at)>{format::minute(&point.at)}</td>
                    <td class="num">{share(point.recent)}</td>
                    <td class="num">{share(point.earlier)}</td>
                    <td>{alarm}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="history">
            <summary>{t("drift.as_table")}</summary>
            <div class="table-wrap">
                <table class="table tight">
                    <thead>
                        <tr>
                            <th>{t("drift.sampled")}</th>
                            <th class="num">{t("drift.recent")}</th>
                            <th class="num">{t("drift.earlier")}</th>
                            <th></th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

/// The texts that moved it most, each a way to where it stands.
#[component]
fn Movers(movers: Vec<DriftMover>) -> impl IntoView {
    if movers.is_empty() {
        return ().into_any();
    }
    let each = movers
        .into_iter()
        .map(|mover| view! { <Mover mover/> })
        .collect_view();
    view! {
        <div class="stack drift-movers">
            <h3>{t("drift.movers")}</h3>
            <p class="t-small t-mute">{t("drift.movers_text")}</p>
            <ol class="stack">{each}</ol>
        </div>
    }
    .into_any()
}

#[component]
fn Mover(mover: DriftMover) -> impl IntoView {
    let app = use_app();
    let moved = format::change(mover.moved);
    let stands = place_of(&mover);
    let text = view! {
        <span>
            <span class="law">{mover.text}</span>
            " "
            <small class="t-mute">{stands}</small>
        </span>
    };
    match mover.place {
        Some(place) => view! {
            <li>
                <button class="drift-mover" on:click=move |_| open(app, place)>
                    <span class="num">{moved}</span>
                    {text}
                </button>
            </li>
        }
        .into_any(),
        None => view! {
            <li><span class="drift-mover"><span class="num">{moved}</span>{text}</span></li>
        }
        .into_any(),
    }
}

/// The document and the page; nothing of a question.
fn place_of(mover: &DriftMover) -> String {
    match mover.place {
        Some(MoverPlace::Page { page, .. }) if !mover.file.is_empty() => tf(
            "drift.on_page",
            &[("file", &mover.file), ("page", &page.to_string())],
        ),
        _ => String::new(),
    }
}

fn open(app: App, place: MoverPlace) {
    match place {
        MoverPlace::Page {
            document,
            page,
            sentence,
        } => app.open_sentence(document, page, Some(sentence)),
        MoverPlace::Answer { answer } => {
            app.ask.clear();
            app.ask.left.set(Some(answer));
            app.go(Route::Ask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::report;
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::{DocumentId, SentenceId};

    #[test]
    fn the_grounds_of_each_state_are_said() {
        speak(Lang::En);
        let report = report();
        let moved = grounds(&report.tests[0]);
        assert!(
            moved.contains(".0004") && moved.contains(".0014"),
            "{moved}"
        );
        assert_eq!(grounds(&report.tests[1]), t("drift.too_few_is"));
        let by_article = DriftTest {
            p_value: None,
            threshold: None,
            ..report.tests[0].clone()
        };
        assert!(grounds(&by_article).contains("0.5"));
        assert!(figures(&report.tests[0]).contains(".520"));
        assert_eq!(cosine(1, 0.0), "–");
        let mut mover = DriftMover {
            key: "document 3".to_owned(),
            file: "rules.pdf".to_owned(),
            text: "A firm reports each breach.".to_owned(),
            moved: 0.6,
            place: Some(MoverPlace::Page {
                document: DocumentId(3),
                page: 7,
                sentence: SentenceId(41),
            }),
        };
        assert_eq!(place_of(&mover), "rules.pdf, page 7");
        mover.place = None;
        assert_eq!(place_of(&mover), "");
    }
}
