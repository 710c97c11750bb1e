//! The stage tsdae: an encoder sees only some words of a sentence and learns to put its whole meaning into one vector
//! (docs/methods.md, "Rules and policies").

use super::damaged::{Damage, Damaging, words};
use super::lesson::{Material, Trainee};
use crate::Result;
use crate::architectures::encoder::{Encoder, PooledEncoder, Vectors};
use crate::architectures::recompute::Way;
use crate::architectures::sentence_decoder::{DecoderSizes, SentenceDecoder};
use crate::losses::restored::{Damaged, Restorer};
use crate::tensors::NamedTensors;
use crate::texts::whole_words::WholeWords;
use lexforge_domain::protocol::DenoisingObjective;
use rand_chacha::ChaCha8Rng;

const STAGE: &str = "tsdae";

/// Words are deleted.
pub(super) struct Restoring {
    objective: DenoisingObjective,
    decoder: SentenceDecoder,
}

/// The stage of a job.
pub(super) fn restoring(
    trainee: &Trainee,
    material: &Material,
    objective: DenoisingObjective,
) -> Result<Damaging<Restoring>> {
    let encoder = encoder(trainee)?;
    let words = words(encoder, STAGE)?;
    let vectors = PooledEncoder {
        encoder,
        pooling: objective.pooling,
    };
    let sizes = DecoderSizes {
        hidden: encoder.sizes.hidden as i64,
        inner: encoder.sizes.intermediate as i64,
        vector: vectors.dim() as i64,
        longest: encoder.max_length as i64,
    };
    // A fresh decoder is the same in every attempt.
    tch::manual_seed(material.seed as i64);
    let decoder = SentenceDecoder::fresh(&encoder.folder, words, sizes, encoder.device())?;
    let restoring = Restoring { objective, decoder };
    Damaging::new(restoring, encoder, material)
}

fn encoder(trainee: &Trainee) -> Result<&Encoder> {
    trainee.encoder(STAGE, "Choose an encoder as the base model.")
}

impl Restoring {
    fn restorer<'a>(&'a self, trainee: &'a Trainee) -> Result<Restorer<'a>> {
        let encoder = encoder(trainee)?;
        Ok(Restorer {
            encoder,
            pooling: self.objective.pooling,
            decoder: &self.decoder,
            words: words(encoder, STAGE)?,
        })
    }
}

impl Damage for Restoring {
    type Text = Damaged;
    const NOTHING: &'static str = "nothing_to_delete";
    /// The decoder foretells each token from those before it.
    const LEAST: usize = 2;

    fn damaged(&self, text: &WholeWords, random: &mut ChaCha8Rng) -> Damaged {
        Damaged::of(text, self.objective.share, random)
    }

    fn tokens(text: &Damaged) -> usize {
        text.tokens()
    }

    fn foretold(text: &Damaged) -> usize {
        text.foretold()
    }

    fn backward(
        &self,
        trainee: &Trainee,
        texts: &[&Damaged],
        weight: f64,
        way: Way,
    ) -> Result<f64> {
        self.restorer(trainee)?.backward(texts, weight, way)
    }

    fn value(&self, trainee: &Trainee, texts: &[&Damaged], weight: f64) -> Result<f64> {
        self.restorer(trainee)?.value(texts, weight)
    }

    fn beside(&self) -> NamedTensors {
        self.decoder.tensors()
    }
}
