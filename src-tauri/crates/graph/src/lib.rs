//! The sentence graph and everything that is counted on it.
//!
//! Sentences and entities are nodes. Entities are embedded once each and joined by exact blocked matrix
//! products ([`join`]); sentences find their nearest related sentences the same way ([`neighbours`]).
//! Shared entities and equal types are counted exactly but never stored as cliques ([`counting`]); lexical
//! edges come from a sparse TF-IDF join ([`lexical`]), reference edges from what the nodes refer to ([`mod@reference`]).
//! [`build`] puts them together as a [`SentenceGraph`] on petgraph. Where no encoder fits, [`lsa`] makes
//! vectors from character n-grams. [`confusable`] finds the terms that could be taken for each other. [`split`] divides sentences into train, dev and test with near-duplicates
//! kept together ([`near`]), and [`leak`] checks the result.
//!
//! Values in, values out: no database, no network, and the same result for the same seed.
#![forbid(unsafe_code)]

mod blocks;
mod candidates;
pub mod confusable;
pub mod counting;
pub mod join;
pub mod leak;
pub mod lexical;
pub mod lsa;
mod matrix;
mod memory;
pub mod near;
pub mod neighbours;
pub mod reference;
mod sentence_graph;
pub mod similarity;
pub mod split;
pub mod tfidf;

pub use matrix::Matrix;
pub use sentence_graph::{EntityNode, Link, Node, SentenceGraph, SentenceNode, build, is_anchor};
