//! What a language-model loss consists of: log-likelihoods of tokens to raise, log-likelihoods of tokens to lower, and
//! softmax contests between candidates.
//!
//! Every token loss of the product is a weighted list of these, so all of them share one careful computation.
//! Everything is computed in fp32 from the logits.

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
        let contested = self
            .contests
            .iter()
            .flat_map(|c| c.candidates.iter().flatten());
        let single = self
            .raised
            .iter()
            .chain(&self.lowered)
            .map(|(foretold, _)| foretold);
        let rivals = self.rivals.iter().map(|rivals| &rivals.right);
        let mut rows: Vec<i64> = single
            .chain(contested)
            .chain(rivals)
            .map(|foretold| foretold.row)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The loss, from the logits `[rows, vocabulary]` of [`Terms::rows`], in that order.
    pub fn loss(&self, logits: &Tensor) -> Result<Tensor> {
        let places = places_of(&self.rows());
        let table = Table::new(logits)?;
        let weighted = |logs: &Tensor, weights: &[f64]| -> Result<Tensor> {
            let weights = numbers(weights, logits.device())?;
            Ok(logs.f_mul(&weights)?.f_sum(Kind::Float)?)
        };
        let mut sum = Tensor::f_zeros([], (Kind::Float, logits.device()))?;
        if !self.raised.is_empty() {
            let (foretold, weights) = split(&self.raised);
            let logs = table.logs(&foretold, &places)?;
            sum = sum.f_sub(&weighted(&logs, &weights)?)?;
        }
        if !self.lowered.is_empty() {
            let (foretold, weights) = split(&self.lowered);
            let logs = table.logs_of_others(&foretold, &places)?;
            sum = sum.f_sub(&weighted(&logs, &weights)?)?;
        }
        for contest in &self.contests {
            let scores = contest
                .candidates
                .iter()
                .map(|tokens| Ok(table.logs(tokens, &places)?.f_sum(Kind::Float)?))
                .collect::<Result<Vec<Tensor>>>()?;
            let scores = Tensor::f_stack(&scores, 0)?;
            let lost = scores
                .f_logsumexp([0i64].as_slice(), false)?
                .f_sub(&scores.f_select(0, 0)?)?;
            sum = sum.f_add(&lost.f_mul_scalar(contest.weight)?)?;
        }
        if !self.rivals.is_empty() {
            sum = sum.f_add(&table.rivalry(&self.rivals, &places)?)?;
        }
        Ok(sum)
    }

    /// The loss, and its gradient with respect to the logits, `[rows, vocabulary]` in fp32. The gradient overwrites the
    /// logits in memory, so no second table of this width is needed.
    pub fn gradient(&self, logits: Tensor) -> Result<(f64, Tensor)> {
        let _no_grad = tch::no_grad_guard();
        let device = logits.device();
        let rows = self.rows();
        let places = places_of(&rows);
        let place = |foretold: &[Foretold]| indices(foretold, &places, device);
        let mut table = logits.f_log_softmax(1, Kind::Float)?; // log p
        drop(logits);
        let own = |foretold: &[Foretold]| -> Result<Vec<f64>> {
            let (rows, tokens) = place(foretold)?;
            Ok(Vec::try_from(
                table
                    .f_index(&[Some(&rows), Some(&tokens)])?
                    .f_to_kind(Kind::Double)?,
            )?)
        };
        let (mut raised, mut weights) = split(&self.raised);
        let mut loss: f64 = 0.0;
        if !raised.is_empty() {
            loss -= own(&raised)?
                .iter()
                .zip(&weights)
                .map(|(log, weight)| log * weight)
                .sum::<f64>();
        }
        let contests = self.all_contests();
        let contested: Vec<Foretold> = contests
            .iter()
            .flat_map(|(all, _)| all.iter().flatten().copied())
            .collect();
        let mut logs = if contested.is_empty() {
            Vec::new()
        } else {
            own(&contested)?
        }
        .into_iter();
        for (candidates, weight) in &contests {
            let scores: Vec<f64> = candidates
                .iter()
                .map(|tokens| logs.by_ref().take(tokens.len()).sum())
                .collect();
            let all = log_sum_exp(&scores);
            loss += weight * (all - scores[0]);
            for (number, (tokens, score)) in candidates.iter().zip(&scores).enumerate() {
                let wins = (score - all).exp() - if number == 0 { 1.0 } else { 0.0 };
                raised.extend(tokens);
                weights.extend(std::iter::repeat_n(-weight * wins, tokens.len()));
            }
        }
        let mut totals = vec![0f64; rows.len()];
        for (foretold, weight) in raised
            .iter()
            .zip(&weights)
            .map(|(f, w)| (f, *w))
            .chain(self.lowered_ref())
        {
            if let Some(&place) = places.get(&foretold.row) {
                totals[place as usize] += weight;
            }
        }
        let others = match self.lowered.is_empty() {
            true => None,
            false => {
                let (foretold, weights) = split(&self.lowered);
                let lowered = Lowered::of(&table, place(&foretold)?, &weights)?;
                loss -= lowered.likelihood;
                Some(lowered)
            }
        };
        let mut gradient = table
            .f_exp_()?
            .f_mul_(&numbers(&totals, device)?.f_unsqueeze(1)?)?;
        if let Some(Lowered { rows, shares, .. }) = others {
            let _ = gradient.f_index_add_(0, &rows, &shares.f_neg()?)?;
        }
        if !raised.is_empty() {
            let (rows, tokens) = place(&raised)?;
            let minus = numbers(&weights, device)?.f_neg()?;
            let _ = gradient.f_index_put_(&[Some(&rows), Some(&tokens)], &minus, true)?;
        }
        Ok((loss, gradient))
    }

    /// All contests with their weights. Rivals are the candidates of one row, which compete in a softmax. They are
    /// returned as contests, too. The gradient of a contest is the sum of the gradients of the candidates'
    /// log-likelihoods, each multiplied by the candidate's share.
    fn all_contests(&self) -> Vec<(Vec<Vec<Foretold>>, f64)> {
        let rivals = self.rivals.iter().map(|rivals| {
            let others = rivals.others.iter().map(|&token| Foretold {
                token,
                ..rivals.right
            });
            (
                std::iter::once(rivals.right)
                    .chain(others)
                    .map(|one| vec![one])
                    .collect(),
                rivals.weight,
            )
        });
        let contests = self
            .contests
            .iter()
            .map(|contest| (contest.candidates.clone(), contest.weight));
        contests.chain(rivals).collect()
    }

    fn lowered_ref(&self) -> impl Iterator<Item = (&Foretold, f64)> {
        self.lowered
            .iter()
            .map(|(foretold, weight)| (foretold, *weight))
    }

    /// The terms in parts of at most about `most` rows; the losses of the parts add up to the whole. A contest is never
    /// divided, so a part may have more rows.
    pub fn parts(&self, most: usize) -> Vec<Self> {
        let rows = self.rows();
        let place: BTreeMap<i64, usize> = rows
            .iter()
            .enumerate()
            .map(|(place, &row)| (row, place))
            .collect();
        // Rows of one contest hang together: each points to an earlier one, in the end to their first.
        let mut first: Vec<usize> = (0..rows.len()).collect();
        let root = |first: &[usize], mut at: usize| {
            while first[at] != at {
                at = first[at];
            }
            at
        };
        for contest in &self.contests {
            let roots: Vec<usize> = contest
                .candidates
                .iter()
                .flatten()
                .map(|f| root(&first, place[&f.row]))
                .collect();
            let least = roots.iter().copied().min().unwrap_or(0);
            roots.iter().for_each(|&at| first[at] = least);
        }
        let mut sizes = vec![0usize; rows.len()];
        (0..rows.len()).for_each(|at| sizes[root(&first, at)] += 1);
        let (mut part, mut filled) = (vec![0usize; rows.len()], 0);
        let mut count = 0;
        for at in 0..rows.len() {
            if first[at] != at {
                part[at] = part[root(&first, at)];
                continue;
            }
            if count == 0 || filled + sizes[at] > most {
                (count, filled) = (count + 1, 0);
            }
            filled += sizes[at];
            part[at] = count - 1;
        }
        let mut parts = vec![Self::default(); count];
        let of = |foretold: &Foretold| part[place[&foretold.row]];
        self.raised
            .iter()
            .for_each(|term| parts[of(&term.0)].raised.push(*term));
        self.lowered
            .iter()
            .for_each(|term| parts[of(&term.0)].lowered.push(*term));
        self.rivals
            .iter()
            .for_each(|term| parts[of(&term.right)].rivals.push(term.clone()));
        for contest in &self.contests {
            if let Some(foretold) = contest.candidates.iter().flatten().next() {
                parts[of(foretold)].contests.push(contest.clone());
            }
        }
        parts
    }
}

