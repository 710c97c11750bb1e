//! The neighbourhood of a term or a sentence in the sentence graph, read through the indexes of the database: two rings
//! of at most [`MOST_NODES`] nodes; further nodes are only counted. Terms are linked to terms that are similar or of
//! the same class. Sentences are linked to the terms they mention and to sentences that they refer to, repeat or could
//! be confused with. Two sentences that share a term are linked through the term; no edge between them is stored.

mod content;
mod edge;
mod fold;
mod linked;
mod names;

use crate::graph::Graph;
use crate::workspace::Result;
use fold::{Drawn, Group, appetite, deal, draw};
use lexforge_domain::api::{
    GraphNode, GroupKey, MOST_NODES, Neighbourhood, NeighbourhoodRequest, NodeContent, NodeRef,
    Rows,
};
use lexforge_domain::graph::{EdgeKind, Side};
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId, TermId};
use lexforge_store::Reader;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Places at the right, and at the left.
const SIDES: [usize; 2] = [(MOST_NODES - 1) / 2, MOST_NODES / 2];
/// Places that the second ring leaves to the first on either side …
const FIRST_RING: [usize; 2] = [5, 6];
/// … where no group of the first is unfolded.
const UNFOLDED: usize = 9;
/// Places for nodes of the same type, which say least.
const SAME_TYPE: usize = 2;
/// The number of places for the further nodes of one node of the first ring.
const BRANCH: usize = 3;
/// Terms of a class that are looked at.
const CLASS_TERMS: u64 = 64;

type Stored<T> = lexforge_store::Result<T>;

impl Graph<'_> {
    /// The nodes that can be reached from a node in one or two steps.
    ///
    /// # Errors
    /// When there is no such node, or the workspace cannot be read.
    pub fn neighbourhood(&self, request: &NeighbourhoodRequest) -> Result<Neighbourhood> {
        Ok(self
            .workspace
            .store
            .read(|r| Around::new(r, request)?.neighbourhood())?)
    }

    /// The members of a group, whether shown or only counted: from row `offset`, at most `limit` (0 = all).
    ///
    /// # Errors
    /// As [`Graph::neighbourhood`].
    pub fn group_members(
        &self,
        request: &NeighbourhoodRequest,
        key: &GroupKey,
        offset: u64,
        limit: u64,
    ) -> Result<Rows<NodeContent>> {
        Ok(self
            .workspace
            .store
            .read(|r| Around::new(r, request)?.members(key, offset, limit))?)
    }
}

/// A member of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Member {
    node: NodeRef,
    strength: Option<f32>,
    referred_to: bool,
}

impl Member {
    fn plain(node: NodeRef) -> Self {
        Self {
            node,
            strength: None,
            referred_to: false,
        }
    }
}

/// The neighbours of one node, by kind of edge.
type Linked = BTreeMap<EdgeKind, Vec<Group<Member>>>;

/// A request for the neighbourhood of one node, with the data that is read once for it.
struct Around<'r, 's> {
    reader: &'r Reader<'s>,
    request: &'r NeighbourhoodRequest,
    names: HashMap<DocumentId, String>,
    languages: HashMap<DocumentId, Language>,
    /// First and last sentence of each document, by the first.
    ranges: Vec<(i64, i64, DocumentId)>,
    /// The terms that the chosen document mentions.
    mentioned: Option<HashSet<TermId>>,
}

impl<'r, 's> Around<'r, 's> {
    fn new(reader: &'r Reader<'s>, request: &'r NeighbourhoodRequest) -> Stored<Self> {
        let documents = reader.documents()?;
        let mut ranges: Vec<(i64, i64, DocumentId)> = reader
            .sentence_ranges()?
            .into_iter()
            .filter(|(_, _, many)| *many > 0)
            .map(|(id, first, many)| (first.0, first.0 + i64::from(many) - 1, id))
            .collect();
        ranges.sort_unstable();
        Ok(Self {
            reader,
            request,
            names: names::of_documents(&documents),
            languages: documents.into_iter().map(|d| (d.id, d.language)).collect(),
            ranges,
            mentioned: request.document.map(|id| reader.terms_in(id)).transpose()?,
        })
    }

