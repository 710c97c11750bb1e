//! Whole builds on small corpora whose edges can be counted by hand.

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

/// A corpus of made-up rules in so many documents, with vectors around common centres.
fn made_up(documents: usize, seed: u64) -> (Vec<SentenceNode>, Matrix, Vec<EntityNode>, Matrix) {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let entities: Vec<EntityNode> = (0..60)
        .map(|i| EntityNode {
            id: TermId(i),
            text: format!("term number {i}"),
        })
        .collect();
    let mut nodes = Vec::new();
    for document in 0..documents as i64 {
        for n in 0..40 {
            let words: Vec<String> = (0..9)
                .map(|_| format!("word{}", rng.random_range(0..30)))
                .collect();
            // Every tenth sentence is boilerplate that all documents share.
            let text = match n % 10 {
                0 => "This Article applies from the day of its publication.".to_owned(),
                _ => format!("The firm shall {} in full.", words.join(" ")),
            };
            let mut node = sentence(
                1000 * document + n,
                &format!("part {}", n % 7),
                &format!("Article {}", n / 4),
                &text,
                &[],
            );
            node.document = DocumentId(document);
            node.entities = (0..3).map(|_| TermId(rng.random_range(0..60))).collect();
            nodes.push(node);
        }
    }
    let mut around = |rows: usize| {
        let centres: Vec<f32> = (0..6 * 20).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut m = Matrix::zeros(rows, 20);
        for row in 0..rows {
            let centre = &centres[row % 6 * 20..][..20];
            m.row_mut(row)
                .iter_mut()
                .zip(centre)
                .for_each(|(v, c)| *v = c + rng.random_range(-0.6..0.6));
        }
        m
    };
    let (sentence_vectors, entity_vectors) = (around(nodes.len()), around(entities.len()));
    (nodes, sentence_vectors, entities, entity_vectors)
}

/// Everything that a build says, but for time and memory.
fn essence(graph: &SentenceGraph) -> impl PartialEq + std::fmt::Debug {
    let sorted = |of: &HashMap<SentenceId, Vec<(SentenceId, f32)>>| {
        let mut all: Vec<_> = of.clone().into_iter().collect();
        all.sort_by_key(|entry| entry.0);
        all
    };
    let mut tokens: Vec<_> = graph.token_candidates.clone().into_iter().collect();
    tokens.sort_by_key(|entry| entry.0);
    let stats = GraphStats {
        seconds: 0.0,
        peak_memory_mb: 0.0,
        parts: Vec::new(),
        ..graph.stats.clone()
    };
    let candidates = sorted(&graph.sentence_candidates);
    (
        stats,
        graph.similar.clone(),
        graph.edges.clone(),
        candidates,
        tokens,
        graph.kept.clone(),
    )
}

