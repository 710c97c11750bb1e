//! Questions whose candidates for wrong choices have changed, because the graph was built again (docs/methods.md,
//! "Terminology in practice": negatives are mined again after each rebuild).

use super::Graph;
use crate::workspace::Result;
use lexforge_domain::api::QuestionFilter;
use lexforge_domain::graph::SimilarEntities;
use lexforge_domain::qca::QcaLevel;
use lexforge_domain::{QcaId, SentenceId, TermId};
use lexforge_store::{Reader, SentenceCandidate};
use std::collections::{BTreeSet, HashMap};

/// Setting that holds the questions whose candidates have changed since they were written.
pub(crate) const CANDIDATES_CHANGED: &str = "questions.candidates_changed";

/// The questions whose candidates have changed since they were written.
pub(crate) fn with_changed_candidates(reader: &Reader) -> lexforge_store::Result<BTreeSet<QcaId>> {
    let kept = reader.setting(CANDIDATES_CHANGED)?;
    Ok(kept
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default())
}

impl Graph<'_> {
    /// A JSON list of the questions whose candidates are changed by the new build or were changed by earlier builds.
    /// `None` if this list equals the stored one.
    pub(super) fn newly_changed(
        &self,
        candidates: &[SentenceCandidate],
        similar: &[SimilarEntities],
    ) -> Result<Option<String>> {
        let (before, similar_before, rows, known) = self.workspace.store.read(|r| {
            let questions = r.questions(&QuestionFilter::default())?.rows;
            if r.latest_graph()?.is_none() || questions.is_empty() {
                return Ok((Vec::new(), Vec::new(), Vec::new(), BTreeSet::new()));
            }
            Ok((
                r.sentence_candidates()?,
                r.similar_entities()?,
                questions,
                with_changed_candidates(r)?,
            ))
        })?;
        let sentences = [near(&before), near(candidates)];
        let terms = [alike(&similar_before), alike(similar)];
        let changed = rows.iter().map(|row| &row.question).filter(|question| {
            let draft = &question.draft;
            match (draft.level, draft.anchor_term) {
                (QcaLevel::Token, Some(term)) => differ(&terms, term),
                _ => differ(&sentences, draft.anchor_sentence),
            }
        });
        let mut marked: BTreeSet<QcaId> = changed.map(|question| question.id).collect();
        marked.extend(known.iter().copied());
        Ok((marked != known).then(|| serde_json::json!(marked).to_string()))
    }

    /// How many questions there are whose candidates have changed.
    pub(super) fn count_changed(&self) -> Result<u64> {
        let (marked, rows) = self.workspace.store.read(|r| {
            let marked = with_changed_candidates(r)?;
            let rows = match marked.is_empty() {
                true => Vec::new(),
                false => r.questions(&QuestionFilter::default())?.rows,
            };
            Ok((marked, rows))
        })?;
        let there = rows.iter().filter(|row| marked.contains(&row.question.id));
        Ok(there.count() as u64)
    }
}

type Near<T> = HashMap<T, BTreeSet<T>>;

fn near(candidates: &[SentenceCandidate]) -> Near<SentenceId> {
    let mut near = Near::new();
    for candidate in candidates {
        let of: &mut BTreeSet<SentenceId> = near.entry(candidate.anchor).or_default();
        of.insert(candidate.candidate);
    }
    near
}

fn alike(pairs: &[SimilarEntities]) -> Near<TermId> {
    let mut near: Near<TermId> = Near::new();
    for pair in pairs {
        near.entry(pair.a).or_default().insert(pair.b);
        near.entry(pair.b).or_default().insert(pair.a);
    }
    near
}

fn differ<T: std::hash::Hash + Eq + Ord>([before, now]: &[Near<T>; 2], of: T) -> bool {
    before.get(&of) != now.get(&of)
}
