//! The graph as a file for other programs: one JSON object a line, or GraphML.

use lexforge_domain::api::{ExportedEdge, ExportedNode};
use std::fmt::Write as _;

/// Nodes and edges, one JSON object a line.
pub(super) fn jsonl(nodes: &[ExportedNode], edges: &[ExportedEdge]) -> String {
    let mut text = String::new();
    let nodes = nodes.iter().map(serde_json::to_string);
    for line in nodes
        .chain(edges.iter().map(serde_json::to_string))
        .flatten()
    {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The graph as GraphML (graphml.graphdrawing.org).
pub(super) fn graphml(nodes: &[ExportedNode], edges: &[ExportedEdge]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key id=\"node\" for=\"node\" attr.name=\"node\" attr.type=\"string\"/>\n\
         <key id=\"text\" for=\"node\" attr.name=\"text\" attr.type=\"string\"/>\n\
         <key id=\"class\" for=\"node\" attr.name=\"class\" attr.type=\"string\"/>\n\
         <key id=\"document\" for=\"node\" attr.name=\"document\" attr.type=\"long\"/>\n\
         <key id=\"page\" for=\"node\" attr.name=\"page\" attr.type=\"int\"/>\n\
         <key id=\"kind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n\
         <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"float\"/>\n\
         <graph edgedefault=\"undirected\">\n",
    );
    for node in nodes {
        let _ = match node {
            ExportedNode::Sentence {
                id,
                document,
                page,
                text: words,
                class,
                ..
            } => writeln!(
                text,
                "<node id=\"s{id}\"><data key=\"node\">sentence</data><data key=\"text\">{}</data>\
                 <data key=\"class\">{}</data><data key=\"document\">{document}</data><data key=\"page\">{page}</data></node>",
                escaped(words),
                class.tag()
            ),
            ExportedNode::Entity {
                id, text: words, ..
            } => writeln!(
                text,
                "<node id=\"t{id}\"><data key=\"node\">entity</data><data key=\"text\">{}</data></node>",
                escaped(words)
            ),
        };
    }
    for edge in edges {
        let _ = writeln!(
            text,
            "<edge source=\"{}\" target=\"{}\"><data key=\"kind\">{}</data><data key=\"weight\">{}</data></edge>",
            edge.a,
            edge.b,
            edge.kind.tag(),
            edge.weight
        );
    }
    text.push_str("</graph>\n</graphml>\n");
    text
}

/// Text for use within XML. Characters that XML does not allow become blanks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::graph::{EdgeKind, NodeClass};
    use lexforge_domain::{DocumentId, SentenceId, TermId};

    #[test]
    fn an_exported_graph_is_well_formed() {
        let nodes = [
            ExportedNode::Sentence {
                id: SentenceId(1),
                document: DocumentId(2),
                page: 3,
                section: "I".to_owned(),
                text: "A <bank> & its\u{1} \"funds\"".to_owned(),
                class: NodeClass::Anchor,
            },
            ExportedNode::Entity {
                id: TermId(7),
                text: "funds".to_owned(),
                mentions: 1,
            },
        ];
        let edge = ExportedEdge {
            a: "s1".to_owned(),
            b: "t7".to_owned(),
            kind: EdgeKind::SharedEntity,
            weight: 1.0,
        };
        let xml = graphml(&nodes, std::slice::from_ref(&edge));
        assert!(
            xml.contains("A &lt;bank&gt; &amp; its  \"funds\"</data><data key=\"class\">anchor<"),
            "{xml}"
        );
        assert!(
            xml.contains("<edge source=\"s1\" target=\"t7\"><data key=\"kind\">shared_entity<")
        );
        assert_eq!(
            xml.matches("<node ").count(),
            xml.matches("</node>").count()
        );
        let lines: Vec<serde_json::Value> = jsonl(&nodes, &[edge])
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(lines[0]["node"], "sentence");
        assert_eq!(
            (&lines[1]["text"], &lines[2]["kind"]),
            (&"funds".into(), &"shared_entity".into())
        );
    }
}
