//! How certain a comparison is: two systems on the same items, many comparisons in one table, and what a test can show
//! at all.
//!
//! `paired` tests by clusters. `by_item` has the usual tests of the literature, which treat all items as independent.
//! [`holm()`] corrects the p-values of all comparisons in one table, and [`correct()`] stores the corrected values in
//! the comparisons. [`power()`] says before a run how small a difference it can show.

mod by_item;
mod distributions;
mod holm;
mod paired;
mod power;

pub use by_item::{by_item, mcnemar, paired_t};
pub use holm::{correct, holm};
pub use paired::{PairedSeries, compare_all, compare_all_within, mean_interval};
pub use power::{Plan, Seen, USUAL_CORRELATION, USUAL_DISCORDANT, power};
