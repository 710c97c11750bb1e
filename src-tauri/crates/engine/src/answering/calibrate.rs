//! From when on answers are given, and how often they are wrong: measured on labelled questions.

use super::Answering;
use super::find::{Found, LOOKED_AT, Search};
use super::pairs::distinct;
use super::probability::{Features, SHIPPED_THRESHOLD};
use super::statements::quoted;
use super::unseen::Unseen;
use crate::models::minilm_label;
use crate::workspace::{Result, Watcher, cancelled, now, tell};
use lexforge_domain::api::{
    AnswerIndex, CalibrationReport, Certificate, CertificateGap, DocumentAuc, EncoderChoice, Pair,
    SearchMode, Stage, Support,
};
use lexforge_domain::{Code, DocumentId, Failure};
use lexforge_evaluate::certificate::{Answered, Certified, certify, fewest};
use lexforge_evaluate::logistic::{Logistic, auc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Share of wrong answers that is promised, where nobody says another.
pub const ALPHA: f64 = 0.05;
/// How sure that is to be.
pub const CONFIDENCE: f64 = 0.95;
/// Of so many labelled questions one is asked with the documents that answer it left out: it has no answer then.
const ONE_LEFT_OUT_IN: usize = 5;
/// Questions of each kind from which weights are fitted here.
const FEWEST_TO_FIT: usize = 60;
/// Questions of a document from which it gets a figure of its own.
const FEWEST_A_DOCUMENT: usize = 5;

/// What was measured, as it is kept.
#[derive(Clone, Serialize, Deserialize)]
struct Kept {
    index: AnswerIndex,
    corpus: String,
    threshold: f64,
    weights: Option<(Vec<f64>, f64)>,
    certificate: Certificate,
}

/// From when on answers are given now.
pub(super) struct Calibrated {
    pub threshold: f64,
    pub weights: Option<Logistic>,
    pub certificate: Certificate,
}

/// A labelled question as it was found.
struct Measured {
    /// The first document that answers it; none where nothing does.
    document: Option<DocumentId>,
    /// As it is.
    features: Features,
    /// Clauses that an answer quotes, those that the label names, and those that are both.
    cited: [usize; 3],
    /// With the documents that answer it left out.
    left_out: Option<Features>,
}

impl Answering<'_> {
    /// How often answers are wrong here, as the workspace is now.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn current_certificate(&self) -> Result<Certificate> {
        let examples = self.example_questions()?;
        let example = examples.first().map_or("", String::as_str);
        let index = self.index_for(&[example])?;
        Ok(self
            .calibrated(&index, &self.clauses()?.corpus)?
            .certificate)
    }

    /// What was measured, as far as it holds for this index and corpus.
    pub(super) fn calibrated(&self, index: &AnswerIndex, corpus: &str) -> Result<Calibrated> {
        let texts = self.workspace.store.read(|r| r.certificates())?;
        let mut measured = texts
            .iter()
            .filter_map(|text| serde_json::from_str::<Kept>(text).ok())
            .peekable();
        let newest = measured.peek().cloned();
        // Each index has its own: one that is chosen again has what was measured for it.
        let own = measured.find(|kept| kept.index == *index && kept.corpus == corpus);
        let Some(kept) = own.or(newest) else {
            return Ok(shipped(gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE)));
        };
        let changed = if kept.index.encoder != index.encoder {
            Some(CertificateGap::EncoderChanged)
        } else if kept.index != *index {
            Some(CertificateGap::IndexChanged)
        } else if kept.corpus != corpus {
            Some(CertificateGap::CorpusChanged)
        } else {
            None
        };
        Ok(match changed {
            // What never held cannot become void.
            Some(_) if !kept.certificate.valid => {
                shipped(gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE))
            }
            Some(reason) => shipped(Certificate {
                valid: false,
                reason: Some(reason),
                ..kept.certificate
            }),
            None => Calibrated {
                threshold: kept.threshold,
                weights: kept
                    .weights
                    .map(|(weights, constant)| Logistic { weights, constant }),
                certificate: kept.certificate,
            },
        })
    }

    /// Measures on the labelled questions how well the documents' answers can be told from no answer, sets the threshold, and
    /// certifies how often an answer is wrong.
    ///
    /// # Errors
    /// When there are no labelled questions, or the request makes no sense.
    pub fn calibrate(
        &self,
        mode: Option<SearchMode>,
        encoder: Option<&EncoderChoice>,
        alpha: f64,
        confidence: f64,
        watcher: &dyn Watcher,
    ) -> Result<CalibrationReport> {
        let inside = |x: f64| x > 0.0 && x < 1.0;
        if !inside(alpha) || !inside(confidence) {
            return Err(Failure::new(
                Code::InvalidRequest,
                "A share of wrong answers and a confidence lie between 0 and 1.",
                "Give for example 0.05 and 0.95.",
            ));
        }
        let Unseen { pairs, learned } = self.unseen(encoder, distinct(self.pairs()?))?;
        if pairs.is_empty() && learned > 0 {
            return Err(Failure::new(
                Code::TooLittleData,
                format!(
                    "The encoder was tuned on all {learned} labelled questions: it finds their passages too well to say how \
                     often its answers are wrong."
                ),
                "Judge answers as right or wrong, or bring in questions that it was not tuned on.",
            ));
        }
        if pairs.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "There are no labelled questions to measure on.",
                "Judge answers as right or wrong, or bring in a file of questions with the passages that answer them.",
            ));
        }
        let questions: Vec<&str> = pairs.iter().map(|p| p.question.as_str()).collect();
        let search = self.held_out(self.search(mode, encoder, &questions)?, &questions)?;
        let mut measured = Vec::with_capacity(pairs.len());
        for (row, pair) in pairs.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was changed."));
            }
            measured.push(self.measure(&search, row, pair)?);
            if row % 50 == 0 {
                tell(watcher, Stage::Evaluate, "", row as u64, pairs.len() as u64);
            }
        }
        let (mut report, weights) = report(&measured, &search, alpha, confidence);
        report.learned = learned;
        let kept = Kept {
            index: search.index.clone(),
            corpus: search.clauses.corpus.clone(),
            threshold: report.threshold,
            weights: weights.map(|w| (w.weights, w.constant)),
            certificate: report.certificate.clone(),
        };
        let body = serde_json::to_string(&kept).map_err(|error| {
            Failure::new(Code::Internal, error.to_string(), "Report this message.")
        })?;
        let made = report.certificate.made.clone().unwrap_or_default();
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.put_certificate(&made, &body))?;
        Ok(report)
    }

    fn measure(&self, search: &Search, row: usize, pair: &Pair) -> Result<Measured> {
        let clauses = &search.clauses;
        let gold: Vec<u32> = pair
            .passage_ids
            .iter()
            .filter_map(|id| clauses.map.clause(clauses.sentence_of(id)?))
            .collect();
        let documents: HashSet<DocumentId> = gold
            .iter()
            .filter_map(|clause| Some(clauses.document_of(*clause)?.id))
            .collect();
        let first = gold.first().copied();
        let find = |left_out: &HashSet<DocumentId>| -> Result<Found> {
            self.find(search, row, &pair.question, left_out, LOOKED_AT)
        };
        let found = find(&HashSet::new())?;
        let quoted: HashSet<u32> = quoted(&found.hits).collect();
        let gold: HashSet<u32> = gold.into_iter().collect();
        let cited = [quoted.len(), gold.len(), quoted.intersection(&gold).count()];
        let others_are_there = documents.len() < clauses.documents.len();
        let left_out = if gold.is_empty() || !others_are_there {
            None
        } else {
            Some(find(&documents)?.features)
        };
        Ok(Measured {
            document: first.and_then(|clause| Some(clauses.document_of(clause)?.id)),
            features: found.features,
            cited,
            left_out,
        })
    }
}

