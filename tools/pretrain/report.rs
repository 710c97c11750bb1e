//! The result of a training from scratch.

use serde::Serialize;
use std::path::PathBuf;

/// The result of a training.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the model's folder.
    pub folder: PathBuf,
    /// Numbers trained.
    pub parameters: u64,
    /// Tokens of the corpus that were trained on, by file.
    pub corpus: Vec<(String, u64)>,
    /// SHA-256 over those of the corpus' files.
    pub corpus_sha256: String,
    pub steps: u64,
    /// Tokens that this process learnt from, repetitions counted; of a training that was broken off, its last part.
    pub tokens: u64,
    /// Mean loss of the first and of the last twentieth of the steps of this process, in nats a token.
    pub loss: (f64, f64),
    /// Loss of the stored weights on what was held out.
    pub held_out: Vec<HeldOut>,
    /// Seconds of this process.
    pub seconds: f64,
}

/// How well lines that were kept from training are foretold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// File of the corpus.
    pub source: String,
    pub tokens: u64,
    /// Mean loss in nats a token.
    pub nats_per_token: f64,
    /// Mean loss in bits a byte of text.
    pub bits_per_byte: f64,
}
