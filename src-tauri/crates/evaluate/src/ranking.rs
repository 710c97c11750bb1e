//! Figures of rankings, as trec_eval counts them: `recall_10`, `map_cut_10`, `ndcg_cut_10`, `recip_rank`.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Ranks that count.
const CUT: usize = 10;

/// The names of the figures, in their order.
pub const NAMES: [&str; 5] = ["recall@10", "map@10", "ndcg@10", "mrr", "both@10"];

/// What is relevant to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// The passage that is named first.
    pub first: String,
    /// Relevant passages with their gain.
    pub gains: HashMap<String, u32>,
}

/// Which passages are relevant to which question, with their gain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevant(HashMap<String, Judged>);

impl Relevant {
    /// Reads lines in TREC's form: question, iteration, passage, relevance.
    ///
    /// # Errors
    /// The number of the first line that is not in this form, counted from 1.
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
                        if of.gains.is_empty() {
                            (*passage).clone_into(&mut of.first);
                        }
                        of.gains.insert((*passage).to_owned(), gain);
                    }
                }
                _ => return Err(i + 1),
            }
        }
        Ok(all)
    }

    /// The passages that are relevant to a question; `None` if there are none.
    pub fn of(&self, question: &str) -> Option<&Judged> {
        self.0.get(question)
    }

    /// The questions to which something is relevant.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Rankings by question, each best first.
pub type Run = HashMap<String, Vec<String>>;

/// Reads a run in TREC's form: question, `Q0`, passage, rank, score, name. As in trec_eval, passages are ordered by
/// score, those with equal scores by name in descending order; the written ranks are ignored.
///
/// # Errors
/// The number of the first line that is not in this form, counted from 1; also if a passage occurs twice for a
/// question.
pub fn read_run(text: &str) -> Result<Run, usize> {
    let mut scored: HashMap<String, Vec<(f32, String)>> = HashMap::new();
    let mut seen: HashSet<(&str, &str)> = HashSet::new();
    for (i, line) in text.lines().enumerate() {
        let parts: Vec<&str> = line.split_whitespace().collect();
        match parts.as_slice() {
            [] => {}
            [question, _, passage, _, score, _] => {
                let score: f32 = score.parse().map_err(|_| i + 1)?;
                let of = scored.entry((*question).to_owned()).or_default();
                // A relevant passage that counted twice would make a recall of more than all.
                if score.is_nan() || !seen.insert((*question, *passage)) {
                    return Err(i + 1);
                }
                of.push((score, (*passage).to_owned()));
            }
            _ => return Err(i + 1),
        }
    }
    let ranked = |mut of: Vec<(f32, String)>| -> Vec<String> {
        of.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
        of.into_iter().map(|(_, passage)| passage).collect()
    };
    Ok(scored.into_iter().map(|(q, of)| (q, ranked(of))).collect())
}

/// How well one question's ranking is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Share of the relevant passages among the first ten.
    pub recall: f64,
    /// Average precision, cut at ten.
    pub precision: f64,
    /// Normalised discounted cumulative gain, cut at ten.
    pub ndcg: f64,
    /// Reciprocal rank of the first relevant passage, anywhere in the ranking.
    pub reciprocal: f64,
    /// Whether all relevant passages are among the first ten; `None` if there is only one.
    pub all: Option<bool>,
}

