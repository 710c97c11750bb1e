//! The rerank stage: a cross-encoder learns which passage answers a question.
//!
//! An item is a question with one passage that answers it. Each time the item is learnt, some of the question's wrong
//! passages are chosen at random, and the loss is a softmax over the scores of all these passages. Passages of other
//! questions are not used. So each list is independent, and a batch can be computed a few lists at a time.

use super::lesson::{Batch, Holding, Learnt, Lesson, RerankMaterial, Trainee, count};
use crate::architectures::classifier::PairTokens;
use crate::architectures::encoder::Text;
use crate::architectures::packing::within_budget;
use crate::architectures::pair_scorer::scores_of;
use crate::losses::vector_loss::Listwise;
use crate::texts::pairs::Pairing;
use crate::texts::tokenizer::TextTokenizer;
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::{RerankItem, RerankObjective};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// How deep the held-out ranking is looked at (MRR@10).
const HELD_OUT_DEPTH: usize = 10;

/// A question as tokens, with its passages by number.
struct Question {
    ids: Vec<u32>,
    right: Vec<u32>,
    wrong: Vec<u32>,
}

/// The stage.
pub(super) struct Rerank {
    train: Vec<Question>,
    /// Question and right passage of each item.
    items: Vec<(usize, u32)>,
    dev: Vec<Question>,
    /// Tokens of each passage.
    passages: Vec<Vec<u32>>,
    pairing: Pairing,
    objective: RerankObjective,
    seed: u64,
    holding: Holding,
}

/// The stage of a job.
pub(super) fn rerank(
    trainee: &Trainee,
    material: &RerankMaterial,
    objective: &RerankObjective,
    seed: u64,
) -> Result<Rerank> {
    let encoder = trainee.encoder("rerank", "Choose an encoder as the base model.")?;
    let tokenizer = &encoder.tokenizer;
    let longest = encoder.max_length;
    let pairing = Pairing::of(
        tokenizer,
        encoder.token_types,
        longest,
        objective.question_share,
    )?;
    let texts: Vec<&str> = material.passages.iter().map(String::as_str).collect();
    if let Some(number) = texts.iter().position(|text| text.trim().is_empty()) {
        return Err(invalid(format!("Passage {number} of the job is empty.")));
    }
    let passages = tokenizer.own_tokens(&texts)?;
    let mut train = questions(tokenizer, &material.train, passages.len())?;
    let mut dev = questions(tokenizer, &material.dev, passages.len())?;
    let mut left_out = BTreeMap::new();
    let alone = train.iter().filter(|q| q.wrong.is_empty());
    let alone: usize = alone.map(|q| q.right.len()).sum();
    count(&mut left_out, "no_negatives", alone as u64);
    train.retain(|question| !question.wrong.is_empty());
    dev.retain(|question| !question.wrong.is_empty());
    let items = train.iter().enumerate();
    let items = items.flat_map(|(i, q)| q.right.iter().map(move |&right| (i, right)));
    let items: Vec<(usize, u32)> = items.collect();
    let holding = Holding {
        items: items.len(),
        held_out: dev.len(),
        cut: 0,
        left_out,
    };
    let mut stage = Rerank {
        train,
        items,
        dev,
        passages,
        pairing,
        objective: objective.clone(),
        seed,
        holding,
    };
    let all = stage.train.iter().flat_map(|q| stage.list(q).1);
    stage.holding.cut = all.filter(|cut| *cut).count();
    Ok(stage)
}

fn invalid(message: String) -> Error {
    Error::told(Code::BundleInvalid, message, "Make the job again.")
}

/// Questions as tokens, each checked.
fn questions(
    tokenizer: &TextTokenizer,
    items: &[RerankItem],
    passages: usize,
) -> Result<Vec<Question>> {
    let texts: Vec<&str> = items.iter().map(|item| item.question.as_str()).collect();
    let tokens = tokenizer.own_tokens(&texts)?;
    let mut questions = Vec::with_capacity(items.len());
    for (item, ids) in items.iter().zip(tokens) {
        let id = &item.id;
        let right: HashSet<u32> = item.positives.iter().copied().collect();
        let mut named = item.positives.iter().chain(&item.negatives);
        if ids.is_empty() {
            return Err(invalid(format!("The question {id} is empty.")));
        }
        if right.is_empty() {
            return Err(invalid(format!(
                "The question {id} has no passage that answers it."
            )));
        }
        if let Some(number) = named.find(|number| **number as usize >= passages) {
            return Err(invalid(format!(
                "The question {id} names passage {number}, and the job has {passages} passages, counted from 0."
            )));
        }
        if let Some(number) = item.negatives.iter().find(|number| right.contains(*number)) {
            return Err(invalid(format!(
                "The question {id} has passage {number} among those that answer it and among those that do not."
            )));
        }
        questions.push(Question {
            ids,
            right: item.positives.clone(),
            wrong: item.negatives.clone(),
        });
    }
    Ok(questions)
}

