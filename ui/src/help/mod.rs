//! What each screen is for, inside the program: F1, and a search over all of it.

pub mod page;
pub mod panel;
pub mod pieces;
