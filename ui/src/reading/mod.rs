//! A page of a document as it is printed, with the region of the sentence that is looked at: what the library shows beside
//! its sentences, and the answers beside what they cite.

mod laid;
mod page;
mod page_bar;
mod state;

pub use page::Page;
pub use page_bar::PageBar;
pub use state::{Detail, Reading, unhover, use_reading};
