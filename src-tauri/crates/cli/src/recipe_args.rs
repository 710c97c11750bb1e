//! The grammar of a training: base, recipe, and what is changed of it.

use clap::{Args, ValueEnum};
use lexforge_domain::RunId;
use lexforge_domain::api::{LearnFrom, LevelWeights, Preset};
use lexforge_domain::protocol::{Distillation, Precision, TokenLossKind, TripletLoss};

/// Settings of the embedded recipe.
#[derive(Debug, Args)]
pub struct RecipeArgs {
    /// Base model: a name, or the path of a Hugging Face folder (`models list` shows what is there).
    #[arg(long)]
    pub base: Option<String>,
    /// Figures of the recipe.
    #[command(flatten)]
    pub figures: FigureArgs,
    /// Threads of the worker; 0 = all.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Seed of everything random in training.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Steps between checkpoints.
    #[arg(long)]
    pub checkpoint_every: Option<usize>,
}

/// A recipe with what is changed of it.
#[derive(Debug, Args)]
pub struct FigureArgs {
    /// Recipe; without it `encoder` for an encoder and `quick-look` for a decoder.
    #[arg(long, value_enum)]
    pub preset: Option<PresetArg>,
    /// Leave a stage of the recipe out (sft, sentence, token …), for an ablation; may be repeated.
    #[arg(long, value_name = "STAGE")]
    pub without: Vec<String>,
    /// Add a stage: plain_text (the rules' own text first), mntp (masked tokens, before vectors are compared), mlm
    /// (masked words, the same for an encoder), tsdae (sentences restored from what is left of them, for an encoder),
    /// or, to a decoder's recipe, contrastive_token (each token of the right answer against those before it, last); may
    /// be repeated.
    #[arg(long, value_name = "STAGE")]
    pub with: Vec<String>,
    /// Learn the training questions under attack, too: misspelt and reworded ones as further questions, near-misses of
    /// the right choice as further wrong ones. Test questions stay as they are.
    #[arg(long)]
    pub attacks: bool,
    /// Text file of general language, a paragraph a line. SFT learns some of it again, against forgetting.
    #[arg(long, value_name = "FILE")]
    pub replay: Option<String>,
    /// Share of that text among SFT's items.
    #[arg(long, requires = "replay")]
    pub replay_share: Option<f64>,
    /// Loss of the token stage.
    #[arg(long, value_enum)]
    pub token_loss: Option<TokenLossArg>,
    /// Loss of the triplet stage.
    #[arg(long, value_enum)]
    pub triplet_loss: Option<TripletLossArg>,
    /// Let the task retrieval also learn how the search now ranks clauses by words and vectors. The value is the share
    /// of the loss for this, for example .5. With 1 it learns nothing else.
    #[arg(long, value_name = "SHARE")]
    pub distill: Option<f64>,
    /// Clauses of the search's first fifty that a question is compared with in a step (8).
    #[arg(long, value_name = "N", requires = "distill")]
    pub distill_list: Option<usize>,
    /// Temperature of the search's scores, which lie between 0 and 1 (.15): the smaller, the more its first clause
    /// counts.
    #[arg(long, value_name = "T", requires = "distill")]
    pub distill_temperature: Option<f64>,
    /// Learn the search's ranking for questions without a label, too: written ones, headings, and defined terms.
    #[arg(long, requires = "distill")]
    pub unlabelled: bool,
    /// Use a cross-encoder that was tuned here as the teacher: it ranks the search's first clauses or, for the task
    /// gpl, scores clauses. Name the run of --task rerank. It must rank better than the words on labelled questions
    /// that it did not learn from (`rank rerank`).
    #[arg(long, value_name = "RUN")]
    pub teacher: Option<RunId>,
    /// Epochs of each stage.
    #[arg(long)]
    pub epochs: Option<usize>,
    /// Items an optimiser step.
    #[arg(long)]
    pub batch_size: Option<usize>,
    /// Most items computed at a time; the result is the same with any.
    #[arg(long)]
    pub micro_batch: Option<usize>,
    /// Peak learning rate.
    #[arg(long)]
    pub learning_rate: Option<f64>,
    /// Temperature of the stages that compare vectors.
    #[arg(long)]
    pub temperature: Option<f64>,
    /// Weights of the levels in a recipe that learns both in one pass: sentences/terms, for example .4/.6.
    #[arg(long, value_parser = crate::sweep_args::weights)]
    pub weights: Option<LevelWeights>,
    /// After how many layers terms are read in a recipe that compares them; the last without it.
    #[arg(long, value_name = "LAYER")]
    pub term_layer: Option<usize>,
    /// Most training questions of each rule, chosen by lot.
    #[arg(long, value_name = "N")]
    pub items_per_anchor: Option<u64>,
    /// Most optimiser steps of each stage.
    #[arg(long)]
    pub max_steps: Option<usize>,
    /// Longest input in tokens.
    #[arg(long)]
    pub max_length: Option<usize>,
    /// Tune all weights of an encoder instead of a low-rank adapter. The learning rate is then 5e-5, unless another is
    /// given.
    #[arg(long, conflicts_with = "rank")]
    pub all_weights: bool,
    /// Rank of the adapter; its scale stays.
    #[arg(long)]
    pub rank: Option<usize>,
    /// Type of the frozen weights.
    #[arg(long, value_enum)]
    pub precision: Option<PrecisionArg>,
    /// Compute layers again instead of keeping what they saw: less memory, more time.
    #[arg(long)]
    pub activation_checkpointing: bool,
    /// Looks at the held-out items without improvement after which a stage ends.
    #[arg(long)]
    pub patience: Option<usize>,
}

