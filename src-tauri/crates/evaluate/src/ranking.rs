//! Figures of rankings, as trec_eval counts them: `recall_10`, `map_cut_10`, `ndcg_cut_10`, `recip_rank`.

use std::collections::HashMap;

/// Ranks that count.
const CUT: usize = 10;

/// Which passages are relevant to which question, with their gain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevant(HashMap<String, HashMap<String, u32>>);

impl Relevant {
    /// Reads lines in TREC's form: question, iteration, passage, relevance.
    ///
    /// # Errors
    /// The number of the line that is none, from 1.
    pub fn read(text: &str) -> Result<Self, usize> {
        let mut all = Self::default();
        for (i, line) in text.lines().enumerate() {
            let parts: Vec<&str> = line.split_whitespace().collect();
            match parts.as_slice() {
                [] => {}
                [question, _, passage, gain] => {
                    let gain: i64 = gain.parse().map_err(|_| i + 1)?;
                    if let Ok(gain @ 1..) = u32::try_from(gain) {
                        let of = all.0.entry((*question).to_owned()).or_default();
                        of.insert((*passage).to_owned(), gain);
                    }
                }
                _ => return Err(i + 1),
            }
        }
        Ok(all)
    }
}

/// Means over the questions that have a relevant passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Questions.
    pub n: usize,
    /// Share of the relevant passages among the first ten.
    pub recall: f64,
    /// Average precision, cut at ten.
    pub map: f64,
    /// Normalised discounted cumulative gain, cut at ten.
    pub ndcg: f64,
    /// Reciprocal rank of the first relevant passage, anywhere in the ranking.
    pub mrr: f64,
    /// Share of the questions with two or more relevant passages of which all are among the first ten.
    pub both: Option<f64>,
}

/// The figures of rankings, each with its question; none where no question has a relevant passage. A question of which
/// nothing was found counts as 0.
pub fn figures(rankings: &[(String, Vec<String>)], relevant: &Relevant) -> Option<Figures> {
    let mut sum = Figures {
        n: 0,
        recall: 0.0,
        map: 0.0,
        ndcg: 0.0,
        mrr: 0.0,
        both: None,
    };
    let (mut several, mut all_found) = (0_usize, 0_usize);
    for (question, ranking) in rankings {
        let Some(right) = relevant.0.get(question) else {
            continue;
        };
        sum.n += 1;
        let (mut found, mut precision, mut gain) = (0_usize, 0.0, 0.0);
        for (i, passage) in ranking.iter().enumerate() {
            let Some(worth) = right.get(passage) else {
                continue;
            };
            if found == 0 {
                sum.mrr += 1.0 / (i + 1) as f64;
            }
            found += 1;
            if i < CUT {
                precision += found as f64 / (i + 1) as f64;
                gain += f64::from(*worth) / discount(i);
            }
        }
        let in_cut = ranking
            .iter()
            .take(CUT)
            .filter(|passage| right.contains_key(*passage))
            .count();
        let mut gains: Vec<u32> = right.values().copied().collect();
        gains.sort_unstable_by(|a, b| b.cmp(a));
        let ideal: f64 = gains
            .iter()
            .take(CUT)
            .enumerate()
            .map(|(i, worth)| f64::from(*worth) / discount(i))
            .sum();
        sum.recall += in_cut as f64 / right.len() as f64;
        sum.map += precision / right.len() as f64;
        sum.ndcg += gain / ideal;
        if right.len() > 1 {
            several += 1;
            all_found += usize::from(in_cut == right.len());
        }
    }
    if sum.n == 0 {
        return None;
    }
    let n = sum.n as f64;
    Some(Figures {
        n: sum.n,
        recall: sum.recall / n,
        map: sum.map / n,
        ndcg: sum.ndcg / n,
        mrr: sum.mrr / n,
        both: (several > 0).then(|| all_found as f64 / several as f64),
    })
}

/// log₂(rank + 1), ranks from 1.
fn discount(index: usize) -> f64 {
    ((index + 2) as f64).log2()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_case() {
        let relevant = Relevant::read("q 0 a 1\nq 0 b 1\nq 0 c 0\n\nr 0 z 1").unwrap();
        let ranking = |id: &str, ids: &[&str]| {
            let passages = ids.iter().map(|s| (*s).to_owned()).collect();
            (id.to_owned(), passages)
        };
        let got = figures(
            &[
                ranking("q", &["a", "c", "b"]),
                ranking("r", &[]),
                ranking("s", &["a"]),
            ],
            &relevant,
        )
        .unwrap();
        let ndcg = (1.0 + 0.5) / (1.0 + 1.0 / 3_f64.log2());
        assert_eq!(got.n, 2);
        assert!((got.recall - 0.5).abs() < 1e-12);
        assert!((got.map - (1.0 + 2.0 / 3.0) / 4.0).abs() < 1e-12);
        assert!((got.ndcg - ndcg / 2.0).abs() < 1e-12);
        assert!((got.mrr - 0.5).abs() < 1e-12);
        assert_eq!(got.both, Some(1.0));
        assert_eq!(Relevant::read("q 0 a"), Err(1));
        assert_eq!(figures(&[], &relevant), None);
    }
}
