//! The stages of the recipe: what each learns and from how much; each can be left out.

use super::next::{Next, needs_decoder};
use crate::components::check::Check;
use crate::draft::{ADDED, stages_of};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use leptos::prelude::*;
use lexforge_domain::api::{Preset, StagePlan};
use lexforge_domain::protocol::{Distillation, Objective, TokenLossKind};

/// The stages in order, with their items and steps.
#[component]
pub fn Stages() -> impl IntoView {
    let next = expect_context::<Next>();
    let preset = Memo::new(move |_| next.preset());
    let items = move || {
        next.plan
            .value
            .with(|plan| plan.as_ref().map(|plan| plan.items))
    };
    view! {
        <div class="row between">
            <h2>{t("training.stages")}</h2>
            <span class="t-small" id="plan-items">{move || if next.asking.get() {
                Some(t("training.reckoning"))
            } else {
                items().map(|n| tn("count.training_questions", n))
            }}</span>
        </div>
        {move || match preset.get() {
            Some(preset) => view! { <List preset/> }.into_any(),
            None => view! { <div class="skel half"></div> }.into_any(),
        }}
    }
}

#[component]
fn List(preset: Preset) -> impl IntoView {
    let lines = stages_of(preset)
        .iter()
        .map(|name| view! { <Stage preset name/> })
        .collect_view();
    let added = needs_decoder(preset).then(|| {
        let lines = ADDED.iter().map(|name| view! { <Added name/> }).collect_view();
        view! { <h3>{t("training.can_be_added")}</h3><ul class="stage-list" id="added-stages">{lines}</ul> }
    });
    view! { <ol class="stage-list" id="plan-stages">{lines}</ol> {added} }
}

/// A stage that the recipe does not have.
#[component]
fn Added(name: &'static str) -> impl IntoView {
    let next = expect_context::<Next>();
    let on = Memo::new(move |_| {
        next.draft
            .with(|draft| draft.with.iter().any(|w| w == name))
    });
    let switch = move |on: bool| {
        next.draft.update(|draft| {
            draft.with.retain(|w| w != name);
            if on {
                draft.with.push(name.to_owned());
            }
        });
    };
    let plan = planned(next, name);
    let figures = move || {
        let known = on.get() && !next.asking.get();
        known.then(|| plan.get().map(|(_, plan)| extent(&plan)))
    };
    view! {
        <li>
            <div class="row between wrap">
                <Check id=format!("stage-{name}") on=on tick=switch>{tag("stage_name", name)}</Check>
                <span class="t-small">{figures}</span>
            </div>
            <small>{tag("stage_learns", name)}</small>
        </li>
    }
}

/// A stage in the plan of this recipe, with its place there from 1.
fn planned(next: Next, name: &'static str) -> Memo<Option<(usize, StagePlan)>> {
    let find = move |stages: &[StagePlan]| {
        stages
            .iter()
            .enumerate()
            .find(|(_, s)| s.name == name)
            .map(|(at, s)| (at + 1, s.clone()))
    };
    Memo::new(move |_| {
        next.plan.value.with(|plan| {
            let plan = plan.as_ref().filter(|plan| next.suits(plan))?;
            find(&plan.stages)
        })
    })
}

/// What a stage learns from, and in how many steps.
fn extent(plan: &StagePlan) -> String {
    format!(
        "{} · {}",
        tn("count.items", plan.items),
        tn("count.steps", plan.steps)
    )
}

#[component]
fn Stage(preset: Preset, name: &'static str) -> impl IntoView {
    let next = expect_context::<Next>();
    let on = Memo::new(move |_| {
        next.draft
            .with(|draft| !draft.without.iter().any(|w| w == name))
    });
    let last = Memo::new(move |_| {
        on.get()
            && next
                .draft
                .with(|draft| draft.without.len() + 1 >= stages_of(preset).len())
    });
    let plan = planned(next, name);
    let switch = move |on: bool| {
        next.draft.update(|draft| {
            draft.without.retain(|w| w != name);
            if !on {
                draft.without.push(name.to_owned());
            }
        });
    };
    let figures = move || {
        if !on.get() {
            return t("training.left_out");
        }
        if next.asking.get() {
            return String::new();
        }
        plan.get()
            .map(|(_, plan)| extent(&plan))
            .unwrap_or_default()
    };
    let title = move || match plan.get() {
        Some((at, _)) if on.get() => format!("{at}. {}", tag("stage_name", name)),
        _ => tag("stage_name", name),
    };
    let only = move || {
        let why = if stages_of(preset).len() == 1 {
            t("training.only_stage")
        } else {
            t("training.last_stage")
        };
        last.get()
            .then(|| view! { <small class="t-mute">{why}</small> })
    };
    view! {
        <li class:off=move || !on.get()>
            <div class="row between wrap">
                <Check id=format!("stage-{name}") on=on tick=switch off=last><b>{title}</b></Check>
                <span class="t-small">{figures}</span>
            </div>
            <small>{tag("stage_learns", name)}</small>
            {only}
            {(name == "token").then(|| view! { <TokenLoss on/> })}
            {(name == "retrieval").then(|| view! { <Teacher/> })}
        </li>
    }
}