impl FigureArgs {
    /// How the search's ranking is learnt; none where it is not.
    pub fn distillation(&self) -> Option<Distillation> {
        let own = Distillation::default();
        self.distill.map(|share| Distillation {
            share,
            temperature: self.distill_temperature.unwrap_or(own.temperature),
            list: self.distill_list.unwrap_or(own.list),
            unlabelled: self.unlabelled,
        })
    }
}

/// A recipe by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PresetArg {
    /// The three stages in few steps: shows within minutes whether everything is in order.
    #[value(alias = "quick_look")]
    QuickLook,
    /// The three stages over whole epochs, with early stopping.
    Thorough,
    /// The three stages as the TermGPT paper sets them.
    #[value(alias = "termgpt_paper")]
    TermgptPaper,
    /// A decoder's sentence and token level in one pass; `--with sft` puts SFT before it.
    Joint,
    /// A decoder that learns to write answers and to compare vectors in one pass (after GritLM), to compare with.
    Gritlm,
    /// A decoder that learns each token of the right answer against those before it, to compare with.
    #[value(alias = "contrastive_token")]
    ContrastiveToken,
    /// An encoder's sentence stage.
    Encoder,
    /// An encoder's sentence and token level in one pass.
    #[value(alias = "encoder_joint")]
    EncoderJoint,
    /// An encoder that learns the language of the documents by masked words.
    Adapt,
    /// Adapt an encoder by restoring sentences in which most words are deleted.
    Tsdae,
    /// An encoder by which questions find the clauses that answer them.
    Retrieval,
    /// A cross-encoder that puts the first clauses of a search in order.
    Rerank,
    /// An encoder that distinguishes texts that differ in meaning but hardly in words.
    Nmixx,
    /// An encoder by which a rule finds the statements that cover it.
    #[value(alias = "rules_and_policies")]
    RulesAndPolicies,
    /// An encoder by which questions find clauses, as a cross-encoder scores them; it needs no label.
    Gpl,
}

impl From<PresetArg> for Preset {
    fn from(preset: PresetArg) -> Self {
        match preset {
            PresetArg::QuickLook => Self::QuickLook,
            PresetArg::Thorough => Self::Thorough,
            PresetArg::TermgptPaper => Self::TermgptPaper,
            PresetArg::Joint => Self::Joint,
            PresetArg::Gritlm => Self::Gritlm,
            PresetArg::ContrastiveToken => Self::ContrastiveToken,
            PresetArg::Encoder => Self::Encoder,
            PresetArg::EncoderJoint => Self::EncoderJoint,
            PresetArg::Adapt => Self::Adapt,
            PresetArg::Tsdae => Self::Tsdae,
            PresetArg::Retrieval => Self::Retrieval,
            PresetArg::Rerank => Self::Rerank,
            PresetArg::Nmixx => Self::Nmixx,
            PresetArg::RulesAndPolicies => Self::RulesAndPolicies,
            PresetArg::Gpl => Self::Gpl,
        }
    }
}

