//! Where a background job is: its stage and its bar.

use super::bar::Bar;
use crate::backend::{call, commands};
use crate::bench_time;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BenchTime, Task};

/// The kinds of jobs that send files to another machine or bring them from there; they count MiB.
const TRANSFERS: [&str; 2] = ["bring", "install"];

/// The latest job of a kind that is at work, told in place.
#[component]
pub fn TaskProgress(
    /// The job, as long as it works.
    task: Memo<Option<Task>>,
) -> impl IntoView {
    let app = use_app();
    move || {
        task.get().map(|task| {
            let (left, rate) = app
                .paces
                .with(|paces| (paces.left(task.id), paces.rate(task.id)));
            let (text, done, of) = far(&task, left, rate);
            view! {
                <span class="t-small">{text}</span>
                <Bar done of label=tag("task", &task.kind)/>
            }
        })
    }
}

/// The progress of a job in a line of its own, with a button that ends the job.
#[component]
pub fn Cancellable(
    /// The job, as long as it works.
    task: Memo<Option<Task>>,
    /// The beginning of the two ids in the page, which end with `-progress` and `-cancel`.
    #[prop(optional)]
    name: Option<&'static str>,
    /// The tooltip of the button, which says what happens to the finished part.
    #[prop(optional)]
    tip: Option<String>,
) -> impl IntoView {
    let app = use_app();
    let named = |part: &str| name.map(|name| format!("{name}-{part}"));
    let end = move |_| {
        if let Some(id) = task.with_untracked(|task| task.as_ref().map(|task| task.id)) {
            app.attempt(call(commands::CancelTask { id }), |()| ());
        }
    };
    view! {
        <span class="progress" role="status" id=named("progress")>
            <TaskProgress task/>
            <button class="btn ghost sm" id=named("cancel") title=tip on:click=end>
                {t("action.cancel")}
            </button>
        </span>
    }
}

/// What a job does (with the remaining time of its step), how much is done, and the total. While an endpoint is asked,
/// the numbers count replies, and the remaining time is that of the missing replies. For a transfer, the numbers are
/// MiB, and the speed is shown, too.
fn far(task: &Task, left: Option<f64>, rate: Option<f64>) -> (String, u64, u64) {
    if let Some(asking) = task
        .asking
        .as_ref()
        .filter(|asking| asking.done < asking.of)
    {
        let mut text = tf(
            "ask.far",
            &[
                ("done", &format::count(asking.done)),
                ("of", &format::count(asking.of)),
                ("host", &asking.host),
            ],
        );
        if let Some(seconds) = asking.seconds_left {
            let left = tf("ask.time_left", &[("time", &format::left(seconds))]);
            text = format!("{text} · {left}");
        }
        return (text, asking.done, asking.of);
    }
    match &task.progress {
        Some(p) if TRANSFERS.contains(&task.kind.as_str()) && p.of > 0 => {
            let (done, of) = (format::count(p.done), format::count(p.of));
            let mut text = tf("transfer.far", &[("done", &done), ("of", &of)]);
            if let Some(rate) = rate {
                let pace = tf("transfer.pace", &[("pace", &format::about(rate))]);
                text = format!("{text} · {pace}");
            }
            (with_rest(text, left), p.done, p.of)
        }
        Some(p) => {
            let stage = tag("stage", p.stage.tag());
            let text = with_time(stage, task.ahead.as_ref(), left);
            (text, p.done, p.of)
        }
        None => (t("task.begins"), 0, 0),
    }
}

/// Words about a step, with the time that the rest of a bench takes, or else the step by its pace so far. Systems
/// differ in their pace, so that the pace so far says nothing of the rest of a bench.
pub fn with_time(text: String, ahead: Option<&BenchTime>, left: Option<f64>) -> String {
    match ahead.map(bench_time::left) {
        Some(Some(left)) => format!("{text} · {left}"),
        Some(None) => text,
        None => with_rest(text, left),
    }
}

/// Words about a step, with the time that it still takes where that is known.
fn with_rest(text: String, left: Option<f64>) -> String {
    match left {
        Some(seconds) => {
            let left = tf("task.left", &[("time", &format::left(seconds))]);
            format!("{text} · {left}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::api::{Progress, Stage};
    use lexforge_domain::endpoint::AskProgress;

    #[test]
    fn while_an_endpoint_is_asked_its_replies_are_counted() {
        speak(Lang::En);
        let mut task = Task {
            progress: Some(Progress {
                stage: Stage::Evaluate,
                item: String::new(),
                done: 2,
                of: 3,
            }),
            ..Task::begun(1, "bench", "")
        };
        assert_eq!((far(&task, None, None).1, far(&task, None, None).2), (2, 3));
        task.asking = Some(AskProgress {
            done: 40,
            of: 100,
            host: "models.firm.example".to_owned(),
            seconds_left: Some(90.0),
            ..AskProgress::default()
        });
        let (text, done, of) = far(&task, None, None);
        assert_eq!((done, of), (40, 100));
        assert!(
            text.contains("models.firm.example") && text.contains("1 min left"),
            "{text}"
        );
        task.asking = task.asking.map(|asking| AskProgress {
            done: 100,
            ..asking
        });
        assert_eq!(far(&task, None, None).1, 2);
        let (text, ..) = far(&task, Some(120.0), None);
        assert!(text.contains("2 min left"), "{text}");
    }

    #[test]
    fn the_rest_of_a_bench_is_what_was_measured_and_not_the_pace_of_one_system() {
        speak(Lang::En);
        let at = |seconds, unknown| Task {
            progress: Some(Progress {
                stage: Stage::Evaluate,
                item: "run 1".to_owned(),
                done: 2,
                of: 300,
            }),
            ahead: Some(BenchTime { seconds, unknown }),
            ..Task::begun(1, "bench", "")
        };
        let (text, ..) = far(&at(Some([60.0, 120.0]), 0), Some(7.0), None);
        assert!(text.ends_with("· 1 min to 2 min left"), "{text}");
        let (text, ..) = far(&at(None, 2), Some(7.0), None);
        assert!(!text.contains("left"), "{text}");
    }

    #[test]
    fn a_transfer_is_told_in_mib_with_its_pace() {
        speak(Lang::En);
        let task = Task {
            progress: Some(Progress {
                stage: Stage::Train,
                item: "box (MiB)".to_owned(),
                done: 120,
                of: 1_600,
            }),
            ..Task::begun(1, "bring", "3")
        };
        let (text, done, of) = far(&task, Some(120.0), Some(11.8));
        assert_eq!((done, of), (120, 1_600));
        assert_eq!(
            text,
            "120 of 1,600 MiB · 12 MiB a second · 2 min left for this step"
        );
        assert_eq!(far(&task, None, None).0, "120 of 1,600 MiB");
    }
}
