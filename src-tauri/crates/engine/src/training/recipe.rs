//! Recipes: a preset's figures, with what the user changed (docs/methods.md, "Training").

mod change;
mod names;
mod precision;
mod term_layer;

use super::departures::card;
use super::item_counts::ItemCounts;
use super::presets::{
    EPOCHS, MASKED, PAPER_WARMUP, QUICK_STEPS, denoising, masked_words, of_all_weights, settings,
    sft,
};
use crate::workspace::Result;
use lexforge_domain::api::{Preset, RunPlan, StagePlan, TrainRequest};
use lexforge_domain::protocol::{InspectResult, Objective, StageSpec, TrainSettings, Tune};
use lexforge_domain::{Failure, Remedy, RunId};
use std::collections::BTreeMap;

pub(crate) use precision::slow_precision;

/// Most optimiser steps of the encoder's recipe: about five minutes for MiniLM on two cores.
const ENCODER_STEPS: usize = 160;
/// Looks at the held-out items in a stage, about.
const LOOKS: usize = 4;

/// A recipe with every figure.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) preset: Preset,
    pub(crate) settings: TrainSettings,
    pub(crate) stages: Vec<StagePlan>,
    pub(crate) checkpoint_every: usize,
    pub(crate) evaluate_every: usize,
    /// Things that are unusual but do not stop the run.
    pub(crate) warnings: Vec<String>,
    /// The run from whose adapter it goes on.
    pub(crate) start_from: Option<RunId>,
}

impl Recipe {
    /// The recipe that a request asks for, for this base and these items.
    ///
    /// # Errors
    /// [`lexforge_domain::Code::InvalidRequest`] for an impossible figure, an unknown stage, or a recipe that does not
    /// suit the base.
    pub(crate) fn of(
        request: &TrainRequest,
        base: &InspectResult,
        items: ItemCounts,
    ) -> Result<Self> {
        check_figures(request)?;
        let preset = preset_of(request, base)?;
        if request.attacks && !preset.learns_snapshot() {
            return Err(Failure::invalid(
                format!(
                    "Only questions with choices can be learnt under attack, and the preset {} has none.",
                    preset.tag()
                ),
                "Leave the attacks out, or choose a preset that learns the snapshot's questions.",
            ));
        }
        let mut settings = match request.tune {
            Some(Tune::All) => of_all_weights(settings(preset, base), base)?,
            Some(Tune::Lora) | None => settings(preset, base),
        };
        leave_out(&mut settings.stages, request)?;
        add(&mut settings.stages, request, base)?;
        change::change(&mut settings, request)?;
        term_layer::place(&mut settings.stages, request.term_layer, base)?;
        let mut warnings = Vec::new();
        fit_lengths(&mut settings, base, &mut warnings);
        for stage in &mut settings.stages {
            let n = items.of_stage(&stage.objective);
            let steps = fit_steps(stage, preset, n, request);
            let name = stage.objective.stage();
            if n == 0 {
                warnings.push(format!(
                    "The snapshot has no training question for the stage {name}."
                ));
            } else if preset == Preset::TermgptPaper && stage.warmup_steps < PAPER_WARMUP {
                warnings.push(format!(
                    "Steps of the stage {name}: {steps}. The warm-up takes {} of them instead of the paper's {PAPER_WARMUP}.",
                    stage.warmup_steps
                ));
            }
        }
        let stages = stages(&settings, items);
        let longest = stages.iter().map(|s| s.steps as usize).max().unwrap_or(1);
        Ok(Self {
            preset,
            settings,
            stages,
            checkpoint_every: request.checkpoint_every.unwrap_or((longest / LOOKS).max(1)),
            evaluate_every: (longest / LOOKS).max(1),
            warnings,
            start_from: request.start_from,
        })
    }

    /// Drop the stages for which the snapshot has no question; the plan goes on naming them.
    pub(crate) fn keep_what_can_be_learnt(&mut self) {
        let empty = self.stages.iter().filter(|s| s.items == 0);
        let empty: Vec<&str> = empty.map(|s| s.name.as_str()).collect();
        self.settings
            .stages
            .retain(|s| !empty.contains(&s.objective.stage()));
    }

