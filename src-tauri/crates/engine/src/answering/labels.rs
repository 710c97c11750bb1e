//! Which labelled questions exist, what they are enough for, and which share of a tuning is best applied.

use super::Answering;
use super::curve::alike_pairs;
use super::find::LOOKED_AT;
use super::pairs::distinct;
use super::ranking_figures::{Measured, figures};
use super::train_ranker::FEWEST;
use super::unseen::Unseen;
use crate::workspace::{Result, Watcher, cancelled, io_failure, tell};
use lexforge_domain::api::{
    AnswerWay, CertificateGap, EncoderChoice, LabelCurve, LabelsOverview, Pair, RankingFigures,
    SearchMode, Stage,
};
use lexforge_domain::{Code, Failure, RunId};
use lexforge_evaluate::certificate::fewest;
use lexforge_evaluate::ranking::Outcome;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Shares of a tuning that are measured, in hundredths.
const POINTS: [u8; 5] = [0, 25, 50, 75, 100];

impl Answering<'_> {
    /// An overview of the labelled questions: their numbers by kind, and how many more are needed for a ranker and for
    /// a certificate. It also names the present ranker and certificate.
    pub fn labels(&self, way: &AnswerWay) -> Result<LabelsOverview> {
        let pairs = distinct(self.pairs()?);
        let all = pairs.len() as u64;
        let answerable = pairs.iter().filter(|p| !p.passage_ids.is_empty()).count();
        let index = self.index_for(&[&self.usual_question()?])?;
        let current = self.current(way, None)?;
        let mut certificate = current.certificate;
        // Missing labels are counted together with the labels that were added since.
        if !certificate.valid
            && matches!(
                certificate.reason,
                Some(CertificateGap::TooFewLabels | CertificateGap::NotMeasured)
            )
        {
            let enough = fewest(certificate.alpha, 1.0 - certificate.confidence) as u64;
            certificate.needed = missing(enough, all, current.weights.is_some());
        }
        Ok(LabelsOverview {
            answerable: answerable as u64,
            unanswerable: all - answerable as u64,
            missing_for_ranker: FEWEST.saturating_sub(answerable) as u64,
            ranker: index.ranker,
            certificate,
        })
    }

    /// Ranks labelled questions with the base model, with the tuned model, and with mixtures of the two. Questions that
    /// the tuning learned from are not used. `general` is a table of general sentences with people's scores.
    ///
    /// # Errors
    /// When there are no such questions, the table cannot be read, or the run has no adapter of an encoder.
    pub fn curve_of_labels(
        &self,
        run: RunId,
        general: Option<&Path>,
        watcher: &dyn Watcher,
    ) -> Result<LabelCurve> {
        let tuned = EncoderChoice {
            run: Some(run),
            ..EncoderChoice::default()
        };
        let mut pairs = distinct(self.pairs()?);
        pairs.retain(|pair| !pair.passage_ids.is_empty());
        let Unseen { pairs, learned } = self.unseen(Some(&tuned), pairs)?;
        if pairs.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                format!(
                    "There are no labelled questions to measure on that this tuning did not learn from ({learned} it did)."
                ),
                "Judge answers as right or wrong, or bring in questions that it was not tuned on.",
            ));
        }
        let general = match general {
            Some(file) => alike_pairs(&std::fs::read(file).map_err(|e| io_failure(&e, file))?)?,
            None => Vec::new(),
        };
        let mut done = 0;
        let mut ranked = |encoder: &EncoderChoice| {
            if watcher.cancelled() {
                return Err(cancelled("What was measured so far is not kept."));
            }
            tell(watcher, Stage::Evaluate, "", done, POINTS.len() as u64);
            done += 1;
            self.ranked_by(encoder, &pairs)
        };
        let points = self.blended(run, &POINTS, &general, watcher, &mut ranked)?;
        Ok(LabelCurve {
            run,
            questions: pairs.len() as u64,
            learned,
            points,
        })
    }

    /// How well an encoder alone ranks the clauses that labels name.
    fn ranked_by(&self, encoder: &EncoderChoice, pairs: &[Pair]) -> Result<RankingFigures> {
        let questions: Vec<&str> = pairs.iter().map(|p| p.question.as_str()).collect();
        let search = self.search(Some(SearchMode::Dense), Some(encoder), &questions)?;
        let clauses = &search.clauses;
        let mut measured = Vec::with_capacity(pairs.len());
        for (row, pair) in pairs.iter().enumerate() {
            let right = clauses.answering(pair);
            let found = self.find(&search, row, &pair.question, &HashSet::new(), LOOKED_AT)?;
            let order: Vec<u32> = found.hits.iter().map(|hit| hit.0).collect();
            let document = right.first().and_then(|first| clauses.document_of(*first));
            let right: HashMap<u32, u32> = right.into_iter().map(|clause| (clause, 1)).collect();
            measured.push(Measured {
                cluster: document.map(|d| d.id.to_string()).unwrap_or_default(),
                kind: None,
                outcome: Outcome::of(&order, &right),
            });
        }
        Ok(figures(&measured, "document"))
    }
}

/// How many labels are missing for a certificate that needs `enough` labels. If weights were fitted on half of all
/// labels, the certificate counts only the other half.
fn missing(enough: u64, all: u64, is_half: bool) -> u32 {
    let enough = enough.saturating_mul(1 + u64::from(is_half));
    u32::try_from(enough.saturating_sub(all)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_weights_are_fitted_on_are_missing_for_the_certificate() {
        for (enough, all, is_half, expected) in [
            (59, 40, false, 19),
            (59, 60, false, 0),
            (299, 400, true, 198),
            (299, 598, true, 0),
            (u64::MAX, 1, true, u32::MAX),
        ] {
            assert_eq!(missing(enough, all, is_half), expected, "{enough} {all}");
        }
    }
}
