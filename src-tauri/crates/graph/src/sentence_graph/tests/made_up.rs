//! Builds on made-up corpora of some size: updates, quantiles, an index, copies, hubs.

use super::*;

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
            // The data that an update stores can be used by the next update.
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
    // Three changes: ten new terms are mentioned in old sentences, which therefore count as changed; a term gets
    // another name and another vector; and a sentence moves to another section.
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
