//! The age of the newest graph, and whether it should be built again (docs/methods.md, "Terminology in practice":
//! rebuild when the corpus grew by more than 15 %, or after a quarter).

use super::Graph;
use super::build::terms_name;
use crate::review::Review;
use crate::workspace::Result;
use lexforge_domain::api::{BuildKind, GraphState, Growth, StaleReason, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::{DocumentId, TermId};
use lexforge_graph::EntityNode;
use lexforge_graph::kept::{Kept, term_mark};
use lexforge_store::GraphBuild;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Growth in per cent beyond which a graph is stale.
const GROWTH: f64 = 15.0;
/// Days after which a graph is stale: a quarter.
const QUARTER: u32 = 91;

/// The state that was worked out last, and for which head of the audit chain.
#[derive(Default)]
struct Counted(Mutex<Option<(String, GraphState)>>);

impl Graph<'_> {
    /// How much has changed since the newest graph was built, and whether it should be built again.
    pub fn graph_state(&self) -> Result<GraphState> {
        let head = self.workspace.store.read(|r| r.audit_head())?;
        let memo = self.workspace.memo::<Counted>();
        let mut memo = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = match memo.as_ref().filter(|(of, _)| *of == head) {
            Some((_, state)) => state.clone(),
            None => self.counted_state()?,
        };
        *memo = Some((head, state.clone()));
        drop(memo);
        judge(&mut state, OffsetDateTime::now_utc());
        Ok(state)
    }

    /// The counts, without anything that depends on the day. `created` is the time of the last complete build.
    fn counted_state(&self) -> Result<GraphState> {
        let (builds, documents, counts) = self
            .workspace
            .store
            .read(|r| Ok((r.graph_builds()?, r.documents()?, r.counts()?)))?;
        let Some(newest) = builds.first() else {
            return Ok(GraphState::default());
        };
        let whole = builds
            .iter()
            .find(|b| kind(b) == BuildKind::Whole)
            .unwrap_or(newest);
        let mut state = GraphState {
            build: Some(newest.id),
            created: whole.created.clone(),
            ..GraphState::default()
        };
        let (Some(covered), Some(record)) = (&newest.record, &whole.record) else {
            state.reasons.push(StaleReason::Unknown);
            state.sentences = Growth {
                then: whole.stats.sentences,
                now: counts.sentences,
                ..Growth::default()
            };
            state.can_update = true;
            return Ok(state);
        };
        let then: HashSet<DocumentId> = covered.documents.iter().copied().collect();
        // A document without sentences is in no graph, so it is not missing there.
        let now: Vec<_> = documents.iter().filter(|d| d.sentences > 0).collect();
        let here: HashSet<DocumentId> = now.iter().map(|d| d.id).collect();
        let added = now.iter().filter(|d| !then.contains(&d.id));
        let replaced = added
            .clone()
            .filter(|d| d.predecessor.is_some_and(|p| then.contains(&p)))
            .count();
        let still: u64 = now
            .iter()
            .filter(|d| then.contains(&d.id))
            .map(|d| u64::from(d.sentences))
            .sum();
        state.documents = Growth {
            then: record.documents.len() as u64,
            now: now.len() as u64,
            added: added.clone().count() as u64,
            removed: then.iter().filter(|id| !here.contains(id)).count() as u64,
            changed: replaced as u64,
        };
        state.sentences = Growth {
            then: whole.stats.sentences,
            now: counts.sentences,
            added: added.map(|d| u64::from(d.sentences)).sum(),
            removed: newest.stats.sentences.saturating_sub(still),
            changed: 0,
        };
        let (covered_then, standing) = (self.covered_terms(newest)?, self.standing_terms()?);
        let mut terms = Growth {
            then: record.terms,
            ..Growth::default()
        };
        for (id, mark) in &covered_then {
            match standing.get(id) {
                None => terms.removed += 1,
                Some(now) if now != mark => terms.changed += 1,
                Some(_) => {}
            }
        }
        terms.added = standing
            .keys()
            .filter(|id| !covered_then.contains_key(id))
            .count() as u64;
        terms.now = standing.len() as u64;
        state.terms = terms;
        state.questions_changed = self.count_changed()?;
        state.can_update = [state.documents, state.terms]
            .iter()
            .any(|g| g.added + g.removed + g.changed > 0);
        Ok(state)
    }

    /// The terms that a build covers, with their marks.
    fn covered_terms(&self, build: &GraphBuild) -> Result<HashMap<TermId, u64>> {
        let mut covered = HashMap::new();
        for part in &build.stats.parts {
            let bytes = self
                .workspace
                .store
                .read(|r| r.graph_kept(&terms_name(&part.encoder)))?
                .unwrap_or_default();
            covered.extend(Kept::terms_from_bytes(&bytes).unwrap_or_default());
        }
        Ok(covered)
    }

    /// The terms that would be entities in a graph built now, with their marks (short hashes of their names). These
    /// are accepted terms that are mentioned, under their own name or as variants of another term.
    fn standing_terms(&self) -> Result<HashMap<TermId, u64>> {
        let terms = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?
            .rows;
        let joined = Review::of(self.workspace).joined_terms(ReviewPolicy::UnreviewedAutomatic)?;
        let mentioned: HashSet<TermId> = terms
            .iter()
            .filter(|t| t.mentions > 0)
            .filter_map(|t| joined.standing.get(&t.id).copied())
            .collect();
        let entities = terms.into_iter().filter(|t| mentioned.contains(&t.id));
        Ok(entities
            .map(|t| {
                (
                    t.id,
                    term_mark(&EntityNode {
                        id: t.id,
                        text: t.text,
                    }),
                )
            })
            .collect())
    }
}

