//! A cross-encoder: an encoder that reads a question and a passage together and says how well the passage answers the
//! question.

use super::model::{ModelRef, Pooling};
use serde::{Deserialize, Serialize};

/// The task of the rerank stage: to rank the passage that answers a question first (listwise softmax over one right
/// passage and wrong ones of the same question). The head on the encoder is one linear layer, stored with the adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RerankObjective {
    /// Wrong passages that a step compares with the right one, drawn again from the question's own in each epoch.
    pub negatives: usize,
    /// How token vectors become the one that the head reads.
    #[serde(default = "first_token")]
    pub pooling: Pooling,
    /// The share of the encoder's longest input that a question may take, 0 to 1. If question and passage together are
    /// longer than the input, the passage is cut.
    #[serde(default = "half")]
    pub question_share: f64,
}

fn first_token() -> Pooling {
    Pooling::Cls
}

fn half() -> f64 {
    0.5
}

impl Default for RerankObjective {
    /// Read by the first token, seven wrong passages a question.
    fn default() -> Self {
        Self {
            negatives: 7,
            pooling: first_token(),
            question_share: half(),
        }
    }
}

impl RerankObjective {
    /// Why it cannot be learnt so; `None` where it can.
    pub fn complaint(&self) -> Option<&'static str> {
        if self.negatives == 0 {
            return Some("negatives must be 1 or more");
        }
        let share = self.question_share > 0.0 && self.question_share < 1.0;
        (!share).then_some("the share of a question must lie between 0 and 1")
    }
}

/// A question with the passages that answer it and some that do not. The passages are given as line numbers of
/// [`super::TrainJob::passages`], from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RerankItem {
    /// Its name.
    pub id: String,
    /// The question.
    pub question: String,
    /// Passages that answer it; at least one. Each is an item of the stage.
    pub positives: Vec<u32>,
    /// Passages that do not answer it.
    pub negatives: Vec<u32>,
}

/// Score pairs of a question and a passage with an encoder and its cross-encoder's adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RerankJob {
    /// The encoder.
    pub model: ModelRef,
    /// Folder of the adapter in the bundle; it must be one of the stage rerank.
    pub adapter: String,
    /// JSONL of [`RerankRequest`] in the bundle.
    pub input: String,
    /// JSONL of [`RerankScores`] to write in the bundle, in input order.
    pub output: String,
    /// Threads; 0 = all.
    pub threads: usize,
}

/// A question and the passages that it is read with: a line of a rerank job, and of a resident worker that reads pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RerankRequest {
    /// The question.
    pub question: String,
    /// The passages.
    pub passages: Vec<String>,
}

/// The scores of a question's passages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RerankScores {
    /// One logit for each passage, in the order of the passages. A higher logit means that the passage is more likely
    /// an answer. Only scores of the same question can be compared.
    pub scores: Vec<f32>,
    /// Pairs that were longer than the cross-encoder reads, and were cut.
    #[serde(default)]
    pub truncated: u64,
}

/// The result of a rerank job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RerankResult {
    /// The JSONL file in the bundle.
    pub output: String,
    /// Questions.
    pub rows: u64,
    /// Pairs.
    pub pairs: u64,
    /// Pairs that were cut.
    pub truncated: u64,
    /// One SHA-256 over everything that the scores depend on: configuration, tokenizer, weights and adapter.
    pub content: String,
    /// Longest pair in tokens that is read.
    pub max_length: usize,
    /// Peak resident memory in MiB.
    pub peak_memory_mb: f64,
    /// Seconds.
    pub seconds: f64,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Job, Objective, ResidentReply};
    use super::*;

    #[test]
    fn a_stage_says_how_many_wrong_passages_and_the_rest_is_usual() {
        let text = r#"{"kind":"rerank","negatives":7}"#;
        let objective: Objective = serde_json::from_str(text).unwrap();
        assert_eq!(objective, Objective::Rerank(RerankObjective::default()));
        assert_eq!(objective.stage(), "rerank");
    }

    #[test]
    fn a_stage_that_cannot_be_is_told() {
        let own = RerankObjective::default();
        assert_eq!(own.complaint(), None);
        let with_share = |question_share| RerankObjective {
            question_share,
            ..own.clone()
        };
        for wrong in [
            RerankObjective {
                negatives: 0,
                ..own.clone()
            },
            with_share(0.0),
            with_share(1.0),
            with_share(f64::NAN),
        ] {
            assert!(wrong.complaint().is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn a_job_and_a_reply_are_read_back() {
        let text = r#"{"kind":"rerank","model":{"name":"m","sha256":""},"adapter":"adapter","input":"inputs/pairs.jsonl","output":"outputs/scores.jsonl","threads":0}"#;
        let job: Job = serde_json::from_str(text).unwrap();
        assert_eq!(job.kind(), "rerank");
        assert_eq!(serde_json::to_string(&job).unwrap(), text);
        let reply = ResidentReply::Scores(RerankScores {
            scores: vec![0.1, -3.25],
            truncated: 0,
        });
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(text, r#"{"scores":{"scores":[0.1,-3.25],"truncated":0}}"#);
        assert_eq!(serde_json::from_str::<ResidentReply>(&text).unwrap(), reply);
    }
}
