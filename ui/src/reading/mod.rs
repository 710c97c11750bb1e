//! A page of a document as it is printed, with the region of the selected sentence. The library shows the page beside
//! the document's sentences. An answer shows it beside its citations.

mod laid;
mod page;
mod page_bar;
mod state;

pub use page::Page;
pub use page_bar::PageBar;
pub use state::{Detail, Reading, unhover, use_reading};
