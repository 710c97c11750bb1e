//! The split of a real regulation, sentence by sentence. Skipped where the data folder is absent.

use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::qca::Split;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_graph::near::near_pairs;
use lexforge_graph::split::split;
use lexforge_graph::{SentenceNode, is_anchor};
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::collections::BTreeMap;

fn gdpr() -> Option<Vec<SentenceNode>> {
    let path = lexforge_needs::data("pdf-core-en/GDPR.pdf")?;
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let document = read::read(
        "GDPR.pdf",
        std::fs::read(path).unwrap(),
        &options,
        &mut |_, _| {},
    )
    .unwrap();
    let node = |(i, s): (usize, &lexforge_domain::document::ParsedSentence)| SentenceNode {
        id: SentenceId(i as i64),
        document: DocumentId(1),
        group: String::new(),
        type_origin: Default::default(),
        section: s
            .section
            .map(|at| document.sections[at].path.clone())
            .unwrap_or_default(),
        kind: s.kind,
        text: s.text.clone(),
        entities: Vec::new(),
        refers_to: Vec::new(),
    };
    Some(document.sentences.iter().enumerate().map(node).collect())
}

#[test]
fn a_cluster_of_the_gdpr_is_one_article_or_recital_and_nothing_leaks() {
    let Some(nodes) = gdpr() else { return };
    let texts: Vec<&str> = nodes.iter().map(|n| n.text.as_str()).collect();
    let pairs = near_pairs(&texts, |_, _| true);
    assert!(
        pairs.len() > 20,
        "the GDPR says much twice: {}",
        pairs.len()
    );
    for seed in [42, 1, 2] {
        let plan = split(&nodes, seed);
        assert_eq!(
            (plan.unit, plan.cluster_kind),
            ("section", ClusterKind::Article)
        );
        for members in plan.clusters.values() {
            assert_eq!(members.len(), 1, "{members:?}");
        }
        let named = |kind: &str| {
            plan.clusters
                .values()
                .filter(|m| m[0].1.starts_with(kind))
                .count()
        };
        assert_eq!((named("Article "), named("Recital ")), (99, 173));
        for pair in &pairs {
            if let (Some(a), Some(b)) = (
                plan.of.get(&nodes[pair.a].id),
                plan.of.get(&nodes[pair.b].id),
            ) {
                assert_eq!(a, b, "{} / {}", texts[pair.a], texts[pair.b]);
            }
        }
        let mut parts: BTreeMap<Split, BTreeMap<i64, u32>> = BTreeMap::new();
        for node in nodes.iter().filter(|n| is_anchor(n.kind, &n.text)) {
            if let Some(part) = plan.of.get(&node.id) {
                *parts
                    .entry(*part)
                    .or_default()
                    .entry(plan.cluster_of[&node.id])
                    .or_default() += 1;
            }
        }
        let all: u32 = parts.values().flat_map(BTreeMap::values).sum();
        for (part, share) in [(Split::Train, 0.6), (Split::Dev, 0.1), (Split::Test, 0.3)] {
            let clusters = &parts[&part];
            let of: u32 = clusters.values().sum();
            let largest = clusters
                .iter()
                .max_by_key(|(_, n)| **n)
                .map(|(id, n)| (&plan.clusters[id][0].1, *n));
            println!(
                "seed {seed} {part:?}: {of} of {all} anchors, {} clusters, largest {largest:?}",
                clusters.len()
            );
            assert!(
                (f64::from(of) / f64::from(all) - share).abs() < 0.02,
                "{part:?}: {of} of {all}"
            );
        }
        println!(
            "seed {seed}: {} sentences set aside of {}",
            plan.set_aside.len(),
            nodes.len()
        );
    }
}
