//! What is still to be scored of the ticked systems, and about how long that takes.

use super::measurable::{BENCH, Measurable};
use crate::backend::{call, commands};
use crate::bench_time;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf};
use crate::screens::evaluation::place::EvaluationTab;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::BenchPlan;

/// A line before a start; nothing while something is measured.
#[component]
pub fn Ahead(
    /// What is ticked.
    measurable: Measurable,
) -> impl IntoView {
    let app = use_app();
    let plan = Fetched::<BenchPlan>::default();
    // How far any job is changes often; that this one runs does not.
    let busy = Memo::new(move |_| app.busy(BENCH).is_some());
    Effect::new(move |_| {
        app.changes.track();
        let shown = app.evaluation.tab.get() == EvaluationTab::Bench;
        app.evaluation.each.track();
        app.evaluation.by_recipe.track();
        measurable.on.track();
        measurable.encoder.track();
        measurable.general.track();
        let none = measurable.ticked.with(Vec::is_empty);
        if !shown || none || busy.get() {
            plan.forget();
        } else {
            plan.refresh(call(commands::PlanBench {
                asked: measurable.asked(app, Vec::new()),
            }));
        }
    });
    // A plan that cannot be made is no failure of the screen: measuring says why. An earlier one was for other systems.
    let line = move || {
        let failed = plan.failure.with(Option::is_some);
        let line = plan.value.with(|plan| plan.as_ref().map(told));
        line.filter(|_| !failed)
    };
    move || line().map(|text| view! { <p class="t-small t-mute" id="bench-ahead">{text}</p> })
}

/// A plan in words.
fn told(plan: &BenchPlan) -> String {
    let (open, kept) = (plan.open(), plan.kept());
    if open == 0 {
        return tf("ahead.kept", &[("kept", &format::count(kept))]);
    }
    let mut parts = vec![tf(
        "ahead.open",
        &[
            ("open", &format::count(open)),
            ("systems", &format::count(plan.to_score())),
            ("kept", &format::count(kept)),
        ],
    )];
    if let Some(range) = plan.time.seconds {
        let time = bench_time::range(range);
        parts.push(tf("ahead.time", &[("time", &time)]));
    }
    match (plan.time.unknown, plan.time.seconds) {
        (0, _) => {}
        (_, None) => parts.push(t("ahead.none_known")),
        (n, Some(_)) => parts.push(tf("ahead.some_unknown", &[("n", &format::count(n))])),
    }
    if plan.more {
        parts.push(t("ahead.more"));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::api::{BenchAhead, BenchTime};

    fn plan(open: u64, seconds: Option<[f64; 2]>, unknown: u64) -> BenchPlan {
        BenchPlan {
            systems: vec![BenchAhead {
                system: "run 1".to_owned(),
                open,
                kept: 36,
                seconds,
            }],
            time: BenchTime { seconds, unknown },
            ..BenchPlan::default()
        }
    }

    #[test]
    fn a_time_is_told_only_where_it_is_known() {
        speak(Lang::En);
        assert_eq!(
            told(&plan(1_200, Some([120.0, 300.0]), 0)),
            "To be scored: 1,200 questions, systems: 1. Stored answers that are used again: 36. \
             On this machine, by its earlier measurements: 2 min to 5 min."
        );
        let none = told(&plan(1_200, None, 1));
        assert!(none.contains("cannot be told yet"), "{none}");
        assert!(!none.contains(" min"), "{none}");
        let some = told(&plan(1_200, Some([120.0, 300.0]), 2));
        assert!(
            some.contains("5 min. Systems whose time cannot be told yet: 2."),
            "{some}"
        );
        let kept = told(&plan(0, None, 0));
        assert_eq!(
            kept,
            "All answers are stored (36): nothing has to be scored, and the table is made of them."
        );
        speak(Lang::Zh);
        assert!(told(&plan(1_200, None, 1)).contains("1,200"));
    }

    #[test]
    fn what_is_not_counted_is_said() {
        speak(Lang::En);
        let with = BenchPlan {
            more: true,
            ..plan(1, None, 1)
        };
        assert!(told(&with).contains("BERTScore"));
        assert!(!told(&plan(1, None, 1)).contains("BERTScore"));
    }
}
