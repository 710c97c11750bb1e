//! Whether a recipe makes sense, before anything is loaded.

use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    MaskedWordsObjective, Objective, Precision, StageSpec, TrainSettings, Tune,
};

/// Checks the settings of a train job.
///
/// # Errors
/// [`Code::InvalidRequest`] with a message that says what is wrong.
pub(super) fn settings(settings: &TrainSettings) -> Result<()> {
    let searches = |stage: &&StageSpec| matches!(stage.objective, Objective::Retrieval(_));
    let complaint = if settings.stages.is_empty() {
        Some("it has no stage".to_owned())
    } else if settings.stages.iter().filter(searches).count() > 1 {
        Some("it has two stages retrieval, which would mix their mined negatives".to_owned())
    } else if settings.tune == Tune::All && settings.precision == Precision::Nf4 {
        Some("weights in four bits cannot be tuned, only an adapter beside them".to_owned())
    } else if settings.stages.len() > 1 && settings.stages.iter().any(on_triplets) {
        Some("it has another stage beside triplets, which learns from other items".to_owned())
    } else if settings.stages.len() > 1 && settings.reranks().is_some() {
        Some("it has another stage beside rerank, which learns from other items".to_owned())
    } else {
        settings.stages.iter().find_map(|stage| {
            complaint(stage)
                .map(|complaint| format!("{} in the stage {}", complaint, stage.objective.stage()))
        })
    };
    match complaint {
        None => Ok(()),
        Some(complaint) => Err(Error::told(
            Code::InvalidRequest,
            format!("The recipe makes no sense: {complaint}."),
            "Correct the recipe.",
        )),
    }
}

fn on_triplets(stage: &StageSpec) -> bool {
    matches!(stage.objective, Objective::Triplets(_))
}

fn complaint(stage: &StageSpec) -> Option<&'static str> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let share = |x: f64| (0.0..1.0).contains(&x);
    if stage.epochs == 0
        || stage.batch_size == 0
        || stage.max_steps == Some(0)
        || stage.micro_batch == Some(0)
    {
        return Some("epochs, batch_size, micro_batch and max_steps must be 1 or more");
    }
    if !positive(stage.learning_rate) {
        return Some("learning_rate must be greater than 0");
    }
    if !(stage.weight_decay.is_finite() && stage.weight_decay >= 0.0 && stage.max_grad_norm >= 0.0)
    {
        return Some("weight_decay and max_grad_norm must not be negative");
    }
    if stage.patience == Some(0) {
        return Some("patience must be 1 or more");
    }
    match &stage.objective {
        Objective::Sft { replay, .. } if !share(*replay) => {
            Some("replay must be at least 0 and below 1")
        }
        Objective::MaskedNextToken { share: masked }
        | Objective::MaskedWords(MaskedWordsObjective { share: masked, .. })
            if !(share(*masked) && *masked > 0.0) =>
        {
            Some("the share of masked tokens must lie between 0 and 1")
        }
        Objective::Denoising(denoising) if !(share(denoising.share) && denoising.share > 0.0) => {
            Some("the share of deleted words must lie between 0 and 1")
        }
        Objective::Sentence(sentence) | Objective::Gritlm(sentence)
            if !positive(sentence.temperature) =>
        {
            Some("temperature must be greater than 0")
        }
        Objective::Triplets(triplets) if !positive(triplets.temperature) => {
            Some("temperature must be greater than 0")
        }
        Objective::Retrieval(retrieval)
            if !positive(retrieval.temperature) || !positive(retrieval.too_alike) =>
        {
            Some("temperature and the share of the right sentence's cosine must be greater than 0")
        }
        Objective::Retrieval(retrieval) => retrieval.distillation?.complaint(),
        Objective::Rerank(rerank) => rerank.complaint(),
        Objective::Joint {
            term_layer: Some(0),
            ..
        } => Some("terms are read after layer 1 at the earliest"),
        Objective::Joint {
            temperature,
            sentence,
            token,
            ..
        } => {
            let weights = *sentence >= 0.0 && *token >= 0.0 && positive(sentence + token);
            (!positive(*temperature) || !weights).then_some(
                "temperature must be greater than 0 and the weights must not be negative",
            )
        }
        _ => None,
    }
}
