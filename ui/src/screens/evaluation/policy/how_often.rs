//! How often the rule that is written would be right: the job that works it out, and what came of it.

use super::planned::Planned;
use super::written::Written;
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::{Outcome, Task};
use lexforge_domain::gate::GatePlan;
use lexforge_domain::{Code, Failure};

/// The kind of job that works it out.
pub const PLAN: &str = "gate_plan";

/// What came of working out how often a rule is right.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// It was worked out.
    Told(Box<GatePlan>),
    /// Somebody ended it.
    Ended,
    /// It cannot be worked out.
    Failed(Failure),
}

/// What came of a job; `None` while it is at work.
pub fn came_of(tasks: &[Task], id: u64) -> Option<Came> {
    let task = tasks.iter().find(|task| task.id == id && task.done)?;
    match (&task.failure, task.outcome.as_deref()) {
        (Some(failure), _) if failure.code == Code::Cancelled => Some(Came::Ended),
        (Some(failure), _) => Some(Came::Failed(failure.clone())),
        (None, Some(Outcome::GatePlan(plan))) => Some(Came::Told(plan.clone())),
        (None, _) => None,
    }
}

/// How often the rule that is written would be right, or the way to that.
#[component]
pub fn HowOften(
    written: RwSignal<Written>,
    /// What came of the last look, and the rule that it was about.
    came: Memo<Option<(Came, Written)>>,
    snapshot: Memo<bool>,
    working: Memo<bool>,
    task: Memo<Option<Task>>,
    /// Works it out.
    plan: Callback<()>,
) -> impl IntoView {
    let take = Callback::new(move |margin| {
        written.update(|written| written.take(margin));
        plan.run(());
    });
    let is_of_this = Memo::new(move |_| {
        came.with(|came| {
            let of = came.as_ref().map(|(_, of)| of);
            of.is_some_and(|of| written.with(|written| written == of))
        })
    });
    let told = move || {
        let (came, _) = came.get().filter(|_| is_of_this.get())?;
        Some(match came {
            Came::Told(plan) => view! { <Planned plan=*plan take/> }.into_any(),
            Came::Ended => view! { <Note tone=Tone::Info>{t("rule.ended")}</Note> }.into_any(),
            Came::Failed(failure) => view! { <ErrorPanel failure/> }.into_any(),
        })
    };
    let ask = move || {
        let again = is_of_this.get() && came.with(|came| matches!(came, Some((Came::Told(_), _))));
        (!again).then(|| {
            view! {
                <div class="row">
                    <button class="btn" id="gate-policy-plan" on:click=move |_| plan.run(())>{t("rule.work_out")}</button>
                </div>
            }
        })
    };
    move || {
        if !snapshot.get() {
            view! { <div id="gate-policy-no-snapshot"><Note tone=Tone::Info>{t("rule.no_snapshot")}</Note></div> }.into_any()
        } else if working.get() {
            view! { <Cancellable task name="gate-plan"/> }.into_any()
        } else {
            view! { {told} {ask} }.into_any()
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test that cannot go on has failed.
mod tests {
    use super::*;

    #[test]
    fn a_job_that_was_ended_is_told_from_one_that_failed() {
        let done = |failure: Option<Failure>| Task {
            done: true,
            failure,
            ..Task::begun(4, PLAN, "")
        };
        let failed = |code| Some(Failure::new(code, "message", "hint"));
        let works = [Task::begun(4, PLAN, "")];
        assert_eq!(came_of(&works, 4), None);
        let ended = [done(failed(Code::Cancelled))];
        assert_eq!(came_of(&ended, 4), Some(Came::Ended));
        assert_eq!(came_of(&ended, 5), None, "another job");
        let refused = [done(failed(Code::InvalidRequest))];
        assert!(matches!(came_of(&refused, 4).unwrap(), Came::Failed(_)));
    }
}
