//! The sentence graph and everything that is counted on it.
//!
//! Sentences and entities are nodes. Entities are embedded once each and joined by exact blocked matrix products
//! ([`join`]); sentences find their nearest related sentences the same way ([`neighbours`]). Of the nearest, candidates
//! are chosen so that no place is taken twice by the same words. A build stores data ([`kept`]) with which the next
//! build compares only what is new, with the same result. Above a size that can be set, an index replaces the joins,
//! and its recall is measured. Shared entities and equal types are counted exactly but never stored as cliques
//! ([`counting`]); lexical edges come from a sparse TF-IDF join ([`lexical`]), reference edges from what the nodes
//! refer to ([`mod@reference`]). [`calibration`] shows the cosines on which thresholds are chosen, [`census`] how many
//! links sentences and terms have. [`build`] puts all of it together as a [`SentenceGraph`] on petgraph. Where no
//! encoder fits, [`lsa`] makes vectors from character n-grams. [`int8`] keeps vectors as bytes to search them.
//! [`confusable`] finds the terms that could be confused with each other. [`pairing`] says how well the texts of one
//! side fit those of another. [`split`] divides sentences into train, dev and test with near-duplicates kept together
//! ([`near`]), and [`leak`] checks the result.
//!
//! Values in, values out: no database, no network, and the same result for the same seed.
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
