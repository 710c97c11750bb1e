//! Layout: positioned characters to lines in reading order, running heads and feet apart.

pub mod furniture;
pub mod line;
pub mod lines;
pub mod order;

pub use line::{Line, LineChar};
