//! The corpus: bringing documents in, looking at them and their versions, who refers to whom, and searching.

mod documents;
mod folder;
mod import;
mod passwords;
mod references;
mod search;
pub mod text;
mod versions;

pub use search::SearchRequest;
