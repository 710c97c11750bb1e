//! The names of recipes in lists.

use lexforge_domain::api::Preset;
use lexforge_domain::protocol::{Objective, StageSpec, TrainSettings, Tune};

/// The name of a recipe with these settings: `quick look · sft, sentence, token (candidates)`.
pub(super) fn label(preset: Preset, settings: &TrainSettings) -> String {
    let stage = |s: &StageSpec| match &s.objective {
        Objective::Token { loss } => format!("token ({})", loss.tag()),
        other => other.stage().to_owned(),
    };
    let stages = &settings.stages;
    let mut label = match preset {
        Preset::Encoder => "encoder · sentence stage".to_owned(),
        Preset::Retrieval => "retrieval · retrieval stage".to_owned(),
        Preset::Rerank => "rerank · rerank stage".to_owned(),
        Preset::Nmixx => "NMIXX · triplet stage".to_owned(),
        Preset::RulesAndPolicies => "rules and policies · triplet stage".to_owned(),
        Preset::Gpl => "GPL · triplet stage".to_owned(),
        other => {
            let stages: Vec<String> = stages.iter().map(stage).collect();
            format!("{} · {}", title(other), stages.join(", "))
        }
    };
    if stages.iter().any(is_distilled) {
        label = format!("{label} (distilled)");
    }
    if settings.tune == Tune::All {
        label = format!("{label} (all weights)");
    }
    label
}

/// Whether a stage learns a teacher's ranking.
fn is_distilled(stage: &StageSpec) -> bool {
    matches!(&stage.objective, Objective::Retrieval(retrieval) if retrieval.distillation.is_some())
}

/// A preset's name as a person reads it.
fn title(preset: Preset) -> &'static str {
    match preset {
        Preset::Encoder => "encoder",
        Preset::QuickLook => "quick look",
        Preset::TermgptPaper => "TermGPT paper",
        Preset::Thorough => "thorough",
        Preset::Joint => "joint",
        Preset::EncoderJoint => "encoder joint",
        Preset::Adapt => "adapt",
        Preset::Tsdae => "TSDAE",
        Preset::Gritlm => "GritLM",
        Preset::ContrastiveToken => "contrastive token",
        Preset::Retrieval => "retrieval",
        Preset::Rerank => "rerank",
        Preset::Nmixx => "NMIXX",
        Preset::RulesAndPolicies => "rules and policies",
        Preset::Gpl => "GPL",
    }
}
