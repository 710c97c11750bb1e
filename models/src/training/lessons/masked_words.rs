//! The stage mlm: an encoder learns the language of the rules before it learns to compare (docs/methods.md, "Rules and
//! policies").

use super::damaged::{Damage, Damaging, unsuited, words};
use super::lesson::{Material, Trainee};
use crate::Result;
use crate::architectures::encoder::Encoder;
use crate::architectures::recompute::Way;
use crate::architectures::word_head::WordHead;
use crate::losses::masked::MaskedText;
use crate::losses::masked_words::{Foreteller, Masking};
use crate::tensors::NamedTensors;
use crate::texts::whole_words::WholeWords;
use lexforge_domain::protocol::MaskedWordsObjective;
use rand_chacha::ChaCha8Rng;

const STAGE: &str = "mlm";

/// Words are masked.
pub(super) struct MaskedWords {
    masking: Masking,
    head: WordHead,
}

/// The stage of a job.
pub(super) fn masked_words(
    trainee: &Trainee,
    material: &Material,
    objective: MaskedWordsObjective,
) -> Result<Damaging<MaskedWords>> {
    let encoder = encoder(trainee)?;
    let words = words(encoder, STAGE)?;
    let (rows, _) = words.size2()?;
    let mask = encoder.tokenizer.mask().filter(|&n| i64::from(n) < rows);
    let mask = mask.ok_or_else(|| {
        unsuited("The stage mlm masks words, and the model's tokenizer has no mask.")
    })?;
    let layers = encoder.sizes.hidden as i64;
    // A fresh head is the same in every attempt.
    tch::manual_seed(material.seed as i64);
    let head = WordHead::of_folder(&encoder.folder, words, layers, encoder.device())?;
    let known = encoder.tokenizer.vocabulary() as i64;
    let masking = Masking {
        share: objective.share,
        mask,
        vocabulary: u32::try_from(rows.min(known)).unwrap_or(u32::MAX),
    };
    Damaging::new(MaskedWords { masking, head }, encoder, material)
}

fn encoder(trainee: &Trainee) -> Result<&Encoder> {
    trainee.encoder(
        STAGE,
        "Choose an encoder as the base model; masked tokens of a decoder are the stage mntp.",
    )
}

impl MaskedWords {
    fn foreteller<'a>(&'a self, trainee: &'a Trainee) -> Result<Foreteller<'a>> {
        let encoder = encoder(trainee)?;
        Ok(Foreteller {
            encoder,
            head: &self.head,
            words: words(encoder, STAGE)?,
        })
    }
}

impl Damage for MaskedWords {
    type Text = MaskedText;
    const NOTHING: &'static str = "nothing_to_mask";
    const LEAST: usize = 1;

    fn damaged(&self, text: &WholeWords, random: &mut ChaCha8Rng) -> MaskedText {
        self.masking.of(text, random)
    }

    fn tokens(text: &MaskedText) -> usize {
        text.ids.len()
    }

    fn foretold(text: &MaskedText) -> usize {
        text.hidden.len()
    }

    fn backward(
        &self,
        trainee: &Trainee,
        texts: &[&MaskedText],
        weight: f64,
        way: Way,
    ) -> Result<f64> {
        self.foreteller(trainee)?.backward(texts, weight, way)
    }

    fn value(&self, trainee: &Trainee, texts: &[&MaskedText], weight: f64) -> Result<f64> {
        self.foreteller(trainee)?.value(texts, weight)
    }

    fn beside(&self) -> NamedTensors {
        self.head.tensors()
    }
}
