//! Training runs as their bundles tell them, and the adapters that they made.

mod bundles;
mod follow;
mod state;

pub(crate) use bundles::{device_of, train_job};
