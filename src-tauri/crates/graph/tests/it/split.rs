//! The split and its clusters, on documents of our own writing.

use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::qca::{Split, SplitShares};
use lexforge_domain::text::SentenceKind;
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_graph::SentenceNode;
use lexforge_graph::near::near_pairs;
use lexforge_graph::split::{SplitPlan, split, split_by, split_from};

/// Shares of train, dev and test.
const SHARES: [(Split, f64); 3] = [(Split::Train, 0.6), (Split::Dev, 0.1), (Split::Test, 0.3)];

fn node(id: i64, document: i64, section: &str, text: String) -> SentenceNode {
    SentenceNode {
        id: SentenceId(id),
        document: DocumentId(document),
        group: String::new(),
        type_origin: Default::default(),
        section: section.to_owned(),
        kind: SentenceKind::Rule,
        text,
        entities: Vec::new(),
        refers_to: Vec::new(),
    }
}

/// Sentences of words that nobody uses, so that no two are near-duplicates.
fn text(i: i64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "wa", "xe", "zi", "do", "fu",
        "ga",
    ];
    let mut state = i as u64;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (0..3)
            .map(|k| SYLLABLES[(state >> (20 + 8 * k)) as usize % 16])
            .collect::<String>()
    };
    let [a, b, c, d, e, f, g] = std::array::from_fn(|_| word());
    format!("Every {a} {b} must {c} the {d} {e} of its {f} {g}.")
}

fn share(plan: &SplitPlan, part: Split) -> f64 {
    plan.of.values().filter(|s| **s == part).count() as f64 / plan.of.len() as f64
}

#[test]
fn one_document_is_split_by_article() {
    let sentences: Vec<_> = (0..400)
        .map(|i| {
            node(
                i,
                1,
                &format!("Chapter {} › Article {} › {}", i / 100, i / 5, i % 5),
                text(i),
            )
        })
        .collect();
    let plan = split(&sentences, 42);
    assert_eq!(plan.unit, "section");
    for part in SHARES {
        assert!(
            (share(&plan, part.0) - part.1).abs() < 0.03,
            "{part:?}: {}",
            share(&plan, part.0)
        );
    }
    for i in 0..400 {
        assert_eq!(
            plan.of[&SentenceId(i)],
            plan.of[&SentenceId(i / 5 * 5)],
            "article of {i}"
        );
        assert_eq!(
            plan.cluster_of[&SentenceId(i)],
            plan.cluster_of[&SentenceId(i / 5 * 5)]
        );
    }
    assert_eq!(plan, split(&sentences, 42));
    assert_ne!(plan.of, split(&sentences, 43).of);
}

#[test]
fn many_documents_are_kept_whole_and_clustered_by_anchor() {
    let sentences: Vec<_> = (0..300).map(|i| node(i, i / 15, "", text(i))).collect();
    let plan = split(&sentences, 1);
    assert_eq!(plan.unit, "document");
    for i in 0..300 {
        assert_eq!(plan.of[&SentenceId(i)], plan.of[&SentenceId(i / 15 * 15)]);
        assert_eq!(plan.cluster_of[&SentenceId(i)], i);
    }
    assert!((share(&plan, Split::Test) - 0.3).abs() < 0.06);
}

#[test]
fn versions_stay_together_and_a_repeated_sentence_stands_in_one_part() {
    // Documents 0 and 1 are two versions; every document ends with one boilerplate sentence.
    let mut sentences = Vec::new();
    for i in 0..240i64 {
        let document = i / 20;
        let content = match (document, i % 20) {
            (_, 19) => {
                "This document is published by the authority for information and has no force of law.".to_owned()
            }
            (1, k) => text(k),
            _ => text(i),
        };
        sentences.push(node(i, document, "", content));
    }
    let plan = split(&sentences, 5);
    assert_eq!(plan.of[&SentenceId(0)], plan.of[&SentenceId(20)]);
    // The part that has most of them keeps the boilerplate; in the others it is set aside, and nothing else is.
    let last = |document: i64| SentenceId(document * 20 + 19);
    let kept: Vec<Split> = (0..12)
        .filter_map(|d| plan.of.get(&last(d)).copied())
        .collect();
    assert!(
        kept.iter().all(|part| *part == Split::Train) && kept.len() > 5,
        "{kept:?}"
    );
    assert_eq!(kept.len() + plan.set_aside.len(), 12);
    assert!((0..12).all(|d| plan.group_of[&last(d)] == 19));
    assert!(Split::ALL.iter().all(|p| share(&plan, *p) > 0.0));
}

