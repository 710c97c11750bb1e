//! What a stage of a training learns, and from which items.

use super::masked_words::{DenoisingObjective, MaskedWordsObjective};
use super::model::Pooling;
use super::rerank::RerankObjective;
use super::retrieval::RetrievalObjective;
use super::triplets::TripletObjective;
use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(TokenLossKind);
read_by_tag!(TokenLossKind);

/// In which form a question is learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionForm {
    /// With its choices listed (QCA).
    Choices,
    /// By itself (QA).
    Open,
    /// Each question in one of the two forms; the seed decides which.
    #[default]
    Both,
}

/// Which loss the token stage has (docs/methods.md, "Training").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum TokenLossKind {
    /// A contest of the candidates, the penalty at the divergence, and the likelihood of the right sentence.
    #[default]
    Candidates,
    /// The penalty at the divergence alone, and the likelihood.
    Divergence,
    /// Eq. 2 as published.
    Paper,
}

impl TokenLossKind {
    /// All losses.
    pub const ALL: [Self; 3] = all(Self::VARIANTS);
}

/// Over what the negatives of a batch are gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NegativePool {
    /// The whole batch, whatever part of it fits into memory at a time (GradCache).
    #[default]
    Batch,
    /// Each micro-batch by itself.
    MicroBatch,
}

/// The comparisons of the sentence stage (docs/methods.md, "Training").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SentenceObjective {
    /// Temperature τ.
    pub temperature: f64,
    /// Choices of other items are negatives too (masked where they may be right).
    pub in_batch: bool,
    /// The set from which these are taken.
    #[serde(default)]
    pub pool: NegativePool,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Text before a question whose tokens are read and not pooled; empty = none.
    #[serde(default)]
    pub instruction: String,
    /// Items of both levels instead of the sentence level alone.
    #[serde(default)]
    pub all_levels: bool,
}

/// The task that a stage learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Objective {
    /// The answer's tokens after the question (docs/methods.md, "Training").
    Sft {
        /// Form of the questions.
        form: QuestionForm,
        /// Share of plain text from [`crate::protocol::TrainJob::replay`] among the items, so that the model does not
        /// forget general language. 0 to below 1.
        #[serde(default)]
        replay: f64,
    },
    /// The rules' own text, token by token.
    PlainText,
    /// Masked tokens of the rules, each from the position before it, seen from both sides (MNTP).
    MaskedNextToken {
        /// Share of masked tokens.
        share: f64,
    },
    /// InfoNCE over questions and choices, seen from both sides.
    Sentence(SentenceObjective),
    /// The right term against wrong ones in one place.
    Token {
        /// Which loss.
        loss: TokenLossKind,
    },
    /// Sentence and token level in one pass, both InfoNCE; term vectors are means over the term's tokens.
    Joint {
        /// Temperature τ of both.
        temperature: f64,
        /// Weight of the sentence level.
        sentence: f64,
        /// Weight of the token level.
        token: f64,
        /// How an encoder's token vectors become the vector of a whole text; a decoder's are averaged.
        #[serde(default = "mean")]
        pooling: Pooling,
        /// The number of the layer after which a term's tokens are read. `None` = the last layer. Whole texts are
        /// always read after the last layer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        term_layer: Option<usize>,
    },
    /// Contrastive token learning: each token of the right sentence against those before it.
    ContrastiveToken,
    /// Writing and comparing in one pass, as in GritLM. The model learns to write the answer after the question as in
    /// [`Self::Sft`], and learns vectors of questions and choices as in [`Self::Sentence`]. Both losses have the same
    /// weight.
    Gritlm(SentenceObjective),
    /// Questions and the sentences that answer them; the job has [`crate::protocol::TrainJob::passages`].
    Retrieval(RetrievalObjective),
    /// Learns to bring a sentence near to its rewording, and away from a sentence that differs in meaning but hardly in
    /// words. The job's items are [`super::TripletItem`].
    Triplets(TripletObjective),
    /// The stage learns to rank a question's passages so that the one that answers it comes first. Each passage is read
    /// together with the question. The job has [`crate::protocol::TrainJob::passages`], and its items are
    /// [`super::RerankItem`].
    Rerank(RerankObjective),
    /// Learns to predict masked words of the rules, each from the position of the masked word itself (masked language
    /// modelling, docs/methods.md, "Rules and policies"). For encoders only.
    MaskedWords(MaskedWordsObjective),
    /// Learns to restore sentences in which most words are deleted, from the vector of the remaining words (TSDAE,
    /// docs/methods.md, "Rules and policies"). For encoders only.
    Denoising(DenoisingObjective),
}

fn mean() -> Pooling {
    Pooling::Mean
}

impl Objective {
    /// The number of layers after which terms are read. `None` = after the last one.
    pub fn term_layer(&self) -> Option<usize> {
        match self {
            Self::Joint { term_layer, .. } => *term_layer,
            _ => None,
        }
    }

    /// Name of the stage in events, checkpoints and results.
    pub fn stage(&self) -> &'static str {
        match self {
            Self::Sft { .. } => "sft",
            Self::PlainText => "plain_text",
            Self::MaskedNextToken { .. } => "mntp",
            Self::Sentence(_) => "sentence",
            Self::Token { .. } => "token",
            Self::Joint { .. } => "joint",
            Self::ContrastiveToken => "contrastive_token",
            Self::Gritlm(_) => "gritlm",
            Self::Retrieval(_) => "retrieval",
            Self::Triplets(_) => "triplets",
            Self::Rerank(_) => "rerank",
            Self::MaskedWords(_) => "mlm",
            Self::Denoising(_) => "tsdae",
        }
    }
}
