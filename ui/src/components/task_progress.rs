//! Where a background job is: its stage and its bar.

use super::bar::Bar;
use crate::format;
use crate::i18n::{t, tag, tf};
use leptos::prelude::*;
use lexforge_domain::api::Task;

/// The latest job of a kind that is at work, told in place.
#[component]
pub fn TaskProgress(
    /// The job, as long as it works.
    task: Memo<Option<Task>>,
) -> impl IntoView {
    move || {
        task.get().map(|task| {
            let (text, done, of) = far(&task);
            view! {
                <span class="t-small">{text}</span>
                <Bar done of label=tag("task", &task.kind)/>
            }
        })
    }
}

/// What a job does, and how much of it is done. While an endpoint is asked, how many of its replies are there and how long the
/// rest takes.
fn far(task: &Task) -> (String, u64, u64) {
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
            let left = tf("ask.time_left", &[("time", &format::duration(seconds))]);
            text = format!("{text} · {left}");
        }
        return (text, asking.done, asking.of);
    }
    match &task.progress {
        Some(p) => (tag("stage", p.stage.tag()), p.done, p.of),
        None => (t("task.begins"), 0, 0),
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
            id: 1,
            kind: "bench".to_owned(),
            title: String::new(),
            files: Vec::new(),
            done: false,
            failure: None,
            import: None,
            asking: None,
            said: Vec::new(),
            answer: None,
            outcome: None,
        };
        assert_eq!((far(&task).1, far(&task).2), (2, 3));
        task.asking = Some(AskProgress {
            done: 40,
            of: 100,
            host: "models.firm.example".to_owned(),
            seconds_left: Some(90.0),
            ..AskProgress::default()
        });
        let (text, done, of) = far(&task);
        assert_eq!((done, of), (40, 100));
        assert!(
            text.contains("models.firm.example") && text.contains("1 min left"),
            "{text}"
        );
        task.asking = task.asking.map(|asking| AskProgress {
            done: 100,
            ..asking
        });
        assert_eq!(far(&task).1, 2);
    }
}
