//! Whether the texts that are read and asked have changed, without false alarms.
//!
//! The recent texts are compared with the earlier ones by their mean pairwise cosine. The test permutes both samples
//! together. (A comparison with a distribution from only the earlier texts would raise alarms all the time.) Texts that
//! came together (the sentences of one document) stay together in each permutation.
//!
//! If nothing changed, a p-value is below α in at most the share α of all tests. So testing every d days at α = d / D
//! gives at most one false alarm in D days on average, whatever the texts look like.

mod permute;
mod side;
#[cfg(test)]
mod tests;
mod window;

pub use side::{Unit, direction};
pub use window::{Found, Plan, look, sides};