    fn neighbourhood(&self) -> Stored<Neighbourhood> {
        let request = self.request;
        let centre = request.centre;
        let linked = self.linked(centre, &EdgeKind::ORDER)?;
        let mut counts: BTreeMap<EdgeKind, u64> = linked
            .iter()
            .map(|(kind, groups)| (*kind, groups.iter().map(|g| g.count).sum()))
            .collect();
        let mut seen = HashSet::from([centre]);
        let mut nodes = vec![GraphNode {
            what: self.content(centre)?,
            link: None,
            folded: 0,
        }];
        // The first ring, side by side; what it leaves of a side is the second ring's.
        let mut first: Vec<(usize, Drawn<Member>)> = Vec::new();
        for (side, kinds) in sides(&request.kinds).into_iter().enumerate() {
            for drawn in self.ring(&linked, &kinds, self.places(side, &kinds), &mut seen) {
                first.push((side, drawn));
            }
        }
        let mut branches: Vec<Vec<Drawn<Member>>> = vec![Vec::new(); first.len()];
        if request.steps > 1 {
            for (side, room) in SIDES.iter().enumerate() {
                let used = first.iter().filter(|(s, _)| *s == side).count();
                let of_side = |(at, (s, drawn)): (usize, &(usize, Drawn<Member>))| {
                    drawn
                        .member
                        .filter(|_| *s == side)
                        .map(|member| (at, member.node))
                };
                let parents: Vec<(usize, NodeRef)> =
                    first.iter().enumerate().filter_map(of_side).collect();
                self.second(&parents, room - used, &mut seen, &mut counts, &mut branches)?;
            }
        }
        let order = |kind: EdgeKind| EdgeKind::ORDER.iter().position(|k| *k == kind);
        let mut places: Vec<usize> = (0..first.len()).collect();
        places.sort_by_key(|at| order(first[*at].1.key.kind));
        for at in places {
            let parent = nodes.len();
            nodes.push(self.node(&first[at].1, 0)?);
            for drawn in &branches[at] {
                nodes.push(self.node(drawn, parent)?);
            }
        }
        let total = nodes
            .iter()
            .map(|n| n.folded + u64::from(n.what.node().is_some()))
            .sum();
        Ok(Neighbourhood {
            nodes,
            counts,
            total,
        })
    }

    /// Places of the first ring on a side.
    fn places(&self, side: usize, kinds: &[EdgeKind]) -> usize {
        let unfolded = self
            .request
            .unfold
            .is_some_and(|key| key.parent == self.request.centre && kinds.contains(&key.kind));
        match (self.request.steps > 1, unfolded) {
            (false, _) => SIDES[side],
            (true, true) => UNFOLDED,
            (true, false) => FIRST_RING[side],
        }
    }

    /// Fills the places with nodes that are linked by these kinds of edges, taking one kind after the other in turn.
    fn ring(
        &self,
        linked: &Linked,
        kinds: &[EdgeKind],
        places: usize,
        seen: &mut HashSet<NodeRef>,
    ) -> Vec<Drawn<Member>> {
        let (fold_over, unfold) = (self.request.fold_over, self.request.unfold);
        let mut drawn: Vec<Drawn<Member>> = Vec::new();
        let groups: Vec<Vec<Group<Member>>> = kinds
            .iter()
            .map(|kind| {
                linked
                    .get(kind)
                    .map(|groups| unseen(groups, seen))
                    .unwrap_or_default()
            })
            .collect();
        let wants: Vec<usize> = kinds
            .iter()
            .zip(&groups)
            .map(|(kind, groups)| {
                let most = if *kind == EdgeKind::SameType {
                    SAME_TYPE
                } else {
                    usize::MAX
                };
                appetite(groups, fold_over, unfold).min(most)
            })
            .collect();
        for (groups, places) in groups.iter().zip(deal(&wants, places)) {
            // A node may hang on the same one by edges of two kinds: the first of them is drawn.
            drawn.extend(draw(&unseen(groups, seen), places, fold_over, unfold));
            seen.extend(drawn.iter().filter_map(|d| d.member.map(|m| m.node)));
        }
        drawn
    }

