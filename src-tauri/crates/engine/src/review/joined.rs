//! Which terms count as one: terms that reviewers merged, and terms that they declared to be the same.

use super::Review;
use super::settings::plan;
use crate::workspace::Result;
use lexforge_domain::TermId;
use lexforge_domain::api::TermFilter;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::review::{Choice, Subject, SubjectKind, Verdict};
use lexforge_domain::term::{ReviewStatus, Term};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Terms as the review leaves them.
pub(crate) struct JoinedTerms {
    /// For each term in use, the term that represents it, which is often the term itself. Terms that are rejected, in
    /// conflict or not admitted by the policy are missing here.
    pub(crate) standing: HashMap<TermId, TermId>,
    /// For each term that represents itself or others: the terms that were settled as confusable with it.
    pub(crate) confusable: HashMap<TermId, Vec<TermId>>,
}

impl Review<'_> {
    /// Which terms count as one, and which of them graph and questions are made of, by the plan of the review.
    pub(crate) fn terms_in_use(&self) -> Result<JoinedTerms> {
        self.joined_terms(self.term_policy()?)
    }

    /// Which terms graph and questions are made of.
    pub(crate) fn term_policy(&self) -> Result<ReviewPolicy> {
        Ok(self.workspace.store.read(plan)?.terms)
    }

    /// Which terms are one, and which are in use, under a policy.
    pub(crate) fn joined_terms(&self, policy: ReviewPolicy) -> Result<JoinedTerms> {
        let (terms, verdicts, pairs) = self.workspace.store.read(|r| {
            Ok((
                r.terms(&TermFilter::default())?.rows,
                r.verdicts(SubjectKind::Term)?,
                r.verdicts(SubjectKind::Pair)?,
            ))
        })?;
        Ok(joined(&terms, &verdicts, &pairs, policy))
    }
}

/// Works out which terms are one. Whatever the order of the verdicts, the same terms stand.
fn joined(
    terms: &[Term],
    verdicts: &[(Subject, Verdict)],
    pairs: &[(Subject, Verdict)],
    policy: ReviewPolicy,
) -> JoinedTerms {
    let verdict_of: HashMap<Subject, &Verdict> = verdicts.iter().map(|(s, v)| (*s, v)).collect();
    let place: HashMap<TermId, usize> = terms.iter().enumerate().map(|(i, t)| (t.id, i)).collect();
    let (mut groups, targets) = grouped(terms, &place, settled(pairs, Choice::Same));
    let stands = represented(terms, &mut groups, &targets);
    let unreviewed = Verdict::default();
    // Two reviewers who merge two terms into each other mean that both are one, and in use.
    let here = |term: &Term| {
        term.merged_into
            .is_some_and(|into| place.contains_key(&into))
    };
    let circled: HashSet<TermId> = stands
        .values()
        .filter(|t| t.status == ReviewStatus::Merged && here(t))
        .map(|t| t.id)
        .collect();
    let in_use = |term: &Term| {
        let verdict = verdict_of
            .get(&Subject::term(term.id))
            .copied()
            .unwrap_or(&unreviewed);
        if circled.contains(&term.id) {
            return policy.admits(&Verdict {
                status: ReviewStatus::Accepted,
                ..verdict.clone()
            });
        }
        policy.admits(verdict)
    };
    let mut standing = HashMap::new();
    for (i, term) in terms.iter().enumerate() {
        let Some(stand) = stands.get(&groups.root(i)) else {
            continue;
        };
        let own = term.status == ReviewStatus::Merged
            || stand.id != term.id && term.status == ReviewStatus::Unreviewed;
        if in_use(stand) && (own || in_use(term)) {
            standing.insert(term.id, stand.id);
        }
    }
    let confusable = confusable(&standing, settled(pairs, Choice::Confusable));
    JoinedTerms {
        standing,
        confusable,
    }
}