/// How a build came about; builds of earlier formats were all whole.
fn kind(build: &GraphBuild) -> BuildKind {
    build.record.as_ref().map_or(BuildKind::Whole, |r| r.kind)
}

/// Fills in the age in days, the growth and the reasons, from the counts.
fn judge(state: &mut GraphState, now: OffsetDateTime) {
    if state.build.is_none() {
        return;
    }
    let built = OffsetDateTime::parse(&state.created, &Rfc3339).unwrap_or(now);
    state.days = u32::try_from((now - built).whole_days()).unwrap_or(0);
    let growths = [state.sentences, state.documents, state.terms].map(|g| g.percent());
    state.growth_percent = growths.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if state.growth_percent > GROWTH {
        state.reasons.push(StaleReason::Grown {
            percent: state.growth_percent,
        });
    }
    if state.days > QUARTER {
        state.reasons.push(StaleReason::Old { days: state.days });
    }
    if state.documents.removed + state.documents.changed > 0 {
        let documents = state.documents.removed + state.documents.changed;
        state
            .reasons
            .push(StaleReason::DocumentsRemoved { documents });
    }
    if state.terms.removed + state.terms.changed > 0 {
        state.reasons.push(StaleReason::TermsChanged {
            terms: state.terms.removed + state.terms.changed,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::GraphBuildId;
    use time::macros::datetime;

    #[test]
    fn a_graph_is_stale_for_named_reasons_alone() {
        let growth = |then, now| Growth {
            then,
            now,
            ..Growth::default()
        };
        let fresh = GraphState {
            build: Some(GraphBuildId(1)),
            created: "2026-01-01T12:00:00.5Z".to_owned(),
            sentences: growth(1000, 1150),
            documents: growth(20, 23),
            terms: growth(100, 90),
            ..GraphState::default()
        };
        let check =
            |change: &dyn Fn(&mut GraphState), now: OffsetDateTime, expected: &[StaleReason]| {
                let mut state = fresh.clone();
                change(&mut state);
                judge(&mut state, now);
                assert_eq!(state.reasons, expected);
                assert_eq!(state.stale(), !expected.is_empty());
                state
            };
        let soon = datetime!(2026-01-02 11:00 UTC);
        let state = check(&|_| {}, soon, &[]);
        assert_eq!((state.days, state.growth_percent), (0, 15.0));
        check(
            &|s| s.terms.now = 116,
            soon,
            &[StaleReason::Grown { percent: 16.0 }],
        );
        check(
            &|s| s.documents.now = 24,
            soon,
            &[StaleReason::Grown { percent: 20.0 }],
        );
        check(&|_| {}, datetime!(2026-04-02 13:00 UTC), &[]);
        check(
            &|_| {},
            datetime!(2026-04-03 13:00 UTC),
            &[StaleReason::Old { days: 92 }],
        );
        check(
            &|s| s.documents.removed = 2,
            soon,
            &[StaleReason::DocumentsRemoved { documents: 2 }],
        );
        check(
            &|s| s.terms.changed = 3,
            soon,
            &[StaleReason::TermsChanged { terms: 3 }],
        );
        // A clock that was set back makes nothing old.
        check(&|_| {}, datetime!(2025-01-01 00:00 UTC), &[]);
        let mut none = GraphState::default();
        judge(&mut none, soon);
        assert_eq!(none, GraphState::default());
    }
}
