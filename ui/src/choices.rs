//! What can be chosen of a recipe, with the tags of the locale files.

use lexforge_domain::api::Preset;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::protocol::{Precision, TokenLossKind};

/// The types of weights that can be chosen.
pub const PRECISIONS: [Precision; 5] = [
    Precision::Auto,
    Precision::Fp32,
    Precision::Bf16,
    Precision::Fp16,
    Precision::Nf4,
];

/// The tag of a type of weights.
pub fn precision_tag(precision: Precision) -> &'static str {
    match precision {
        Precision::Auto => "auto",
        Precision::Fp32 => "fp32",
        Precision::Bf16 => "bf16",
        Precision::Fp16 => "fp16",
        Precision::Nf4 => "nf4",
    }
}

/// The type of weights of a tag.
pub fn precision(tag: &str) -> Option<Precision> {
    PRECISIONS.into_iter().find(|p| precision_tag(*p) == tag)
}

/// The tag of a rule about what a snapshot takes.
pub fn policy_tag(policy: ReviewPolicy) -> &'static str {
    match policy {
        ReviewPolicy::UnreviewedAutomatic => "unreviewed_automatic",
        ReviewPolicy::SingleReviewer => "single_reviewer",
        ReviewPolicy::TwoAgree => "two_agree",
        ReviewPolicy::Adjudicated => "adjudicated",
    }
}

/// The losses of the token stage.
pub const TOKEN_LOSSES: [TokenLossKind; 3] = [
    TokenLossKind::Candidates,
    TokenLossKind::Divergence,
    TokenLossKind::Paper,
];

pub fn token_loss_tag(loss: TokenLossKind) -> &'static str {
    match loss {
        TokenLossKind::Candidates => "candidates",
        TokenLossKind::Divergence => "divergence",
        TokenLossKind::Paper => "paper",
    }
}

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
