//! What each recipe is: its stages with their figures, before a user changes any (docs/methods.md, "Training").

use crate::models::ENCODER_MAX_LENGTH;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::api::Preset;
use lexforge_domain::protocol::{
    Decay, DenoisingObjective, InspectResult, LoraSpec, MaskedWordsObjective, NegativePool,
    Objective, Pooling, Precision, QuestionForm, RerankObjective, RetrievalObjective,
    SentenceObjective, StageSpec, TokenLossKind, TrainSettings, TripletLoss, TripletObjective,
    Tune,
};
use lexforge_domain::{Code, Failure};

/// Linear layers of an encoder that get an adapter, by its architecture: all that there are.
fn encoder_targets(architecture: &str) -> &'static [&'static str] {
    match architecture {
        "distilbert" => &["q_lin", "k_lin", "v_lin", "out_lin", "lin1", "lin2"],
        "mpnet" => &["q", "k", "v", "o", "dense"],
        "modernbert" => &["Wqkv", "Wo", "Wi"],
        "deberta-v2" => &["query_proj", "key_proj", "value_proj", "dense"],
        // Some of these models have a gate, and some have none.
        "t5" | "mt5" => &["all-linear"],
        _ => &["query", "key", "value", "dense"],
    }
}

/// Linear layers of a decoder that get an adapter.
const DECODER_TARGETS: [&str; 7] = [
    "q_proj",
    "k_proj",
    "v_proj",
    "o_proj",
    "gate_proj",
    "up_proj",
    "down_proj",
];
/// Items an optimiser step.
const BATCH_SIZE: usize = 16;
/// Rank of the adapter; α is twice as much.
const RANK: usize = 16;
pub(super) const EPOCHS: usize = 3;
/// LoRA on a small encoder needs more than the 5e-5 of a large decoder (docs/methods.md, "Training").
const ENCODER_RATE: f64 = 5e-4;
/// All weights of an encoder want less: that of the examples of Sentence Transformers.
const ALL_WEIGHTS_RATE: f64 = 5e-5;
/// Most optimiser steps of each stage of the quick look.
pub(super) const QUICK_STEPS: usize = 60;
/// Longest input of the quick look in tokens.
const QUICK_LENGTH: usize = 512;
/// Longest input of the other recipes of a decoder in tokens.
const DECODER_LENGTH: usize = 1024;
/// The paper's learning rate; it is also used here for decoders of the paper's size.
const PAPER_RATE: f64 = 1e-5;
/// The largest rate that the paper tries; it is used here for large decoders.
pub(super) const LARGE_RATE: f64 = 5e-5;
/// A decoder that was trained from nothing on a few million tokens learns little at a large decoder's rate.
pub(super) const SMALL_RATE: f64 = 5e-4;
/// Parameters from which on a decoder is not small.
const LARGE_FROM: u64 = 100_000_000;
/// Warm-up of the paper's code in steps.
pub(super) const PAPER_WARMUP: usize = 100;
/// Temperature τ of the sentence stage.
const TEMPERATURE: f64 = 0.05;
/// Temperature and weights of the joint variant, from the engineering article.
const JOINT: (f64, f64, f64) = (0.07, 0.4, 0.6);
/// Looks at the held-out items without improvement before a stage of the thorough recipe ends.
const PATIENCE: usize = 3;
/// Labelled questions: items an optimiser step; all of them are each other's negatives.
const RETRIEVAL_BATCH: usize = 64;
/// Rank of the adapter: a small encoder is to learn a regulator's whole vocabulary.
const RETRIEVAL_RANK: usize = 32;
/// Longest input in tokens; few clauses are longer, and time grows with it.
const RETRIEVAL_LENGTH: usize = 192;
/// Mined negatives of each question, and among how many of the nearest they are drawn.
const RETRIEVAL_NEGATIVES: (usize, usize) = (1, 30);
/// A sentence nearer than this share of the right one's cosine may answer too, so it is not mined as a negative.
pub(crate) const RETRIEVAL_TOO_ALIKE: f64 = 0.95;
/// Longest pair of question and clause in tokens.
const RERANK_LENGTH: usize = 256;

