//! What the training begins with: the base model as it is, or what an earlier run has made of it.

use super::base::take_base;
use super::next::Next;
use crate::backend::{call, commands};
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{Preset, RunDetail, RunRow, RunState};

/// The choice, where a run has finished from which the recipe can go on.
#[component]
pub fn StartFrom() -> impl IntoView {
    let app = use_app();
    let next = expect_context::<Next>();
    let rows = Memo::new(move |_| {
        let rerank = next.preset() == Some(Preset::Rerank);
        let of_run = |run: &RunRow| (run.id, words(run));
        app.runs.with(|runs| {
            let fit = runs.iter().filter(|run| goes_on(run, rerank));
            fit.map(of_run).collect::<Vec<_>>()
        })
    });
    let now = Memo::new(move |_| next.draft.with(|draft| draft.start_from));
    let choose = move |value: String| match value.parse().map(RunId) {
        Err(_) => next.draft.update(|draft| {
            draft.start_from = None;
            draft.all_weights = false;
        }),
        Ok(id) => app.attempt(
            call(commands::RunDetail { id }),
            move |detail: RunDetail| {
                next.draft.update(|draft| {
                    let decoder = !detail.run.is_of_encoder();
                    take_base(draft, detail.run.base.clone(), Some(decoder));
                    draft.go_on_from(&detail);
                });
            },
        ),
    };
    let option = move |(id, words): (RunId, String)| {
        let selected = move || now.get() == Some(id);
        view! { <option value=id.to_string() selected=selected>{words}</option> }
    };
    move || {
        let rows = rows.get();
        if rows.is_empty() && now.get().is_none() {
            return ().into_any();
        }
        // A run that is gone since, or of another kind than the recipe now: it stays chosen until somebody changes it.
        let known = rows.iter().any(|(id, _)| Some(*id) == now.get());
        let other = now.get().filter(|_| !known);
        let other = other.map(|id| option((id, tf("training.run_n", &[("n", &id.to_string())]))));
        let options = rows.into_iter().map(option).collect_view();
        view! {
            <label class="t-small t-mute" for="start-from">{t("training.begins_with")}</label>
            <span class="picker">
                <select class="select" id="start-from" on:change:target=move |event| choose(event.target().value())>
                    <option value="" selected=move || now.get().is_none()>{t("training.begins_with_base")}</option>
                    {other}
                    {options}
                </select>
            </span>
            <p class="t-small t-mute">
                {move || if now.get().is_some() { t("training.begins_with_run_is") } else { t("training.begins_with_is") }}
            </p>
        }
        .into_any()
    }
}

/// Whether a training can go on from this run: a cross-encoder goes on from one, and everything else from all others.
fn goes_on(run: &RunRow, rerank: bool) -> bool {
    run.state == RunState::Finished
        && run.adapter.is_some()
        && (run.preset() == Some(Preset::Rerank)) == rerank
}

/// A run as it is offered.
fn words(run: &RunRow) -> String {
    let number = tf("training.run_n", &[("n", &run.id.to_string())]);
    format!("{number} · {} · {}", run.base, format::recipe(&run.recipe))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn run(state: &str, recipe: &str, adapter: Option<&str>) -> RunRow {
        serde_json::from_value(serde_json::json!({
            "id": 3, "state": state, "recipe": recipe, "base": "own", "dataset": null, "stage": "", "step": 1, "of": 1,
            "started": "", "best": null, "adapter": adapter, "loss": null, "eta_s": null, "failure": null,
            "evaluated": false,
        }))
        .unwrap()
    }

    #[test]
    fn only_finished_runs_of_the_same_kind_are_offered() {
        let (adapt, rerank) = ("adapt · x", "rerank · x");
        for (row, wants_rerank, offered) in [
            (run("finished", adapt, Some("a")), false, true),
            (run("finished", adapt, Some("a")), true, false),
            (run("finished", rerank, Some("a")), true, true),
            (run("finished", rerank, Some("a")), false, false),
            (run("running", adapt, None), false, false),
            (run("stopped", adapt, None), false, false),
        ] {
            assert_eq!(
                goes_on(&row, wants_rerank),
                offered,
                "{row:?} {wants_rerank}"
            );
        }
    }
}
