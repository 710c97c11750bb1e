//! The next run: recipe, base model, stages, figures, snapshot. What it will do is asked again as one types.

mod base;
mod card;
mod figures;
mod memory;
mod next;
mod place;
mod presets;
mod reading;
mod samples;
mod several;
mod snapshot;
mod stages;
mod start;
mod vectors;

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::prepare::Prepare;
use crate::draft::Draft;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::power::before_a_run;
use crate::said::Told;
use crate::screens::library::check::Known;
use crate::state::{App, use_app};
use base::Base;
use card::Card;
use figures::Figures;
use leptos::prelude::*;
use lexforge_domain::RunId;
use lexforge_domain::api::{Preset, RunDetail, RunState};
use lexforge_domain::dataset::Dataset;
use memory::Memory;
use next::{Next, file_name, planned, usable};
use place::Place;
use presets::Presets;
use samples::Samples;
use several::Several;
use snapshot::Snapshot;
use stages::Stages;
use start::StartFrom;
use std::time::Duration;

/// How long one must have stopped typing before the plan is asked again.
const REST: Duration = Duration::from_millis(400);

/// The form that starts a run.
#[component]
pub fn Form() -> impl IntoView {
    let app = use_app();
    let next = Next {
        draft: app.draft,
        bases: Fetched::default(),
        plan: Fetched::default(),
        asking: RwSignal::new(true),
    };
    provide_context(next);
    next.bases.ask(call(commands::BaseModels {}));
    let dataset = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().and_then(|ws| ws.dataset.clone()))
    });
    Effect::new(move |_| begin(next));
    let preset = Memo::new(move |_| next.preset());
    // Some trainings need no snapshot. The search learns from labelled questions, NMIXX from triplets, Match from its
    // decisions, and GPL from a teacher's scores. An encoder is adapted on sentences.
    let without = Memo::new(move |_| preset.get().is_some_and(|preset| !preset.learns_snapshot()));
    let ready = Memo::new(move |_| without.get() || dataset.with(Option::is_some));
    plan_as_one_types(next, ready);
    view! {
        <div class="scroll" id="next-run">
            <section class="part">
                <div class="row between">
                    <h2>{t("training.next_run")}</h2>
                    <button
                        class="btn ghost sm"
                        id="reset-recipe"
                        disabled=move || !next.draft.with(Draft::is_changed)
                        on:click=move |_| next.draft.update(Draft::reset)
                    >
                        {move || if next.draft.with(Draft::is_changed) { t("training.reset") } else { t("training.unchanged") }}
                    </button>
                </div>
                <Presets/>
            </section>
            <section class="part"><Base/><StartFrom/></section>
            <Place/>
            {move || ready.get().then(|| view! {
                <section class="part"><Stages/></section>
                <Samples/>
                <section class="part" id="figures"><Memory/><Figures/></section>
                <Card/>
                <Problems/>
                <Several/>
            })}
            <LearnsFrom preset without dataset/>
        </div>
        <Foot ready/>
    }
}

/// What the run learns from: the snapshot, or what its recipe takes instead.
#[component]
fn LearnsFrom(
    preset: Memo<Option<Preset>>,
    /// The recipe needs no snapshot.
    without: Memo<bool>,
    dataset: Memo<Option<Dataset>>,
) -> impl IntoView {
    let learns = |text: String| view! { <p>{text}</p> }.into_any();
    view! {
        <section class="part">
            <h2>{move || if without.get() { t("training.learns_from") } else { t("training.dataset") }}</h2>
            {move || match (preset.get(), dataset.get()) {
                (Some(Preset::Nmixx), _) => learns(t("training.learns_from_triplets")),
                (Some(Preset::RulesAndPolicies), _) => learns(t("training.learns_from_matches")),
                (Some(Preset::Gpl), _) => learns(t("training.learns_from_teacher")),
                (Some(Preset::Adapt | Preset::Tsdae), _) => learns(t("training.learns_from_documents")),
                (Some(Preset::Retrieval | Preset::Rerank), _) => learns(t("training.learns_from_labels")),
                (_, Some(dataset)) => view! { <Snapshot dataset/> <Shows/> }.into_any(),
                (_, None) => view! { <p>{t("training.no_dataset")}</p> }.into_any(),
            }}
            <Data/>
        </section>
    }
}

/// What the last check said of the documents in the data.
#[component]
fn Data() -> impl IntoView {
    let next = expect_context::<Next>();
    let standing = Memo::new(move |_| {
        next.plan
            .value
            .with(|plan| plan.as_ref().and_then(|plan| plan.data))
    });
    let again = move |()| next.plan_again();
    view! { <Known standing checked=again/> }
}

