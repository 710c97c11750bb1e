//! The kinds of edges, one row for each: where the edges are stored, where they are shown, and what they are called. A
//! new kind is added here; most other modules need no change.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// Why two nodes are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum EdgeKind {
    /// The two sentences mention the same entity.
    SharedEntity,
    /// The two sentences are of the same type.
    SameType,
    /// The edge between two similar entities that are not synonyms. Between two sentences, the edge means that one
    /// sentence may serve as a wrong choice in a question about the other (`S_sen`).
    SimilarEntity,
    /// The two sentences use the same words (TF-IDF).
    Lexical,
    /// One sentence refers to the other's clause.
    Reference,
}

/// The side of the centre at which a node is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At its right.
    Right,
    /// At its left.
    Left,
}

/// Facts about all edges of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AboutEdges {
    /// Whether edges of this kind between two sentences are stored. Edges of the other kinds are not stored. They are
    /// computed when needed, from the terms that the sentences mention and from the places of the sentences.
    pub stored: bool,
    /// The stored weight is a cosine, which is shown; otherwise it is 1 and has no meaning.
    pub weighted: bool,
    /// Whether they lead from one end to the other, which is shown by an arrow.
    pub directed: bool,
    /// Where they are drawn.
    pub side: Side,
    /// Their place among the kinds of that side, from the top.
    pub turn: u8,
    /// The heading above the neighbours on the command line.
    pub heading: &'static str,
    /// Their name in the report.
    pub name: &'static str,
    /// Their meaning, in words for the report.
    pub means: &'static str,
}

impl EdgeKind {
    /// All kinds, in the order in which they are counted.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// All kinds, in the order in which they are listed and drawn.
    pub const ORDER: [Self; 5] = [
        Self::SimilarEntity,
        Self::SharedEntity,
        Self::Reference,
        Self::Lexical,
        Self::SameType,
    ];

    /// The tag that is stored, and under which a face has its words.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// Facts about edges of this kind.
    pub fn about(self) -> AboutEdges {
        match self {
            Self::SharedEntity => AboutEdges {
                stored: false,
                weighted: false,
                directed: false,
                side: Side::Left,
                turn: 0,
                heading: "mentioned in",
                name: "shared term",
                means: "two sentences mention the same term",
            },
            Self::SameType => AboutEdges {
                stored: false,
                weighted: false,
                directed: false,
                side: Side::Right,
                turn: 0,
                heading: "of the same type",
                name: "same type",
                means: "two sentences stand in the same section or class",
            },
            Self::SimilarEntity => AboutEdges {
                stored: false,
                weighted: true,
                directed: false,
                side: Side::Right,
                turn: 1,
                heading: "similar terms",
                name: "similar terms",
                means: "two terms are similar yet not the same",
            },
            Self::Lexical => AboutEdges {
                stored: true,
                weighted: true,
                directed: false,
                side: Side::Right,
                turn: 2,
                heading: "in the same words",
                name: "wording",
                means: "two sentences use the same words",
            },
            Self::Reference => AboutEdges {
                stored: true,
                weighted: false,
                directed: true,
                side: Side::Left,
                turn: 1,
                heading: "by reference",
                name: "reference",
                means: "one sentence refers to the clause of another",
            },
        }
    }
}

/// How many edges of each kind a graph has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EdgeCounts {
    /// Pairs of sentences that share an entity (counted, never stored).
    pub shared_entity: u64,
    /// Pairs of sentences of the same type (counted, never stored).
    pub same_type: u64,
    /// Pairs of similar entities.
    pub similar_entity: u64,
    /// Pairs of sentences with the same words.
    pub lexical: u64,
    /// References from clause to clause.
    pub reference: u64,
}

impl EdgeCounts {
    /// The edges of a kind.
    pub fn of(&self, kind: EdgeKind) -> u64 {
        match kind {
            EdgeKind::SharedEntity => self.shared_entity,
            EdgeKind::SameType => self.same_type,
            EdgeKind::SimilarEntity => self.similar_entity,
            EdgeKind::Lexical => self.lexical,
            EdgeKind::Reference => self.reference,
        }
    }
}

impl std::iter::Sum for EdgeCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |a, b| Self {
            shared_entity: a.shared_entity + b.shared_entity,
            same_type: a.same_type + b.same_type,
            similar_entity: a.similar_entity + b.similar_entity,
            lexical: a.lexical + b.lexical,
            reference: a.reference + b.reference,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_kind_of_edges_has_one_tag_and_one_count() {
        let counts = EdgeCounts {
            shared_entity: 1,
            same_type: 2,
            similar_entity: 3,
            lexical: 4,
            reference: 5,
        };
        let twice: EdgeCounts = [counts, counts].into_iter().sum();
        for (kind, tag, n) in [
            (EdgeKind::SharedEntity, "shared_entity", 1),
            (EdgeKind::SameType, "same_type", 2),
            (EdgeKind::SimilarEntity, "similar_entity", 3),
            (EdgeKind::Lexical, "lexical", 4),
            (EdgeKind::Reference, "reference", 5),
        ] {
            assert_eq!(kind.tag(), tag);
            assert_eq!(serde_json::json!(kind), tag);
            assert_eq!((counts.of(kind), twice.of(kind)), (n, 2 * n));
        }
    }

    #[test]
    fn every_kind_is_drawn_and_no_two_at_one_place() {
        let drawn: BTreeSet<EdgeKind> = EdgeKind::ORDER.into_iter().collect();
        assert_eq!(drawn.len(), EdgeKind::ORDER.len(), "one is listed twice");
        assert_eq!(drawn, EdgeKind::ALL.iter().copied().collect());
        let places: BTreeSet<(bool, u8)> = drawn
            .iter()
            .map(|kind| (kind.about().side == Side::Right, kind.about().turn))
            .collect();
        assert_eq!(places.len(), drawn.len(), "two have one place");
    }

    /// A workspace keeps the counts of its builds: one made before a kind was known has none of it.
    #[test]
    fn counts_of_before_a_kind_are_read() {
        let earlier: EdgeCounts = serde_json::from_str(r#"{"shared_entity":7}"#).unwrap();
        assert_eq!((earlier.shared_entity, earlier.reference), (7, 0));
    }
}
