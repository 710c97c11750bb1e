//! The shell's commands as functions, one file for each screen's.

pub mod activity;
pub mod endpoints;
pub mod evaluation;
pub mod events;
pub mod graph;
mod invoke;
pub mod library;
pub mod questions;
pub mod review;
pub mod tasks;
pub mod terms;
pub mod training;
pub mod workspace;
pub mod writing;

pub use invoke::{Answer, call, page_image};
