//! Whether a tuned model may go live: not worse than another by more than a margin, by cluster (METHODS §2).
//!
//! [`Paired`] holds two systems' answers to the same questions, summed up by cluster. Each measure's difference comes
//! with one-sided bounds from the delete-one-cluster jackknife: nothing is random, so the same answers give the same
//! verdict. A model **passes** by a measure if the lower bound is above −margin, is **stopped** if it does not pass and
//! the upper bound is below zero, and stays **undecided** otherwise ([`decide()`]). [`characteristic()`] says how often
//! that is right on exactly these clusters, and [`assumed()`] the same before there is a second model.

mod assumed;
mod characteristic;
mod decide;
mod jackknife;
mod paired;
mod quantile;
mod simulated;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.
mod tests;

pub use assumed::{Assumption, assumed};
pub use characteristic::characteristic;
pub use decide::{AttackChange, Decided, Evidence, decide};
pub use paired::Paired;
