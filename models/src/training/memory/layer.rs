//! The numbers that a layer keeps for each token for its gradient.

use crate::architectures::architecture::Config;
use crate::architectures::decoder::DecoderConfig;
use crate::architectures::sizes::Sizes;
use lexforge_domain::protocol::{TrainSettings, Tune};

/// How numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kept {
    /// Bytes of a number that layers work with.
    pub(super) width: usize,
    pub(super) on_cpu: bool,
    /// Bytes of a token in a layer that say which inputs were dropped.
    pub(super) dropped: f64,
}

/// A model's layer, as what it keeps is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) sizes: Sizes,
    /// Numbers that are kept for each token in a layer, without those of the low-rank parts.
    kept: usize,
    /// Numbers of a token that norms read in a layer.
    normed: usize,
    /// Numbers of a token that pass through a layer while its gradient is computed.
    passing: usize,
    /// Numbers that a token keeps in a layer for each token of its text.
    kept_with_each: usize,
    /// The vocabulary's width where the stages read logits.
    pub(super) decoder: bool,
}

impl Shape {
    pub(super) fn of(config: &Config) -> Self {
        let sizes = config.sizes();
        let (hidden, inner) = (sizes.hidden, sizes.intermediate);
        match config {
            Config::Decoder(decoder) => {
                let (kept, passing) = (kept_by_decoder(decoder), 4 * inner + 6 * hidden);
                let heads = if decoder.query_key_norm {
                    (decoder.heads + decoder.key_heads) * decoder.head
                } else {
                    0
                };
                Self {
                    sizes,
                    kept,
                    normed: 2 * hidden + heads as usize,
                    passing,
                    kept_with_each: 0,
                    decoder: true,
                }
            }
            // A layer keeps queries, keys, values, the output of attention, both sums and their norms, and the inner
            // vectors before and after the activation.
            Config::Encoder(encoder) => {
                let (inners, kept_with_each) = encoder.kept();
                Self {
                    sizes,
                    kept: 8 * hidden + inners * inner,
                    normed: 0,
                    passing: inners * inner + 4 * hidden,
                    kept_with_each,
                    decoder: false,
                }
            }
        }
    }

    /// Bytes that a token keeps over all layers for its gradient.
    pub(super) fn kept(&self, settings: &TrainSettings, how: Kept) -> f64 {
        let each = match settings.activation_checkpointing {
            // The layer's input.
            true => (self.sizes.hidden * how.width) as f64,
            false => self.layer(settings, how),
        };
        self.sizes.layers as f64 * each
    }

    /// Bytes that a token keeps in a layer.
    pub(super) fn layer(&self, settings: &TrainSettings, how: Kept) -> f64 {
        let width = how.width;
        // In half precision norms are computed in fp32.
        let wide = match (width < 4, how.on_cpu) {
            (false, _) => 0,
            // The norms keep their inputs and their outputs (two numbers, measured).
            (true, true) => 2 * 4 * self.normed,
            // The inputs of the norms are kept once, in fp32 instead of the width.
            (true, false) => (4 - width) * self.normed,
        };
        let longest = settings.max_length.min(self.sizes.positions);
        let kept = self.kept + self.kept_with_each * longest;
        let low_rank = match settings.tune {
            Tune::Lora => 4 * 7 * settings.lora.r,
            Tune::All => 0,
        };
        (kept * width + wide + low_rank) as f64 + how.dropped
    }

    /// Bytes of a token while a layer's gradient is computed: what it keeps, and what passes through.
    pub(super) fn working(&self, settings: &TrainSettings, how: Kept) -> f64 {
        self.layer(settings, how) + (self.passing * how.width.max(4)) as f64
    }
}

/// The numbers that a layer keeps for each token: the inputs of the norms and of the linear layers, queries, keys,
/// values, attention's output, and the gated inner vectors.
pub(super) fn kept_by_decoder(config: &DecoderConfig) -> usize {
    let (queries, keys) = (
        (config.heads * config.head) as usize,
        (config.key_heads * config.head) as usize,
    );
    // Before their norms too; keys and values are widened to the queries' heads.
    let normed = if config.query_key_norm {
        queries + keys
    } else {
        0
    };
    4 * config.hidden as usize + 4 * queries + normed + 3 * config.inner as usize
}
