//! The neighbourhood of a term or a sentence in the sentence graph, read through the indexes of the database: two rings
//! of at most [`MOST_NODES`] nodes; further nodes are only counted. Terms are linked to terms that are similar or of
//! the same class. Sentences are linked to the terms they mention and to sentences that they refer to, repeat or could
//! be confused with. Two sentences that share a term are linked through the term; no edge between them is stored.
//!
//! One file because it is one walk: what is found on the first ring decides what is looked for on the second.

mod edge;
mod fold;
mod names;

use crate::graph::Graph;
use crate::workspace::Result;
use fold::{Drawn, Group, appetite, deal, draw};
use lexforge_domain::api::{
    GraphLink, GraphNode, GroupKey, MOST_NODES, Neighbourhood, NeighbourhoodRequest, NodeContent,
    NodeRef, Rows, TermFilter,
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
    /// The nodes that one or two steps lead to from a node.
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

    /// What hangs on a node by edges of some kinds, the strongest first.
    fn linked(&self, node: NodeRef, kinds: &[EdgeKind]) -> Stored<Linked> {
        let mut linked = Linked::new();
        for &kind in kinds {
            let groups = match node {
                NodeRef::Term { id } => self.of_term(id, kind)?,
                NodeRef::Sentence { id } => self.of_sentence(id, kind)?,
            };
            if groups.iter().any(|g| g.count > 0) {
                linked.insert(kind, groups);
            }
        }
        Ok(linked)
    }

    fn of_term(&self, id: TermId, kind: EdgeKind) -> Stored<Vec<Group<Member>>> {
        let parent = NodeRef::term(id);
        let whole = GroupKey {
            parent,
            kind,
            document: None,
        };
        Ok(match kind {
            EdgeKind::SimilarEntity => vec![group(whole, self.similar_terms(id)?)],
            EdgeKind::SharedEntity if parent == self.request.centre => {
                let sentences = self.sentences_of_term(id)?;
                let mut by_document: BTreeMap<DocumentId, Vec<SentenceId>> = BTreeMap::new();
                for sentence in sentences {
                    if let Some(document) = self.document_of(sentence) {
                        by_document.entry(document).or_default().push(sentence);
                    }
                }
                let mut groups: Vec<(DocumentId, Vec<SentenceId>)> =
                    by_document.into_iter().collect();
                groups.sort_by_key(|(document, sentences)| {
                    (std::cmp::Reverse(sentences.len()), *document)
                });
                let defined: Vec<SentenceId> = self
                    .reader
                    .definitions_of(id)?
                    .into_iter()
                    .map(|definition| definition.sentence)
                    .collect();
                groups
                    .into_iter()
                    .map(|(document, mut sentences)| {
                        let count = sentences.len() as u64;
                        // The sentence of a document that defines the term comes first.
                        sentences.sort_by_key(|s| (!defined.contains(s), *s));
                        sentences.truncate(MOST_NODES);
                        let first = sentences
                            .into_iter()
                            .map(|s| Member::plain(NodeRef::sentence(s)))
                            .collect();
                        Group {
                            key: GroupKey {
                                document: Some(document),
                                ..whole
                            },
                            first,
                            count,
                        }
                    })
                    .collect()
            }
            // In the second ring: the first few, and how many.
            EdgeKind::SharedEntity if self.request.document.is_none() => {
                let defined = self.reader.term(id)?.definition_sentence;
                let first = self.reader.sentences_with(id, MOST_NODES as u64)?;
                let count = self.reader.count_sentences_with(id)?;
                let rest = first.into_iter().filter(|s| Some(*s) != defined);
                let first = defined
                    .into_iter()
                    .filter(|_| count > 0)
                    .chain(rest)
                    .take(MOST_NODES);
                let first: Vec<Member> =
                    first.map(|s| Member::plain(NodeRef::sentence(s))).collect();
                vec![Group {
                    key: whole,
                    count: count.max(first.len() as u64),
                    first,
                }]
            }
            EdgeKind::SharedEntity => {
                let sentences = self.sentences_of_term(id)?;
                vec![group(
                    whole,
                    sentences
                        .into_iter()
                        .map(|s| Member::plain(NodeRef::sentence(s)))
                        .collect(),
                )]
            }
            EdgeKind::SameType => vec![self.of_class(id, whole)?],
            // The others link sentences alone.
            _ => Vec::new(),
        })
    }

    fn of_sentence(&self, id: SentenceId, kind: EdgeKind) -> Stored<Vec<Group<Member>>> {
        let key = GroupKey {
            parent: NodeRef::sentence(id),
            kind,
            document: None,
        };
        let members: Vec<Member> = match kind {
            EdgeKind::SimilarEntity => {
                let near = self.reader.candidates_of(id)?.into_iter();
                let near = near.map(|c| Member {
                    strength: Some(c.cosine),
                    ..Member::plain(NodeRef::sentence(c.candidate))
                });
                near.filter(|m| self.admits(m.node)).collect()
            }
            EdgeKind::SharedEntity => {
                let mut terms: Vec<Term> = Vec::new();
                for mention in self.reader.mentions_in_sentence(id)? {
                    if let Some(term) = self.standing(mention.term)?
                        && terms.iter().all(|t| t.id != term.id)
                    {
                        terms.push(term);
                    }
                }
                // A rare term says more about a sentence than one that stands everywhere.
                terms.sort_by_key(|t| (t.mentions, t.id));
                terms
                    .into_iter()
                    .map(|t| Member::plain(NodeRef::term(t.id)))
                    .collect()
            }
            EdgeKind::SameType => return Ok(vec![self.of_section(id, key)?]),
            // The others are stored; the workspace refuses a kind that is not.
            _ => {
                let about = kind.about();
                let mut members: Vec<Member> = Vec::new();
                for edge in self.reader.edges_of(id, kind)? {
                    let referred_to = about.directed && edge.a == id;
                    let node = NodeRef::sentence(if edge.a == id { edge.b } else { edge.a });
                    let strength = about.weighted.then_some(edge.weight);
                    if self.admits(node) && members.iter().all(|m| m.node != node) {
                        members.push(Member {
                            node,
                            strength,
                            referred_to,
                        });
                    }
                }
                members
            }
        };
        Ok(vec![group(key, members)])
    }

    fn similar_terms(&self, id: TermId) -> Stored<Vec<Member>> {
        let mut members = Vec::new();
        for (other, cosine) in self.reader.similar_to(id)? {
            if self.standing(other)?.is_some_and(|term| term.id == other) {
                members.push(Member {
                    strength: Some(cosine),
                    ..Member::plain(NodeRef::term(other))
                });
            }
        }
        Ok(members)
    }

    /// The sentences that mention a term, or one that reviewers joined to it, as far as they are asked for.
    fn sentences_of_term(&self, id: TermId) -> Stored<Vec<SentenceId>> {
        let mut sentences = self.reader.sentences_with(id, 0)?;
        let joined = self.reader.joined_to(id)?;
        for other in &joined {
            sentences.extend(self.reader.sentences_with(*other, 0)?);
        }
        if !joined.is_empty() {
            sentences.sort_unstable();
            sentences.dedup();
        }
        if self.request.document.is_some() {
            sentences.retain(|s| self.admits(NodeRef::sentence(*s)));
        }
        Ok(sentences)
    }

    /// Terms of the same class, the best first.
    fn of_class(&self, id: TermId, key: GroupKey) -> Stored<Group<Member>> {
        let class = self.reader.term(id)?.class;
        if class.is_empty() {
            return Ok(Group {
                key,
                first: Vec::new(),
                count: 0,
            });
        }
        let status = self.request.accepted_only.then_some(ReviewStatus::Accepted);
        let filter = TermFilter {
            class: Some(class),
            status,
            limit: CLASS_TERMS,
            ..TermFilter::default()
        };
        let found = self.reader.terms(&filter)?;
        let mut count = found.total;
        let mut first = Vec::new();
        for term in found.rows {
            if term.id != id && self.takes(&term) {
                first.push(Member::plain(NodeRef::term(term.id)));
            } else {
                count = count.saturating_sub(1);
            }
        }
        if self.mentioned.is_some() {
            count = first.len() as u64;
        }
        first.truncate(MOST_NODES);
        Ok(Group { key, first, count })
    }

    /// Sentences of the same top-level section, the nearest first.
    fn of_section(&self, id: SentenceId, key: GroupKey) -> Stored<Group<Member>> {
        let top = |path: &str| path.split(" › ").next().unwrap_or_default().to_owned();
        let sentence = self.reader.sentence(id)?;
        let (document, section) = (sentence.document, top(&sentence.section));
        if section.is_empty()
            || self
                .request
                .document
                .is_some_and(|wanted| wanted != document)
        {
            return Ok(Group {
                key,
                first: Vec::new(),
                count: 0,
            });
        }
        let count = self
            .reader
            .count_in_section(document, &section)?
            .saturating_sub(1);
        let mut first = Vec::new();
        for away in 1..=SAME_TYPE as i64 {
            for near in [id.0 + away, id.0 - away] {
                let near = SentenceId(near);
                if self.document_of(near) == Some(document)
                    && top(&self.reader.sentence(near)?.section) == section
                {
                    first.push(Member::plain(NodeRef::sentence(near)));
                }
            }
        }
        Ok(Group {
            key,
            count: count.max(first.len() as u64),
            first,
        })
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

    fn node(&self, drawn: &Drawn<Member>, from: usize) -> Stored<GraphNode> {
        let what = match drawn.member {
            Some(member) => self.content(member.node)?,
            None => self.hub(&drawn.key),
        };
        let link = GraphLink {
            from,
            kind: drawn.key.kind,
            strength: drawn.member.and_then(|m| m.strength),
            referred_to: drawn.member.is_some_and(|m| m.referred_to),
            group: drawn.key,
        };
        Ok(GraphNode {
            what,
            link: Some(link),
            folded: drawn.folded,
        })
    }

    fn hub(&self, key: &GroupKey) -> NodeContent {
        let terms = matches!(
            (key.kind, key.parent),
            (
                EdgeKind::SimilarEntity | EdgeKind::SameType,
                NodeRef::Term { .. }
            ) | (EdgeKind::SharedEntity, NodeRef::Sentence { .. })
        );
        let document = key
            .document
            .and_then(|id| self.names.get(&id))
            .cloned()
            .unwrap_or_default();
        NodeContent::Hub { document, terms }
    }

    fn content(&self, node: NodeRef) -> Stored<NodeContent> {
        Ok(match node {
            NodeRef::Term { id } => {
                let term = self.reader.term(id)?;
                let Term {
                    text,
                    language,
                    status,
                    mentions,
                    ..
                } = term;
                NodeContent::Term {
                    id,
                    text,
                    language,
                    status,
                    mentions,
                }
            }
            NodeRef::Sentence { id } => {
                let s = self.reader.sentence(id)?;
                NodeContent::Sentence {
                    id,
                    document: self.names.get(&s.document).cloned().unwrap_or_default(),
                    clause: names::clause(&s.section),
                    page: s.page,
                    text: s.text,
                    language: self
                        .languages
                        .get(&s.document)
                        .copied()
                        .unwrap_or(Language::Other),
                }
            }
        })
    }

    fn members(&self, key: &GroupKey, offset: u64, limit: u64) -> Stored<Rows<NodeContent>> {
        let nodes: Vec<NodeRef> = match (key.parent, key.kind) {
            (NodeRef::Term { id }, EdgeKind::SharedEntity) => {
                let all = self.sentences_of_term(id)?.into_iter();
                let of_group =
                    all.filter(|s| key.document.is_none_or(|d| self.document_of(*s) == Some(d)));
                of_group.map(NodeRef::sentence).collect()
            }
            _ => {
                let linked = self.linked(key.parent, &[key.kind])?;
                linked
                    .into_values()
                    .flatten()
                    .flat_map(|g| g.first)
                    .map(|m| m.node)
                    .collect()
            }
        };
        let total = nodes.len() as u64;
        let most = if limit == 0 {
            usize::MAX
        } else {
            usize::try_from(limit).unwrap_or(usize::MAX)
        };
        let page = nodes
            .into_iter()
            .skip(usize::try_from(offset).unwrap_or(usize::MAX))
            .take(most);
        Ok(Rows {
            rows: page.map(|node| self.content(node)).collect::<Stored<_>>()?,
            total,
        })
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