impl Rerank {
    fn pair(&self, question: &Question, passage: u32) -> (PairTokens, bool) {
        let passage = &self.passages[passage as usize];
        self.pairing.pair(&question.ids, passage)
    }

    /// A question with each of its passages, the right ones first, and whether each pair was cut.
    fn list(&self, question: &Question) -> (Vec<PairTokens>, Vec<bool>) {
        let passages = question.right.iter().chain(&question.wrong);
        passages.map(|&number| self.pair(question, number)).unzip()
    }

    /// The pairs that an item compares in an epoch, the right one first.
    fn drawn(&self, item: usize, epoch: u64) -> Vec<PairTokens> {
        let Some(&(number, right)) = self.items.get(item) else {
            return Vec::new();
        };
        let question = &self.train[number];
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(epoch << 40 | item as u64);
        let wrong = question.wrong.as_slice();
        let wrong = wrong.choose_multiple(&mut random, self.objective.negatives);
        let passages = std::iter::once(&right).chain(wrong);
        passages.map(|&n| self.pair(question, n).0).collect()
    }
}

impl Lesson for Rerank {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    fn learn(&self, trainee: &Trainee, batch: Batch<'_>) -> Result<Learnt> {
        let items = batch.numbers.iter();
        let lists: Vec<Vec<PairTokens>> =
            items.map(|&item| self.drawn(item, batch.epoch)).collect();
        let tokens = |list: &Vec<PairTokens>| list.iter().map(|pair| pair.ids.len()).sum::<usize>();
        let lengths: Vec<usize> = lists.iter().map(tokens).collect();
        // The number of items that are computed at a time.
        let budget = batch.budget_for(|| lengths.iter().copied().max().unwrap_or(0));
        let read = (None, self.objective.pooling);
        let order: Vec<usize> = (0..lists.len()).collect();
        let mut learnt = Learnt::default();
        for run in within_budget(&order, &lengths, budget) {
            let share = run.len() as f64 / lists.len() as f64;
            let pairs = run.iter().flat_map(|&i| &lists[i]);
            let texts: Vec<Text<'_>> = pairs.map(Text::from).collect();
            let loss = Listwise {
                lists: run.iter().map(|&i| lists[i].len()).collect(),
            };
            learnt += batch.learn_vectors(trainee, read, &texts, &loss, budget, share)?;
        }
        Ok(learnt)
    }

    /// One less the MRR@10 of the held-out questions among their own passages.
    fn held_out_loss(
        &self,
        trainee: &Trainee,
        budget: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<f32>> {
        let pairs: Vec<PairTokens> = self.dev.iter().flat_map(|q| self.list(q).0).collect();
        let found = trainee.with_vectors(self.objective.pooling, |model| {
            scores_of(model, &pairs, budget, &mut |_, _| Ok(go_on()))
        })?;
        let Some(scores) = found else {
            return Ok(None);
        };
        let (mut rest, mut sum) = (scores.as_slice(), 0.0);
        for question in &self.dev {
            let (right, others) = rest.split_at(question.right.len());
            let (wrong, others) = others.split_at(question.wrong.len());
            sum += reciprocal_rank(right, wrong);
            rest = others;
        }
        Ok(Some((1.0 - sum / self.dev.len().max(1) as f64) as f32))
    }
}

/// One divided by the rank of the best right passage; 0 if the rank is beyond [`HELD_OUT_DEPTH`]. A wrong passage with
/// the same score counts as ranked before it.
fn reciprocal_rank(right: &[f32], wrong: &[f32]) -> f64 {
    let best = right.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let behind = wrong.iter().filter(|score| **score < best).count();
    match 1 + wrong.len() - behind {
        place @ 1..=HELD_OUT_DEPTH => 1.0 / place as f64,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_right_passage_counts_and_a_tie_is_no_win() {
        let check = |right: &[f32], wrong: &[f32], expected: f64| {
            assert_eq!(
                reciprocal_rank(right, wrong),
                expected,
                "{right:?} {wrong:?}"
            );
        };
        check(&[2.0], &[1.0, 0.5], 1.0);
        check(&[0.7], &[1.0, 0.5], 0.5);
        check(&[0.1, 0.7], &[1.0, 0.5], 0.5);
        check(&[1.0], &[1.0, 1.0], 1.0 / 3.0);
        check(&[0.0], &[1.0; 10], 0.0);
        check(&[0.0], &[1.0; 9], 0.1);
        check(&[f32::NAN], &[1.0], 0.5);
        check(&[1.0], &[f32::NAN], 0.5);
    }
}