/// What a training is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TaskArg {
    /// To answer the snapshot's questions with choices.
    Questions,
    /// To find the clauses that answer a question.
    Retrieval,
    /// To put the first clauses that a search finds in order (`rank rerank`).
    Rerank,
    /// To tell apart sentences that differ in meaning and hardly in words (`triplets make`).
    Triplets,
    /// To find the statements that cover a rule (`match decide`).
    Matches,
    /// To find the clauses that answer a question, as a cross-encoder that was tuned and measured here scores them
    /// (GPL). Learns from written questions, headings and defined terms, and from no labels.
    Gpl,
    /// To learn the language of the documents, by masked words (or with `--objective tsdae`), before a training that
    /// compares texts (`--start-from`).
    Adapt,
}

/// How an encoder is adapted to the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AdaptArg {
    /// By masked words, each foretold from what stands around it.
    Mlm,
    /// By sentences in which most words are deleted; each is restored from its vector.
    Tsdae,
}

impl From<AdaptArg> for Preset {
    fn from(objective: AdaptArg) -> Self {
        match objective {
            AdaptArg::Mlm => Self::Adapt,
            AdaptArg::Tsdae => Self::Tsdae,
        }
    }
}

/// What is learnt from instead of a snapshot.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LearnFromArg {
    /// Labelled questions (`pairs list`); where there are none, those written for the workspace's sentences.
    Labels,
    /// Those written for the workspace's sentences.
    Questions,
    /// Both.
    All,
    /// What people decided in `match`: accepted statements, and as hard negatives those that were rejected.
    Matches,
}

impl From<LearnFromArg> for LearnFrom {
    fn from(from: LearnFromArg) -> Self {
        match from {
            LearnFromArg::Labels => Self::Labels,
            LearnFromArg::Questions => Self::Questions,
            LearnFromArg::All => Self::All,
            LearnFromArg::Matches => Self::Matches,
        }
    }
}

/// The token stage's loss.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TokenLossArg {
    /// A contest of the candidates, the penalty at the divergence, and the likelihood.
    Candidates,
    /// The penalty at the divergence, and the likelihood.
    Divergence,
    /// As published.
    Paper,
}

impl From<TokenLossArg> for TokenLossKind {
    fn from(loss: TokenLossArg) -> Self {
        match loss {
            TokenLossArg::Candidates => Self::Candidates,
            TokenLossArg::Divergence => Self::Divergence,
            TokenLossArg::Paper => Self::Paper,
        }
    }
}

/// The triplet stage's loss.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TripletLossArg {
    /// Against the triplet's own negative alone, as published.
    Triplet,
    /// Against the others of the batch too.
    #[value(alias = "multiple_negatives")]
    MultipleNegatives,
    /// The margin that a teacher states; for triplets that were imported with a margin.
    #[value(alias = "margin_mse")]
    MarginMse,
}

impl From<TripletLossArg> for TripletLoss {
    fn from(loss: TripletLossArg) -> Self {
        match loss {
            TripletLossArg::Triplet => Self::Triplet,
            TripletLossArg::MultipleNegatives => Self::MultipleNegatives,
            TripletLossArg::MarginMse => Self::MarginMse,
        }
    }
}

/// Type of the frozen weights.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PrecisionArg {
    /// fp32 on the CPU; bf16 on a GPU that has it, else fp16.
    Auto,
    /// 32 bits.
    Fp32,
    /// 16 bits with the range of fp32.
    Bf16,
    /// 16 bits, with loss scaling.
    Fp16,
    /// Four bits for a decoder's linear layers (QLoRA): a fraction of the memory, somewhat slower.
    Nf4,
}

impl From<PrecisionArg> for Precision {
    fn from(precision: PrecisionArg) -> Self {
        match precision {
            PrecisionArg::Auto => Self::Auto,
            PrecisionArg::Fp32 => Self::Fp32,
            PrecisionArg::Bf16 => Self::Bf16,
            PrecisionArg::Fp16 => Self::Fp16,
            PrecisionArg::Nf4 => Self::Nf4,
        }
    }
}
