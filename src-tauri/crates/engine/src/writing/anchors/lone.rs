//! Anchors of sentences by themselves: what can be made of a sentence before a graph is built.

use super::material::Material;
use super::rules::{speaks_to_a_model, states_a_rule};
use crate::workspace::{OpenWorkspace, Result};
use lexforge_augment::Anchor;
use lexforge_domain::graph::TypeOrigin;
use lexforge_domain::text::Language;
use lexforge_graph::SentenceNode;

/// The sentences of a workspace that state a rule.
pub(crate) struct LoneRules {
    /// The sentences from which something can be made, in reading order.
    pub nodes: Vec<SentenceNode>,
    /// The number of sentences that address a language model.
    pub to_a_model: u64,
}

impl LoneRules {
    pub(crate) fn of(workspace: &OpenWorkspace) -> Result<Self> {
        let sentences = workspace.store.read(|r| r.sentences(None))?;
        let node = |s: lexforge_domain::document::Sentence| SentenceNode {
            id: s.id,
            document: s.document,
            group: String::new(),
            type_origin: TypeOrigin::default(),
            section: s.section,
            kind: s.kind,
            text: s.text,
            entities: Vec::new(),
            refers_to: Vec::new(),
        };
        let nodes = sentences.into_iter().map(node).filter(states_a_rule);
        let (speaking, nodes): (Vec<_>, Vec<_>) = nodes.partition(speaks_to_a_model);
        Ok(Self {
            nodes,
            to_a_model: speaking.len() as u64,
        })
    }
}

impl Material {
    /// A sentence with its place and the opening of its list, and without terms or neighbours.
    pub(crate) fn lone<'m>(&'m self, node: &'m SentenceNode) -> Anchor<'m> {
        let mut anchor = Anchor::new(node.id, &node.text, self.language(node), node.kind);
        anchor.section = self.paragraph(node.id).unwrap_or(&node.section);
        anchor.heading = self.headings(node.id).next().unwrap_or_default();
        anchor.above = self.headings(node.id).skip(1).collect();
        anchor.lead_in = self.lead_in(node.id);
        let title = self.titles.get(&node.document);
        anchor.document_title = title.map_or("", String::as_str);
        anchor.usage = self.usage.as_ref();
        anchor
    }

    /// The language of a sentence's document.
    pub(crate) fn language(&self, node: &SentenceNode) -> Language {
        let language = self.languages.get(&node.document);
        language.copied().unwrap_or(Language::Other)
    }
}
