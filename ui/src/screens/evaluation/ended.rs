//! How the last job of a kind ended, where nothing came of it.

use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::i18n::t;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Code;
use lexforge_domain::api::Task;

/// A note that it was stopped, or why it failed, until somebody dismisses it.
#[component]
pub fn Ended(
    /// The kind of job.
    kind: &'static str,
    /// The text if somebody stopped it.
    stopped: String,
    /// The title of the job, where only jobs of this title are meant.
    #[prop(optional)]
    title: Option<String>,
) -> impl IntoView {
    let app = use_app();
    let last = Memo::new(move |_| {
        let task = app
            .tasks
            .with(|tasks| newest(tasks, kind, title.as_deref()).cloned())?;
        let seen = app.seen.with(|seen| seen.contains(&task.id));
        Some((task.id, task.failure.filter(|_| !seen)?))
    });
    move || {
        last.get().map(|(id, failure)| {
            if failure.code == Code::Cancelled {
                let text = stopped.clone();
                return view! { <div id=format!("{kind}-stopped")><Note tone=Tone::Info>{text}</Note></div> }
                    .into_any();
            }
            view! {
                <div id=format!("{kind}-failed")>
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| app.seen.update(|seen| seen.push(id))>{t("error.put_away")}</button>
                    </ErrorPanel>
                </div>
            }
            .into_any()
        })
    }
}

/// The newest job of a kind; with a title, of this title alone.
fn newest<'a>(tasks: &'a [Task], kind: &str, title: Option<&str>) -> Option<&'a Task> {
    let mut newest_first = tasks.iter().rev();
    newest_first.find(|task| task.kind == kind && title.is_none_or(|title| task.title == title))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_another_runs_job_is_not_shown() {
        let task = |id: u64, kind: &str, title: &str| -> Task {
            serde_json::from_value(serde_json::json!({
                "id": id, "kind": kind, "title": title, "progress": null, "done": true, "failure": null, "import": null, "asking": null
            }))
            .unwrap()
        };
        let tasks = [
            task(1, "gate_general", "3"),
            task(2, "gate_general", "4"),
            task(3, "term_space", "3"),
        ];
        let of = |kind, title| newest(&tasks, kind, title).map(|task| task.id);
        assert_eq!(of("gate_general", Some("3")), Some(1));
        assert_eq!(of("gate_general", Some("5")), None);
        assert_eq!(of("gate_general", None), Some(2));
    }
}