/// NMIXX (docs/methods.md, "Financial embeddings"): one epoch at a rate that stays as it is after the warm-up.
const NMIXX_RATE: f64 = 5e-5;
/// Longest input of a triplet in tokens: a rule and no document.
const NMIXX_LENGTH: usize = 128;

/// Share of masked tokens (BERT, LLM2Vec).
pub(super) const MASKED: f64 = 0.15;

/// Masked words; an encoder is read as its folder says.
pub(super) fn masked_words(base: &InspectResult) -> Objective {
    Objective::MaskedWords(MaskedWordsObjective {
        share: MASKED,
        pooling: base.reading.clone().unwrap_or_default().pooling,
    })
}

/// How probable it is that a word is deleted (Wang et al. 2021).
const DELETED: f64 = 0.6;

/// Damaged sentences are restored. The encoder is read as its folder says.
pub(super) fn denoising(base: &InspectResult) -> Objective {
    Objective::Denoising(DenoisingObjective {
        share: DELETED,
        pooling: base.reading.clone().unwrap_or_default().pooling,
    })
}

/// Answers after their questions, with choices and without.
pub(super) fn sft() -> Objective {
    Objective::Sft {
        form: QuestionForm::Both,
        replay: 0.0,
    }
}

/// The settings of a recipe for a base model.
pub(super) fn settings(preset: Preset, base: &InspectResult) -> TrainSettings {
    let small = base.parameters < LARGE_FROM;
    let own_rate = if small { SMALL_RATE } else { LARGE_RATE };
    let rate = match preset {
        Preset::Encoder
        | Preset::EncoderJoint
        | Preset::Adapt
        | Preset::Tsdae
        | Preset::Retrieval
        | Preset::Rerank
        | Preset::RulesAndPolicies
        | Preset::Gpl => ENCODER_RATE,
        Preset::TermgptPaper => PAPER_RATE,
        Preset::Nmixx => NMIXX_RATE,
        Preset::QuickLook
        | Preset::Thorough
        | Preset::Joint
        | Preset::Gritlm
        | Preset::ContrastiveToken => own_rate,
    };
    let stage = |objective| StageSpec {
        objective,
        epochs: match preset {
            Preset::Nmixx => 1,
            _ => EPOCHS,
        },
        batch_size: match preset {
            Preset::Retrieval => RETRIEVAL_BATCH,
            _ => BATCH_SIZE,
        },
        micro_batch: None,
        max_steps: (preset == Preset::QuickLook).then_some(QUICK_STEPS),
        learning_rate: rate,
        warmup_steps: if preset == Preset::TermgptPaper {
            PAPER_WARMUP
        } else {
            0
        },
        decay: match preset {
            Preset::Nmixx => Decay::Constant,
            _ => Decay::Linear,
        },
        weight_decay: 0.01,
        max_grad_norm: 1.0,
        patience: matches!(
            preset,
            Preset::Thorough
                | Preset::Adapt
                | Preset::Tsdae
                | Preset::Nmixx
                | Preset::RulesAndPolicies
                | Preset::Gpl
        )
        .then_some(PATIENCE),
    };
    let compared = |pooling, all_levels| SentenceObjective {
        temperature: TEMPERATURE,
        in_batch: true,
        pool: NegativePool::Batch,
        pooling,
        instruction: String::new(),
        all_levels,
    };
    let sentence = |pooling, all_levels| Objective::Sentence(compared(pooling, all_levels));
    // An encoder is tuned as its folder says that it reads texts.
    let reading = base.reading.clone().unwrap_or_default();
    let joint = |pooling| Objective::Joint {
        temperature: JOINT.0,
        sentence: JOINT.1,
        token: JOINT.2,
        pooling,
        term_layer: None,
    };
    let objectives = match preset {
        Preset::Encoder => vec![sentence(reading.pooling, true)],
        Preset::Adapt => vec![masked_words(base)],
        Preset::Tsdae => vec![denoising(base)],
        Preset::Retrieval => vec![Objective::Retrieval(RetrievalObjective {
            temperature: TEMPERATURE,
            negatives: RETRIEVAL_NEGATIVES.0,
            drawn_from: RETRIEVAL_NEGATIVES.1,
            too_alike: RETRIEVAL_TOO_ALIKE,
            pooling: reading.pooling,
            question_prompt: reading.question,
            passage_prompt: reading.passage,
            distillation: None,
        })],
        Preset::Rerank => vec![Objective::Rerank(RerankObjective::default())],
        Preset::Nmixx | Preset::RulesAndPolicies | Preset::Gpl => {
            vec![Objective::Triplets(TripletObjective {
                loss: match preset {
                    Preset::Nmixx => TripletLoss::Triplet,
                    Preset::Gpl => TripletLoss::MarginMse,
                    _ => TripletLoss::MultipleNegatives,
                },
                temperature: TEMPERATURE,
                pooling: reading.pooling,
                of_cosines: preset == Preset::Gpl,
            })]
        }
        Preset::QuickLook | Preset::Thorough => {
            vec![
                sft(),
                sentence(Pooling::Last, false),
                Objective::Token {
                    loss: TokenLossKind::Candidates,
                },
            ]
        }
        Preset::TermgptPaper => {
            vec![
                sft(),
                sentence(Pooling::Last, false),
                Objective::Token {
                    loss: TokenLossKind::Paper,
                },
            ]
        }
        Preset::Joint => vec![joint(Pooling::Mean)],
        Preset::Gritlm => vec![Objective::Gritlm(compared(Pooling::Mean, true))],
        Preset::ContrastiveToken => vec![Objective::ContrastiveToken],
        Preset::EncoderJoint => vec![joint(reading.pooling)],
    };
    let targets: &[&str] = if base.decoder {
        &DECODER_TARGETS
    } else {
        encoder_targets(&base.architecture)
    };
    let rank = match preset {
        Preset::Adapt
        | Preset::Tsdae
        | Preset::Retrieval
        | Preset::Rerank
        | Preset::Nmixx
        | Preset::RulesAndPolicies
        | Preset::Gpl => RETRIEVAL_RANK,
        _ => RANK,
    };
    TrainSettings {
        tune: Tune::Lora,
        lora: LoraSpec {
            r: rank,
            alpha: 2.0 * rank as f64,
            dropout: 0.05,
            targets: targets.iter().map(|t| (*t).to_owned()).collect(),
        },
        stages: objectives.into_iter().map(stage).collect(),
        max_length: match preset {
            Preset::Encoder | Preset::EncoderJoint => ENCODER_MAX_LENGTH,
            Preset::Retrieval | Preset::RulesAndPolicies | Preset::Gpl => RETRIEVAL_LENGTH,
            Preset::Rerank => RERANK_LENGTH,
            Preset::Adapt | Preset::Tsdae | Preset::Nmixx => NMIXX_LENGTH,
            Preset::QuickLook => QUICK_LENGTH,
            Preset::TermgptPaper
            | Preset::Thorough
            | Preset::Joint
            | Preset::Gritlm
            | Preset::ContrastiveToken => DECODER_LENGTH,
        },
        precision: Precision::Auto,
        activation_checkpointing: false,
        seed: DEFAULT_SEED,
        threads: 0,
    }
}

/// The settings with all weights tuned instead of a low-rank adapter.
///
/// # Errors
/// [`Code::InvalidRequest`] where the base model is a decoder.
pub(super) fn of_all_weights(
    mut settings: TrainSettings,
    base: &InspectResult,
) -> Result<TrainSettings> {
    if base.decoder {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!(
                "All weights can be tuned of text encoders alone; the base model is a decoder ({}).",
                base.architecture
            ),
            "Tune a low-rank adapter, or choose an encoder as the base model.",
        ));
    }
    settings.tune = Tune::All;
    // An older worker, which cannot tune all weights, refuses this empty adapter. Otherwise it would train an adapter
    // that nobody asked for.
    settings.lora = LoraSpec {
        r: 0,
        alpha: 0.0,
        dropout: 0.0,
        targets: Vec::new(),
    };
    for stage in &mut settings.stages {
        stage.learning_rate = ALL_WEIGHTS_RATE;
    }
    Ok(settings)
}
