//! The train job: its stages, steps, checkpoints and ranks.

pub mod checkpoint;
pub mod lessons;
pub mod loss_scale;
pub mod memory;
pub mod optimizer;
pub mod ranks;
pub mod schedule;
pub mod token_item;
pub mod train;
