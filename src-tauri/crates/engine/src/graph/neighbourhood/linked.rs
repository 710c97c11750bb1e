//! What a term or a sentence is linked with, by the kind of edge.

use super::fold::Group;
use super::{Around, CLASS_TERMS, Linked, Member, SAME_TYPE, Stored, group};
use lexforge_domain::api::{GroupKey, MOST_NODES, NodeRef, TermFilter};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_domain::{DocumentId, SentenceId, TermId};
use std::collections::BTreeMap;

impl<'r, 's> Around<'r, 's> {
    /// What hangs on a node by edges of some kinds, the strongest first.
    pub(super) fn linked(&self, node: NodeRef, kinds: &[EdgeKind]) -> Stored<Linked> {
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

    pub(super) fn of_term(&self, id: TermId, kind: EdgeKind) -> Stored<Vec<Group<Member>>> {
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

    pub(super) fn of_sentence(&self, id: SentenceId, kind: EdgeKind) -> Stored<Vec<Group<Member>>> {
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

    pub(super) fn similar_terms(&self, id: TermId) -> Stored<Vec<Member>> {
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
    pub(super) fn sentences_of_term(&self, id: TermId) -> Stored<Vec<SentenceId>> {
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
    pub(super) fn of_class(&self, id: TermId, key: GroupKey) -> Stored<Group<Member>> {
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
    pub(super) fn of_section(&self, id: SentenceId, key: GroupKey) -> Stored<Group<Member>> {
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
}