/// Logits in fp32 with their normalisers.
pub struct Table {
    logits: Tensor,
    /// `[rows]`
    normalisers: Tensor,
}

impl Table {
    /// The table of logits `[rows, vocabulary]`.
    pub fn new(logits: &Tensor) -> Result<Self> {
        let logits = logits.f_to_kind(Kind::Float)?;
        Ok(Self {
            normalisers: logits.f_logsumexp([1i64].as_slice(), false)?,
            logits,
        })
    }

    /// `log p` of tokens, `[tokens]`; `places` maps each row of the batch to a row of the table.
    pub fn logs(&self, foretold: &[Foretold], places: &BTreeMap<i64, i64>) -> Result<Tensor> {
        let (rows, tokens) = indices(foretold, places, self.logits.device())?;
        let own = self.logits.f_index(&[Some(&rows), Some(&tokens)])?;
        Ok(own.f_sub(&self.normalisers.f_index_select(0, &rows)?)?)
    }

    /// `log(1 − p)` of tokens, `[tokens]`: the log of the softmax sum without the token, minus the log of the sum with
    /// it. (Computed from a rounded `log p` it would be −∞ as soon as the token's logit is 14 above all others.)
    pub(crate) fn logs_of_others(
        &self,
        foretold: &[Foretold],
        places: &BTreeMap<i64, i64>,
    ) -> Result<Tensor> {
        let (rows, tokens) = indices(foretold, places, self.logits.device())?;
        let others = self.logits.f_index_select(0, &rows)?; // [tokens, vocabulary]
        let own = Tensor::f_zeros(others.size(), (Kind::Bool, others.device()))?;
        let own = own.f_scatter_value(1, &tokens.f_unsqueeze(1)?, 1)?;
        let others = others
            .f_masked_fill(&own, f64::NEG_INFINITY)?
            .f_logsumexp([1i64].as_slice(), false)?;
        Ok(others.f_sub(&self.normalisers.f_index_select(0, &rows)?)?)
    }

