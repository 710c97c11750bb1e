//! Whether anything moved, in a line; then against what it was compared, and what to do.

use super::rule::Rule;
use super::series::series_name;
use crate::components::icon::{Icon, Sign};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::place::SettingsTab;
use crate::route::Route;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::drift::{DriftAdvice, DriftReport, DriftRule, DriftState, PanelState};

/// A line with its colour, its sign and what is to be known of it.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    class: &'static str,
    icon: Icon,
    head: String,
    text: String,
}

/// The lines of a report: first a fault, then what has changed. If there is neither, a line that says so.
fn said(report: &DriftReport) -> Vec<Said> {
    let poor = |head, text| Said {
        class: "verdict poor",
        icon: Icon::Warning,
        head,
        text,
    };
    let mut all = Vec::new();
    if let PanelState::Fault {
        last_good,
        first_bad,
    } = &report.panel
    {
        let values = [
            ("good", format::minute(last_good)),
            ("bad", format::minute(first_bad)),
        ];
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        all.push(poor(t("drift.fault"), tf("drift.fault_text", &values)));
    }
    let in_state = |state| report.tests.iter().filter(move |test| test.state == state);
    let moved: Vec<String> = in_state(DriftState::Alarm)
        .map(|test| series_name(test.series, &test.stratum))
        .collect();
    if !moved.is_empty() {
        let what = format::list(&moved);
        all.push(poor(
            tf("drift.moved", &[("what", &what)]),
            t("drift.moved_text"),
        ));
    }
    if all.is_empty() {
        let (class, icon, head, text) = match in_state(DriftState::Quiet).next() {
            Some(_) => (
                "verdict good",
                Icon::Check,
                t("drift.quiet"),
                t("drift.quiet_text"),
            ),
            None => (
                "verdict",
                Icon::Info,
                t("drift.too_few"),
                t("drift.too_few_text"),
            ),
        };
        all.push(Said {
            class,
            icon,
            head,
            text,
        });
    }
    all
}

/// When the sample was made, which texts were compared, and by which rule.
fn how(report: &DriftReport) -> String {
    let days = |days: f64| format::count(days.round() as u64);
    let when = tf(
        "drift.when",
        &[
            ("when", &format::minute(&report.made)),
            ("days", &days_of(report.window_days)),
            ("encoder", &report.encoder),
        ],
    );
    let rule = match report.rule {
        DriftRule::RunLength { days: every } => tf("drift.rule", &[("days", &days(every))]),
        DriftRule::Article => t("drift.rule_article"),
    };
    format::sentences(&[when, rule])
}

/// A number of days in words; a part of a day in hours and minutes.
fn days_of(days: f64) -> String {
    if days >= 1.0 {
        tn("drift.days", days.round() as u64)
    } else {
        format::duration(days * 86_400.0)
    }
}

#[component]
pub fn Line(
    /// What was found.
    report: DriftReport,
) -> impl IntoView {
    let lines = said(&report)
        .into_iter()
        .map(|said| {
            view! {
                <div class=said.class>
                    <div class="row"><Sign icon=said.icon/><b class="t-role">{said.head}</b></div>
                    <p class="t-small">{said.text}</p>
                </div>
            }
        })
        .collect_view();
    let advice = report.advice.clone();
    let what_to_do = (!advice.is_empty()).then(|| {
        let each = advice.into_iter().map(|advice| view! { <Advice advice/> });
        view! {
            <div class="card-body stack" id="drift-advice">
                <h2>{t("drift.do")}</h2>
                <ul class="stack">{each.collect_view()}</ul>
            </div>
        }
    });
    view! {
        <article class="card drift-line" id="drift-line">
            {lines}
            <p class="card-body t-small" title=format::in_utc(&report.made)>{how(&report)}</p>
            <Rule rule=report.rule/>
            {what_to_do}
        </article>
    }
}

/// What to do, and the way there.
#[component]
fn Advice(advice: DriftAdvice) -> impl IntoView {
    let app = use_app();
    let name = match advice {
        DriftAdvice::CheckModel => t("drift.to_machine"),
        DriftAdvice::ReadWhatMoved => t("drift.to_movers"),
        DriftAdvice::BuildGraph => t("drift.to_graph"),
    };
    let go = move |app: App| match advice {
        DriftAdvice::CheckModel => app.open_settings(SettingsTab::Machines),
        DriftAdvice::ReadWhatMoved => to_movers(),
        DriftAdvice::BuildGraph => app.go(Route::Graph),
    };
    view! {
        <li class="row">
            <span class="grow">{tag("drift_advice", advice.tag())}</span>
            <button class="btn sm" on:click=move |_| go(app)>{name}</button>
        </li>
    }
}

/// Leads to the texts that moved a series most, and into the first of them that can be opened.
fn to_movers() {
    if let Ok(Some(texts)) = document().query_selector(".drift-movers") {
        texts.scroll_into_view();
    }
    crate::keys::focus("button.drift-mover");
}

#[cfg(test)]
mod tests {
    use super::super::sample::report;
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn a_line_says_whether_anything_moved() {
        speak(Lang::En);
        let heads = |report: &DriftReport| -> Vec<String> {
            said(report).into_iter().map(|said| said.head).collect()
        };
        let mut report = report();
        assert_eq!(heads(&report), ["Something moved: new sentences · PDF"]);
        report.panel = PanelState::Fault {
            last_good: "2026-03-01T10:00:00Z".to_owned(),
            first_bad: "2026-03-02T10:00:00Z".to_owned(),
        };
        assert_eq!(heads(&report).len(), 2);
        assert!(said(&report)[0].text.contains("2026-03-02 10:00"));
        report.panel = PanelState::Constant { readings: 3 };
        report.tests[0].state = DriftState::TooFew;
        assert_eq!(heads(&report), [t("drift.too_few")]);
        report.tests[0].state = DriftState::Quiet;
        assert_eq!(said(&report)[0].class, "verdict good");
    }

    #[test]
    fn a_part_of_a_day_is_told_in_hours_and_minutes() {
        speak(Lang::En);
        for (days, told) in [
            (7.0, "7 days"),
            (1.0, "1 day"),
            (0.25, "6 h 0 min"),
            (0.0004, "35 s"),
        ] {
            assert_eq!(days_of(days), told);
        }
    }
}
