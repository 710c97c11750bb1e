//! Replaces figures of the preset by those of a request.

use crate::workspace::Result;
use lexforge_domain::Failure;
use lexforge_domain::api::TrainRequest;
use lexforge_domain::protocol::{
    LABELS_ARE_COMPLETE, Objective, RetrievalObjective, SentenceObjective, StageSpec,
    TrainSettings, TripletObjective, Tune,
};

/// Share of general language among SFT's items, where there is any.
const REPLAY: f64 = 0.1;

/// Mined negatives of each question where labels name every clause that answers. The nearest are wrong for sure then, so
/// more of them are used than where some may be right. From definitions to terms, eight are better than one
/// (docs/benchmarks/terms.md).
const COMPLETE_NEGATIVES: usize = 8;

/// Replaces figures of the preset by those of the user.
pub(super) fn change(settings: &mut TrainSettings, request: &TrainRequest) -> Result<()> {
    let mut taken = Taken::before(request);
    for stage in &mut settings.stages {
        change_stage(stage, request, &mut taken);
    }
    taken.check(request)?;
    if let Some(r) = request.rank {
        if settings.tune == Tune::All {
            return Err(Failure::invalid(
                "A rank is named, and all weights are to be tuned: there is no low-rank adapter.",
                "Leave the rank out, or tune a low-rank adapter.",
            ));
        }
        // The update keeps its scale α / r.
        settings.lora.alpha *= r as f64 / settings.lora.r as f64;
        settings.lora.r = r;
    }
    settings.max_length = request.max_length.unwrap_or(settings.max_length);
    settings.precision = request.precision.unwrap_or(settings.precision);
    settings.activation_checkpointing = request
        .activation_checkpointing
        .unwrap_or(settings.activation_checkpointing);
    settings.seed = request.seed.unwrap_or(settings.seed);
    settings.threads = request.threads.unwrap_or(settings.threads);
    Ok(())
}

/// Replaces figures of a stage by those of the user, and records figures that only some stages can use.
fn change_stage(stage: &mut StageSpec, request: &TrainRequest, taken: &mut Taken) {
    stage.epochs = request.epochs.unwrap_or(stage.epochs);
    stage.batch_size = request.batch_size.unwrap_or(stage.batch_size);
    stage.micro_batch = request
        .micro_batch
        .or(stage.micro_batch)
        .map(|m| m.min(stage.batch_size));
    stage.max_steps = match (request.max_steps, request.epochs) {
        // A user who gives a number of epochs gets exactly these.
        (None, Some(_)) => None,
        (most, _) => most.or(stage.max_steps),
    };
    stage.learning_rate = request.learning_rate.unwrap_or(stage.learning_rate);
    stage.patience = request.patience.or(stage.patience);
    match (
        &mut stage.objective,
        request.token_loss,
        request.temperature,
    ) {
        (Objective::Token { loss }, Some(wanted), _) => (*loss, taken.token_loss) = (wanted, true),
        (Objective::Sentence(SentenceObjective { temperature, .. }), _, Some(wanted))
        | (Objective::Gritlm(SentenceObjective { temperature, .. }), _, Some(wanted))
        | (Objective::Joint { temperature, .. }, _, Some(wanted))
        | (Objective::Retrieval(RetrievalObjective { temperature, .. }), _, Some(wanted))
        | (Objective::Triplets(TripletObjective { temperature, .. }), _, Some(wanted)) => {
            (*temperature, taken.temperature) = (wanted, true)
        }
        _ => {}
    }
    if let Objective::Triplets(triplets) = &mut stage.objective {
        triplets.loss = request.triplet_loss.unwrap_or(triplets.loss);
        taken.triplet_loss = true;
    }
    if let Objective::Retrieval(retrieval) = &mut stage.objective {
        (retrieval.distillation, taken.search) = (request.distillation, true);
        if request.complete_labels {
            retrieval.too_alike = LABELS_ARE_COMPLETE;
            retrieval.negatives = COMPLETE_NEGATIVES;
        }
    }
    let joint = match &mut stage.objective {
        Objective::Joint {
            sentence, token, ..
        } => Some((sentence, token)),
        _ => None,
    };
    if let (Some((sentence, token)), Some(wanted)) = (joint, request.weights) {
        (*sentence, *token, taken.weights) = (wanted.sentence, wanted.token, true);
    }
    if let (Objective::Sft { replay, .. }, Some(_)) = (&mut stage.objective, &request.replay) {
        (*replay, taken.replay) = (request.replay_share.unwrap_or(REPLAY), true);
    }
}

/// Which figures of a request have found a stage that takes them. Those that are not named need none.
struct Taken {
    token_loss: bool,
    temperature: bool,
    triplet_loss: bool,
    /// A stage learns for a search.
    search: bool,
    weights: bool,
    replay: bool,
}

impl Taken {
    fn before(request: &TrainRequest) -> Self {
        Self {
            token_loss: request.token_loss.is_none(),
            temperature: request.temperature.is_none(),
            triplet_loss: request.triplet_loss.is_none(),
            search: false,
            weights: request.weights.is_none(),
            replay: request.replay.is_none() && request.replay_share.is_none(),
        }
    }

    /// Refuses a request with a figure that no stage takes.
    fn check(&self, request: &TrainRequest) -> Result<()> {
        for (suits, what, advice) in [
            (
                self.replay,
                "General language is learnt again in the stage sft, from a text file, and one of the two is missing.",
                "Name the file and keep the stage sft, or leave both options out.",
            ),
            (
                self.token_loss,
                "A token loss is named, and the recipe has no token stage.",
                "Leave the token loss out, or keep the stage token (preset quick_look, thorough or termgpt_paper).",
            ),
            (
                self.triplet_loss,
                "A triplet loss is named, and the recipe has no triplet stage.",
                "Leave the triplet loss out, or choose the preset nmixx.",
            ),
            (
                self.search || request.distillation.is_none(),
                "Only the recipe retrieval learns the ranking of a search.",
                "Leave the distillation out, or choose the preset retrieval.",
            ),
            (
                self.search || !request.complete_labels,
                "Only the recipe retrieval learns from labels that name every clause that answers.",
                "Leave the complete labels out, or choose the preset retrieval.",
            ),
            (
                self.weights,
                "Weights of the levels are named, and the recipe has no stage that learns both levels in one pass.",
                "Leave the weights out, or choose the preset joint or encoder_joint.",
            ),
            (
                self.temperature,
                "A temperature is named, and the recipe has no stage that compares vectors.",
                "Leave the temperature out, or keep the stage sentence.",
            ),
        ] {
            if !suits {
                return Err(Failure::invalid(what, advice));
            }
        }
        Ok(())
    }
}
