//! Labelled questions as they were measured: weights, a threshold and a certificate of them.

use super::certified::gap;
use super::find::Search;
use super::probability::{Features, SHIPPED_THRESHOLD};
use crate::models::Shipped;
use crate::workspace::now;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{CalibrationReport, Certificate, CertificateGap, DocumentAuc, Support};
use lexforge_domain::text::Language;
use lexforge_evaluate::certificate::{Answered, Certified, certify, fewest};
use lexforge_evaluate::logistic::{Logistic, auc};
use std::collections::BTreeMap;

/// One in this many labelled questions is asked with its documents left out, so that it has no answer.
const ONE_LEFT_OUT_IN: usize = 5;
/// Questions of each kind from which weights are fitted here.
const FEWEST_TO_FIT: usize = 60;
/// Questions of a document from which it gets a figure of its own.
const FEWEST_A_DOCUMENT: usize = 5;

/// A labelled question as it was found.
pub(super) struct Measured {
    /// The first document that answers it; `None` where nothing does.
    pub document: Option<DocumentId>,
    /// As it is.
    pub features: Features,
    /// Clauses that an answer quotes, those that the label names, and those that are both.
    pub cited: [usize; 3],
    /// With the documents that answer it left out.
    pub left_out: Option<Features>,
}

impl Measured {
    /// The probability by which it is decided whether to answer. Where no clause is quoted, nothing is answered.
    fn probability(&self, weights: Option<&Logistic>, known: Option<Shipped>) -> f64 {
        match self.cited[0] {
            0 => 0.0,
            _ => self.features.probability(weights, known),
        }
    }
}

/// Each question once as it is and once with its documents left out, with whether it has an answer.
fn rows<'m>(measured: impl Iterator<Item = &'m Measured>) -> Vec<(Vec<f64>, bool)> {
    measured
        .flat_map(|m| {
            let as_it_is = (m.features.row(), m.document.is_some());
            let without = m.left_out.as_ref().map(|f| (f.row(), false));
            std::iter::once(as_it_is).chain(without)
        })
        .collect()
}

/// Weights of these questions; `None` where there are too few of a kind.
fn fitted<'m>(measured: impl Iterator<Item = &'m Measured>) -> Option<Logistic> {
    let rows = rows(measured);
    let answerable = rows.iter().filter(|r| r.1).count();
    if answerable < FEWEST_TO_FIT || rows.len() - answerable < FEWEST_TO_FIT {
        return None;
    }
    Logistic::fit(&rows)
}

/// Divides the questions into two halves. Questions about the same document always go into the same half, because they
/// are similar: weights fitted on some of them would make the figures of the others look too good. Questions without
/// an answer are divided one by one. If there is only one document, all questions are divided one by one.
fn halves(measured: &[Measured]) -> [Vec<&Measured>; 2] {
    let mut by_document: BTreeMap<DocumentId, Vec<&Measured>> = BTreeMap::new();
    for one in measured {
        if let Some(id) = one.document {
            by_document.entry(id).or_default().push(one);
        }
    }
    let mut groups: Vec<Vec<&Measured>> = if by_document.len() > 1 {
        by_document.into_values().collect()
    } else {
        by_document
            .into_values()
            .flatten()
            .map(|one| vec![one])
            .collect()
    };
    // The largest first, each to the half that has fewer.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for group in groups {
        let smaller = if one.len() <= other.len() {
            &mut one
        } else {
            &mut other
        };
        smaller.extend(group);
    }
    let unanswered = measured.iter().filter(|one| one.document.is_none());
    for (place, question) in unanswered.enumerate() {
        let half = if place % 2 == 0 { &mut one } else { &mut other };
        half.push(question);
    }
    [one, other]
}

/// What these questions say: from when on answers are given, and how often they are wrong then.
pub(super) fn report(
    measured: &[Measured],
    search: &Search,
    language: Language,
    [alpha, confidence]: [f64; 2],
) -> (CalibrationReport, Option<Logistic>) {
    let known = search.shipped();
    let by_document = documents(measured, search, known);
    // The weights are fitted on one half and certified on the other.
    let [fitted_on, others] = halves(measured);
    let weights = fitted(fitted_on.into_iter());
    let certified_on: Vec<&Measured> = if weights.is_some() {
        others
    } else {
        measured.iter().collect()
    };
    let answers: Vec<Answered> = certified_on
        .iter()
        .enumerate()
        .map(|(i, m)| match &m.left_out {
            Some(without) if i % ONE_LEFT_OUT_IN == 0 => Answered {
                probability: without.probability(weights.as_ref(), known),
                wrong: true,
            },
            _ => Answered {
                probability: m.probability(weights.as_ref(), known),
                wrong: m.cited[2] == 0,
            },
        })
        .collect();
    let certified = certify(&answers, alpha, 1.0 - confidence);
    let certificate = certificate(certified, &answers, [alpha, confidence], weights.is_some());
    let threshold = certified.map_or(SHIPPED_THRESHOLD, |c| c.threshold);
    let answered = certified_on
        .iter()
        .filter(|m| m.probability(weights.as_ref(), known) >= threshold);
    let support = support(answered.map(|m| m.cited));
    let pooled: Vec<(f64, bool)> = by_document.iter().flat_map(|d| d.2.clone()).collect();
    let report = CalibrationReport {
        learned: 0,
        answerable: measured.iter().filter(|m| m.document.is_some()).count() as u64,
        unanswerable: measured
            .iter()
            .map(|m| u64::from(m.document.is_none()) + u64::from(m.left_out.is_some()))
            .sum(),
        auc: auc(&pooled),
        by_document: by_document
            .into_iter()
            .filter_map(|(id, title, scored)| {
                let n = scored.iter().filter(|s| s.1).count();
                if n < FEWEST_A_DOCUMENT {
                    return None;
                }
                Some(DocumentAuc {
                    document: id?,
                    title,
                    n: n as u64,
                    auc: auc(&scored)?,
                })
            })
            .collect(),
        support,
        threshold,
        certificate,
        index: search.index.clone(),
        language,
        others: Vec::new(),
    };
    (report, weights)
}