impl Outcome {
    /// The outcome of a ranking, best first. `relevant` has the gain of each relevant passage; there is at least one.
    pub fn of<P: Eq + Hash>(ranking: &[P], relevant: &HashMap<P, u32>) -> Self {
        let (mut found, mut in_cut) = (0_usize, 0_usize);
        let (mut precision, mut gain, mut reciprocal) = (0.0, 0.0, 0.0);
        for (i, passage) in ranking.iter().enumerate() {
            let Some(worth) = relevant.get(passage) else {
                continue;
            };
            if found == 0 {
                reciprocal = 1.0 / (i + 1) as f64;
            }
            found += 1;
            if i < CUT {
                in_cut += 1;
                precision += found as f64 / (i + 1) as f64;
                gain += f64::from(*worth) / discount(i);
            }
        }
        let mut gains: Vec<u32> = relevant.values().copied().collect();
        gains.sort_unstable_by(|a, b| b.cmp(a));
        let ideal: f64 = gains
            .iter()
            .take(CUT)
            .enumerate()
            .map(|(i, worth)| f64::from(*worth) / discount(i))
            .sum();
        let all = relevant.len().max(1) as f64;
        Self {
            recall: in_cut as f64 / all,
            precision: precision / all,
            ndcg: gain / ideal.max(f64::MIN_POSITIVE),
            reciprocal,
            all: (relevant.len() > 1).then_some(in_cut == relevant.len()),
        }
    }
}

/// log₂(rank + 1), ranks from 1.
fn discount(index: usize) -> f64 {
    ((index + 2) as f64).log2()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ranking(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn a_worked_case() {
        let relevant = Relevant::read("q 0 a 1\nq 0 b 1\nq 0 c 0\n\nr 0 z 1").unwrap();
        let judged = relevant.of("q").unwrap();
        assert_eq!((judged.first.as_str(), judged.gains.len()), ("a", 2));
        let q = Outcome::of(&ranking(&["a", "c", "b"]), &judged.gains);
        let ndcg = (1.0 + 0.5) / (1.0 + 1.0 / 3_f64.log2());
        assert!((q.recall - 1.0).abs() < 1e-12);
        assert!((q.precision - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert!((q.ndcg - ndcg).abs() < 1e-12);
        assert!((q.reciprocal - 1.0).abs() < 1e-12);
        assert_eq!(q.all, Some(true));
        let r = Outcome::of(&ranking(&[]), &relevant.of("r").unwrap().gains);
        assert_eq!((r.recall, r.reciprocal, r.all), (0.0, 0.0, None));
        assert_eq!(Relevant::read("q 0 a"), Err(1));
    }

    #[test]
    fn a_relevant_passage_below_the_cut_counts_for_the_reciprocal_rank_alone() {
        let gains: HashMap<String, u32> = [("x".to_owned(), 1)].into();
        let mut ids: Vec<String> = (0..11).map(|i| i.to_string()).collect();
        ids.push("x".to_owned());
        let outcome = Outcome::of(&ids, &gains);
        assert_eq!(
            (outcome.recall, outcome.precision, outcome.ndcg),
            (0.0, 0.0, 0.0)
        );
        assert!((outcome.reciprocal - 1.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn gains_count_for_ndcg() {
        let gains: HashMap<String, u32> = [("a".to_owned(), 1), ("b".to_owned(), 3)].into();
        let outcome = Outcome::of(&ranking(&["a", "b"]), &gains);
        let expected = (1.0 + 3.0 / 3_f64.log2()) / (3.0 + 1.0 / 3_f64.log2());
        assert!((outcome.ndcg - expected).abs() < 1e-12);
    }

    #[test]
    fn a_run_is_ordered_by_its_scores() {
        let run = read_run("q Q0 a 1 0.5 x\nq Q0 b 2 0.7 x\nq Q0 c 3 0.5 x\n\n").unwrap();
        // Of two with one score the later name comes first.
        assert_eq!(run["q"], ["b", "c", "a"]);
        assert_eq!(read_run("q Q0 a 1 0.5 x\nq Q0 a 1 high x"), Err(2));
        assert_eq!(read_run("q Q0 a 1 NaN x"), Err(1));
        // One passage twice for a question; for another question it is another line.
        assert_eq!(read_run("q Q0 a 1 2 x\nr Q0 a 1 2 x\nq Q0 a 2 1 x"), Err(3));
        assert_eq!(read_run("q Q0 a 1 0.5"), Err(1));
    }
}