/// Two articles of twenty sentences in each of two documents; the first articles have `same` sentences in common.
fn two_acts(same: i64) -> Vec<SentenceNode> {
    let act = |document: i64| {
        (0..20).map(move |i| {
            let said = if i < same {
                i
            } else {
                i + 100 * (document + 1)
            };
            node(document * 100 + i, document, "Article 1", text(said))
        })
    };
    let rest = |document: i64| {
        (0..180).map(move |i| {
            let id = 1000 * (document + 1) + i;
            node(
                id,
                document,
                &format!("Article {}", 2 + i / 6),
                text(1000 * (document + 1) + i),
            )
        })
    };
    (0..2)
        .flat_map(|document| act(document).chain(rest(document)))
        .collect()
}

#[test]
fn units_join_only_where_most_of_both_is_the_same() {
    for (same, joined) in [(4, false), (8, false), (10, false), (11, true), (20, true)] {
        let sentences = two_acts(same);
        for seed in 0..8 {
            let plan = split(&sentences, seed);
            let clusters = (
                plan.cluster_of[&SentenceId(0)],
                plan.cluster_of[&SentenceId(100)],
            );
            assert_eq!(
                clusters.0 == clusters.1,
                joined,
                "{same} of 20 the same: {clusters:?}"
            );
            if joined {
                let names = [
                    (DocumentId(0), "Article 1".to_owned()),
                    (DocumentId(1), "Article 1".to_owned()),
                ];
                assert_eq!(plan.clusters[&0], names);
                assert!(plan.set_aside.is_empty());
            }
            nothing_leaks(&sentences, &plan);
        }
    }
}

/// No sentence of a part is nearly one of another part, and each has its part or is set aside.
#[track_caller]
fn nothing_leaks(sentences: &[SentenceNode], plan: &SplitPlan) {
    let texts: Vec<&str> = sentences.iter().map(|s| s.text.as_str()).collect();
    for pair in near_pairs(&texts, |_, _| true) {
        let parts = [pair.a, pair.b].map(|row| plan.of.get(&sentences[row].id));
        if let [Some(a), Some(b)] = parts {
            assert_eq!(a, b, "{} and {}", texts[pair.a], texts[pair.b]);
        }
    }
    for s in sentences {
        assert_ne!(
            plan.of.contains_key(&s.id),
            plan.set_aside.contains_key(&s.id)
        );
    }
}

#[test]
fn the_ends_of_a_chain_are_not_joined() {
    // Article 1 of the first act shares 12 of 20 sentences with article 1 of the second act. Article 1 of the second
    // act shares 12 with article 1 of the third. The first and the third have 4 in common.
    let said = |document: i64, i: i64| match (document, i) {
        (0, _) => i,
        (1, i) if i < 12 => i,
        (1, _) => 100 + i,
        (_, i) if i < 4 => i,
        (_, i) if i < 12 => 108 + i,
        _ => 200 + i,
    };
    let mut sentences = Vec::new();
    for document in 0..3i64 {
        sentences.extend((0..20).map(|i| {
            node(
                document * 100 + i,
                document,
                "Article 1",
                text(said(document, i)),
            )
        }));
        sentences.extend((0..60).map(|i| {
            let id = 1000 * (document + 1) + i;
            node(id, document, &format!("Article {}", 2 + i / 6), text(id))
        }));
    }
    for seed in 0..8 {
        let plan = split(&sentences, seed);
        let cluster = |id: i64| plan.cluster_of[&SentenceId(id)];
        assert_ne!(cluster(0), cluster(200));
        assert!(cluster(100) == cluster(0) || cluster(100) == cluster(200));
        nothing_leaks(&sentences, &plan);
    }
}

#[test]
fn a_bound_sentence_ties_no_articles_and_never_leaks() {
    // Each of forty articles has eight sentences. It shares two of them with the next article and one with all others.
    // If articles were joined because they share a part of the smaller one, all forty would become one.
    let mut sentences = Vec::new();
    for article in 0..40i64 {
        for i in 0..8 {
            let said = match i {
                0 => 900,
                1 | 2 => 400 + 2 * article + i,
                3 | 4 => 400 + 2 * (article + 1) + i - 2,
                _ => article * 8 + i,
            };
            let section = format!("Chapter {} › Article {article} › {i}", article / 10);
            sentences.push(node(article * 8 + i, 1, &section, text(said)));
        }
    }
    for seed in 0..8 {
        let plan = split(&sentences, seed);
        assert_eq!(plan.clusters.len(), 40);
        assert!(plan.clusters.values().all(|members| members.len() == 1));
        assert_eq!(plan.cluster_kind, ClusterKind::Article);
        assert!(!plan.set_aside.is_empty());
        nothing_leaks(&sentences, &plan);
        for part in SHARES {
            assert!(
                (share(&plan, part.0) - part.1).abs() < 0.03,
                "{part:?}: {}",
                share(&plan, part.0)
            );
        }
    }
}

