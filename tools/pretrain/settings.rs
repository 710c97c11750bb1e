//! The settings of a training from scratch: the size of the model, and the length of the training.

use super::bpe;
use clap::Args;
use lexforge_domain::Code;
use lexforge_models::{Error, Result};
use serde::Serialize;

/// The size of the model, and the length of the training.
#[derive(Args, Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Tokens to train on, windows counted as often as they are drawn
    #[arg(long, default_value_t = 3_000_000)]
    pub tokens: u64,
    /// Tokens a step
    #[arg(long, default_value_t = 2048)]
    pub batch_tokens: usize,
    /// Peak learning rate; it rises over a fiftieth of the steps and then falls to 0
    #[arg(long, default_value_t = 3e-3)]
    pub learning_rate: f64,
    /// Weight decay
    #[arg(long, default_value_t = 0.05)]
    pub weight_decay: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 42)]
    pub seed: u64,
    /// Entries of the vocabulary
    #[arg(long, default_value_t = 8192)]
    pub vocabulary: usize,
    /// Hidden size
    #[arg(long, default_value_t = 160)]
    pub hidden: i64,
    /// Inner size of the feed-forward part
    #[arg(long, default_value_t = 448)]
    pub inner: i64,
    /// Layers
    #[arg(long, default_value_t = 6)]
    pub layers: usize,
    /// Query heads
    #[arg(long, default_value_t = 4)]
    pub heads: i64,
    /// Key and value heads
    #[arg(long, default_value_t = 2)]
    pub key_heads: i64,
    /// Steps between two stored states, from which a broken-off training goes on
    #[arg(long, default_value_t = 200)]
    pub state_every: u64,
    /// Longest input in tokens; most windows have half of it
    #[arg(long, default_value_t = 1024)]
    pub positions: i64,
}

impl Settings {
    /// Whether a model can have these sizes.
    pub fn check(&self) -> Result<()> {
        let refuse = |what: &str| {
            Err(Error::told(
                Code::InvalidRequest,
                format!("A model cannot have these sizes: {what}."),
                "Choose others.",
            ))
        };
        if self.hidden < 1
            || self.heads < 1
            || self.hidden % self.heads != 0
            || self.hidden / self.heads % 2 != 0
        {
            return refuse("the hidden size must be an even multiple of the heads");
        }
        if self.key_heads < 1 || self.heads % self.key_heads != 0 {
            return refuse("the heads must be a multiple of the key heads");
        }
        if self.inner < 1 || self.layers < 1 || self.positions < 4 {
            return refuse("each must be larger than 0, and the positions than 3");
        }
        // Every byte is a token.
        if self.vocabulary < 256 + bpe::SPECIALS.len() {
            return refuse("a vocabulary has at least 259 entries");
        }
        Ok(())
    }
}