/// What holds where nothing was measured, or not for this.
fn shipped(certificate: Certificate) -> Calibrated {
    Calibrated {
        threshold: SHIPPED_THRESHOLD,
        weights: None,
        certificate,
    }
}

fn gap(reason: CertificateGap, alpha: f64, confidence: f64) -> Certificate {
    Certificate {
        alpha,
        confidence,
        n: 0,
        wrong: 0,
        answered_share: None,
        valid: false,
        reason: Some(reason),
        needed: u32::try_from(fewest(alpha, 1.0 - confidence)).unwrap_or(u32::MAX),
        made: None,
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

/// Weights of these questions; none where there are too few of a kind.
fn fitted<'m>(measured: impl Iterator<Item = &'m Measured>) -> Option<Logistic> {
    let rows = rows(measured);
    let answerable = rows.iter().filter(|r| r.1).count();
    if answerable < FEWEST_TO_FIT || rows.len() - answerable < FEWEST_TO_FIT {
        return None;
    }
    Logistic::fit(&rows)
}

/// Two halves of the questions, whole documents in one or the other: questions about one document are alike, so that weights
/// fitted on some of them would look better on the others than they are. Questions without an answer, and all questions where
/// there is but one document, are dealt out one by one.
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

fn report(
    measured: &[Measured],
    search: &Search,
    alpha: f64,
    confidence: f64,
) -> (CalibrationReport, Option<Logistic>) {
    let known = search.index.encoder == minilm_label();
    let by_document = documents(measured, search, known);
    // What is fitted on one half is certified on the other.
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
                probability: m.features.probability(weights.as_ref(), known),
                wrong: m.cited[2] == 0,
            },
        })
        .collect();
    let certified = certify(&answers, alpha, 1.0 - confidence);
    let certificate = certificate(certified, &answers, alpha, confidence);
    let threshold = certified.map_or(SHIPPED_THRESHOLD, |c| c.threshold);
    let answered = certified_on
        .iter()
        .filter(|m| m.features.probability(weights.as_ref(), known) >= threshold);
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
    };
    (report, weights)
}

/// Over the questions that have an answer and are answered; none where there is none.
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
fn documents(measured: &[Measured], search: &Search, known: bool) -> Vec<Scored> {
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

fn certificate(
    certified: Option<Certified>,
    answers: &[Answered],
    alpha: f64,
    confidence: f64,
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
        },
        None if answers.len() < enough => Certificate {
            needed: u32::try_from(enough - answers.len()).unwrap_or(u32::MAX),
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
