//! Train, dev and test parts, 6:1:3, whole documents or whole sections at a time.
//!
//! With ten documents or more the unit is the document; with fewer it is the section: the article where the
//! paths name one, else the finest section that is not a large part of its document. Near-duplicates stay
//! together: units that share many (versions, mirrored articles) are joined, and a single sentence that is
//! repeated elsewhere goes where its first occurrences are.

use crate::near::{near_groups, root};
use crate::reference::components;
use crate::{SentenceNode, is_anchor};
use lexforge_domain::qca::Split;
use lexforge_domain::{DocumentId, SentenceId};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, HashMap};

/// From this many documents on the document is the unit; below, 6:1:3 could not be met.
const DOCUMENTS: usize = 10;
/// A section is cut into its subsections while it holds more than this share of its document.
const LARGE: f64 = 0.04;
/// Sentences outside every section are taken in runs of this many.
const RUN: usize = 10;
/// Units are joined if this share of the smaller one's sentences has a near-duplicate in the other.
const MIRRORED: f64 = 0.2;
/// Shares of train, dev and test (METHODS §1.2).
const SHARES: [(Split, f64); 3] = [(Split::Train, 0.6), (Split::Dev, 0.1), (Split::Test, 0.3)];

/// Which sentence belongs to which part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitPlan {
    /// The part of each sentence.
    pub of: HashMap<SentenceId, Split>,
    /// What was kept whole: `document` or `section`.
    pub unit: &'static str,
    /// Near-duplicate group of each sentence, named by the id of its first sentence.
    pub group_of: HashMap<SentenceId, i64>,
    /// Unit of inference of an anchor: its article or section where sections were split, else the anchor's
    /// near-duplicate group. Named by the id of its first sentence.
    pub cluster_of: HashMap<SentenceId, i64>,
}

/// Splits the sentences; the same seed gives the same split.
pub fn split(sentences: &[SentenceNode], seed: u64) -> SplitPlan {
    let documents: HashMap<DocumentId, usize> = sentences.iter().fold(HashMap::new(), |mut count, s| {
        *count.entry(s.document).or_default() += 1;
        count
    });
    let by_document = documents.len() >= DOCUMENTS;
    let unit_of = if by_document { number(sentences.iter().map(|s| s.document)) } else { sections(sentences) };
    let texts: Vec<&str> = sentences.iter().map(|s| s.text.as_str()).collect();
    let group_of = near_groups(&texts);
    let joined = join_mirrored(&unit_of, &group_of);
    let part_of_unit = assign(sentences, &joined, seed);

    // A near-duplicate group goes whole to the part in which most of it stands.
    let mut votes: HashMap<usize, [u32; 3]> = HashMap::new();
    for (row, &group) in group_of.iter().enumerate() {
        votes.entry(group).or_default()[part_of_unit[&joined[row]]] += 1;
    }
    let mut plan = SplitPlan { unit: if by_document { "document" } else { "section" }, ..SplitPlan::default() };
    let mut first_of_unit: HashMap<usize, i64> = HashMap::new();
    for (row, sentence) in sentences.iter().enumerate() {
        let counts = votes[&group_of[row]];
        let most = counts.iter().max().copied().unwrap_or(0);
        let part = counts.iter().position(|c| *c == most).unwrap_or(0);
        let group = sentences[group_of[row]].id.0;
        let unit = *first_of_unit.entry(joined[row]).or_insert(sentence.id.0);
        plan.of.insert(sentence.id, SHARES[part].0);
        plan.group_of.insert(sentence.id, group);
        plan.cluster_of.insert(sentence.id, if by_document { group } else { unit });
    }
    plan
}

/// Numbers values by first occurrence.
fn number<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashMap::new();
    values
        .map(|v| {
            let next = seen.len();
            *seen.entry(v).or_insert(next)
        })
        .collect()
}

/// The section unit of each sentence.
fn sections(sentences: &[SentenceNode]) -> Vec<usize> {
    let paths: Vec<Vec<String>> = sentences.iter().map(|s| components(&s.section)).collect();
    let mut sizes: HashMap<(DocumentId, &[String]), usize> = HashMap::new();
    let mut documents: HashMap<DocumentId, usize> = HashMap::new();
    for (sentence, path) in sentences.iter().zip(&paths) {
        *documents.entry(sentence.document).or_default() += 1;
        for depth in 1..=path.len() {
            *sizes.entry((sentence.document, &path[..depth])).or_default() += 1;
        }
    }
    let mut runs: HashMap<DocumentId, usize> = HashMap::new();
    number(sentences.iter().zip(&paths).map(|(sentence, path)| {
        let document = sentence.document;
        if path.is_empty() {
            let seen = runs.entry(document).or_default();
            *seen += 1;
            return (document, &path[..], (*seen - 1) / RUN);
        }
        let depth = path.iter().position(|label| is_article(label)).map_or_else(
            || {
                let large = (LARGE * documents[&document] as f64).max(RUN as f64);
                let fits = |depth: &usize| sizes[&(document, &path[..*depth])] as f64 <= large;
                (1..=path.len()).find(fits).unwrap_or(path.len())
            },
            |at| at + 1,
        );
        (document, &path[..depth], 0)
    }))
}

