//! The settings of a recipe by name.

use lexforge_domain::protocol::{
    Decay, LoraSpec, NegativePool, Objective, Pooling, QuestionForm, SentenceObjective, StageSpec,
    TrainSettings, TripletObjective, Tune,
};

/// The warm-up where a recipe names no steps.
pub(super) const A_TENTH: &str = "a_tenth";

/// Every setting of a recipe that changes what a model learns, by name, with its value. If stages have different
/// values, all of them are listed. Settings that change only memory or time are left out. The structs are taken apart
/// field by field, so that code with a new setting does not compile until the setting is handled here.
pub(super) fn values(settings: &TrainSettings) -> Vec<(&'static str, String)> {
    let TrainSettings {
        tune,
        lora,
        stages,
        max_length,
        precision,
        activation_checkpointing: _,
        seed,
        threads: _,
    } = settings;
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let names: Vec<&str> = stages.iter().map(|s| s.objective.stage()).collect();
    add(&mut found, "stages", names.join("+"));
    for stage in stages {
        of_objective(&mut found, &stage.objective);
    }
    for stage in stages {
        of_stage(&mut found, stage);
    }
    let tuned = match tune {
        Tune::Lora => "adapter",
        Tune::All => "all_weights",
    };
    add(&mut found, "tune", tuned.to_owned());
    if *tune == Tune::Lora {
        of_adapter(&mut found, lora);
    }
    add(&mut found, "max_length", max_length.to_string());
    add(&mut found, "precision", precision.tag().to_owned());
    add(&mut found, "seed", seed.to_string());
    found
}

/// Adds the value of a setting, where it is not the same as that of the stage before.
fn add(found: &mut Vec<(&'static str, String)>, setting: &'static str, value: String) {
    match found.iter_mut().find(|(name, _)| *name == setting) {
        None => found.push((setting, value)),
        Some((_, known)) if known.split(" / ").any(|one| one == value) => {}
        Some((_, known)) => *known = format!("{known} / {value}"),
    }
}

fn of_adapter(found: &mut Vec<(&'static str, String)>, lora: &LoraSpec) {
    let LoraSpec {
        r,
        alpha,
        dropout,
        targets,
    } = lora;
    let targets: Vec<&str> = targets
        .iter()
        .map(|name| name.strip_suffix("_proj").unwrap_or(name))
        .collect();
    add(found, "rank", r.to_string());
    add(found, "alpha", alpha.to_string());
    add(found, "dropout", dropout.to_string());
    add(found, "targets", targets.join("+"));
}

fn of_stage(found: &mut Vec<(&'static str, String)>, stage: &StageSpec) {
    let StageSpec {
        objective: _,
        epochs,
        batch_size,
        micro_batch: _,
        max_steps,
        learning_rate,
        warmup_steps,
        decay,
        weight_decay,
        max_grad_norm,
        patience,
    } = stage;
    let or = |n: &Option<usize>, none: &str| n.map_or(none.to_owned(), |n| n.to_string());
    add(found, "epochs", epochs.to_string());
    add(found, "batch_size", batch_size.to_string());
    add(found, "max_steps", or(max_steps, "all"));
    add(found, "learning_rate", format!("{learning_rate:e}"));
    add(
        found,
        "warmup",
        or(&Some(*warmup_steps).filter(|steps| *steps > 0), A_TENTH),
    );
    let decay = match decay {
        Decay::Linear => "linear",
        Decay::Cosine => "cosine",
        Decay::Constant => "constant",
    };
    add(found, "decay", decay.to_owned());
    add(found, "weight_decay", weight_decay.to_string());
    add(found, "max_grad_norm", max_grad_norm.to_string());
    add(found, "patience", or(patience, "never"));
}

fn of_objective(found: &mut Vec<(&'static str, String)>, objective: &Objective) {
    match objective {
        Objective::Sft { form, replay } => {
            let form = match form {
                QuestionForm::Both => "both",
                QuestionForm::Choices => "choices",
                QuestionForm::Open => "open",
            };
            add(found, "question_form", form.to_owned());
            add(found, "replay", replay.to_string());
        }
        Objective::Sentence(sentence) | Objective::Gritlm(sentence) => {
            of_sentence(found, sentence);
        }
        Objective::Token { loss } => add(found, "token_loss", loss.tag().to_owned()),
        Objective::Joint {
            temperature,
            sentence,
            token,
            pooling,
            term_layer,
        } => {
            add(found, "temperature", temperature.to_string());
            add(found, "level_weights", format!("{sentence}, {token}"));
            add(found, "pooling", pooled(*pooling));
            let layer = term_layer.map_or("last".to_owned(), |n| n.to_string());
            add(found, "term_layer", layer);
        }
        Objective::Triplets(triplets) => {
            let TripletObjective {
                loss,
                temperature,
                pooling,
                of_cosines,
            } = triplets;
            add(found, "triplet_loss", loss.tag().to_owned());
            add(found, "temperature", temperature.to_string());
            add(found, "pooling", pooled(*pooling));
            if *of_cosines {
                add(found, "margins", "cosines".to_owned());
            }
        }
        Objective::MaskedWords(masked) => {
            add(found, "share", masked.share.to_string());
            add(found, "pooling", pooled(masked.pooling));
        }
        Objective::Denoising(damaged) => {
            add(found, "share", damaged.share.to_string());
            add(found, "pooling", pooled(damaged.pooling));
        }
        Objective::MaskedNextToken { share } => add(found, "share", share.to_string()),
        // The stage says it all, or the recipe is our own.
        Objective::PlainText
        | Objective::ContrastiveToken
        | Objective::Retrieval(_)
        | Objective::Rerank(_) => {}
    }
}

fn of_sentence(found: &mut Vec<(&'static str, String)>, sentence: &SentenceObjective) {
    let SentenceObjective {
        temperature,
        in_batch,
        pool,
        pooling,
        instruction,
        all_levels,
    } = sentence;
    let negatives = match (in_batch, pool) {
        (false, _) => "own_choices",
        (true, NegativePool::Batch) => "whole_batch",
        (true, NegativePool::MicroBatch) => "micro_batch",
    };
    add(found, "temperature", temperature.to_string());
    add(found, "negatives", negatives.to_owned());
    add(found, "pooling", pooled(*pooling));
    let instruction = match instruction.as_str() {
        "" => "none",
        _ => "before_question",
    };
    add(found, "instruction", instruction.to_owned());
    let levels = if *all_levels { "both" } else { "sentence" };
    add(found, "levels", levels.to_owned());
}

fn pooled(pooling: Pooling) -> String {
    match pooling {
        Pooling::Mean => "mean",
        Pooling::Cls => "cls",
        Pooling::Last => "last",
        Pooling::Max => "max",
        Pooling::MeanSqrt => "mean_sqrt",
        Pooling::WeightedMean => "weighted_mean",
    }
    .to_owned()
}
