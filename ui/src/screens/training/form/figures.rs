//! The recipe's figures. An empty field takes the recipe's own, which is shown in grey.

use super::next::{Next, needs_decoder};
use crate::components::check::Check;
use crate::draft::{Draft, Figure};
use crate::format;
use crate::i18n::{t, tag};
use leptos::prelude::*;
use lexforge_domain::api::RunPlan;
use lexforge_domain::protocol::{self, Objective, StageSpec, TrainSettings};

/// The figures; those that few people change are folded away.
#[component]
pub fn Figures() -> impl IntoView {
    let next = expect_context::<Next>();
    let open = RwSignal::new(false);
    // A fold never hides what was changed in it, or what is wrong in it.
    let changed = move || {
        next.draft.with(|draft| {
            draft.precision.is_some()
                || draft.checkpointing.is_some()
                || Figure::MORE
                    .iter()
                    .any(|figure| !draft.text(*figure).trim().is_empty())
        })
    };
    let shown = Memo::new(move |_| open.get() || changed());
    view! {
        {move || next.preset().is_some_and(|preset| !needs_decoder(preset)).then(|| view! { <div class="figures"><AllWeights/></div> })}
        <div class="figures">{Figure::FIRST.map(|figure| view! { <Field figure/> })}</div>
        <button
            class="btn ghost sm fold"
            id="more-figures"
            aria-expanded=move || shown.get().to_string()
            disabled=changed
            on:click=move |_| open.update(|on| *on = !*on)
        >
            {move || match (shown.get(), changed()) {
                (true, true) => t("training.more_changed"),
                (true, false) => t("training.less"),
                _ => t("training.more"),
            }}
        </button>
        {move || shown.get().then(|| view! {
            <div class="figures">
                <Precision/>
                <Checkpointing/>
                {Figure::MORE.map(|figure| {
                    let has = move || figure != Figure::Rank || !next.draft.with(|draft| draft.all_weights);
                    move || has().then(|| view! { <Field figure/> })
                })}
            </div>
        })}
        <p class="t-small t-mute">{t("training.defaults")}</p>
    }
}

#[component]
fn Field(figure: Figure) -> impl IntoView {
    let next = expect_context::<Next>();
    let text = move || next.draft.with(|draft| draft.text(figure).to_owned());
    let wrong = move || next.draft.with(|draft| !figure.takes(draft.text(figure)));
    let own = move || {
        next.plan.value.with(|plan| {
            plan.as_ref()
                .filter(|plan| next.suits(plan))
                .map(|plan| own(figure, plan))
                .unwrap_or_default()
        })
    };
    let id = figure.tag();
    let hint = format!("{id}-hint");
    view! {
        <div class="figure">
            <label for=id>{tag("figure", id)}</label>
            <input
                class="input"
                id=id
                inputmode="decimal"
                autocomplete="off"
                placeholder=own
                aria-describedby=hint.clone()
                aria-invalid=move || wrong().to_string()
                prop:value=text
                on:input:target=move |event| {
                    let text = event.target().value();
                    next.draft.update(|draft| { draft.figures.insert(figure, text); });
                }
            />
            <small id=hint>
                {tag("figure_means", id)}
                {move || wrong().then(|| view! { <span class="err" role="alert">" " {tag("figure_takes", id)}</span> })}
            </small>
        </div>
    }
}

/// All weights, where the recipe is one of an encoder.
#[component]
fn AllWeights() -> impl IntoView {
    let next = expect_context::<Next>();
    let on = move || next.draft.with(|draft: &Draft| draft.all_weights);
    view! {
        <div class="figure wide">
            <Check id="all-weights" described="all-weights-hint" on=on tick=move |on: bool| next.draft.update(|draft| draft.all_weights = on)>
                {tag("figure", "all_weights")}
            </Check>
            <small id="all-weights-hint">{tag("figure_means", "all_weights")}</small>
        </div>
    }
}

