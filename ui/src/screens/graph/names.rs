//! What nodes and edges are called.

use super::place::Crumb;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use lexforge_domain::api::{GraphNode, NodeContent};
use lexforge_domain::text::Language;

/// The name of a node, without the nodes that are folded into it.
pub fn name(what: &NodeContent) -> String {
    match what {
        NodeContent::Term { text, .. } => text.clone(),
        NodeContent::Sentence {
            document,
            clause,
            page,
            ..
        } if clause.is_empty() => tf(
            "graph.place_page",
            &[("document", document), ("page", &page.to_string())],
        ),
        NodeContent::Sentence {
            document, clause, ..
        } => tf("graph.place", &[("document", document), ("clause", clause)]),
        NodeContent::Hub { document, .. } => document.clone(),
    }
}

/// A node's label: its name, and how many more are folded into it.
pub fn label(node: &GraphNode) -> String {
    let more = || format!("+{}", format::count(node.folded));
    match &node.what {
        NodeContent::Hub { document, terms } if document.is_empty() => {
            if *terms {
                tn("graph.more_terms", node.folded)
            } else {
                tn("graph.more_sentences", node.folded)
            }
        }
        what if node.folded > 0 => format!("{} {}", name(what), more()),
        what => name(what),
    }
}

/// A number on an edge: `.88`.
pub fn strength(value: f32) -> String {
    format::short_share(f64::from(value))
}

/// The text for a node for screen readers: how it is linked, what it is, and how many nodes are folded into it.
pub fn spoken(node: &GraphNode) -> String {
    let mut said = Vec::new();
    if let Some(link) = node.link {
        let kind = tag("edge_name", link.kind.tag());
        said.push(match link.strength {
            Some(value) => format!("{kind} {}", strength(value)),
            None => kind,
        });
    }
    match &node.what {
        NodeContent::Term { text, mentions, .. } => {
            said.push(text.clone());
            said.push(tn("count.mentions", u64::from(*mentions)));
        }
        what @ NodeContent::Sentence { text, .. } => {
            said.push(name(what));
            said.push(text.clone());
        }
        NodeContent::Hub { .. } => said.push(label(node)),
    }
    if node.folded > 0 && node.what.node().is_some() {
        said.push(tf(
            "graph.more_folded",
            &[("n", &format::count(node.folded))],
        ));
    }
    said.join(&t("list.comma"))
}

/// The language of a node's words.
pub fn language(what: &NodeContent) -> Language {
    match what {
        NodeContent::Term { language, .. } | NodeContent::Sentence { language, .. } => *language,
        NodeContent::Hub { .. } => Language::Other,
    }
}

/// A node as a centre; `None` for several.
pub fn crumb(what: &NodeContent) -> Option<Crumb> {
    Some(Crumb {
        node: what.node()?,
        name: name(what),
        language: language(what),
    })
}
