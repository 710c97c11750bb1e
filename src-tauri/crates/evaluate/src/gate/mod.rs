//! Whether a tuned model may go live: it must not be worse than another model by more than a margin, measured by
//! cluster (docs/methods.md, "Terminology in practice").
//!
//! [`Paired`] holds two systems' answers to the same questions, summed up by cluster. Each measure's difference has
//! one-sided bounds from the delete-one-cluster jackknife. Nothing is random, so the same answers give the same
//! verdict. By one measure, a model **passes** if the lower bound is above −margin. It is **stopped** if it does not
//! pass and the upper bound is below zero. Otherwise it stays **undecided** ([`decide()`]). [`characteristic()`] says
//! how often the verdict is right on exactly these clusters; [`assumed()`] says this before there is a second model.

mod assumed;
mod characteristic;
mod decide;
mod general;
mod jackknife;
mod paired;
mod quantile;
mod simulated;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.
mod tests;

pub use assumed::{Assumption, assumed, assumed_watched};
pub use characteristic::characteristic;
pub use decide::{AttackChange, Decided, Evidence, decide};
pub use general::{GeneralChange, general_changes};
pub use paired::Paired;
pub(crate) use quantile::student;