    /// The plan, with the problems that prevent it.
    pub(crate) fn plan(self, model: InspectResult, items: u64, problems: Vec<Failure>) -> RunPlan {
        let mut warnings = self.warnings;
        warnings.extend(model.memory.as_ref().filter(|m| !m.fits).map(|m| {
            format!(
                "The training needs about {:.0} MiB, which is more than is free on {}.",
                m.total_mb, m.device
            )
        }));
        RunPlan {
            card: card(self.preset, &model, &self.settings),
            base: model,
            preset: self.preset,
            settings: self.settings,
            items,
            attacks: BTreeMap::new(),
            taught: None,
            samples: Vec::new(),
            stages: self.stages,
            power: None,
            data: None,
            warnings,
            problems,
            cost: None,
        }
    }

    /// Its name in lists: `quick look · sft, sentence, token (candidates)`.
    pub(crate) fn label(&self) -> String {
        names::label(self.preset, &self.settings)
    }
}

/// Most threads of a worker. With many more than processors it makes no progress, or is killed before it can say why.
const MOST_THREADS: usize = 1024;

fn check_figures(request: &TrainRequest) -> Result<()> {
    let counts = [
        ("epochs", request.epochs),
        ("batch size", request.batch_size),
        ("micro-batch", request.micro_batch),
        ("most steps", request.max_steps),
        ("rank", request.rank),
        ("patience", request.patience),
        ("steps between checkpoints", request.checkpoint_every),
    ];
    if let Some((name, _)) = counts.iter().find(|(_, value)| *value == Some(0)) {
        return Err(Failure::invalid(
            format!("The {name} cannot be 0."),
            "Give a number from 1 on, or leave it to the recipe.",
        ));
    }
    if request.threads.is_some_and(|n| n > MOST_THREADS) {
        return Err(Failure::invalid(
            format!("A worker cannot have more than {MOST_THREADS} threads."),
            "Give the number of the machine's processors, or 0 for all of them.",
        ));
    }
    for (name, value) in [
        ("learning rate", request.learning_rate),
        ("temperature", request.temperature),
    ] {
        if value.is_some_and(|v| !v.is_finite() || v <= 0.0) {
            return Err(Failure::invalid(
                format!("The {name} must be above 0."),
                "Leave it out to use the recipe's.",
            ));
        }
    }
    if request.weights.is_some_and(|weights| !weights.are_shares()) {
        return Err(Failure::invalid(
            "The weights of the levels must not be negative, and together they must be 1.",
            "The article has 0.4 for sentences and 0.6 for terms.",
        ));
    }
    if request
        .replay_share
        .is_some_and(|share| !(share > 0.0 && share < 1.0))
    {
        return Err(Failure::invalid(
            "The share of general language must lie between 0 and 1.",
            "A tenth (0.1) is usual.",
        ));
    }
    if let Some(complaint) = request.distillation.and_then(|how| how.complaint()) {
        return Err(Failure::invalid(
            format!("The recipe makes no sense: {complaint}."),
            "Leave it out to use the recipe's.",
        ));
    }
    if request.max_length.is_some_and(|n| n < 16) {
        return Err(Failure::invalid(
            "The longest input cannot be shorter than 16 tokens.",
            "Use 128 or more.",
        ));
    }
    Ok(())
}

fn preset_of(request: &TrainRequest, base: &InspectResult) -> Result<Preset> {
    let usual = if base.decoder {
        Preset::QuickLook
    } else {
        Preset::Encoder
    };
    match request.preset.unwrap_or(usual) {
        wanted if wanted.is_of_encoders() && base.decoder => Err(Failure::invalid(
            format!(
                "{} is a decoder; the preset {} trains encoders.",
                base.name,
                wanted.tag()
            ),
            "Choose the preset quick_look, thorough, termgpt_paper or joint, or an encoder as base.",
        )),
        preset if !preset.is_of_encoders() && !base.decoder => Err(Failure::invalid(
            format!(
                "{} is an encoder; the preset {} has stages that only a decoder can learn.",
                base.name,
                preset.tag()
            ),
            Remedy::ChooseEncoderOrDecoder,
        )),
        preset => Ok(preset),
    }
}

/// Takes the stages out that the request names.
fn leave_out(stages: &mut Vec<StageSpec>, request: &TrainRequest) -> Result<()> {
    let names: Vec<&str> = stages.iter().map(|s| s.objective.stage()).collect();
    if let Some(unknown) = request
        .without
        .iter()
        .find(|w| !names.contains(&w.as_str()))
    {
        return Err(Failure::invalid(
            format!(
                "There is no stage {unknown:?} to leave out; the recipe has {}.",
                names.join(", ")
            ),
            "Name a stage of the recipe, or choose another preset.",
        ));
    }
    stages.retain(|s| !request.without.iter().any(|w| w == s.objective.stage()));
    if stages.is_empty() {
        return Err(Failure::invalid(
            "Every stage of the recipe is left out; nothing would be learnt.",
            "Keep at least one.",
        ));
    }
    Ok(())
}