#[component]
fn Precision() -> impl IntoView {
    let next = expect_context::<Next>();
    let chosen = move || {
        next.draft.with(|draft| {
            draft
                .precision
                .map_or("", protocol::Precision::tag)
                .to_owned()
        })
    };
    let own = move || {
        let own = next.plan.value.with(|p| {
            p.as_ref()
                .map(|p| p.settings.precision.tag())
                .unwrap_or_default()
        });
        if chosen().is_empty() {
            format!("{} ({})", t("training.as_recipe"), tag("precision", own))
        } else {
            t("training.as_recipe")
        }
    };
    let options = protocol::Precision::ALL.map(|precision| {
        let value = precision.tag();
        view! { <option value=value prop:selected=move || chosen() == value>{tag("precision", value)}</option> }
    });
    view! {
        <div class="figure wide">
            <label for="precision">{tag("figure", "precision")}</label>
            <span class="picker">
                <select class="select" id="precision" aria-describedby="precision-hint" on:change:target=move |event| {
                    let value = protocol::Precision::from_tag(&event.target().value());
                    next.draft.update(|draft| draft.precision = value);
                }>
                    <option value="" prop:selected=move || chosen().is_empty()>{own}</option>
                    {options}
                </select>
            </span>
            <small id="precision-hint">{tag("figure_means", "precision")}</small>
        </div>
    }
}

#[component]
fn Checkpointing() -> impl IntoView {
    let next = expect_context::<Next>();
    let planned = move || {
        next.plan.value.with(|p| {
            p.as_ref()
                .is_some_and(|p| p.settings.activation_checkpointing)
        })
    };
    let on = move || {
        next.draft
            .with(|draft: &Draft| draft.checkpointing)
            .unwrap_or_else(planned)
    };
    view! {
        <div class="figure wide">
            <Check id="checkpointing" described="checkpointing-hint" on=on tick=move |on: bool| next.draft.update(|draft| draft.checkpointing = Some(on))>
                {tag("figure", "checkpointing")}
            </Check>
            <small id="checkpointing-hint">{tag("figure_means", "checkpointing")}</small>
        </div>
    }
}

/// The recipe's own value of a figure, as the plan has it.
fn own(figure: Figure, plan: &RunPlan) -> String {
    let settings: &TrainSettings = &plan.settings;
    let of_stages = |show: &dyn Fn(&StageSpec) -> Option<String>| {
        let mut values: Vec<String> = Vec::new();
        for value in settings.stages.iter().filter_map(show) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.join(" / ")
    };
    let count = |n: usize| format::count(n as u64);
    let or = |n: Option<usize>, none: &str| n.map_or_else(|| none.to_owned(), count);
    match figure {
        Figure::Epochs => of_stages(&|s| Some(count(s.epochs))),
        Figure::Batch => of_stages(&|s| Some(count(s.batch_size))),
        Figure::MicroBatch => of_stages(&|s| Some(or(s.micro_batch, &t("training.automatic")))),
        Figure::Rate => of_stages(&|s| Some(format::rate(s.learning_rate))),
        Figure::MaxSteps => of_stages(&|s| Some(or(s.max_steps, &t("training.all_steps")))),
        Figure::Patience => of_stages(&|s| Some(or(s.patience, &t("training.never")))),
        Figure::Temperature => of_stages(&|s| match &s.objective {
            Objective::Sentence(sentence) | Objective::Gritlm(sentence) => {
                Some(sentence.temperature.to_string())
            }
            Objective::Joint { temperature, .. } => Some(temperature.to_string()),
            Objective::Retrieval(retrieval) => Some(retrieval.temperature.to_string()),
            Objective::Triplets(triplets) => Some(triplets.temperature.to_string()),
            _ => None,
        }),
        Figure::TermLayer => of_stages(&|s| match &s.objective {
            Objective::Joint { term_layer, .. } => Some(or(*term_layer, &t("training.last_layer"))),
            _ => None,
        }),
        Figure::MaxLength => count(settings.max_length),
        Figure::Rank => count(settings.lora.r),
        Figure::Seed => settings.seed.to_string(),
        Figure::Threads if settings.threads == 0 => t("training.all_threads"),
        Figure::Threads => count(settings.threads),
        Figure::CheckpointEvery => t("training.automatic"),
    }
}