/// The pairs of terms about which it was settled that they are this to each other.
fn settled(
    pairs: &[(Subject, Verdict)],
    choice: Choice,
) -> impl Iterator<Item = (TermId, TermId)> + '_ {
    pairs
        .iter()
        .filter(move |(_, v)| v.status == ReviewStatus::Accepted && v.choice == Some(choice))
        .filter_map(|(subject, _)| match subject {
            Subject::Pair { a, b } => Some((*a, *b)),
            _ => None,
        })
}

/// Groups the terms that are one term, because one was merged into the other or because a pair was settled to be the
/// same. Also returns the terms into which others were merged.
fn grouped(
    terms: &[Term],
    place: &HashMap<TermId, usize>,
    same: impl Iterator<Item = (TermId, TermId)>,
) -> (Groups, HashSet<TermId>) {
    let mut groups = Groups::new(terms.len());
    // Of several terms into which others were merged, one represents them all.
    let mut targets: HashSet<TermId> = HashSet::new();
    for term in terms {
        if let Some(into) = term
            .merged_into
            .filter(|_| term.status == ReviewStatus::Merged)
            && let (Some(&a), Some(&b)) = (place.get(&term.id), place.get(&into))
        {
            groups.join(a, b);
            targets.insert(into);
        }
    }
    for (a, b) in same {
        if let (Some(&a), Some(&b)) = (place.get(&a), place.get(&b)) {
            groups.join(a, b);
        }
    }
    (groups, targets)
}

/// The term that represents each group. The groups are given by their roots. A term into which others were merged is
/// preferred, then a term in use, then an accepted one, and then the most frequent one.
fn represented<'a>(
    terms: &'a [Term],
    groups: &mut Groups,
    targets: &HashSet<TermId>,
) -> HashMap<usize, &'a Term> {
    let preference = |term: &Term| {
        let merged = term.status == ReviewStatus::Merged;
        let out = matches!(term.status, ReviewStatus::Rejected | ReviewStatus::Conflict);
        let accepted = term.status == ReviewStatus::Accepted;
        (
            merged,
            !targets.contains(&term.id),
            out,
            !accepted,
            Reverse(term.mentions),
            term.id,
        )
    };
    let mut stands: HashMap<usize, &Term> = HashMap::new();
    for (i, term) in terms.iter().enumerate() {
        let best = stands.entry(groups.root(i)).or_insert(term);
        if preference(term) < preference(best) {
            *best = term;
        }
    }
    stands
}

/// The terms with which each term in use is confused, by what represents them.
fn confusable(
    standing: &HashMap<TermId, TermId>,
    settled: impl Iterator<Item = (TermId, TermId)>,
) -> HashMap<TermId, Vec<TermId>> {
    let mut confusable: HashMap<TermId, Vec<TermId>> = HashMap::new();
    for (a, b) in settled {
        if let (Some(&a), Some(&b)) = (standing.get(&a), standing.get(&b))
            && a != b
        {
            confusable.entry(a).or_default().push(b);
            confusable.entry(b).or_default().push(a);
        }
    }
    for others in confusable.values_mut() {
        others.sort_unstable();
        others.dedup();
    }
    confusable
}

/// Union-find with path halving.
struct Groups(Vec<usize>);

impl Groups {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::review::Edit;
    use lexforge_domain::term::{FoundBy, TermCandidate};
    use lexforge_domain::text::Language;

    fn term(id: i64, status: ReviewStatus, mentions: u32, into: Option<i64>) -> Term {
        Term {
            id: TermId(id),
            merged_into: into.map(TermId),
            status,
            mentions,
            ..Term::proposed(&TermCandidate::new(
                format!("term {id}"),
                FoundBy::Phrase,
                Language::En,
            ))
        }
    }

    fn settled(a: i64, b: i64, choice: Choice) -> (Subject, Verdict) {
        let verdict = Verdict {
            status: ReviewStatus::Accepted,
            choice: Some(choice),
            ..Verdict::default()
        };
        (Subject::pair(TermId(a), TermId(b)), verdict)
    }

