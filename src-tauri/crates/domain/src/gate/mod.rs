//! Whether a tuned model may go live: the rule, what it found, and how often the rule itself is wrong.

mod decision;
mod general;
mod ground;
mod outcome;
mod rule;
mod why;
mod words;

pub use decision::*;
pub use general::*;
pub use ground::*;
pub use outcome::*;
pub use rule::*;
pub use why::*;
pub use words::*;
