//! What the nodes of a neighbourhood show, and the members of what is folded.

use super::fold::Drawn;
use super::{Around, Member, Stored, names};
use lexforge_domain::api::{GraphLink, GraphNode, GroupKey, NodeContent, NodeRef, Rows};
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::term::Term;
use lexforge_domain::text::Language;

impl<'r, 's> Around<'r, 's> {
    pub(super) fn node(&self, drawn: &Drawn<Member>, from: usize) -> Stored<GraphNode> {
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

    pub(super) fn hub(&self, key: &GroupKey) -> NodeContent {
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

    pub(super) fn content(&self, node: NodeRef) -> Stored<NodeContent> {
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

    pub(super) fn members(
        &self,
        key: &GroupKey,
        offset: u64,
        limit: u64,
    ) -> Stored<Rows<NodeContent>> {
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
