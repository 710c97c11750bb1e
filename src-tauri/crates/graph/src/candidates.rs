//! Computes candidate sets: `S_sen` for sentences, and the similar entities from which `C_tok` is made. Also adapts
//! their bounds to the encoder (calibration).
//!
//! The bounds 0.90 and 0.75–0.90 are taken from the published code and suit its encoder. With another encoder, fewer
//! anchors may reach these bounds than required. Then the lower bound is set by the observed nearest-neighbour cosines,
//! and the build records the bound that was used. Bounds can also be given as quantiles of these cosines.

mod bounds;
mod entities;
mod sentences;

pub(crate) use bounds::NO_CEILING;
pub use entities::MOST_PAIRS;
pub(crate) use entities::{
    KnownEntities, SimilarEntityPairs, Window, entities, entity_unit, lowered, window_of_quantiles,
};
pub(crate) use sentences::{
    Anchors, KnownSentence, KnownSentences, RelatedSentences, anchor_words, sentence_bound,
    sentences,
};
