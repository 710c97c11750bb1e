//! What a language-model loss is made of: log-likelihoods of tokens to raise, of tokens to lower, and
//! contests between candidates.
//!
//! Every token loss of the product is a list of these with weights, so that one careful computation serves
//! them all. Everything is computed in fp32 from the logits.

use crate::Result;
use std::collections::BTreeMap;
use tch::{Device, Kind, Tensor};

/// A token and the row of logits that foretells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foretold {
    /// Row of the batch's vectors.
    pub row: i64,
    /// Token number.
    pub token: i64,
}

/// Candidates in one place; the first is the right one.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The tokens that each candidate is scored by.
    pub candidates: Vec<Vec<Foretold>>,
    /// Weight in the loss.
    pub weight: f64,
}

/// A token against others in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivals {
    /// The right one.
    pub right: Foretold,
    /// The others; the right one is not among them.
    pub others: Vec<i64>,
    /// Weight in the loss.
    pub weight: f64,
}

/// The terms of a loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// `−w · log p(token)`.
    pub raised: Vec<(Foretold, f64)>,
    /// `−w · log(1 − p(token))`.
    pub lowered: Vec<(Foretold, f64)>,
    /// `−w · log softmax(scores)_first`, where a candidate's score is the sum of its tokens' log p.
    pub contests: Vec<Contest>,
    /// `w · log(1 + Σ exp(logit of an other − logit of the right))`.
    pub rivals: Vec<Rivals>,
}

