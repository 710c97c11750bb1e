//! The commands that the window calls: they translate and do nothing else. One file for each screen's.

pub mod activity;
pub mod endpoints;
pub mod evaluation;
pub mod graph;
pub mod library;
pub mod questions;
pub mod review;
pub mod tasks;
pub mod terms;
pub mod training;
pub mod workspace;
pub mod writing;
