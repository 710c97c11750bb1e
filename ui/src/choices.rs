//! The stages of recipes, by the tags of the locale files.

use lexforge_domain::api::Preset;

/// Names of a recipe's stages; each can be left out as long as one remains.
pub fn stages_of(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Encoder => &["sentence"],
        Preset::QuickLook | Preset::TermgptPaper | Preset::Thorough => {
            &["sft", "sentence", "token"]
        }
        Preset::Joint | Preset::EncoderJoint => &["joint"],
        Preset::Adapt => &["mlm"],
        Preset::Tsdae => &["tsdae"],
        Preset::Gritlm => &["gritlm"],
        Preset::ContrastiveToken => &["contrastive_token"],
        Preset::Retrieval => &["retrieval"],
        Preset::Rerank => &["rerank"],
        Preset::Nmixx | Preset::RulesAndPolicies | Preset::Gpl => &["triplets"],
    }
}

/// Stages that can be added to a decoder's recipe.
pub const ADDED: [&str; 2] = ["plain_text", "mntp"];
