//! The sentence stage's loss (equation 1 of TermGPT, with the right answer in the sum):
//! `L = −log( exp(e_q·e_a/τ) / Σ_{c ∈ N} exp(e_q·e_c/τ) )`, vectors of unit length.
//!
//! `N` is a set of texts: the right answer, the item's own wrong choices, and (in-batch) the choices of all other items
//! that cannot share the right answer. Items may share it if they have the same question, the same anchor, an equal
//! answer or an answer of the same near-duplicate group.

use crate::Result;
use std::collections::HashMap;
use tch::{Device, Kind, Tensor};

/// An item whose texts are numbers of distinct texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its anchor.
    pub anchor: i64,
    /// Near-duplicate group of its answer; a negative number is no group.
    pub answer_group: i64,
    /// The question's text.
    pub question: usize,
    /// The right answer's text.
    pub answer: usize,
    /// Its wrong choices' texts.
    pub negatives: Vec<usize>,
}

impl Item {
    /// Whether a choice of the other item may be right for this one.
    fn shares_answer_with(&self, other: &Self) -> bool {
        self.question == other.question
            || self.anchor == other.anchor
            || self.answer == other.answer
            || (self.answer_group >= 0 && self.answer_group == other.answer_group)
    }

    fn choices(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.answer).chain(self.negatives.iter().copied())
    }
}

/// Which questions and texts of a batch are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The distinct texts of the batch; each is encoded once. Rows below are positions in this list.
    pub texts: Vec<usize>,
    /// Row of each item's question.
    pub questions: Vec<i64>,
    /// Row of each item's right answer.
    pub answers: Vec<i64>,
    /// Whether a text is in an item's N: `[items × texts]`, row-major.
    pub in_sum: Vec<bool>,
}

impl Comparison {
    /// The comparison of a batch.
    pub fn of(items: &[&Item], in_batch: bool) -> Self {
        let mut texts = Vec::new();
        let mut rows: HashMap<usize, usize> = HashMap::new();
        for item in items {
            for text in std::iter::once(item.question).chain(item.choices()) {
                rows.entry(text).or_insert_with(|| {
                    texts.push(text);
                    texts.len() - 1
                });
            }
        }
        let mut in_sum = vec![false; items.len() * texts.len()];
        for (item, sum) in items.iter().zip(in_sum.chunks_exact_mut(texts.len())) {
            if in_batch {
                let (related, strangers): (Vec<&Item>, Vec<&Item>) = items
                    .iter()
                    .partition(|other| item.shares_answer_with(other));
                for text in strangers.iter().flat_map(|other| other.choices()) {
                    sum[rows[&text]] = true;
                }
                // A text that a related item also offers may be right, even if other items offer it, too.
                for text in related.iter().flat_map(|other| other.choices()) {
                    sum[rows[&text]] = false;
                }
            }
            // The question's own text is always its nearest text, so it teaches nothing as a choice of any item.
            sum[rows[&item.question]] = false;
            for text in item.choices() {
                sum[rows[&text]] = true;
            }
        }
        Self {
            questions: items
                .iter()
                .map(|item| rows[&item.question] as i64)
                .collect(),
            answers: items.iter().map(|item| rows[&item.answer] as i64).collect(),
            texts,
            in_sum,
        }
    }

    /// Loss of each item `[items]` from the unit vectors of the texts `[texts, hidden]`.
    pub fn losses(&self, vectors: &Tensor, temperature: f64) -> Result<Tensor> {
        let device = vectors.device();
        let shape = [self.questions.len() as i64, self.texts.len() as i64];
        let questions = vectors.f_index_select(0, &index(&self.questions, device)?)?;
        let scores = questions
            .f_matmul(&vectors.f_transpose(0, 1)?)?
            .f_div_scalar(temperature)?; // [items, texts]
        let outside: Vec<bool> = self.in_sum.iter().map(|&inside| !inside).collect();
        let outside = Tensor::f_from_slice(&outside)?
            .f_view(shape)?
            .f_to_device(device)?;
        let sum = scores
            .f_masked_fill(&outside, f64::NEG_INFINITY)?
            .f_logsumexp([1i64].as_slice(), false)?;
        let answers = index(&self.answers, device)?.f_unsqueeze(1)?;
        let right = scores.f_gather(1, &answers, false)?.f_squeeze_dim(1)?;
        Ok(sum.f_sub(&right)?)
    }