    /// Fills the places of one side with what hangs on its nodes of the first ring.
    fn second(
        &self,
        parents: &[(usize, NodeRef)],
        places: usize,
        seen: &mut HashSet<NodeRef>,
        counts: &mut BTreeMap<EdgeKind, u64>,
        branches: &mut [Vec<Drawn<Member>>],
    ) -> Stored<()> {
        let mut linked = Vec::with_capacity(parents.len());
        for (_, parent) in parents {
            let kinds: Vec<EdgeKind> = match (self.request.centre, parent) {
                (NodeRef::Term { .. }, NodeRef::Term { .. }) => {
                    vec![EdgeKind::SharedEntity, EdgeKind::SimilarEntity]
                }
                (NodeRef::Sentence { .. }, NodeRef::Term { .. }) => {
                    vec![EdgeKind::SimilarEntity, EdgeKind::SharedEntity]
                }
                (_, NodeRef::Sentence { .. }) => EdgeKind::ORDER
                    .into_iter()
                    .filter(|kind| kind.about().stored)
                    .chain([EdgeKind::SimilarEntity])
                    .collect(),
            };
            let found = self.linked(*parent, &kinds)?;
            let found: Linked = found
                .into_iter()
                .map(|(kind, groups)| (kind, unseen(&groups, seen)))
                .collect();
            for (kind, groups) in &found {
                *counts.entry(*kind).or_default() += groups.iter().map(|g| g.count).sum::<u64>();
            }
            let kinds: Vec<EdgeKind> = kinds
                .into_iter()
                .filter(|k| self.request.kinds.contains(k))
                .collect();
            linked.push((found, kinds));
        }
        let unfolded =
            |parent: NodeRef| self.request.unfold.is_some_and(|key| key.parent == parent);
        let wants: Vec<usize> = parents
            .iter()
            .zip(&linked)
            .map(|((_, parent), (found, kinds))| {
                let all = kinds.iter().filter_map(|kind| found.get(kind));
                let appetite =
                    all.map(|groups| appetite(groups, self.request.fold_over, self.request.unfold));
                appetite
                    .fold(0, usize::saturating_add)
                    .min(if unfolded(*parent) { places } else { BRANCH })
            })
            .collect();
        // A branch that the user opened takes as many places as it can use. The others share the rest.
        let mut dealt = vec![0; wants.len()];
        let mut left = places;
        for (at, _) in parents
            .iter()
            .enumerate()
            .filter(|(_, (_, parent))| unfolded(*parent))
        {
            dealt[at] = wants[at].min(left);
            left -= dealt[at];
        }
        let others: Vec<usize> = wants
            .iter()
            .zip(&dealt)
            .map(|(w, d)| if *d > 0 { 0 } else { *w })
            .collect();
        for (has, more) in dealt.iter_mut().zip(deal(&others, left)) {
            *has += more;
        }
        for (((at, _), (found, kinds)), places) in parents.iter().zip(&linked).zip(dealt) {
            branches[*at] = self.ring(found, kinds, places, seen);
        }
        Ok(())
    }

    /// The term that represents a term, if it is among the requested ones.
    fn standing(&self, id: TermId) -> Stored<Option<Term>> {
        let mut term = self.reader.term(id)?;
        if let Some(into) = term.merged_into {
            term = self.reader.term(into)?;
        }
        Ok(Some(term).filter(|term| self.takes(term)))
    }

    fn takes(&self, term: &Term) -> bool {
        let stands = !matches!(term.status, ReviewStatus::Rejected | ReviewStatus::Merged);
        let accepted = !self.request.accepted_only || term.status == ReviewStatus::Accepted;
        let mentioned = self
            .mentioned
            .as_ref()
            .is_none_or(|terms| terms.contains(&term.id));
        stands && accepted && mentioned
    }

    fn admits(&self, node: NodeRef) -> bool {
        match (node, self.request.document) {
            (NodeRef::Sentence { id }, Some(document)) => self.document_of(id) == Some(document),
            _ => true,
        }
    }

    fn document_of(&self, sentence: SentenceId) -> Option<DocumentId> {
        let after = self
            .ranges
            .partition_point(|(first, ..)| *first <= sentence.0);
        let (_, last, document) = self.ranges.get(after.checked_sub(1)?)?;
        (sentence.0 <= *last).then_some(*document)
    }
}

/// The kinds that are drawn at the right, and at the left, in their order.
fn sides(kinds: &[EdgeKind]) -> [Vec<EdgeKind>; 2] {
    let wanted = EdgeKind::ORDER
        .into_iter()
        .filter(|kind| kinds.contains(kind));
    let (right, left) = wanted.partition(|kind| kind.about().side == Side::Right);
    [right, left]
}

fn group(key: GroupKey, members: Vec<Member>) -> Group<Member> {
    Group {
        key,
        count: members.len() as u64,
        first: members,
    }
}

/// The groups without members that are drawn already.
fn unseen(groups: &[Group<Member>], seen: &HashSet<NodeRef>) -> Vec<Group<Member>> {
    groups
        .iter()
        .map(|g| {
            let first: Vec<Member> = g
                .first
                .iter()
                .copied()
                .filter(|m| !seen.contains(&m.node))
                .collect();
            let gone = (g.first.len() - first.len()) as u64;
            Group {
                key: g.key,
                count: g.count - gone,
                first,
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
