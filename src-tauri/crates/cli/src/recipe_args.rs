//! The grammar of a training: base, recipe, and what is changed of it.

use crate::stands_for::stands_for;
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
    /// Number of threads that the worker uses; 0 = all.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Seed of all random choices in the training.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Number of steps between two checkpoints.
    #[arg(long)]
    pub checkpoint_every: Option<usize>,
}

/// A recipe with what is changed of it.
#[derive(Debug, Args)]
pub struct FigureArgs {
    /// The recipe. Default: `encoder` for an encoder and `quick-look` for a decoder.
    #[arg(long, value_enum)]
    pub preset: Option<PresetArg>,
    /// Leave a stage out of the recipe (sft, sentence, token …), to see what the stage contributes; may be repeated.
    #[arg(long, value_name = "STAGE")]
    pub without: Vec<String>,
    /// Add a stage; may be repeated. `plain_text` learns the rules' own text first. `mntp`, for a decoder, learns
    /// masked tokens before vectors are compared; `mlm`, for an encoder, learns masked words. `tsdae`, for an encoder,
    /// restores sentences from some of their words. `contrastive_token`, for a decoder, comes last and compares each
    /// token of the right answer with the tokens before it.
    #[arg(long, value_name = "STAGE")]
    pub with: Vec<String>,
    /// Also learn the training questions under attack: misspelt and reworded ones as further questions, and near-misses
    /// of the right choice as further wrong choices. Test questions stay as they are.
    #[arg(long)]
    pub attacks: bool,
    /// A text file of general language, one paragraph a line. SFT learns a part of it as well, so that the model
    /// forgets less.
    #[arg(long, value_name = "FILE")]
    pub replay: Option<String>,
    /// The share of SFT's items that come from that text.
    #[arg(long, requires = "replay")]
    pub replay_share: Option<f64>,
    /// The loss that the token stage uses.
    #[arg(long, value_enum)]
    pub token_loss: Option<TokenLossArg>,
    /// The loss that the triplet stage uses.
    #[arg(long, value_enum)]
    pub triplet_loss: Option<TripletLossArg>,
    /// In the task `retrieval`, also learn the order in which the search ranks clauses now, by words and vectors. The
    /// value is the share of this in the loss, for example .5. With 1 nothing else is learned.
    #[arg(long, value_name = "SHARE")]
    pub distill: Option<f64>,
    /// With how many of the search's first fifty clauses a question is compared in one step. Default: 8.
    #[arg(long, value_name = "N", requires = "distill")]
    pub distill_list: Option<usize>,
    /// Temperature of the search's scores, which lie between 0 and 1. The smaller it is, the more the search's first
    /// clause counts. Default: .15.
    #[arg(long, value_name = "T", requires = "distill")]
    pub distill_temperature: Option<f64>,
    /// Also learn the search's ranking for questions without a label: written questions, headings and defined terms.
    #[arg(long, requires = "distill")]
    pub unlabelled: bool,
    /// Say that the labels of a question name every clause that answers it. For example, each definition has exactly
    /// one term. The task retrieval then learns all other clauses as wrong ones, also those that come nearest to the
    /// question. It compares each question with eight of these in a step instead of one, which takes longer where clauses
    /// are long.
    #[arg(long)]
    pub complete_labels: bool,
    /// Use a cross-encoder that was tuned here as the teacher: it ranks the search's first clauses or, for the task
    /// gpl, scores clauses. Name its run (--task rerank). It must rank better than the search by words, on labelled
    /// questions that it did not learn from (`rank rerank`).
    #[arg(long, value_name = "RUN")]
    pub teacher: Option<RunId>,
    /// Number of epochs of each stage.
    #[arg(long)]
    pub epochs: Option<usize>,
    /// Number of items in one optimiser step.
    #[arg(long)]
    pub batch_size: Option<usize>,
    /// The largest number of items that are computed at a time. The result is the same with any number.
    #[arg(long)]
    pub micro_batch: Option<usize>,
    /// The highest learning rate.
    #[arg(long)]
    pub learning_rate: Option<f64>,
    /// Temperature of the stages that compare vectors.
    #[arg(long)]
    pub temperature: Option<f64>,
    /// In a recipe that learns both levels in one pass, the weights of the levels: sentences/terms, for example .4/.6.
    #[arg(long, value_parser = crate::sweep_args::weights)]
    pub weights: Option<LevelWeights>,
    /// In a recipe that compares terms, the layer after which they are read. Default: the last.
    #[arg(long, value_name = "LAYER")]
    pub term_layer: Option<usize>,
    /// The largest number of training questions for each rule, drawn at random.
    #[arg(long, value_name = "N")]
    pub items_per_anchor: Option<u64>,
    /// The largest number of optimiser steps in each stage.
    #[arg(long)]
    pub max_steps: Option<usize>,
    /// Longest input in tokens.
    #[arg(long)]
    pub max_length: Option<usize>,
    /// Tune all weights of an encoder instead of a low-rank adapter. The learning rate is then 5e-5, unless another is
    /// given.
    #[arg(long, conflicts_with = "rank")]
    pub all_weights: bool,
    /// Rank of the adapter. Its scale stays the same.
    #[arg(long)]
    pub rank: Option<usize>,
    /// Number type of the weights that are not trained.
    #[arg(long, value_enum)]
    pub precision: Option<PrecisionArg>,
    /// Compute layers a second time instead of keeping their results: this needs less memory and more time.
    #[arg(long)]
    pub activation_checkpointing: bool,
    /// A stage ends after this many checks of the held-out items without an improvement.
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

/// `recipes`
#[derive(Debug, Args)]
pub struct RecipesArgs {
    /// This recipe alone.
    #[arg(long, value_enum)]
    pub preset: Option<PresetArg>,
}

/// A recipe by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PresetArg {
    /// The three stages in few steps, to see within minutes whether everything works.
    #[value(alias = "quick_look")]
    QuickLook,
    /// The three stages over whole epochs, with early stopping.
    Thorough,
    /// The three stages with the settings of the TermGPT paper.
    #[value(alias = "termgpt_paper")]
    TermgptPaper,
    /// A decoder's sentence and token levels in one pass. `--with sft` puts SFT before it.
    Joint,
    /// A decoder that learns to write answers and to compare vectors in one pass (after GritLM), as a comparison.
    Gritlm,
    /// A decoder that compares each token of the right answer with the tokens before it, as a comparison.
    #[value(alias = "contrastive_token")]
    ContrastiveToken,
    /// An encoder's sentence stage alone.
    Encoder,
    /// An encoder's sentence and token levels in one pass.
    #[value(alias = "encoder_joint")]
    EncoderJoint,
    /// An encoder that learns the language of the documents by masked words.
    Adapt,
    /// An encoder that learns the language of the documents by restoring sentences in which most words are deleted.
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
    /// An encoder by which questions find clauses. It learns from the scores of a cross-encoder and needs no labels.
    Gpl,
}