/// Over the questions that have an answer and are answered. `None` if there is no such question.
fn support(cited: impl Iterator<Item = [usize; 3]>) -> Option<Support> {
    let (mut n, mut all) = (0, [0, 0, 0]);
    for one in cited.filter(|one| one[1] > 0) {
        n += 1;
        for (sum, part) in all.iter_mut().zip(one) {
            *sum += part;
        }
    }
    (n > 0 && all[0] > 0).then(|| Support {
        n,
        precision: all[2] as f64 / all[0] as f64,
        recall: all[2] as f64 / all[1] as f64,
    })
}

/// The questions of each document with their probability and whether they have an answer.
type Scored = (Option<DocumentId>, String, Vec<(f64, bool)>);

/// By document; the weights for a document's questions are fitted on those of the others.
fn documents(measured: &[Measured], search: &Search, known: Option<Shipped>) -> Vec<Scored> {
    let mut by_document: BTreeMap<Option<DocumentId>, Vec<&Measured>> = BTreeMap::new();
    for one in measured {
        by_document.entry(one.document).or_default().push(one);
    }
    let several = by_document.len() > 1;
    by_document
        .into_iter()
        .map(|(id, own)| {
            let others = measured.iter().filter(|m| m.document != id);
            let weights = several.then(|| fitted(others)).flatten();
            let scored = own
                .iter()
                .flat_map(|m| {
                    let probability = |f: &Features| f.probability(weights.as_ref(), known);
                    let as_it_is = (probability(&m.features), m.document.is_some());
                    let without = m.left_out.as_ref().map(|f| (probability(f), false));
                    std::iter::once(as_it_is).chain(without)
                })
                .collect();
            let row = id.and_then(|id| search.clauses.row(id));
            (id, row.map(|r| r.title.clone()).unwrap_or_default(), scored)
        })
        .collect()
}

/// The certificate of these answers. If weights were fitted, that took the other half of the labelled questions.
fn certificate(
    certified: Option<Certified>,
    answers: &[Answered],
    [alpha, confidence]: [f64; 2],
    is_half: bool,
) -> Certificate {
    let enough = fewest(alpha, 1.0 - confidence);
    let made = Some(now());
    match certified {
        Some(holds) => Certificate {
            n: u32::try_from(holds.n).unwrap_or(u32::MAX),
            wrong: u32::try_from(holds.wrong).unwrap_or(u32::MAX),
            answered_share: Some(holds.n as f64 / answers.len().max(1) as f64),
            valid: true,
            reason: None,
            needed: 0,
            made,
            alpha,
            confidence,
            writer: None,
        },
        None if answers.len() < enough => Certificate {
            // Of two more labelled questions one is fitted on.
            needed: u32::try_from((enough - answers.len()) * (1 + usize::from(is_half)))
                .unwrap_or(u32::MAX),
            made,
            ..gap(CertificateGap::TooFewLabels, alpha, confidence)
        },
        None => Certificate {
            n: u32::try_from(answers.len()).unwrap_or(u32::MAX),
            wrong: u32::try_from(answers.iter().filter(|a| a.wrong).count()).unwrap_or(u32::MAX),
            needed: 0,
            made,
            ..gap(CertificateGap::TooManyWrong, alpha, confidence)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labelled_questions_that_are_missing_are_counted_with_those_that_weights_are_fitted_on() {
        for (alpha, n, is_half, needed) in [
            (0.05, 40, false, 19),
            (0.05, 58, true, 2),
            (0.01, 200, true, 198),
        ] {
            let right = Answered {
                probability: 0.9,
                wrong: false,
            };
            let made = certificate(None, &vec![right; n], [alpha, 0.95], is_half);
            let told = (made.reason, made.needed);
            assert_eq!(told, (Some(CertificateGap::TooFewLabels), needed));
        }
    }
}