impl Terms {
    /// The rows that logits are needed of, each once, in order.
    pub fn rows(&self) -> Vec<i64> {
        let contested = self.contests.iter().flat_map(|c| c.candidates.iter().flatten());
        let single = self.raised.iter().chain(&self.lowered).map(|(foretold, _)| foretold);
        let rivals = self.rivals.iter().map(|rivals| &rivals.right);
        let mut rows: Vec<i64> = single.chain(contested).chain(rivals).map(|foretold| foretold.row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The loss, from the logits `[rows, vocabulary]` of [`Terms::rows`], in that order.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn loss(&self, logits: &Tensor) -> Result<Tensor> {
        let rows = self.rows();
        let places: BTreeMap<i64, i64> = rows.iter().zip(0..).map(|(&row, place)| (row, place)).collect();
        let table = Table::new(logits)?;
        let mut sum = Tensor::f_zeros([], (Kind::Float, logits.device()))?;
        if !self.raised.is_empty() {
            let (foretold, weights) = split(&self.raised);
            let logs = table.logs(&foretold, &places)?;
            sum = sum.f_sub(&logs.f_mul(&numbers(&weights, logits.device())?)?.f_sum(Kind::Float)?)?;
        }
        if !self.lowered.is_empty() {
            let (foretold, weights) = split(&self.lowered);
            let logs = table.logs_of_others(&foretold, &places)?;
            sum = sum.f_sub(&logs.f_mul(&numbers(&weights, logits.device())?)?.f_sum(Kind::Float)?)?;
        }
        for contest in &self.contests {
            let scores = contest
                .candidates
                .iter()
                .map(|tokens| Ok(table.logs(tokens, &places)?.f_sum(Kind::Float)?))
                .collect::<Result<Vec<Tensor>>>()?;
            let scores = Tensor::f_stack(&scores, 0)?;
            let lost = scores.f_logsumexp([0i64].as_slice(), false)?.f_sub(&scores.f_select(0, 0)?)?;
            sum = sum.f_add(&lost.f_mul_scalar(contest.weight)?)?;
        }
        if !self.rivals.is_empty() {
            sum = sum.f_add(&table.rivalry(&self.rivals, &places)?)?;
        }
        Ok(sum)
    }
}

/// Logits in fp32 with their normalisers.
pub struct Table {
    logits: Tensor,
    /// `[rows]`
    normalisers: Tensor,
}

impl Table {
    /// That of logits `[rows, vocabulary]`.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn new(logits: &Tensor) -> Result<Self> {
        let logits = logits.f_to_kind(Kind::Float)?;
        Ok(Self { normalisers: logits.f_logsumexp([1i64].as_slice(), false)?, logits })
    }

    /// `log p` of tokens, `[tokens]`; `places` is the row of the table of each row of the batch.
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn logs(&self, foretold: &[Foretold], places: &BTreeMap<i64, i64>) -> Result<Tensor> {
        let (rows, tokens) = self.indices(foretold, places)?;
        let own = self.logits.f_index(&[Some(&rows), Some(&tokens)])?;
        Ok(own.f_sub(&self.normalisers.f_index_select(0, &rows)?)?)
    }

    /// `log(1 − p)` of tokens, `[tokens]`: the normaliser without the token less the one with it. (From a
    /// rounded `log p` it would be −∞ as soon as the token is 14 above all others.)
    ///
    /// # Errors
    /// Where libtorch refuses.
    pub fn logs_of_others(&self, foretold: &[Foretold], places: &BTreeMap<i64, i64>) -> Result<Tensor> {
        let (rows, tokens) = self.indices(foretold, places)?;
        let others = self.logits.f_index_select(0, &rows)?; // [tokens, vocabulary]
        let own = Tensor::f_zeros(others.size(), (Kind::Bool, others.device()))?;
        let own = own.f_scatter_value(1, &tokens.f_unsqueeze(1)?, 1)?;
        let others = others.f_masked_fill(&own, f64::NEG_INFINITY)?.f_logsumexp([1i64].as_slice(), false)?;
        Ok(others.f_sub(&self.normalisers.f_index_select(0, &rows)?)?)
    }

    /// The weighted sum of what rivals lose by.
    fn rivalry(&self, rivals: &[Rivals], places: &BTreeMap<i64, i64>) -> Result<Tensor> {
        let device = self.logits.device();
        let right: Vec<Foretold> = rivals.iter().map(|r| r.right).collect();
        let (rows, tokens) = self.indices(&right, places)?;
        let widest = rivals.iter().map(|r| r.others.len()).max().unwrap_or(0);
        // Shorter lists are filled up with places that count as −∞.
        let filled = |r: &Rivals| {
            let missing = widest - r.others.len();
            r.others.iter().copied().chain(std::iter::repeat_n(0, missing)).collect::<Vec<i64>>()
        };
        let others: Vec<i64> = rivals.iter().flat_map(filled).collect();
        let empty: Vec<bool> = rivals.iter().flat_map(|r| (0..widest).map(|i| i >= r.others.len())).collect();
        let shape = [rivals.len() as i64, widest as i64];
        let others = Tensor::f_from_slice(&others)?.f_view(shape)?.f_to_device(device)?;
        let empty = Tensor::f_from_slice(&empty)?.f_view(shape)?.f_to_device(device)?;
        let own = self.logits.f_index(&[Some(&rows), Some(&tokens)])?.f_unsqueeze(1)?; // [rivals, 1]
        let against = self.logits.f_index(&[Some(&rows.f_unsqueeze(1)?), Some(&others)])?; // [rivals, widest]
        let gaps = against.f_sub(&own)?.f_masked_fill(&empty, f64::NEG_INFINITY)?;
        let lost = Tensor::f_cat(&[&own.f_zeros_like()?, &gaps], 1)?.f_logsumexp([1i64].as_slice(), false)?;
        let weights: Vec<f64> = rivals.iter().map(|r| r.weight).collect();
        Ok(lost.f_mul(&numbers(&weights, device)?)?.f_sum(Kind::Float)?)
    }

    fn indices(&self, foretold: &[Foretold], places: &BTreeMap<i64, i64>) -> Result<(Tensor, Tensor)> {
        let device = self.logits.device();
        let rows: Vec<i64> = foretold.iter().map(|f| places.get(&f.row).copied().unwrap_or(-1)).collect();
        let tokens: Vec<i64> = foretold.iter().map(|f| f.token).collect();
        Ok((Tensor::f_from_slice(&rows)?.f_to_device(device)?, Tensor::f_from_slice(&tokens)?.f_to_device(device)?))
    }
}

fn split(weighted: &[(Foretold, f64)]) -> (Vec<Foretold>, Vec<f64>) {
    weighted.iter().copied().unzip()
}

fn numbers(values: &[f64], device: Device) -> Result<Tensor> {
    Ok(Tensor::f_from_slice(values)?.f_to_kind(Kind::Float)?.f_to_device(device)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(row: i64, token: i64) -> Foretold {
        Foretold { row, token }
    }

    #[test]
    fn each_kind_of_term_is_its_formula() {
        let logits = Tensor::from_slice(&[0f32, 1.0, -1.0, 2.0, 0.5, 0.0]).view([2, 3]);
        let p = |row: usize, token: usize| {
            let values: [[f64; 3]; 2] = [[0.0, 1.0, -1.0], [2.0, 0.5, 0.0]];
            values[row][token].exp() / values[row].iter().map(|x| x.exp()).sum::<f64>()
        };
        let check = |terms: Terms, expected: f64| {
            let found = terms.loss(&logits).unwrap().double_value(&[]);
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        };
        // Rows 4 and 9 of a batch are rows 0 and 1 of the logits.
        let raised = vec![(foretold(4, 1), 1.0), (foretold(9, 2), 0.5)];
        check(Terms { raised, ..Terms::default() }, -p(0, 1).ln() - 0.5 * p(1, 2).ln());
        let lowered = vec![(foretold(9, 0), 2.0), (foretold(4, 0), 1.0)];
        check(Terms { lowered, ..Terms::default() }, -2.0 * (1.0 - p(1, 0)).ln() - (1.0 - p(0, 0)).ln());
        let candidates = vec![vec![foretold(4, 0), foretold(9, 1)], vec![foretold(4, 2)]];
        let contest = Terms { contests: vec![Contest { candidates, weight: 3.0 }], ..Terms::default() };
        let (right, wrong) = (p(0, 0) * p(1, 1), p(0, 2));
        check(contest, -3.0 * (right / (right + wrong)).ln());
        let rival = |right, others: &[i64], weight| Rivals { right, others: others.to_vec(), weight };
        let rivals = vec![rival(foretold(4, 1), &[0, 2], 2.0), rival(foretold(9, 0), &[1], 1.0)];
        let lost = 2.0 * (1.0 + (-1f64).exp() + (-2f64).exp()).ln() + (1.0 + (-1.5f64).exp()).ln();
        check(Terms { rivals, ..Terms::default() }, lost);
        check(Terms::default(), 0.0);
    }

    #[test]
    fn a_token_far_above_the_others_still_has_a_finite_term_and_gradient() {
        for kind in [Kind::Float, Kind::BFloat16] {
            let logits = Tensor::from_slice(&[40f32, 0.0, 0.0, 0.0]).view([1, 4]).to_kind(kind).set_requires_grad(true);
            let terms = Terms { lowered: vec![(foretold(0, 0), 1.0)], ..Terms::default() };
            let loss = terms.loss(&logits).unwrap();
            loss.backward();
            assert!((loss.double_value(&[]) - (40.0 - 3f64.ln())).abs() < 0.1, "{loss:?}");
            let gradient = Vec::<f64>::try_from(logits.grad().view([4]).to_kind(Kind::Double)).unwrap();
            assert!((gradient[0] - 1.0).abs() < 1e-3 && gradient.iter().all(|g| g.is_finite()), "{gradient:?}");
        }
    }
}
