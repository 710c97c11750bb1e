//! Layout: positioned characters to lines in reading order, running heads and feet apart.

pub mod bands;
pub mod charts;
pub mod framed;
pub mod furniture;
pub mod grid;
mod led;
pub mod line;
pub mod lines;
pub mod narrow;
pub mod order;
pub mod parts;
pub mod printed;
pub mod rows;
pub mod ruled;
mod small_caps;
pub mod stacked;
pub mod underlined;
pub mod undrawn;

pub use line::{Cell, Line, LineChar, Role};
