//! Metrics and their significance, as pure functions.
//!
//! A system answers questions with choices by a score for each choice ([`ScoredItem`]). From these come the figures of
//! one system ([`qca`]), the paired comparison of two ([`significance`]), what could be scored without understanding
//! the question ([`shortcuts`], and from the choices' form alone [`form`]), the questions whose outcome changed
//! ([`changed`]) and the look of the vector space ([`space`]). Exams of others, whose questions may have several right
//! answers, are measured by [`exam`], terms in their contexts by [`terms_apart`], pairs and texts with a class by
//! [`tasks`], rules and their policies by [`separation`], what documents cover of them by [`coverage`]. Written answers
//! are measured by [`text_metrics`], and how sure any comparison is by [`statistics`]. [`gate`] decides from two
//! systems' answers whether one may take the place of the other, [`drift`] whether texts have moved. Reviewers are
//! measured by how far they agree ([`agreement`]). [`report`] turns all of it into a page for an auditor.
//!
//! The unit of inference is the cluster (the anchor rule, or the article of a single document), never the item: items
//! of one rule tend to be right or wrong together. Everything random has a seed, so that a figure can be reproduced.

#![forbid(unsafe_code)]

pub mod agreement;
pub mod bm25;
pub mod certificate;
pub mod changed;
pub mod classification;
mod clusters;
pub mod correlation;
pub mod coverage;
pub mod drawn;
pub mod drift;
mod error;
pub mod exam;
pub mod form;
pub mod gate;
mod item;
pub mod listwise;
pub mod logistic;
pub mod margin;
pub mod overlap;
pub mod qca;
pub mod ranking;
pub mod ranking_spread;
pub mod report;
mod resample;
pub mod separation;
pub mod shortcuts;
pub mod significance;
pub mod space;
pub mod statistics;
pub mod tasks;
pub mod terms_apart;
pub mod text_metrics;

pub use error::{EvaluateError, Result};
pub use item::ScoredItem;