#[test]
fn parts_are_balanced_by_the_questions_that_are_asked() {
    // A few articles have most questions.
    let sentences: Vec<_> = (0..600)
        .map(|i| node(i, 1, &format!("Article {}", i / 6), text(i)))
        .collect();
    let questions = |s: &SentenceNode| match s.id.0 / 6 {
        article if article % 9 == 0 => 7,
        article if article % 4 == 1 => 0,
        _ => 1 + (s.id.0 % 2) as u64,
    };
    let all: u64 = sentences.iter().map(questions).sum();
    for seed in 0..8 {
        let plan = split_by(&sentences, questions, seed);
        for (part, share) in SHARES {
            let of = |s: &&SentenceNode| plan.of.get(&s.id) == Some(&part);
            let found = sentences.iter().filter(of).map(questions).sum::<u64>() as f64 / all as f64;
            assert!((found - share).abs() < 0.015, "{part:?}: {found}");
        }
    }
}

#[test]
fn other_shares_are_met_as_well() {
    let sentences: Vec<_> = (0..600)
        .map(|i| node(i, 1, &format!("Article {}", i / 6), text(i)))
        .collect();
    for (wanted, shares) in [
        ("8:1:1", [0.8, 0.1, 0.1]),
        ("2:1:1", [0.5, 0.25, 0.25]),
        ("60:10:30", [0.6, 0.1, 0.3]),
    ] {
        let wanted = SplitShares::read(wanted).unwrap();
        let plan = split_from(&sentences, |_| 1, None, wanted, 3);
        for (part, share) in Split::ALL.into_iter().zip(shares) {
            let found = plan.of.values().filter(|of| **of == part).count() as f64 / 600.0;
            assert!((found - share).abs() < 0.02, "{wanted}, {part:?}: {found}");
        }
    }
}

#[test]
fn a_second_split_moves_only_what_brings_the_shares_nearer() {
    let sentences: Vec<_> = (0..600)
        .map(|i| node(i, 1, &format!("Article {}", i / 6), text(i)))
        .collect();
    // Of what was expected a part is written: less where the first split put few sentences.
    for seed in 0..8 {
        let first = split_by(&sentences, |_| 4, seed);
        let written = |s: &SentenceNode| {
            if first.of.get(&s.id) == Some(&Split::Dev) {
                2
            } else {
                3
            }
        };
        let wanted = SplitShares::default();
        let second = split_from(&sentences, written, Some(&first), wanted, seed);
        let all: u64 = sentences.iter().map(written).sum();
        for (part, share) in SHARES {
            let of = |s: &&SentenceNode| second.of.get(&s.id) == Some(&part);
            let found = sentences.iter().filter(of).map(written).sum::<u64>() as f64 / all as f64;
            assert!((found - share).abs() < 0.015, "{part:?}: {found}");
        }
        let moved = sentences
            .iter()
            .filter(|s| first.of[&s.id] != second.of[&s.id])
            .count();
        assert!((6..=60).contains(&moved), "{moved} of 600 moved");
    }
}

#[test]
fn a_cluster_has_the_name_that_its_document_gives_it() {
    let check = |sections: &[&str], expected: &[&str]| {
        let sentences: Vec<_> = sections
            .iter()
            .enumerate()
            .map(|(i, section)| node(i as i64, 1, section, text(i as i64)))
            .collect();
        let plan = split(&sentences, 1);
        let names: Vec<&str> = sentences
            .iter()
            .map(|s| plan.clusters[&plan.cluster_of[&s.id]][0].1.as_str())
            .collect();
        assert_eq!(names, expected);
    };
    check(
        &[
            "CHAPTER I › Article 4 › 1 › (a)",
            "Recitals › (12)",
            "Recitals › (12) › (a)",
            "第二章 › 第五条",
            "",
        ],
        &[
            "Article 4",
            "Recital 12",
            "Recital 12",
            "第五条",
            "sentences 1 to 10 outside sections",
        ],
    );
    // Two articles of one name are told apart by their whole paths.
    check(
        &["Article 1", "Annex › Article 1 › 2"],
        &["Article 1", "Annex › Article 1"],
    );
    check(&["3. Capital › 3.1 Buffers"], &["3. Capital"]);
}

#[test]
fn sections_without_articles_are_cut_until_small() {
    let sentences: Vec<_> = (0..600)
        .map(|i| {
            node(
                i,
                1,
                &if i < 100 {
                    String::new()
                } else {
                    format!("{} › {}.{}", i / 200, i / 200, i / 12)
                },
                text(i),
            )
        })
        .collect();
    let plan = split(&sentences, 9);
    for part in SHARES {
        assert!(
            (share(&plan, part.0) - part.1).abs() < 0.05,
            "{part:?}: {}",
            share(&plan, part.0)
        );
    }
}
