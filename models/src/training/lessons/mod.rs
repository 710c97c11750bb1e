//! The material of a stage: its items, how a batch of them becomes a loss with its gradient, and which items are held
//! out.

mod answers;
mod both;
mod comparisons;
mod damaged;
mod lesson;
mod listed;
mod masked_words;
mod mining;
mod parts;
mod placed;
mod rerank;
mod restoring;
mod retrieval;
mod rules;
mod terms;
mod token_lesson;
mod triplets;

pub use lesson::{
    Batch, Holding, Inputs, Learnt, Lesson, Material, RerankMaterial, RetrievalMaterial, Trainee,
    TripletMaterial,
};

use crate::architectures::encoder::Vectors;
use crate::losses::gradients;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Objective, StageSpec};
use placed::Reader;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The lesson of a stage.
///
/// # Errors
/// [`Code::InvalidRequest`] if the model cannot learn this stage.
pub fn of_stage(
    stage: &StageSpec,
    trainee: &Trainee,
    material: &Material,
) -> Result<Box<dyn Lesson>> {
    let size = stage.batch_size;
    Ok(match &stage.objective {
        Objective::Sft { form, replay } => Box::new(answers::answers(
            &trainee.decoder()?.language,
            material,
            *form,
            *replay,
        )?),
        Objective::ContrastiveToken => Box::new(answers::contrastive(
            &trainee.decoder()?.language,
            material,
        )?),
        Objective::Gritlm(objective) => Box::new(both::both(trainee, material, objective, size)?),
        Objective::PlainText => Box::new(rules::plain(&trainee.decoder()?.language, material)?),
        Objective::MaskedNextToken { share } => Box::new(rules::masked(
            &trainee.decoder()?.language,
            material,
            *share,
        )?),
        Objective::MaskedWords(objective) => {
            Box::new(masked_words::masked_words(trainee, material, *objective)?)
        }
        Objective::Denoising(objective) => {
            Box::new(restoring::restoring(trainee, material, *objective)?)
        }
        Objective::Sentence(objective) => {
            Box::new(comparisons::sentences(trainee, material, objective, size)?)
        }
        Objective::Joint {
            temperature,
            sentence,
            token,
            pooling,
            term_layer,
        } => {
            let layers = trainee.sizes().layers;
            Box::new(comparisons::joint(
                &Reader::of(trainee, *pooling, material.longest),
                material,
                *temperature,
                [
                    (*sentence, None),
                    (*token, term_layer.filter(|&n| n < layers)),
                ],
                size,
            )?)
        }
        Objective::Token { loss } => {
            Box::new(terms::terms(&trainee.decoder()?.language, material, *loss)?)
        }
        Objective::Retrieval(objective) => {
            let Some(passages) = &material.retrieval else {
                return Err(Error::told(
                    Code::BundleInvalid,
                    "The recipe has the stage retrieval, and the job has no passages.",
                    "Make the job again.",
                ));
            };
            let seed = material.seed;
            Box::new(retrieval::retrieval(trainee, passages, objective, seed)?)
        }
        Objective::Rerank(objective) => {
            let Some(pairs) = &material.rerank else {
                return Err(Error::told(
                    Code::BundleInvalid,
                    "The recipe has the stage rerank, and the job has no passages.",
                    "Make the job again.",
                ));
            };
            Box::new(rerank::rerank(trainee, pairs, objective, material.seed)?)
        }
        Objective::Triplets(objective) => {
            let Some(triplets) = &material.triplets else {
                return Err(Error::told(
                    Code::BundleInvalid,
                    "The recipe has the stage triplets, and the job has no triplets.",
                    "Make the job again.",
                ));
            };
            Box::new(triplets::triplets(trainee, triplets, objective)?)
        }
    })
}

/// Item numbers of an epoch in their order, which follows from seed, stage and epoch alone.
pub fn order(items: usize, seed: u64, stage: usize, epoch: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream((stage as u64) << 40 | epoch);
    order.shuffle(&mut random);
    order
}

/// The largest number of tokens that are computed at once. It is limited by memory: for each token, the layers keep
/// vectors, and a decoder also keeps the logits over the vocabulary and their gradient.
pub fn token_budget(trainee: &Trainee) -> usize {
    match trainee {
        Trainee::Encoder(encoder) => {
            gradients::token_budget(encoder.sizes, Vectors::device(encoder), 0)
        }
        Trainee::Decoder(model) => {
            let sizes = model.decoder.config().sizes();
            gradients::token_budget(sizes, model.decoder.device(), 3 * sizes.vocabulary)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_from_seed_stage_and_epoch() {
        assert_eq!(order(50, 42, 0, 3), order(50, 42, 0, 3));
        assert_ne!(order(50, 42, 0, 3), order(50, 42, 0, 4));
        assert_ne!(order(50, 42, 0, 3), order(50, 42, 1, 3));
        assert_ne!(order(50, 42, 0, 3), order(50, 43, 0, 3));
        let mut sorted = order(50, 42, 0, 3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
