//! What each screen is for, and the whole guide, inside the program: F1, and a search over all of it.

pub mod guide;
pub mod page;
pub mod panel;
pub mod pieces;