stands_for!(PresetArg => Preset:
    QuickLook, Thorough, TermgptPaper, Joint, Gritlm, ContrastiveToken, Encoder, EncoderJoint,
    Adapt, Tsdae, Retrieval, Rerank, Nmixx, RulesAndPolicies, Gpl
);

/// What a training is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TaskArg {
    /// To answer the snapshot's questions with choices.
    Questions,
    /// To find the clauses that answer a question.
    Retrieval,
    /// To put the first clauses that a search finds in order (`rank rerank`).
    Rerank,
    /// To distinguish sentences that differ in meaning but hardly in words (`triplets make`).
    Triplets,
    /// To find the statements that cover a rule (`match decide`).
    Matches,
    /// To find the clauses that answer a question (GPL). The training learns from the scores of a cross-encoder that
    /// was tuned and measured here. It uses written questions, headings and defined terms, and no labels.
    Gpl,
    /// To learn the language of the documents by masked words (or with `--objective tsdae`), before a training that
    /// compares texts (`--start-from`).
    Adapt,
}

/// How an encoder is adapted to the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AdaptArg {
    /// By masked words: each is predicted from the words around it.
    Mlm,
    /// By sentences in which most words are deleted: each sentence is restored from its vector.
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
    /// Labelled questions (`pairs list`). If there are none, the questions that were written for the workspace's
    /// sentences.
    Labels,
    /// The questions that were written for the workspace's sentences.
    Questions,
    /// Both labelled and written questions.
    All,
    /// What people decided in `match`: accepted statements, and rejected statements as hard negatives.
    Matches,
}

stands_for!(LearnFromArg => LearnFrom: Labels, Questions, All, Matches);

/// The token stage's loss.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TokenLossArg {
    /// Compare the candidates with each other, penalise the token at which a wrong candidate begins to differ, and
    /// raise the likelihood of the right candidate.
    Candidates,
    /// Penalise the token at which a wrong candidate diverges, and raise the likelihood of the right one.
    Divergence,
    /// Equation 2 of the paper. `recipes` lists what departs from it elsewhere.
    Paper,
}

stands_for!(TokenLossArg => TokenLossKind: Candidates, Divergence, Paper);

/// The triplet stage's loss.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TripletLossArg {
    /// Compare with the triplet's own negative alone, as NMIXX does. `recipes` lists what departs from it elsewhere.
    Triplet,
    /// Compare with the other triplets of the batch as well.
    #[value(alias = "multiple_negatives")]
    MultipleNegatives,
    /// Learn the margin that a teacher gave; for triplets that were imported with a margin.
    #[value(alias = "margin_mse")]
    MarginMse,
}

stands_for!(TripletLossArg => TripletLoss: Triplet, MultipleNegatives, MarginMse);

/// Type of the frozen weights.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PrecisionArg {
    /// fp32 on the CPU. On a GPU, bf16 if the GPU supports it, otherwise fp16.
    Auto,
    /// 32 bits.
    Fp32,
    /// 16 bits, with the same range as fp32. On a CPU without AVX-512 this is many times slower than fp32.
    Bf16,
    /// 16 bits, with loss scaling.
    Fp16,
    /// Four bits for a decoder's linear layers (QLoRA): a fraction of the memory, somewhat slower.
    Nf4,
}

stands_for!(PrecisionArg => Precision: Auto, Fp32, Bf16, Fp16, Nf4);
