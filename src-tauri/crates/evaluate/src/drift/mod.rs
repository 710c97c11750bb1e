//! Whether what is read and asked has moved, without crying wolf.
//!
//! The recent texts are compared with the earlier ones by their mean pairwise cosine. The test permutes over the pooled
//! samples: a null drawn from the earlier ones alone raises alarms all the time. What came together (the sentences of one
//! document) is moved together. Since a p-value is below α in at most the share α of all tests where nothing moves, testing
//! every d days at α = d / D gives at most one false alarm in D days on average, whatever the texts look like.

mod permute;
mod side;
#[cfg(test)]
mod tests;
mod window;

pub use side::{Unit, direction};
pub use window::{Found, Plan, look, sides};