    /// The weighted sum of the losses from rivals.
    fn rivalry(&self, rivals: &[Rivals], places: &BTreeMap<i64, i64>) -> Result<Tensor> {
        let device = self.logits.device();
        let right: Vec<Foretold> = rivals.iter().map(|r| r.right).collect();
        let (rows, tokens) = indices(&right, places, device)?;
        let widest = rivals.iter().map(|r| r.others.len()).max().unwrap_or(0);
        // Shorter lists are filled up with places that count as −∞.
        let filled = |r: &Rivals| {
            let missing = widest - r.others.len();
            r.others
                .iter()
                .copied()
                .chain(std::iter::repeat_n(0, missing))
                .collect::<Vec<i64>>()
        };
        let others: Vec<i64> = rivals.iter().flat_map(filled).collect();
        let empty: Vec<bool> = rivals
            .iter()
            .flat_map(|r| (0..widest).map(|i| i >= r.others.len()))
            .collect();
        let shape = [rivals.len() as i64, widest as i64];
        let others = Tensor::f_from_slice(&others)?
            .f_view(shape)?
            .f_to_device(device)?;
        let empty = Tensor::f_from_slice(&empty)?
            .f_view(shape)?
            .f_to_device(device)?;
        let own = self
            .logits
            .f_index(&[Some(&rows), Some(&tokens)])?
            .f_unsqueeze(1)?; // [rivals, 1]
        let against = self
            .logits
            .f_index(&[Some(&rows.f_unsqueeze(1)?), Some(&others)])?; // [rivals, widest]
        let gaps = against
            .f_sub(&own)?
            .f_masked_fill(&empty, f64::NEG_INFINITY)?;
        let lost = Tensor::f_cat(&[&own.f_zeros_like()?, &gaps], 1)?
            .f_logsumexp([1i64].as_slice(), false)?;
        let weights: Vec<f64> = rivals.iter().map(|r| r.weight).collect();
        Ok(lost
            .f_mul(&numbers(&weights, device)?)?
            .f_sum(Kind::Float)?)
    }
}

