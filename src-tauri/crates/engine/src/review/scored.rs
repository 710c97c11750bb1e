//! Pairs of sentences with what people scored.

use super::Review;
use super::settings::plan;
use crate::workspace::Result;
use lexforge_domain::api::{SimilarityFilter, SimilarityPair, SimilarityRow};
use lexforge_domain::review::{Choice, Decision, Score, Subject, SubjectKind, scores};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{PersonId, SimilarityId};
use std::collections::{HashMap, HashSet};

impl Review<'_> {
    /// The pairs of sentences with their scores. In a blind review, others' scores are hidden until the user has scored
    /// the pair. Pairs whose scores are too far apart are an exception, because somebody must settle them.
    pub fn similarity(&self, filter: &SimilarityFilter) -> Result<Vec<SimilarityRow>> {
        let me = self.me()?;
        let (all, own, blind) = self.workspace.store.read(|r| {
            let own: HashSet<Subject> = r
                .own_choices(me.id, SubjectKind::Similarity)?
                .into_iter()
                .filter(|own| own.choice != Choice::Skip)
                .map(|own| own.subject)
                .collect();
            let all = (r.similarity_pairs()?, r.decisions(SubjectKind::Similarity)?);
            Ok((all, own, plan(r)?.blind))
        })?;
        let mut rows = rows(all.0, &all.1);
        rows.retain(|row| {
            (!filter.unscored || row.scores == 0) && (!filter.disputed || row.is_disputed())
        });
        for row in &mut rows {
            if blind && !row.is_disputed() && !own.contains(&Subject::similarity(row.id)) {
                (row.status, row.score, row.between) = (None, None, None);
            }
        }
        Ok(rows)
    }

    /// The pairs with all that was scored, for figures and files, and how many people scored.
    pub(crate) fn all_scores(&self) -> Result<(Vec<SimilarityRow>, usize)> {
        let (pairs, decisions) = self
            .workspace
            .store
            .read(|r| Ok((r.similarity_pairs()?, r.decisions(SubjectKind::Similarity)?)))?;
        let scored = decisions
            .iter()
            .filter(|d| !d.undone && d.choice != Choice::Skip);
        let people: HashSet<PersonId> = scored.map(|d| d.person).collect();
        Ok((rows(pairs, &decisions), people.len()))
    }
}

fn rows(pairs: Vec<(SimilarityId, SimilarityPair)>, decisions: &[Decision]) -> Vec<SimilarityRow> {
    let mut of: HashMap<Subject, Vec<Decision>> = HashMap::new();
    for decision in decisions {
        of.entry(decision.subject)
            .or_default()
            .push(decision.clone());
    }
    let row = |(id, pair)| {
        let said = of.remove(&Subject::similarity(id)).unwrap_or_default();
        let (settled, by) = scores(&said);
        let points: Vec<f64> = by.iter().map(|(_, score)| score.points()).collect();
        row(id, pair, settled, &points)
    };
    pairs.into_iter().map(row).collect()
}

fn row(
    id: SimilarityId,
    pair: SimilarityPair,
    settled: Option<Score>,
    points: &[f64],
) -> SimilarityRow {
    let ends = points
        .iter()
        .copied()
        .map(|p| [p, p])
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let apart = ends.is_some_and(|[low, high]| high - low > Score::APART);
    let mean = ends.map(|_| points.iter().sum::<f64>() / points.len() as f64);
    let (status, score) = match (settled, mean) {
        (Some(score), _) => (ReviewStatus::Accepted, Some(score.points())),
        (None, None) => (ReviewStatus::Unreviewed, None),
        (None, Some(_)) if apart => (ReviewStatus::Conflict, None),
        (None, mean) => (ReviewStatus::Accepted, mean),
    };
    SimilarityRow {
        id,
        pair,
        scores: points.len() as u32,
        status: Some(status),
        score,
        between: ends,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::SimilarityPlace;
    use lexforge_domain::text::Language;
    use lexforge_domain::{DocumentId, SentenceId};

    #[test]
    fn a_pair_has_the_mean_of_its_scores_unless_they_are_too_far_apart() {
        let place = SimilarityPlace {
            sentence: SentenceId(1),
            document: DocumentId(1),
            title: String::new(),
            section: String::new(),
            page: 1,
        };
        let pair = SimilarityPair {
            language: Language::En,
            one: "a".to_owned(),
            other: "b".to_owned(),
            one_place: place.clone(),
            other_place: place,
            cosine: 0.5,
            stratum: 1,
        };
        for (points, settled, status, score) in [
            (&[][..], None, ReviewStatus::Unreviewed, None),
            (&[3.5][..], None, ReviewStatus::Accepted, Some(3.5)),
            (
                &[3.0, 3.0, 4.0][..],
                None,
                ReviewStatus::Accepted,
                Some(10.0 / 3.0),
            ),
            (&[1.0, 3.5][..], None, ReviewStatus::Conflict, None),
            (
                &[1.0, 3.5][..],
                Score::of(3.0),
                ReviewStatus::Accepted,
                Some(3.0),
            ),
        ] {
            let found = row(SimilarityId(1), pair.clone(), settled, points);
            assert_eq!(
                (found.status, found.score),
                (Some(status), score),
                "{points:?}"
            );
            assert_eq!(found.scores as usize, points.len());
        }
    }
}
