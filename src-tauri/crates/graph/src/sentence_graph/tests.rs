//! Whole builds on small corpora whose edges can be counted by hand.

mod made_up;

use super::*;
use crate::nodes::is_anchor;
use lexforge_domain::DocumentId;
use lexforge_domain::graph::TypeOrigin;
use lexforge_domain::text::SentenceKind;

/// Unit vector in the plane at so many degrees: cosines are then cosines of differences.
fn at(degrees: f32) -> Vec<f32> {
    vec![degrees.to_radians().cos(), degrees.to_radians().sin()]
}

fn sentence(id: i64, group: &str, section: &str, text: &str, entities: &[i64]) -> SentenceNode {
    SentenceNode {
        id: SentenceId(id),
        document: DocumentId(1),
        group: group.to_owned(),
        type_origin: if group.is_empty() {
            TypeOrigin::None
        } else {
            TypeOrigin::TopSection
        },
        section: section.to_owned(),
        kind: if text.len() < 25 {
            SentenceKind::Heading
        } else {
            SentenceKind::Rule
        },
        text: text.to_owned(),
        entities: entities.iter().map(|e| TermId(*e)).collect(),
        refers_to: if id == 12 {
            vec![SentenceId(11)]
        } else {
            Vec::new()
        },
    }
}

fn corpus() -> (Vec<SentenceNode>, Vec<EntityNode>) {
    let sentences = vec![
        sentence(10, "I", "I › Article 1", "Scope and purpose", &[]),
        sentence(
            11,
            "I",
            "I › Article 1",
            "The supervisor approves every loan of the bank without delay.",
            &[1, 3],
        ),
        sentence(
            12,
            "I",
            "I › Article 2",
            "The executive supervisor refuses a loan under Article 1 of this law.",
            &[2, 3, 3],
        ),
        sentence(
            13,
            "II",
            "II › Article 3",
            "The supervisor approves every loan of a bank without delay.",
            &[1],
        ),
        sentence(
            14,
            "",
            "",
            "Cats sleep on warm roofs during the whole afternoon.",
            &[],
        ),
        sentence(
            15,
            "III",
            "III › Article 4",
            "A deposit is repaid to the depositor on the next day.",
            &[4, 99],
        ),
    ];
    let entity = |id: i64, text: &str| EntityNode {
        id: TermId(id),
        text: text.to_owned(),
    };
    let entities = vec![
        entity(1, "supervisor"),
        entity(2, "executive supervisor"),
        entity(3, "loan"),
        entity(4, "deposit"),
        entity(5, "never mentioned"),
    ];
    (sentences, entities)
}

#[test]
fn edges_and_candidates_of_a_small_corpus() {
    let (sentences, entities) = corpus();
    // Sentences 11 and 12 are near (cosine .94), 13 lies beside 11 (.996), 15 is far from all.
    let vectors = Matrix::from_rows(&[at(0.0), at(0.0), at(20.0), at(5.0), at(200.0), at(120.0)]);
    // 1–2 within the window (.82), 1–5 too, though nobody mentions 5; 3 and 4 are far apart.
    let terms = Matrix::from_rows(&[at(0.0), at(35.0), at(90.0), at(170.0), at(-35.0)]);
    let settings = GraphSettings {
        calibrate_share: 0.2,
        ..GraphSettings::default()
    };
    let graph = build(&sentences, &vectors, &entities, &terms, &settings, "plane");
    let stats = graph.stats();
    assert_eq!((stats.sentences, stats.entities), (6, 5));
    assert_eq!(
        stats.edges,
        EdgeCounts {
            shared_entity: 2,
            same_type: 3,
            similar_entity: 2,
            lexical: 1,
            reference: 1
        }
    );
    assert_eq!(
        (
            stats.sentence_threshold,
            stats.entity_low,
            stats.entity_high
        ),
        (0.90, 0.75, 0.90)
    );
    assert_eq!(
        (stats.anchors_sentence, stats.anchors_token, stats.isolated),
        (3, 3, 2)
    );

    let near = graph.sentence_candidates(SentenceId(11));
    assert_eq!(near.iter().map(|n| n.0.0).collect::<Vec<_>>(), [13, 12]);
    assert!((near[1].1 - 20f32.to_radians().cos()).abs() < 1e-6);
    // 12 and 13 are near, but share neither an entity nor the type.
    assert_eq!(
        graph
            .sentence_candidates(SentenceId(13))
            .iter()
            .map(|n| n.0.0)
            .collect::<Vec<_>>(),
        [11]
    );
    assert!(
        graph.sentence_candidates(SentenceId(10)).is_empty(),
        "a heading is no anchor"
    );

    assert_eq!(
        graph
            .token_candidates(SentenceId(11), TermId(1))
            .iter()
            .map(|c| c.0.0)
            .collect::<Vec<_>>(),
        [2]
    );
    assert!(
        graph.token_candidates(SentenceId(12), TermId(1)).is_empty(),
        "12 does not mention the term"
    );
    assert_eq!(
        graph
            .similar_entities()
            .iter()
            .map(|p| (p.a.0, p.b.0))
            .collect::<Vec<_>>(),
        [(1, 2), (1, 5)]
    );
    let edges: Vec<_> = graph
        .sentence_edges()
        .iter()
        .map(|e| (e.a.0, e.b.0, e.kind))
        .collect();
    assert_eq!(
        edges,
        [(11, 13, EdgeKind::Lexical), (12, 11, EdgeKind::Reference)]
    );
    // Mentions: 2 + 2 + 1 + 1; the repeated and the unknown one are left out.
    assert_eq!(graph.graph().edge_count(), 6 + 2 + 1 + 1);
}