/// The problems and notes of the planned run. Problems of the base are shown beside the base.
#[component]
fn Problems() -> impl IntoView {
    let next = expect_context::<Next>();
    let found = Memo::new(move |_| {
        let of_plan = next.plan.value.with(|plan| {
            plan.as_ref().map(|plan| {
                let own = plan
                    .problems
                    .iter()
                    .filter(|p| !plan.base.problems.contains(p));
                (own.cloned().collect::<Vec<_>>(), plan.warnings.clone())
            })
        });
        let (mut problems, warnings) = of_plan.unwrap_or_default();
        problems.extend(next.plan.failure.get());
        (problems, warnings)
    });
    let quiet =
        move || found.with(|(problems, warnings)| problems.is_empty() && warnings.is_empty());
    let problems = move || {
        let (problems, warnings) = found.get();
        let problems = problems
            .into_iter()
            .map(|failure| view! { <ErrorPanel failure/> })
            .collect_view();
        let warnings = warnings
            .into_iter()
            .map(|text| view! { <Note tone=Tone::Warn><Told text/></Note> });
        view! { {problems} {warnings.collect_view()} }
    };
    move || {
        (!quiet()).then(|| {
            view! { <section class="part" aria-live="polite" id="plan-problems">{problems}</section> }
        })
    }
}

/// The differences that the snapshot's test questions can show, before anything is trained.
#[component]
fn Shows() -> impl IntoView {
    let next = expect_context::<Next>();
    let power = Memo::new(move |_| {
        let plan = next.plan.value;
        plan.with(|plan| plan.as_ref().and_then(|plan| plan.power.clone()))
    });
    move || {
        let text = power.with(|power| power.as_ref().map(before_a_run));
        text.map(|text| view! { <p class="t-small t-mute" id="plan-power">{text}</p> })
    }
}

/// Chooses the first recipe and base model. It is a decoder if there is one, because only decoders answer questions.
fn begin(next: Next) {
    if next.draft.with_untracked(|draft| draft.base.is_some()) {
        return;
    }
    let first = next.bases.value.with(|rows| {
        let rows = rows.as_ref()?;
        let with = |preset| usable(rows, preset).map(|row| (preset, row.name.clone()));
        match next.preset_now() {
            // It was chosen before the list had come.
            Some(preset) => with(preset),
            None => with(Preset::QuickLook).or_else(|| with(Preset::Encoder)),
        }
    });
    if let Some((preset, base)) = first {
        next.draft.update(|draft| {
            if draft.preset != Some(preset) {
                draft.choose(preset);
            }
            draft.base = Some(base);
        });
    }
}

/// Asks for the plan of what stands in the form; the last good one stays until the next has come.
fn plan_as_one_types(next: Next, ready: Memo<bool>) {
    let request = Memo::new(move |_| {
        next.draft
            .with(|draft| draft.base.as_ref().and_then(|_| draft.request()))
    });
    Effect::new(move |_| {
        let found = next.plan.value.with(|plan| {
            plan.as_ref()
                .map(|plan| (plan.base.name.clone(), plan.base.decoder))
        });
        let Some((name, decoder)) = found else { return };
        let open = next.draft.with_untracked(|d| {
            d.preset.is_none() && d.base.as_deref().map(file_name) == Some(name)
        });
        if open {
            next.draft.update(|draft| base::settle(draft, decoder));
        }
    });
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        if let Some(handle) = pending.try_update_value(Option::take).flatten() {
            handle.clear();
        }
        let (Some(request), true) = (request.get(), ready.get()) else {
            next.asking.set(false);
            return;
        };
        next.asking.set(true);
        let first = next.plan.value.with_untracked(Option::is_none)
            && next.plan.failure.with_untracked(Option::is_none);
        let ask = move || next.plan.ask(planned(next, request.clone()));
        match set_timeout_with_handle(ask, if first { Duration::ZERO } else { REST }) {
            Ok(handle) => pending.set_value(Some(handle)),
            Err(_) => next.asking.set(false),
        }
    });
    on_cleanup(move || {
        if let Some(handle) = pending.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    });
}

/// The primary action with the run's extent, always in view.
#[component]
fn Foot(ready: Memo<bool>) -> impl IntoView {
    view! {
        <div class="form-foot">
            {move || if ready.get() {
                view! { <Start/> }.into_any()
            } else {
                view! { <Prepare primary=true/> }.into_any()
            }}
        </div>
    }
}

