//! The ready-made recipes of trainings, by name.

use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

tagged!(Preset);
read_by_tag!(Preset);

/// A recipe by name. Every figure of it can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Preset {
    /// An encoder's sentence stage: question and right choice near each other.
    Encoder,
    /// The three stages on a decoder, in few steps: shows within minutes whether everything is in order.
    QuickLook,
    /// The three stages with the settings of the TermGPT paper (docs/methods.md, "Training"): LoRA with r 16 and α 32,
    /// 3 epochs, batches of 16, and the paper's loss.
    TermgptPaper,
    /// The three stages with our token loss (`candidates`), whole epochs, early stopping.
    Thorough,
    /// A decoder learns the sentence level and the token level in one pass, with weights 0.4 and 0.6, and without SFT
    /// before. This is the variant of the engineering article.
    Joint,
    /// An encoder's sentence and token level in one pass. The article trains an encoder.
    EncoderJoint,
    /// An encoder that learns the language of the documents by masked words, before it learns to compare
    /// (docs/methods.md, "Rules and policies").
    Adapt,
    /// An encoder that learns the language of the documents from sentences in which most words are deleted; it restores
    /// each sentence from its vector (TSDAE, docs/methods.md, "Rules and policies").
    Tsdae,
    /// A decoder that learns to write answers and to compare vectors in one pass (after GritLM), to compare with.
    Gritlm,
    /// A decoder that learns each token of the right answer against those before it, to compare with.
    ContrastiveToken,
    /// An encoder by which questions find the clauses that answer them. It learns from labelled questions instead of a
    /// snapshot.
    Retrieval,
    /// A cross-encoder, which reads a question and a clause together and sorts the first clauses of a search. It learns
    /// from labelled questions instead of a snapshot.
    Rerank,
    /// An encoder that distinguishes texts that differ in meaning but hardly in words. It learns from triplets
    /// (docs/methods.md, "Financial embeddings").
    Nmixx,
    /// An encoder by which a rule finds the statements that cover it. It learns from the decisions of people in Match
    /// (docs/methods.md, "Rules and policies").
    RulesAndPolicies,
    /// An encoder by which questions find the clauses that answer them. It learns from questions without labels: a
    /// cross-encoder says how much better one clause answers than another (GPL, docs/methods.md, "Rules and policies").
    Gpl,
}

impl Preset {
    /// All presets in the order in which they are offered.
    pub const ALL: [Self; 15] = [
        Self::QuickLook,
        Self::Thorough,
        Self::TermgptPaper,
        Self::Joint,
        Self::Gritlm,
        Self::ContrastiveToken,
        Self::Encoder,
        Self::EncoderJoint,
        Self::Adapt,
        Self::Tsdae,
        Self::Retrieval,
        Self::Rerank,
        Self::Nmixx,
        Self::RulesAndPolicies,
        Self::Gpl,
    ];

    /// Whether it trains encoders; the others have stages that only a decoder can learn, or that were made for one.
    pub fn is_of_encoders(self) -> bool {
        matches!(
            self,
            Self::Encoder
                | Self::EncoderJoint
                | Self::Adapt
                | Self::Tsdae
                | Self::Retrieval
                | Self::Rerank
                | Self::Nmixx
                | Self::RulesAndPolicies
                | Self::Gpl
        )
    }

    /// Whether it adapts an encoder to the documents before it learns to compare.
    pub fn adapts(self) -> bool {
        matches!(self, Self::Adapt | Self::Tsdae)
    }

    /// Whether it learns the questions of a snapshot.
    pub fn learns_snapshot(self) -> bool {
        !self.adapts()
            && !matches!(
                self,
                Self::Retrieval | Self::Rerank | Self::Nmixx | Self::RulesAndPolicies | Self::Gpl
            )
    }

    /// The preset that a run's label begins with: `quick look · sft, sentence`.
    pub fn of_label(label: &str) -> Option<Self> {
        let name = label.split(" · ").next().unwrap_or(label);
        Self::from_tag(&name.to_lowercase().replace(' ', "_"))
    }
}