/// The loss of the term stage, in words.
#[component]
fn TokenLoss(on: Memo<bool>) -> impl IntoView {
    let next = expect_context::<Next>();
    let planned = Memo::new(move |_| {
        next.plan.value.with(|plan| {
            plan.as_ref()?
                .settings
                .stages
                .iter()
                .find_map(|stage| match stage.objective {
                    Objective::Token { loss } => Some(loss),
                    _ => None,
                })
        })
    });
    let used = Memo::new(move |_| {
        next.draft
            .with(|d| d.token_loss)
            .or_else(|| planned.get())
            .unwrap_or(TokenLossKind::Candidates)
    });
    let options = move || {
        TokenLossKind::ALL.map(|loss| {
            let value = loss.tag();
            view! { <option value=value prop:selected=move || used.get() == loss>{tag("token_loss", value)}</option> }
        })
    };
    let choose = move |value: String| {
        let loss = TokenLossKind::from_tag(&value);
        next.draft.update(|draft| draft.token_loss = loss);
    };
    move || {
        on.get().then(|| {
            view! {
                <div class="row wrap">
                    <label class="t-small" for="token-loss">{t("training.token_loss")}</label>
                    <span class="picker grow">
                        <select class="select" id="token-loss" aria-describedby="token-loss-hint" on:change:target=move |event| choose(event.target().value())>
                            {options()}
                        </select>
                    </span>
                </div>
                <small id="token-loss-hint">{move || tag("token_loss_means", used.get().tag())}</small>
            }
        })
    }
}

/// The choices for the task of search: whether labels name every clause that answers, whether the present ranking of
/// the search is learnt, too, and whether it is also learnt from questions without a label.
#[component]
fn Teacher() -> impl IntoView {
    let next = expect_context::<Next>();
    let how = Memo::new(move |_| next.draft.with(|draft| draft.distillation));
    let on = Memo::new(move |_| how.get().is_some());
    let switch = move |on: bool| {
        next.draft
            .update(|draft| draft.distillation = on.then(Distillation::default));
    };
    let complete = Memo::new(move |_| next.draft.with(|draft| draft.complete_labels));
    let trust = move |on: bool| next.draft.update(|draft| draft.complete_labels = on);
    let widen = move |unlabelled: bool| {
        next.draft.update(|draft| {
            if let Some(how) = &mut draft.distillation {
                how.unlabelled = unlabelled;
            }
        });
    };
    let lists = move || {
        let taught = next
            .plan
            .value
            .with(|plan| plan.as_ref().and_then(|plan| plan.taught.clone()))?;
        let (labelled, others) = (taught.labelled, taught.unlabelled());
        Some(tf(
            "training.distill_lists",
            &[
                ("labelled", &format::count(labelled)),
                ("others", &format::count(others)),
            ],
        ))
    };
    view! {
        <Check id="complete-labels" described="complete-labels-hint" on=complete tick=trust>{t("training.complete_labels")}</Check>
        <small id="complete-labels-hint">{t("training.complete_labels_means")}</small>
        <Check id="distill" described="distill-hint" on=on tick=switch>{t("training.distill")}</Check>
        <small id="distill-hint">{t("training.distill_means")}</small>
        {move || on.get().then(|| view! {
            <Check id="distill-unlabelled" described="distill-unlabelled-hint" on=move || how.get().is_some_and(|how| how.unlabelled) tick=widen>
                {t("training.distill_unlabelled")}
            </Check>
            <small id="distill-unlabelled-hint">{t("training.distill_unlabelled_means")} " " {lists}</small>
        })}
    }
}