#[test]
fn an_update_gives_what_a_whole_build_with_its_bounds_gives() {
    let (nodes, vectors, entities, terms) = made_up(8, 4);
    let settings = GraphSettings {
        calibrate_share: 0.6,
        lexical_threshold: 0.4,
        ..GraphSettings::default()
    };
    let rows = |n: usize| (0..n).collect::<Vec<_>>();
    // Seven documents and 50 terms were there; then a document and ten terms came.
    let (then, known) = (280, 50);
    let mut old = nodes[..then].to_vec();
    old.iter_mut()
        .for_each(|node| node.entities.retain(|e| e.0 < 50));
    let first = build(
        &old,
        &vectors.select(&rows(then)),
        &entities[..known],
        &terms.select(&rows(known)),
        &settings,
        "x",
    );
    let thresholds = Some(first.stats().parts[0].thresholds);
    assert!(first.stats().anchors_sentence > 100 && !first.similar_entities().is_empty());
    assert!(
        first.stats().edges.lexical > 500,
        "{:?}",
        first.stats().edges
    );

    let check =
        |nodes: &[SentenceNode], vectors: &Matrix, entities: &[EntityNode], terms: &Matrix| {
            let words = Some(first.words());
            let begun = Earlier {
                thresholds,
                words,
                ..Earlier::default()
            };
            let whole = build_after(nodes, vectors, entities, terms, &settings, "x", begun);
            let on = |graph: &SentenceGraph| {
                let left = Left {
                    kept: graph.kept(),
                    similar: graph.similar_entities(),
                    edges: graph.sentence_edges(),
                    counts: graph.stats().edges,
                };
                let earlier = Earlier {
                    left: Some(left),
                    ..begun
                };
                build_after(nodes, vectors, entities, terms, &settings, "x", earlier)
            };
            let update = on(&first);
            assert_eq!(essence(&update), essence(&whole));
            assert!(update.stats().parts[0].thresholds_kept);
            // And what it leaves serves the next one.
            let next = on(&update);
            assert_eq!(essence(&next), essence(&whole));
            assert_eq!(next.compared(), (0, 0));
            update.compared()
        };
    // Nothing new at all.
    let same = check(
        &old,
        &vectors.select(&rows(then)),
        &entities[..known],
        &terms.select(&rows(known)),
    );
    assert_eq!(same, (0, 0));
    // A document of old terms.
    let mut more = old.clone();
    more.extend(nodes[then..].iter().cloned());
    more.iter_mut()
        .for_each(|node| node.entities.retain(|e| e.0 < 50));
    let added = check(
        &more,
        &vectors,
        &entities[..known],
        &terms.select(&rows(known)),
    );
    assert!(added.0 > 30 && added.0 <= 40, "{added:?}");
    assert_eq!(added.1, 0);
    // The ten new terms stand in old sentences too, which are then other sentences than they were; a term is renamed, with
    // another vector; and a sentence moves to another section.
    let (mut later, mut renamed, mut moved) = (nodes.clone(), entities.clone(), terms.clone());
    renamed[7].text = "another name".to_owned();
    moved.row_mut(7).rotate_left(5);
    later[33].section = "Article 99".to_owned();
    let changed = later
        .iter()
        .zip(&old)
        .filter(|(a, b)| ties_mark(a) != ties_mark(b))
        .count() as u64;
    assert!(
        changed > 20,
        "the test needs changed sentences, has {changed}"
    );
    let compared = check(&later, &vectors, &renamed, &moved);
    assert!(compared.0 > changed && compared.0 <= 320, "{compared:?}");
    assert_eq!(compared.1, 11);
    // A document is gone: lists that held its sentences are made anew.
    let gone: Vec<usize> = (0..320).filter(|i| i / 40 != 2).collect();
    let left: Vec<SentenceNode> = gone.iter().map(|i| more[*i].clone()).collect();
    let compared = check(
        &left,
        &vectors.select(&gone),
        &entities[..known],
        &terms.select(&rows(known)),
    );
    assert!(compared.0 > 40, "{compared:?}");
}

#[test]
fn bounds_can_be_quantiles() {
    let (nodes, vectors, entities, terms) = made_up(4, 9);
    let of = |low, high, sentence| {
        let settings = GraphSettings {
            scale: lexforge_domain::graph::BoundScale::Quantile,
            entity_low: low,
            entity_high: high,
            sentence_threshold: sentence,
            ..GraphSettings::default()
        };
        let stats = build(&nodes, &vectors, &entities, &terms, &settings, "x")
            .stats()
            .clone();
        let calibration =
            crate::calibration::calibration(&nodes, &vectors, &entities, &terms, &settings);
        assert_eq!(
            calibration.thresholds, stats.parts[0].thresholds,
            "{low} {high} {sentence}"
        );
        assert_eq!(calibration.pairs_in_window, stats.edges.similar_entity);
        assert_eq!(
            calibration.sentences_with_candidate.0,
            stats.anchors_sentence
        );
        assert_eq!(calibration.lowered, [false, false]);
        (stats, calibration)
    };
    let (most, view) = of(0.0, 1.0, 0.0);
    assert_eq!(view.entities_with_similar.0, 60);
    assert_eq!(view.entity_nearest.total, 60);
    let (half, _) = of(0.5, 1.0, 0.5);
    assert!(half.sentence_threshold > most.sentence_threshold && half.entity_low > most.entity_low);
    let share = half.anchors_sentence as f64 / most.anchors_sentence as f64;
    assert!((0.45..0.6).contains(&share), "{share}");
}

