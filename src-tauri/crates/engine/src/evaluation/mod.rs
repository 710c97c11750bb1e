//! Evaluation: before and after on the test questions, and the report.

mod evaluate;
mod report;
mod scorers;

pub(crate) use report::{LeftOut, Shown};
