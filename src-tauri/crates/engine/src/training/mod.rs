//! Training: freezing snapshots, giving them out, deciding about runs, starting them, and exporting what they made.

mod clusters;
mod curves;
mod dataset_export;
mod detail;
mod export;
mod freeze;
mod items;
mod leaks;
mod recipe;
mod train;

pub(crate) use curves::stage_curves;
pub(crate) use items::FrozenItem;
pub use train::inspect_for;
