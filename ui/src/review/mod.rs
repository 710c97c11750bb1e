//! The review: one queue for terms, pairs, questions, triplets and sentences that get a score, the conflicts of
//! reviewers, and the files that colleagues exchange.
//!
//! [`desk`] holds the item that is decided and the decisions that are being saved; [`queue`] shows it.

pub mod actions;
pub mod adjudicate;
pub mod agreement;
pub mod at_once;
pub mod bindings;
pub mod candidates;
pub mod class;
mod coming;
pub mod conflicts;
pub mod context;
pub mod definitions;
pub mod desk;
pub mod edit;
pub mod filter;
pub mod form;
pub mod keys;
pub mod merge;
pub mod outcome;
pub mod outcomes;
pub mod packets;
pub mod pair_card;
mod pending;
pub mod question_card;
pub mod question_first;
pub mod queue;
pub mod side;
pub mod similarity_card;
pub mod term_card;
pub mod triplet_card;
pub mod votes;
pub mod word;