    fn of(terms: &[Term], pairs: &[(Subject, Verdict)], policy: ReviewPolicy) -> Vec<(i64, i64)> {
        let verdicts: Vec<(Subject, Verdict)> = terms
            .iter()
            .map(|t| {
                let edit = Edit {
                    into: t.merged_into,
                    ..Edit::default()
                };
                (
                    Subject::term(t.id),
                    Verdict {
                        status: t.status,
                        edit,
                        ..Verdict::default()
                    },
                )
            })
            .collect();
        let mut found: Vec<(i64, i64)> = joined(terms, &verdicts, pairs, policy)
            .standing
            .into_iter()
            .map(|(a, b)| (a.0, b.0))
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn one_term_stands_for_all_that_are_the_same() {
        use ReviewPolicy::{SingleReviewer, UnreviewedAutomatic};
        use ReviewStatus::{Accepted, Conflict, Merged, Rejected, Unreviewed};
        let all = UnreviewedAutomatic;
        // An explicit target stands, over steps, before one with more mentions.
        let chain = [
            term(1, Merged, 9, Some(2)),
            term(2, Merged, 8, Some(3)),
            term(3, Unreviewed, 1, None),
        ];
        assert_eq!(of(&chain, &[], all), [(1, 3), (2, 3), (3, 3)]);
        // Called the same: the accepted one, then the more frequent, then the smaller id.
        let same = [settled(1, 2, Choice::Same)];
        assert_eq!(
            of(
                &[term(1, Unreviewed, 9, None), term(2, Accepted, 1, None)],
                &same,
                all
            ),
            [(1, 2), (2, 2)]
        );
        assert_eq!(
            of(
                &[term(1, Unreviewed, 1, None), term(2, Unreviewed, 9, None)],
                &same,
                all
            ),
            [(1, 2), (2, 2)]
        );
        assert_eq!(
            of(
                &[term(1, Unreviewed, 1, None), term(2, Unreviewed, 1, None)],
                &same,
                all
            ),
            [(1, 1), (2, 1)]
        );
        // A term that is rejected or in conflict is not in use, and neither are the terms merged into it.
        assert_eq!(
            of(
                &[term(1, Merged, 9, Some(2)), term(2, Rejected, 9, None)],
                &[],
                all
            ),
            []
        );
        assert_eq!(
            of(
                &[term(1, Conflict, 9, None), term(2, Accepted, 1, None)],
                &[],
                all
            ),
            [(2, 2)]
        );
        // Decisions from several places may form a circle. Then its terms count as one, and one of them represents
        // them.
        assert_eq!(
            of(
                &[term(1, Merged, 1, Some(2)), term(2, Merged, 1, Some(1))],
                &[],
                all
            ),
            [(1, 1), (2, 1)]
        );
        assert_eq!(
            of(
                &[term(1, Unreviewed, 1, None), term(2, Accepted, 1, None)],
                &[],
                SingleReviewer
            ),
            [(2, 2)]
        );
    }

    #[test]
    fn what_is_confusable_is_so_for_what_stands() {
        use ReviewStatus::{Merged, Unreviewed};
        let terms = [
            term(1, Merged, 1, Some(2)),
            term(2, Unreviewed, 1, None),
            term(3, Unreviewed, 1, None),
        ];
        let verdicts: Vec<(Subject, Verdict)> = vec![(
            Subject::term(TermId(1)),
            Verdict {
                status: Merged,
                edit: Edit {
                    into: Some(TermId(2)),
                    ..Edit::default()
                },
                ..Verdict::default()
            },
        )];
        let found = joined(
            &terms,
            &verdicts,
            &[settled(1, 3, Choice::Confusable)],
            ReviewPolicy::UnreviewedAutomatic,
        );
        assert_eq!(found.confusable.get(&TermId(2)), Some(&vec![TermId(3)]));
        assert_eq!(found.confusable.get(&TermId(3)), Some(&vec![TermId(2)]));
    }
}
