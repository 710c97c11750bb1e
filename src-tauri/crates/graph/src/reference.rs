//! Reference edges: from a sentence to the first sentences of the clauses that it refers to. These clauses are given
//! (`refers_to`). This file makes the edges from them, and splits section paths into labels.

use crate::SentenceNode;
use lexforge_domain::SentenceId;
use lexforge_text::fold::spaced;
use std::collections::{BTreeSet, HashMap};

/// The references from sentence to sentence, as (row of the referring sentence, row of the first sentence of the
/// clause), ascending, without repetition.
pub(crate) fn reference_pairs(sentences: &[SentenceNode]) -> Vec<(usize, usize)> {
    let rows: HashMap<SentenceId, usize> = sentences
        .iter()
        .enumerate()
        .map(|(row, s)| (s.id, row))
        .collect();
    let mut pairs = BTreeSet::new();
    for (row, sentence) in sentences.iter().enumerate() {
        let targets = sentence
            .refers_to
            .iter()
            .filter_map(|id| rows.get(id).copied());
        pairs.extend(
            targets
                .filter(|target| *target != row)
                .map(|target| (row, target)),
        );
    }
    pairs.into_iter().collect()
}

/// The labels of a section path, folded for comparison: lower case, without brackets and final full stops.
pub fn components(path: &str) -> Vec<String> {
    path.split('›')
        .map(fold)
        .filter(|c| !c.is_empty())
        .collect()
}

fn fold(label: &str) -> String {
    let label = label
        .trim()
        .trim_matches(|c| matches!(c, '(' | ')' | '（' | '）' | '.' | ':' | '、' | '[' | ']'));
    let mut folded = spaced(label).to_lowercase();
    for (short, long) in [
        ("art. ", "article "),
        ("sec. ", "section "),
        ("§ ", "section "),
        ("§", "section "),
    ] {
        if let Some(rest) = folded.strip_prefix(short) {
            folded = format!("{long}{rest}");
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;
    use lexforge_domain::text::SentenceKind;

    #[test]
    fn references_become_edges_within_the_graph() {
        let node = |id: i64, document: i64, refers_to: &[i64]| SentenceNode {
            id: SentenceId(id),
            document: DocumentId(document),
            group: String::new(),
            type_origin: Default::default(),
            section: String::new(),
            kind: SentenceKind::Rule,
            text: String::new(),
            entities: Vec::new(),
            refers_to: refers_to.iter().map(|id| SentenceId(*id)).collect(),
        };
        let sentences = [
            node(7, 1, &[9, 9, 7]),
            node(8, 1, &[99]),
            node(9, 2, &[7, 8]),
        ];
        assert_eq!(reference_pairs(&sentences), [(0, 2), (2, 0), (2, 1)]);
    }

    #[test]
    fn paths_fold() {
        assert_eq!(
            components("Chapter I › § 5 › (a)"),
            ["chapter i", "section 5", "a"]
        );
    }
}
