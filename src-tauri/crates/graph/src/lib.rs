//! The sentence graph and everything that is counted on it.
//!
//! Sentences and entities are nodes. [`build`] makes the [`SentenceGraph`] on petgraph from these parts:
//! - [`join`] joins entities by exact blocked matrix products; each entity is embedded once.
//! - [`neighbours`] finds the nearest related sentences of each sentence in the same way. Candidates are chosen from
//!   them; of several sentences with the same words, only one is chosen.
//! - [`counting`] counts shared entities and equal types exactly. They are never stored as cliques.
//! - [`lexical`] makes lexical edges by a sparse TF-IDF join.
//! - [`mod@reference`] makes reference edges from the clauses that the nodes refer to.
//! - [`kept`] is the data that a build stores. With it the next build compares only what is new, with the same result.
//!
//! Above a size that can be set, an index replaces the joins, and its recall is measured.
//!
//! The other modules use the graph or prepare it. [`calibration`] shows the cosines by which thresholds are chosen, and
//! [`census`] how many links sentences and terms have. If no encoder fits the language, [`lsa`] makes vectors from
//! character n-grams. [`int8`] stores vectors as bytes to search them. [`confusable`] finds terms that could be
//! confused with each other. [`pairing`] says how well the texts of one side fit those of another. [`split`] divides
//! sentences into train, dev and test, keeps near-duplicates together ([`near`]), and [`leak`] checks the result.
//!
//! The functions take values and return values: they use no database and no network, and give the same result for the
//! same seed.
#![forbid(unsafe_code)]

pub mod alike;
mod approximate;
mod blocks;
pub mod calibration;
mod candidates;
pub mod census;
mod choice;
mod classes;
pub mod confusable;
pub mod counting;
pub mod int8;
pub mod join;
pub mod kept;
pub mod leak;
pub mod lexical;
pub mod lsa;
mod matrix;
mod memory;
pub mod near;
pub mod neighbours;
mod nodes;
pub mod pairing;
pub mod reference;
mod sentence_graph;
pub mod split;
pub mod tfidf;
mod threads;

pub use candidates::MOST_PAIRS;
pub use classes::node_classes;
pub use matrix::Matrix;
pub use nodes::{EntityNode, SentenceNode, is_anchor};
pub use sentence_graph::{Earlier, Left, Link, Node, SentenceGraph, build, build_after};
