//! Lexical edges of a graph that is only loaded.

use lexforge_domain::graph::{EdgeCounts, EdgeKind, GraphSettings, TypeOrigin};
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_graph::lexical::LexicalTexts;
use lexforge_graph::{Earlier, Left, Matrix, SentenceGraph, SentenceNode, build_after};

const TEXTS: [&str; 3] = [
    "The supervisor approves every loan of the bank without delay.",
    "An executive board refuses deposits that customers make in writing.",
    "Traders sell bonds to investors on regulated markets each day.",
];

fn sentence(place: usize) -> SentenceNode {
    SentenceNode {
        id: SentenceId(place as i64 + 1),
        document: DocumentId(1),
        group: String::new(),
        type_origin: TypeOrigin::None,
        section: String::new(),
        kind: SentenceKind::Rule,
        text: TEXTS[place].to_owned(),
        entities: Vec::new(),
        refers_to: Vec::new(),
    }
}

#[test]
fn stored_edges_by_sub_words_stand_however_many_there_were() {
    let nodes: Vec<SentenceNode> = (0..3).map(sentence).collect();
    let vectors = Matrix::from_rows(&[[1.0f32, 0.0], [0.0, 1.0], [0.6, 0.8]]);
    let settings = GraphSettings {
        lexical_threshold: 0.2,
        ..GraphSettings::default()
    };
    let graph = |earlier: Earlier<'_>| {
        let terms = Matrix::zeros(0, 2);
        build_after(&nodes, &vectors, &[], &terms, &settings, "x", earlier)
    };
    let lexical = |graph: &SentenceGraph| -> Vec<(SentenceId, SentenceId)> {
        let edges = graph.sentence_edges().iter();
        let lexical = edges.filter(|edge| edge.kind == EdgeKind::Lexical);
        lexical.map(|edge| (edge.a, edge.b)).collect()
    };
    let pieces = ["1 2 3 4", "1 2 3 5", "7 8 9"].map(str::to_owned);
    let built = graph(Earlier {
        texts: LexicalTexts::Pieces(&pieces),
        ..Earlier::default()
    });
    assert_eq!(lexical(&built), [(SentenceId(1), SentenceId(2))]);

    let stored = built.sentence_edges().to_vec();
    let left = Left {
        kept: built.kept(),
        similar: built.similar_entities(),
        edges: &stored,
        counts: EdgeCounts {
            lexical: u64::MAX,
            ..built.stats().edges
        },
    };
    for left in [Some(left), None] {
        let loaded = graph(Earlier {
            thresholds: Some(built.stats().parts[0].thresholds),
            words: Some(built.words()),
            left,
            texts: LexicalTexts::AsLeft(&stored),
        });
        assert_eq!(lexical(&loaded), lexical(&built));
    }
}
