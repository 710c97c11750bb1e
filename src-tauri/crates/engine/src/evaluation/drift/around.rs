//! Figures that are watched in addition to the vectors.

use super::day::day;
use super::terms::gaps;
use crate::evaluation::Evaluations;
use crate::workspace::Result;
use lexforge_domain::api::TermFilter;
use lexforge_domain::drift::{DocumentTerms, DriftAround, DriftSample};
use lexforge_domain::term::ReviewStatus;

impl Evaluations<'_> {
    /// Questions, terms and graph as they are `now`, in days; what came after the day `since` is recent.
    pub(super) fn around(
        &self,
        samples: &[DriftSample],
        since: f64,
        now: f64,
    ) -> Result<DriftAround> {
        let unreviewed = TermFilter {
            status: Some(ReviewStatus::Unreviewed),
            limit: 1,
            ..TermFilter::default()
        };
        let (replies, terms, builds) = self
            .workspace
            .store
            .read(|r| Ok((r.replies()?, r.terms(&unreviewed)?.total, r.graph_builds()?)))?;
        let (recent, before): (Vec<_>, Vec<_>) =
            replies.iter().partition(|r| day(&r.asked) > since);
        let refused = |of: &[&lexforge_domain::api::AnswerRow]| {
            (!of.is_empty())
                .then(|| of.iter().filter(|r| !r.found).count() as f64 / of.len() as f64)
        };
        let documents: Vec<&DocumentTerms> = samples.iter().flat_map(|s| &s.terms).collect();
        let [term_gap, term_gap_before] = gaps(&documents, since);
        Ok(DriftAround {
            questions: recent.len() as u32,
            refused: refused(&recent),
            refused_before: refused(&before),
            unreviewed_terms: terms,
            graph_age_days: builds.first().map(|b| (now - day(&b.created)).max(0.0)),
            term_gap,
            term_gap_before,
        })
    }
}
