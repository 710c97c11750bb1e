//! The screens, one folder each.

pub mod activity;
pub mod ask;
pub mod evaluation;
pub mod graph;
pub mod library;
pub mod matching;
pub mod questions;
pub mod settings;
pub mod terms;
pub mod training;
pub mod welcome;