    /// Mean loss of the items.
    pub fn mean_loss(&self, vectors: &Tensor, temperature: f64) -> Result<Tensor> {
        Ok(self.losses(vectors, temperature)?.f_mean(Kind::Float)?)
    }
}

fn index(rows: &[i64], device: Device) -> Result<Tensor> {
    Ok(Tensor::f_from_slice(rows)?.f_to_device(device)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(
        anchor: i64,
        answer_group: i64,
        question: usize,
        answer: usize,
        negatives: &[usize],
    ) -> Item {
        Item {
            anchor,
            answer_group,
            question,
            answer,
            negatives: negatives.to_vec(),
        }
    }

    /// Texts in the sum of the first item.
    fn sum_of_first(items: &[Item], in_batch: bool) -> Vec<usize> {
        let references: Vec<&Item> = items.iter().collect();
        let comparison = Comparison::of(&references, in_batch);
        let mut inside: Vec<usize> = comparison
            .texts
            .iter()
            .zip(&comparison.in_sum)
            .filter_map(|(&text, &inside)| inside.then_some(text))
            .collect();
        inside.sort_unstable();
        inside
    }

    #[test]
    fn what_may_be_right_is_never_a_negative() {
        let first = || item(1, 10, 100, 1, &[2, 3]);
        let check = |other: Item, expected: &[usize]| {
            assert_eq!(
                sum_of_first(&[first(), other.clone()], true),
                expected,
                "{other:?}"
            );
            assert_eq!(sum_of_first(&[first(), other], false), [1, 2, 3]);
        };
        check(item(2, 20, 200, 4, &[5]), &[1, 2, 3, 4, 5]);
        check(item(2, 20, 100, 4, &[5]), &[1, 2, 3]); // same question
        check(item(1, 20, 200, 4, &[5]), &[1, 2, 3]); // same anchor
        check(item(2, 20, 200, 1, &[5]), &[1, 2, 3]); // equal answer
        check(item(2, 10, 200, 4, &[5]), &[1, 2, 3]); // same near-duplicate group
        check(item(2, 20, 200, 4, &[1]), &[1, 2, 3, 4]); // own answer as another's wrong choice
        check(item(2, -1, 200, 4, &[2]), &[1, 2, 3, 4]); // a shared wrong choice counts once
        let ungrouped = [item(1, -1, 100, 1, &[2]), item(2, -1, 200, 4, &[5])];
        assert_eq!(sum_of_first(&ungrouped, true), [1, 2, 4, 5]);
    }

    #[test]
    fn a_related_items_choice_stays_out_though_a_stranger_offers_it() {
        let items = [
            item(1, 1, 100, 1, &[2]),
            item(1, 2, 200, 4, &[]),
            item(3, 3, 300, 4, &[6]),
        ];
        assert_eq!(sum_of_first(&items, true), [1, 2, 6]);
    }

    #[test]
    fn a_question_is_never_its_own_negative() {
        // The rule 0 with the statements 4 and 5; the statement 5 with the rules 1 and 0.
        let items = [item(1, 1, 0, 4, &[5]), item(2, 2, 5, 1, &[0])];
        assert_eq!(sum_of_first(&items, true), [1, 4, 5]);
        let turned = [items[1].clone(), items[0].clone()];
        assert_eq!(sum_of_first(&turned, true), [0, 1, 4]);
    }

    #[test]
    fn the_loss_is_the_formula() {
        let items = [item(1, 1, 0, 1, &[2])];
        let comparison = Comparison::of(&[&items[0]], true);
        let vectors = Tensor::from_slice(&[1f32, 0.0, 0.6, 0.8, 0.0, 1.0]).view([3, 2]);
        let loss = comparison
            .mean_loss(&vectors, 0.1)
            .unwrap()
            .double_value(&[]);
        let expected = -((0.6f64 / 0.1).exp() / ((0.6f64 / 0.1).exp() + 1.0)).ln();
        assert!((loss - expected).abs() < 1e-5, "{loss} {expected}");
    }
}