/// The row of the table and the token of each place; `places` maps each row of the batch to a row of the table.
fn indices(
    foretold: &[Foretold],
    places: &BTreeMap<i64, i64>,
    device: Device,
) -> Result<(Tensor, Tensor)> {
    let rows: Vec<i64> = foretold
        .iter()
        .map(|f| places.get(&f.row).copied().unwrap_or(-1))
        .collect();
    let tokens: Vec<i64> = foretold.iter().map(|f| f.token).collect();
    Ok((
        Tensor::f_from_slice(&rows)?.f_to_device(device)?,
        Tensor::f_from_slice(&tokens)?.f_to_device(device)?,
    ))
}

/// The place of each of these rows among them.
fn places_of(rows: &[i64]) -> BTreeMap<i64, i64> {
    rows.iter().copied().zip(0..).collect()
}

fn split(weighted: &[(Foretold, f64)]) -> (Vec<Foretold>, Vec<f64>) {
    weighted.iter().copied().unzip()
}

fn numbers(values: &[f64], device: Device) -> Result<Tensor> {
    Ok(Tensor::f_from_slice(values)?
        .f_to_kind(Kind::Float)?
        .f_to_device(device)?)
}

#[cfg(test)]
mod tests;

/// What lowering tokens gives to the loss and to its gradient: it raises all other tokens of their rows.
struct Lowered {
    rows: Tensor,
    /// The weighted logarithms of the likelihood of the other tokens, added up.
    likelihood: f64,
    /// Weight times the likelihoods among the other tokens, `[tokens, vocabulary]`.
    shares: Tensor,
}

impl Lowered {
    fn of(table: &Tensor, (rows, tokens): (Tensor, Tensor), weights: &[f64]) -> Result<Self> {
        let logs = table.f_index_select(0, &rows)?; // [tokens, vocabulary]
        let _ =
            logs.shallow_clone()
                .f_scatter_value_(1, &tokens.f_unsqueeze(1)?, f64::NEG_INFINITY)?;
        let sums = logs.f_logsumexp([1i64].as_slice(), true)?;
        let weights = numbers(weights, table.device())?;
        let likelihood = sums
            .f_squeeze_dim(1)?
            .f_mul(&weights)?
            .f_sum(Kind::Double)?
            .f_double_value(&[])?;
        let shares = logs
            .shallow_clone()
            .f_sub_(&sums)?
            .f_exp_()?
            .f_mul_(&weights.f_unsqueeze(1)?)?;
        Ok(Self {
            rows,
            likelihood,
            shares,
        })
    }
}

/// The logarithm of the sum of exponentials, without overflow.
fn log_sum_exp(scores: &[f64]) -> f64 {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - highest).exp()).sum();
    highest + sum.ln()
}
