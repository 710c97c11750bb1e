//! `lexforge.json`, the description beside an adapter's weights.

use lexforge_domain::protocol::{Lineage, ModelRef, Objective, Pooling, Precision, TrainJob, Tune};
use serde::{Deserialize, Serialize};

/// `lexforge.json`: what PEFT has no field for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Version of this file.
    pub format: u32,
    /// The kind of weights: a low-rank adapter in PEFT's format, or differences for all weights of the base.
    #[serde(default, skip_serializing_if = "Tune::is_usual")]
    pub tune: Tune,
    /// The base model.
    pub base: ModelRef,
    /// How texts are read for their vectors: `bidirectional`, every token sees every token.
    pub attention: String,
    /// How token vectors become one vector.
    pub pooling: Pooling,
    /// Text put before a question; empty = none.
    pub instruction: String,
    /// Text put before what may answer one; empty = none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub passage: String,
    /// How pairs of a question and a passage are put together, where it is a cross-encoder's adapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairReading>,
    /// Temperature of the training loss.
    pub temperature: f64,
    /// The stages of the training, in order.
    #[serde(default)]
    pub stages: Vec<String>,
    /// Longest input in tokens.
    pub max_length: usize,
    /// How the linear layers of the base model were stored during training, if not unchanged: `nf4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_quantization: Option<String>,
    /// Seed of the training.
    pub seed: u64,
    /// Optimiser step of these weights.
    pub step: u64,
    /// The origin of the data.
    pub lineage: Lineage,
}

/// How a cross-encoder reads a question and a passage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairReading {
    /// Share of the longest input that the question may take, however long the passage is.
    pub question_share: f64,
}

impl Sidecar {
    /// The description of a train job's adapter at a step.
    pub fn of_job(job: &TrainJob, max_length: usize, step: u64) -> Self {
        let stages = &job.settings.stages;
        let compared = stages
            .iter()
            .rev()
            .find_map(|stage| match &stage.objective {
                Objective::Sentence(sentence) | Objective::Gritlm(sentence) => Some((
                    sentence.pooling,
                    [sentence.instruction.clone(), String::new()],
                    sentence.temperature,
                )),
                Objective::Retrieval(retrieval) => Some((
                    retrieval.pooling,
                    [
                        retrieval.question_prompt.clone(),
                        retrieval.passage_prompt.clone(),
                    ],
                    retrieval.temperature,
                )),
                Objective::Triplets(triplets) => {
                    Some((triplets.pooling, Default::default(), triplets.temperature))
                }
                Objective::Rerank(rerank) => Some((rerank.pooling, Default::default(), 1.0)),
                Objective::Joint {
                    temperature,
                    pooling,
                    ..
                } => Some((*pooling, Default::default(), *temperature)),
                _ => None,
            });
        // An adaptation says how vectors are read only where no stage compares any.
        let adapted = stages.iter().find_map(|stage| match &stage.objective {
            Objective::MaskedWords(masked) => Some(masked.pooling),
            Objective::Denoising(denoising) => Some(denoising.pooling),
            _ => None,
        });
        let (pooling, [instruction, passage], temperature) =
            compared.unwrap_or((adapted.unwrap_or(Pooling::Mean), Default::default(), 0.0));
        Self {
            format: 1,
            tune: job.settings.tune,
            base: job.model.clone(),
            attention: "bidirectional".into(),
            pooling,
            instruction,
            passage,
            pairs: job.settings.reranks().map(|rerank| PairReading {
                question_share: rerank.question_share,
            }),
            temperature,
            stages: stages
                .iter()
                .map(|stage| stage.objective.stage().to_owned())
                .collect(),
            max_length,
            base_quantization: (job.settings.precision == Precision::Nf4).then(|| "nf4".to_owned()),
            seed: job.settings.seed,
            step,
            lineage: job.lineage.clone(),
        }
    }
}