fn is_article(label: &str) -> bool {
    label.starts_with("article ") || label.starts_with("rule ") || (label.starts_with('第') && label.ends_with('条'))
}

/// Units after joining those that mirror each other, numbered by their first unit.
fn join_mirrored(unit_of: &[usize], group_of: &[usize]) -> Vec<usize> {
    let units = unit_of.iter().max().map_or(0, |m| m + 1);
    let mut size = vec![0u32; units];
    let mut members: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
    for (&unit, &group) in unit_of.iter().zip(group_of) {
        size[unit] += 1;
        *members.entry(group).or_default().entry(unit).or_default() += 1;
    }
    let mut shared: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for holders in members.values().filter(|h| h.len() > 1) {
        let holders: Vec<(&usize, &u32)> = holders.iter().collect();
        for (i, (a, in_a)) in holders.iter().enumerate() {
            for (b, in_b) in &holders[i + 1..] {
                *shared.entry((**a, **b)).or_default() += **in_a.min(in_b);
            }
        }
    }
    let mut parent: Vec<usize> = (0..units).collect();
    for ((a, b), count) in shared {
        if f64::from(count) >= MIRRORED * f64::from(size[a].min(size[b])) {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            parent[a.max(b)] = a.min(b);
        }
    }
    unit_of.iter().map(|&u| root(&mut parent, u)).collect()
}

/// The part (index into [`SHARES`]) of each unit: shuffled, then the largest first, each to the part that
/// lacks most. A sentence that can be an anchor weighs four times as much as another.
fn assign(sentences: &[SentenceNode], unit_of: &[usize], seed: u64) -> HashMap<usize, usize> {
    let mut weights: BTreeMap<usize, u64> = BTreeMap::new();
    for (sentence, &unit) in sentences.iter().zip(unit_of) {
        *weights.entry(unit).or_default() += if is_anchor(sentence.kind, &sentence.text) { 4 } else { 1 };
    }
    let total: u64 = weights.values().sum();
    let mut units: Vec<(usize, u64)> = weights.into_iter().collect();
    units.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(seed));
    units.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    let mut lacking = SHARES.map(|(_, share)| share * total as f64);
    units
        .into_iter()
        .map(|(unit, weight)| {
            let part =
                (0..SHARES.len()).max_by(|&a, &b| lacking[a].total_cmp(&lacking[b]).then(b.cmp(&a))).unwrap_or(0);
            lacking[part] -= weight as f64;
            (unit, part)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::text::SentenceKind;

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

    /// Distinct sentences: the number is spelt out so that no two are near-duplicates.
    fn text(i: i64) -> String {
        let words = [
            "capital",
            "liquidity",
            "outsourcing",
            "consent",
            "ledger",
            "audit",
            "branch",
            "deposit",
            "margin",
            "guarantee",
        ];
        let word = |k: i64| words[(k % 10) as usize];
        format!(
            "Every {} {} must {} the {} {} {}.",
            word(i / 100),
            word(i / 10),
            word(i),
            word(i * 7 + i / 10),
            word(i * 3 + i / 100),
            i
        )
    }

    fn share(plan: &SplitPlan, part: Split) -> f64 {
        plan.of.values().filter(|s| **s == part).count() as f64 / plan.of.len() as f64
    }

    #[test]
    fn one_document_is_split_by_article() {
        let sentences: Vec<_> = (0..400)
            .map(|i| node(i, 1, &format!("Chapter {} › Article {} › {}", i / 100, i / 5, i % 5), text(i)))
            .collect();
        let plan = split(&sentences, 42);
        assert_eq!(plan.unit, "section");
        for part in SHARES {
            assert!((share(&plan, part.0) - part.1).abs() < 0.03, "{part:?}: {}", share(&plan, part.0));
        }
        for i in 0..400 {
            assert_eq!(plan.of[&SentenceId(i)], plan.of[&SentenceId(i / 5 * 5)], "article of {i}");
            assert_eq!(plan.cluster_of[&SentenceId(i)], plan.cluster_of[&SentenceId(i / 5 * 5)]);
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
    fn versions_stay_together_and_repeated_sentences_too() {
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
        for document in 0..12 {
            assert_eq!(plan.of[&SentenceId(19)], plan.of[&SentenceId(document * 20 + 19)]);
            assert_eq!(plan.group_of[&SentenceId(document * 20 + 19)], 19);
        }
        assert!(Split::ALL.iter().all(|p| share(&plan, *p) > 0.0));
    }

    #[test]
    fn sections_without_articles_are_cut_until_small() {
        let sentences: Vec<_> = (0..600)
            .map(|i| {
                node(
                    i,
                    1,
                    &if i < 100 { String::new() } else { format!("{} › {}.{}", i / 200, i / 200, i / 12) },
                    text(i),
                )
            })
            .collect();
        let plan = split(&sentences, 9);
        for part in SHARES {
            assert!((share(&plan, part.0) - part.1).abs() < 0.05, "{part:?}: {}", share(&plan, part.0));
        }
    }
}