#[test]
fn bounds_that_nothing_reaches_are_calibrated() {
    let (sentences, entities) = corpus();
    let vectors = Matrix::from_rows(&[at(0.0), at(0.0), at(50.0), at(30.0), at(200.0), at(120.0)]);
    let terms = Matrix::from_rows(&[at(0.0), at(60.0), at(130.0), at(200.0), at(-35.0)]);
    let settings = GraphSettings {
        calibrate_share: 0.4,
        ..GraphSettings::default()
    };
    let stats = build(&sentences, &vectors, &entities, &terms, &settings, "plane")
        .stats()
        .clone();
    // 5 anchors: 2 of them must have a candidate; the nearest pair (11, 13) is at 30 degrees.
    assert!(
        (stats.sentence_threshold - 30f32.to_radians().cos()).abs() < 1e-5,
        "{}",
        stats.sentence_threshold
    );
    assert_eq!(stats.anchors_sentence, 2);
    // 4 mentioned entities: 2 of them must have a similar one; 1 and 2 are at 60 degrees.
    assert!(
        (stats.entity_low - 0.5).abs() < 1e-5,
        "{}",
        stats.entity_low
    );
    assert_eq!(stats.anchors_token, 3);
}

#[test]
fn nothing_breaks_without_sentences_or_vectors() {
    let settings = GraphSettings::default();
    let empty = build(
        &[],
        &Matrix::default(),
        &[],
        &Matrix::default(),
        &settings,
        "none",
    );
    assert_eq!(empty.stats().edges, EdgeCounts::default());
    let (sentences, entities) = corpus();
    let blind = build(
        &sentences,
        &Matrix::default(),
        &entities,
        &Matrix::default(),
        &settings,
        "none",
    );
    assert_eq!(blind.stats().anchors_sentence, 0);
    assert_eq!(blind.stats().edges.shared_entity, 2);
}

#[test]
fn the_census_agrees_with_the_build() {
    let (sentences, entities) = corpus();
    let vectors = Matrix::from_rows(&[at(0.0), at(0.0), at(20.0), at(5.0), at(200.0), at(120.0)]);
    let terms = Matrix::from_rows(&[at(0.0), at(35.0), at(90.0), at(170.0), at(-35.0)]);
    let settings = GraphSettings {
        calibrate_share: 0.2,
        ..GraphSettings::default()
    };
    let graph = build(&sentences, &vectors, &entities, &terms, &settings, "plane");
    let found = crate::census::census(
        &sentences,
        &entities,
        graph.similar_entities(),
        graph.sentence_edges(),
    );
    assert_eq!(found.isolated.len() as u64, graph.stats().isolated);
    assert_eq!(found.isolated, [4, 5]);
    // 11: shares with 12 and 13, the words of 13, and 12 refers to it.
    assert_eq!(found.sentences, [0, 4, 2, 2, 0, 0]);
    assert_eq!(found.mentions, [2, 1, 2, 1, 0]);
    assert_eq!(found.similar, [2, 1, 0, 0, 1]);
    assert_eq!(graph.class(SentenceId(10)), NodeClass::Other);
    assert_eq!(graph.stats().types[&TypeOrigin::None], 1);
}

#[test]
fn anchors_are_whole_rules() {
    let check = |kind: SentenceKind, text: &str, expected: bool| {
        assert_eq!(is_anchor(kind, text), expected, "{text:?}")
    };
    check(
        SentenceKind::Rule,
        "The bank shall report its own funds each quarter.",
        true,
    );
    check(
        SentenceKind::Footnote,
        "The bank shall report its own funds each quarter.",
        false,
    );
    check(
        SentenceKind::TableCell,
        "The bank shall report its own funds each quarter.",
        false,
    );
    check(SentenceKind::Rule, "See above.", false);
    check(
        SentenceKind::ListItem,
        "12.5 % 13.0 % 14.5 % 15.0 % 16.5 %",
        false,
    );
    check(
        SentenceKind::Rule,
        "商业银行资本充足率不得低于百分之八。",
        true,
    );
    check(SentenceKind::Rule, "不得低于", false);
}
