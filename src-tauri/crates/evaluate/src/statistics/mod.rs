//! How sure a comparison is: two systems on the same items, many comparisons in one table, and what a test can show at all.
//!
//! `paired` goes by clusters; `by_item` has the tests of the literature, which take every item for independent. Over all
//! comparisons of one table the p-values are corrected by [`holm()`]. [`power()`] says before a run what it can show.

mod by_item;
mod distributions;
mod holm;
mod paired;
mod power;

pub use by_item::{by_item, mcnemar, paired_t};
pub use holm::holm;
pub use paired::{PairedSeries, compare_all, mean_interval};
pub use power::{Plan, USUAL_CORRELATION, USUAL_DISCORDANT, power};
