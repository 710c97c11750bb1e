//! Tests of `graph`.

use super::*;
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
    assert!(xml.contains("<edge source=\"s1\" target=\"t7\"><data key=\"kind\">shared_entity<"));
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

#[test]
fn a_histogram_fits_ten_lines() {
    let h = Histogram {
        low: 0.0,
        high: 1.0,
        counts: vec![2; 50],
        total: 100,
        quantiles: Vec::new(),
    };
    assert_eq!(bars(&h).lines().count(), 10);
    assert_eq!(bars(&Histogram::default()), "");
}