#[test]
fn beyond_the_size_an_index_joins_and_its_recall_is_recorded() {
    let (nodes, vectors, entities, terms) = made_up(8, 2);
    let exact = build(
        &nodes,
        &vectors,
        &entities,
        &terms,
        &GraphSettings::default(),
        "x",
    );
    assert!(exact.stats().exact());
    let settings = GraphSettings {
        approximate_over: 50,
        ..GraphSettings::default()
    };
    let near = build(&nodes, &vectors, &entities, &terms, &settings, "x");
    assert!(!near.stats().exact());
    let part = &near.stats().parts[0];
    for recall in [part.entity_recall.unwrap(), part.sentence_recall.unwrap()] {
        assert!(
            recall.share() > 0.95 && recall.sample > 0 && recall.expected > 0,
            "{recall:?}"
        );
    }
    let found = near
        .similar_entities()
        .iter()
        .filter(|p| exact.similar_entities().contains(p))
        .count();
    assert!(found as f64 > 0.9 * exact.similar_entities().len() as f64);
}

#[test]
fn two_thousand_identical_sentences_fill_no_list() {
    let (mut nodes, vectors, entities, terms) = made_up(4, 5);
    let mut all = vectors.clone();
    for i in 0..2000 {
        let mut copy = sentence(
            50_000 + i,
            "part 1",
            "Annex",
            "The supervisor approves every loan of the bank without delay.",
            &[1],
        );
        copy.document = DocumentId(9);
        nodes.push(copy);
        let row = vectors.row(1).to_vec();
        all.data.extend(row);
        all.rows += 1;
    }
    let settings = GraphSettings {
        sentence_threshold: 0.3,
        ..GraphSettings::default()
    };
    let graph = build(&nodes, &all, &entities, &terms, &settings, "x");
    let mut seen = 0;
    for node in &nodes {
        let list = graph.sentence_candidates(node.id);
        let copies = list.iter().filter(|(id, _)| id.0 >= 50_000).count();
        assert!(
            copies <= 1,
            "{} copies among the candidates of {}",
            copies,
            node.id
        );
        assert!(
            node.id.0 < 50_000 || copies == 0,
            "a copy is no candidate of a copy"
        );
        seen += copies;
    }
    assert!(seen > 0, "no list has room for one of the copies");
    // 2,000 copies are 1,999,000 pairs of the same words; with more they are linked to the first one only.
    assert!(graph.stats().edges.lexical >= 1_999_000);
}

#[test]
fn a_hub_in_every_sentence_and_vectors_of_zeros_are_counted_and_break_nothing() {
    let (mut nodes, vectors, entities, terms) = made_up(4, 6);
    nodes.iter_mut().for_each(|n| n.entities.push(TermId(0)));
    let graph = build(
        &nodes,
        &vectors,
        &entities,
        &terms,
        &GraphSettings::default(),
        "x",
    );
    let n = nodes.len() as u64;
    assert_eq!(graph.stats().edges.shared_entity, n * (n - 1) / 2);
    let found = crate::census::census(
        &nodes,
        &entities,
        graph.similar_entities(),
        graph.sentence_edges(),
    );
    assert_eq!((found.hubs[0], found.mentions[0]), (0, n));
    assert!(found.sentences.iter().all(|d| *d >= n - 1) && found.isolated.is_empty());

    let (blind, none) = (
        Matrix::zeros(nodes.len(), 20),
        Matrix::zeros(entities.len(), 20),
    );
    let graph = build(
        &nodes,
        &blind,
        &entities,
        &none,
        &GraphSettings::default(),
        "x",
    );
    assert_eq!(
        (
            graph.stats().anchors_sentence,
            graph.stats().edges.similar_entity
        ),
        (0, 0)
    );
    let view = crate::calibration::calibration(
        &nodes,
        &blind,
        &entities,
        &none,
        &GraphSettings::default(),
    );
    assert_eq!(
        (view.sentences_with_candidate.0, view.pairs_in_window),
        (0, 0)
    );
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
