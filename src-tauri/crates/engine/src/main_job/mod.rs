//! What uses all modules: the main job, its preparation, and the workspace at a glance.

mod begin;
mod job;
mod prepare;
mod sample;
mod sweep;
mod view;

pub use job::MainJobRequest;
pub use prepare::Prepared;