/// Adds the stages that the request names, each where it belongs.
fn add(stages: &mut Vec<StageSpec>, request: &TrainRequest, base: &InspectResult) -> Result<()> {
    for name in &request.with {
        let compares = |s: &StageSpec| {
            matches!(
                s.objective,
                Objective::Sentence(_) | Objective::Joint { .. } | Objective::Gritlm(_)
            )
        };
        let (objective, place) = match name.as_str() {
            "plain_text" => (Objective::PlainText, Some(0)),
            "sft" if stages.iter().all(|s| s.objective.stage() != "sft") => (sft(), Some(0)),
            "mntp" => (
                Objective::MaskedNextToken { share: MASKED },
                stages.iter().position(compares),
            ),
            "mlm" if !base.decoder => (masked_words(base), stages.iter().position(compares)),
            "tsdae" if !base.decoder => (denoising(base), stages.iter().position(compares)),
            "contrastive_token" if base.decoder => {
                // The place of the token stage is after all others.
                let like = stages.last().cloned();
                stages.extend(like.map(|like| StageSpec {
                    objective: Objective::ContrastiveToken,
                    ..like
                }));
                continue;
            }
            other => {
                return Err(Failure::invalid(
                    format!("There is no stage {other:?} to add."),
                    "The stages that can be added are mlm and tsdae to an encoder's recipe, and to a decoder's plain_text, mntp, contrastive_token, and sft where the recipe has none.",
                ));
            }
        };
        let Some(place) = place else {
            return Err(Failure::invalid(
                "The stage to be added prepares the comparison of vectors, and the recipe has no stage that compares.",
                "Leave it out, or keep the stage sentence.",
            ));
        };
        let like = stages.get(place).cloned();
        stages.extend(like.map(|like| StageSpec { objective, ..like }));
        let last = stages.len() - 1;
        stages[place..=last].rotate_right(1);
    }
    Ok(())
}

fn fit_lengths(settings: &mut TrainSettings, base: &InspectResult, warnings: &mut Vec<String>) {
    let most = base.max_positions as usize;
    if most > 0 && settings.max_length > most {
        warnings.push(format!(
            "The longest input is {most} tokens, which is all that {} can read, instead of {}.",
            base.name, settings.max_length
        ));
        settings.max_length = most;
    }
}

/// Fits epochs and warm-up of a stage to its items; gives its optimiser steps.
fn fit_steps(stage: &mut StageSpec, preset: Preset, items: usize, request: &TrainRequest) -> usize {
    let per_epoch = items.div_ceil(stage.batch_size).max(1);
    if matches!(preset, Preset::Encoder | Preset::EncoderJoint) && request.epochs.is_none() {
        // Whole epochs only: the schedule and the data order are made for them.
        let most = request.max_steps.unwrap_or(ENCODER_STEPS);
        stage.epochs = EPOCHS.min((most / per_epoch).max(1));
    }
    if preset == Preset::QuickLook && request.epochs.is_none() {
        stage.epochs = stage
            .max_steps
            .unwrap_or(QUICK_STEPS)
            .div_ceil(per_epoch)
            .min(EPOCHS);
    }
    let steps = steps_of(stage, items);
    stage.warmup_steps = match stage.warmup_steps {
        // A warm-up that takes most of the stage would leave it without its learning rate.
        named if named > 0 && named * 2 <= steps => named,
        _ => (steps / 10).max(1),
    };
    steps
}

/// Optimiser steps of a stage with so many items.
fn steps_of(stage: &StageSpec, items: usize) -> usize {
    (items.div_ceil(stage.batch_size.max(1)) * stage.epochs)
        .min(stage.max_steps.unwrap_or(usize::MAX))
}

/// The stages of settings that are decided.
pub(crate) fn stages(settings: &TrainSettings, items: ItemCounts) -> Vec<StagePlan> {
    let plan = |stage: &StageSpec| {
        let n = items.of_stage(&stage.objective);
        StagePlan {
            name: stage.objective.stage().to_owned(),
            items: n as u64,
            steps: steps_of(stage, n) as u64,
        }
    };
    settings.stages.iter().map(plan).collect()
}

#[cfg(test)]
mod adapted;
#[cfg(test)]
mod all_weights;
#[cfg(test)]
mod distilled_tests;
#[cfg(test)]
mod level_weights;
#[cfg(test)]
mod methods_page;
#[cfg(test)]
mod tests;