/// The button that starts the run. Beside it stands why it cannot start, or how long it will take.
#[component]
fn Start() -> impl IntoView {
    let app = use_app();
    let next = expect_context::<Next>();
    let waiting = RwSignal::new(false);
    let start = move |_| {
        let Some(request) = next.draft.with_untracked(Draft::request) else {
            return;
        };
        waiting.set(true);
        app.attempt(
            async move {
                let started = call(commands::StartTraining { request }).await;
                waiting.try_set(false);
                started
            },
            move |run| {
                app.run.set(Some(run.id));
                app.compare.set(None);
                app.reload();
            },
        );
    };
    // On another machine the base model and the questions are sent first.
    let starting = move || {
        let on = next.draft.with(|draft| draft.on.clone());
        on.map_or_else(
            || t("training.starting"),
            |machine| tf("training.sending", &[("machine", &machine)]),
        )
    };
    let hindered = Memo::new(move |_| hindered(next));
    let pace = pace(app, next);
    view! {
        <button
            class="btn primary lg"
            id="start-training"
            aria-describedby="start-remark"
            disabled=move || waiting.get() || hindered.get().is_some()
            on:click=start
        >
            <Sign icon=Icon::Play/>
            {t("training.start")}
        </button>
        <p class="t-small" id="start-remark" role="status">
            {move || match (hindered.get(), next.asking.get()) {
                _ if waiting.get() => starting(),
                (Some(why), _) => why,
                (None, true) => t("training.planning"),
                (None, false) => extent(next, pace).unwrap_or_default(),
            }}
        </p>
    }
}

/// How many steps the planned run has, and about how long they take.
fn extent(next: Next, pace: Memo<Option<(RunId, f64)>>) -> Option<String> {
    let steps = next.plan.value.with(|p| {
        p.as_ref()
            .map(|p| p.stages.iter().map(|s| s.steps).sum::<u64>())
    })?;
    let about = pace.get().map(|(run, seconds)| {
        let time = format::duration(seconds * steps as f64);
        tf(
            "training.about_time",
            &[("time", &time), ("run", &run.to_string())],
        )
    });
    Some(match about {
        Some(about) => format!("{} · {about}", tn("count.steps", steps)),
        None => tn("count.steps", steps),
    })
}

/// Why the run cannot be started as it stands.
fn hindered(next: Next) -> Option<String> {
    if !next.draft.with(Draft::is_sound) {
        return Some(t("training.hindered_figure"));
    }
    let stopped = next
        .plan
        .value
        .with(|plan| plan.as_ref().is_some_and(|plan| !plan.problems.is_empty()));
    if next.plan.failure.with(Option::is_some) || stopped {
        // A problem of the earlier recipe may not be one of this recipe.
        let asking = next.asking.get();
        return Some(if asking {
            t("training.planning")
        } else {
            t("training.hindered_problem")
        });
    }
    match next.bases.value.with(|rows| {
        rows.as_ref()
            .map(|_| next.draft.with(|draft| draft.base.is_some()))
    }) {
        Some(true) if next.plan.value.with(Option::is_some) => None,
        Some(true) => Some(t("training.planning")),
        Some(false) => Some(t("training.hindered_base")),
        None if next.bases.failure.with(Option::is_some) => Some(t("training.hindered_base")),
        None => Some(t("training.planning")),
    }
}

/// Seconds a step of the newest finished run on this base, and that run's number.
fn pace(app: App, next: Next) -> Memo<Option<(RunId, f64)>> {
    let like = Memo::new(move |_| {
        let base = next
            .plan
            .value
            .with(|plan| plan.as_ref().map(|plan| plan.base.name.clone()))?;
        app.runs.with(|runs| {
            runs.iter()
                .find(|r| r.state == RunState::Finished && r.base == base)
                .map(|r| r.id)
        })
    });
    let detail = Fetched::<RunDetail>::default();
    Effect::new(move |_| match like.get() {
        Some(id) => detail.ask(call(commands::RunDetail { id })),
        None => detail.forget(),
    });
    Memo::new(move |_| {
        detail.value.with(|detail| {
            let detail = detail.as_ref()?;
            let result = detail.result.as_ref().filter(|result| result.steps > 0)?;
            Some((detail.run.id, result.seconds / result.steps as f64))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::BaseRow;
    use lexforge_domain::{Code, Failure};

    fn row(name: &str, decoder: bool, shipped: bool, problem: bool) -> BaseRow {
        BaseRow {
            name: name.to_owned(),
            path: None,
            shipped,
            architecture: String::new(),
            decoder,
            parameters: 0,
            problem: problem.then(|| Failure::new(Code::ModelMissing, "message", "hint")),
        }
    }

    #[test]
    fn a_recipe_takes_a_base_of_its_kind_that_works_the_products_own_first() {
        let rows = [
            row("big", true, false, false),
            row("broken", true, true, true),
            row("own", true, true, false),
            row("reader", false, true, false),
        ];
        assert_eq!(
            usable(&rows, Preset::Thorough).map(|r| r.name.as_str()),
            Some("own")
        );
        assert_eq!(
            usable(&rows, Preset::Encoder).map(|r| r.name.as_str()),
            Some("reader")
        );
        assert_eq!(
            usable(&rows[..2], Preset::Joint).map(|r| r.name.as_str()),
            Some("big")
        );
        assert_eq!(
            usable(&rows[3..], Preset::Joint).map(|r| r.name.as_str()),
            None
        );
        let both = ["small", "of many languages"].map(|name| row(name, false, true, false));
        assert_eq!(
            usable(&both, Preset::Encoder).map(|r| r.name.as_str()),
            Some("small")
        );
    }
}
