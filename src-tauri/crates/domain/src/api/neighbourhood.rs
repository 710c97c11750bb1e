//! The neighbourhood of one node of the sentence graph: at most [`MOST_NODES`] nodes in two rings; further nodes are
//! only counted. The whole graph is never requested.

use super::DecisionView;
use crate::document::Sentence;
use crate::graph::EdgeKind;
use crate::id::{DocumentId, QcaId, SentenceId, TermId};
use crate::review::{Choice, Subject};
use crate::term::{ReviewStatus, Term};
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most nodes of a neighbourhood, its centre and the counted ones included.
pub const MOST_NODES: usize = 24;

/// A node by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NodeRef {
    /// A term.
    Term {
        /// Its id.
        id: TermId,
    },
    /// A sentence.
    Sentence {
        /// Its id.
        id: SentenceId,
    },
}

impl NodeRef {
    /// A term.
    pub fn term(id: TermId) -> Self {
        Self::Term { id }
    }

    /// A sentence.
    pub fn sentence(id: SentenceId) -> Self {
        Self::Sentence { id }
    }
}

/// A group of neighbours of one node, which are all linked to it by edges of the same kind. Sentences that mention a
/// term are grouped by document as well. Some members of a group are drawn in the picture, the others are only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GroupKey {
    /// The node behind which the group stands.
    pub parent: NodeRef,
    /// The edges' kind.
    pub kind: EdgeKind,
    /// The document; `None` = of all, or of those that have no group of their own.
    pub document: Option<DocumentId>,
}

/// A request for a neighbourhood, and for the parts of it to show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NeighbourhoodRequest {
    /// The node in the middle.
    pub centre: NodeRef,
    /// How far: 1 or 2 edges.
    pub steps: u8,
    /// The kinds of edges that are drawn; the others are counted only.
    pub kinds: Vec<EdgeKind>,
    /// Only sentences of this document, and terms that it mentions.
    pub document: Option<DocumentId>,
    /// Only terms that a person accepted.
    #[serde(default)]
    pub accepted_only: bool,
    /// A group of more than so many is drawn as one example and a count; `None` = as many as there is place for.
    pub fold_over: Option<u32>,
    /// The group that is drawn before all others, as far as there is place.
    pub unfold: Option<GroupKey>,
}

impl NeighbourhoodRequest {
    /// Everything within two steps of a node, hubs over 40 folded.
    pub fn of(centre: NodeRef) -> Self {
        Self {
            centre,
            steps: 2,
            kinds: EdgeKind::ORDER.to_vec(),
            document: None,
            accepted_only: false,
            fold_over: Some(40),
            unfold: None,
        }
    }
}

/// A neighbourhood: a tree of nodes, the centre first, each after the node that it hangs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbourhood {
    /// The nodes, by ring, kind and strength.
    pub nodes: Vec<GraphNode>,
    /// Edges by kind that the neighbourhood has, drawn, folded or not asked for.
    pub counts: BTreeMap<EdgeKind, u64>,
    /// How many nodes the neighbourhood has, those that are folded away included.
    pub total: u64,
}

/// A node that is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphNode {
    /// The thing that it represents.
    pub what: NodeContent,
    /// How it hangs on another; `None` for the centre.
    pub link: Option<GraphLink>,
    /// How many more nodes of its group are folded into it.
    #[serde(default)]
    pub folded: u64,
}

/// The edge by which a node is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphLink {
    /// Position of the other node.
    pub from: usize,
    /// Kind.
    pub kind: EdgeKind,
    /// A cosine, where the edge has one.
    pub strength: Option<f32>,
    /// For a reference: whether this node is the one referred to. Otherwise it refers to the other.
    #[serde(default)]
    pub referred_to: bool,
    /// The group that the node is of.
    pub group: GroupKey,
}

/// The thing that a node represents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NodeContent {
    /// A term.
    Term {
        /// Its id.
        id: TermId,
        /// As written.
        text: String,
        /// Language.
        language: Language,
        /// Its review status.
        status: ReviewStatus,
        /// How many mentions it has.
        mentions: u32,
    },
    /// A sentence.
    Sentence {
        /// Its id.
        id: SentenceId,
        /// Short name of its document: `GDPR`.
        document: String,
        /// Its clause: `19(1)`, `第八条`; empty where the document has no sections.
        clause: String,
        /// Page, from 1.
        page: u32,
        /// The text.
        text: String,
        /// Language.
        language: Language,
    },
    /// Several nodes of a group that are counted and not drawn.
    Hub {
        /// Short name of their document; empty where they are of several, or terms.
        document: String,
        /// They are terms.
        terms: bool,
    },
}

impl NodeContent {
    /// The node that it represents; `None` if it represents several.
    pub fn node(&self) -> Option<NodeRef> {
        match self {
            Self::Term { id, .. } => Some(NodeRef::term(*id)),
            Self::Sentence { id, .. } => Some(NodeRef::sentence(*id)),
            Self::Hub { .. } => None,
        }
    }
}

/// Two linked nodes, side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeDetail {
    /// The one.
    pub one: EdgeEnd,
    /// The other.
    pub other: EdgeEnd,
    /// Why they are linked, each kind once.
    pub reasons: Vec<EdgeReason>,
    /// The item of the review that decides about the edge: the pair of terms, the term, a question about the sentences.
    pub subject: Option<Subject>,
    /// The reviewers' common choice about that item; `None` while there is none, or while a blind review hides it.
    pub settled: Option<Choice>,
    /// Who decided about it, the newest first. In a blind review other people's are left out until one's own is made.
    pub marked: Vec<DecisionView>,
    /// Whether decisions of others are held back.
    pub blind: bool,
    /// Questions that ask to tell the two apart.
    pub questions: u64,
    /// The first of them.
    pub question: Option<QcaId>,
}

/// Why two nodes are linked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeReason {
    /// Kind.
    pub kind: EdgeKind,
    /// A cosine, where the edge has one.
    pub strength: Option<f32>,
}

/// One side of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeEnd {
    /// The node.
    pub node: NodeRef,
    /// The term, if it is one.
    pub term: Option<Term>,
    /// Documents that mention the term.
    #[serde(default)]
    pub documents: u32,
    /// The sentence, or one that mentions the term; `None` where nothing mentions it.
    pub passage: Option<Passage>,
}

/// A sentence in which the words that link it are marked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The sentence.
    pub sentence: Sentence,
    /// Title of its document.
    pub document_title: String,
    /// Language of its document.
    pub language: Language,
    /// The marked ranges of the text, as (first, one past the last) in Unicode scalar values. They are in order and do
    /// not overlap.
    pub marks: Vec<(u32, u32)>,
}
