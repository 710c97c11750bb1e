//! Two systems' answers to the same questions, summed up by cluster.

use crate::classification::Confusion;
use crate::clusters::Sums;
use crate::error::{EvaluateError, Result};
use lexforge_domain::gate::{GateMeasure, ItemOutcome};
use std::collections::BTreeMap;

/// Two systems on the same questions.
#[derive(Clone, Debug)]
pub struct Paired {
    /// Reference and candidate of each cluster, in the order of the clusters' ids.
    pub(super) clusters: Vec<[Sums; 2]>,
    pub(super) questions: usize,
    /// Share of questions that one of the two answers right and the other wrong.
    pub(super) discordant: f64,
    /// Intraclass correlation of the differences of outcome within a cluster.
    pub(super) within: f64,
}

impl Paired {
    /// The pairs of `reference` and `candidate`.
    ///
    /// # Errors
    /// [`EvaluateError::NotPaired`] unless both hold the same questions with the same clusters and answers in the same
    /// order. Also if there is no question.
    pub fn new(reference: &[ItemOutcome], candidate: &[ItemOutcome]) -> Result<Self> {
        check(reference, candidate)?;
        let classes = reference
            .iter()
            .chain(candidate)
            .map(|i| i.answer.max(i.chosen.unwrap_or(0)) + 1)
            .max()
            .unwrap_or(0);
        let mut by_id: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (at, item) in reference.iter().enumerate() {
            by_id.entry(item.cluster).or_default().push(at);
        }
        let clusters = by_id
            .values()
            .map(|places| [reference, candidate].map(|items| sums(items, places, classes)))
            .collect();
        let differences: Vec<(usize, f64, f64)> = by_id
            .values()
            .map(|places| {
                let d = places
                    .iter()
                    .map(|&at| right(&candidate[at]) - right(&reference[at]));
                (
                    places.len(),
                    d.clone().sum::<f64>(),
                    d.map(|d| d * d).sum::<f64>(),
                )
            })
            .collect();
        let discordant =
            differences.iter().map(|d| d.2).sum::<f64>() / reference.len().max(1) as f64;
        Ok(Self {
            clusters,
            questions: reference.len(),
            discordant,
            within: within(&differences),
        })
    }

    /// Clusters.
    pub fn anchors(&self) -> usize {
        self.clusters.len()
    }

    pub fn questions(&self) -> usize {
        self.questions
    }

    /// Share of questions that one of the two answers right and the other wrong.
    pub fn discordant(&self) -> f64 {
        self.discordant
    }

    /// Intraclass correlation of the differences within a cluster.
    pub fn within(&self) -> f64 {
        self.within
    }
}

fn right(item: &ItemOutcome) -> f64 {
    f64::from(u8::from(item.chosen == Some(item.answer)))
}

fn check(reference: &[ItemOutcome], candidate: &[ItemOutcome]) -> Result<()> {
    let refuse = |what: String| Err(EvaluateError::NotPaired(what));
    if reference.is_empty() || reference.len() != candidate.len() {
        return refuse(format!(
            "{} questions of the one model and {} of the other",
            reference.len(),
            candidate.len()
        ));
    }
    for (r, c) in reference.iter().zip(candidate) {
        if (r.id, r.cluster, r.answer) != (c.id, c.cluster, c.answer) {
            return refuse(format!(
                "question {} stands opposite question {}",
                r.id, c.id
            ));
        }
    }
    Ok(())
}

fn sums(items: &[ItemOutcome], places: &[usize], classes: usize) -> Sums {
    let mut confusion = Confusion::new(classes);
    let mut sums = Sums::default();
    for item in places.iter().map(|&at| &items[at]) {
        sums.n += 1;
        sums.right += u32::from(item.chosen == Some(item.answer));
        if let Some(gap) = item.gap.filter(|gap| gap.is_finite()) {
            sums.gap += gap;
            sums.with_gap += 1;
        }
        confusion.add(item.answer, item.chosen);
    }
    Sums {
        confusion: confusion.counts().to_vec(),
        ..sums
    }
}

/// Intraclass correlation by the analysis of variance, for clusters of different sizes: (MSB − MSW) / (MSB + (m − 1)
/// MSW). `clusters` has for each cluster its size, its sum and its sum of squares. The result is between 0 and 1; it is
/// 0 if nothing varies.
fn within(clusters: &[(usize, f64, f64)]) -> f64 {
    let k = clusters.len() as f64;
    let n: f64 = clusters.iter().map(|c| c.0 as f64).sum();
    if clusters.len() < 2 || n <= k {
        return 0.0;
    }
    let total: f64 = clusters.iter().map(|c| c.1).sum();
    let between: f64 =
        clusters.iter().map(|c| c.1 * c.1 / c.0 as f64).sum::<f64>() - total * total / n;
    let inside: f64 = clusters.iter().map(|c| c.2 - c.1 * c.1 / c.0 as f64).sum();
    let (msb, msw) = (between / (k - 1.0), inside / (n - k));
    let squares: f64 = clusters.iter().map(|c| (c.0 * c.0) as f64).sum();
    let size = (n - squares / n) / (k - 1.0);
    let denominator = msb + (size - 1.0) * msw;
    if denominator <= 0.0 {
        0.0
    } else {
        ((msb - msw) / denominator).clamp(0.0, 1.0)
    }
}

/// The value of a measure over sums.
pub(super) fn value(measure: GateMeasure, sums: &Sums) -> f64 {
    match measure {
        GateMeasure::Accuracy => sums.accuracy(),
        GateMeasure::F1 => sums.macro_figures().f1,
        GateMeasure::ChoiceCosineGap => sums.cosine_gap(),
    }
}
