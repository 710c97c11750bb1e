//! Writing questions: what is asked about, who writes, what is kept, what it would cost, and trying prompts.

mod anchors;
mod batch;
mod drafting;
mod estimate;
mod judging;
mod offline;
mod open;
mod questions;
mod trial;
mod with_model;

pub use batch::BatchIn;
