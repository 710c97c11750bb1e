//! Where a background job is: its stage and its bar.

use super::bar::Bar;
use crate::i18n::{t, tag};
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
            let text = task
                .progress
                .as_ref()
                .map_or_else(|| t("task.begins"), |p| tag("stage", p.stage.tag()));
            let (done, of) = task.progress.as_ref().map_or((0, 0), |p| (p.done, p.of));
            view! {
                <span class="t-small">{text}</span>
                <Bar done of label=tag("task", &task.kind)/>
            }
        })
    }
}
