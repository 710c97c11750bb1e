//! Metrics and their significance, as pure functions.
//!
//! A system answers questions with choices by giving each choice a score ([`ScoredItem`]). These modules work on such
//! answers:
//! - [`qca`]: the figures of one system.
//! - [`significance`]: the paired comparison of two systems.
//! - [`shortcuts`] and [`form`]: how well simple rules answer the questions without understanding them; `form` uses
//!   only the form of the choices.
//! - [`changed`]: the questions that became right or wrong.
//! - [`space`]: measures of the vector space.
//! - [`gate`]: whether one system may take the place of another.
//!
//! These modules measure other things:
//! - [`exam`]: imported exams, whose questions may have several right answers.
//! - [`terms_apart`]: terms in their contexts; [`term_space`]: how the vectors of terms lie.
//! - [`tasks`]: pairs of texts, and texts with a class.
//! - [`separation`]: rules and their policies; [`coverage`]: what documents cover.
//! - [`text_metrics`]: written answers.
//! - [`drift`]: changes in texts.
//! - [`agreement`]: the agreement of reviewers.
//!
//! [`statistics`] says how certain a comparison is. [`report`] turns all of it into a page for an auditor.
//!
//! The unit of inference is the cluster (the anchor rule, or the article of a single document) and not the item,
//! because items of one rule tend to be right or wrong together. Everything random has a seed, so that a figure can be
//! reproduced.

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
pub mod term_space;
pub mod terms_apart;
pub mod text_metrics;

pub use error::{EvaluateError, Result};
pub use item::ScoredItem;
