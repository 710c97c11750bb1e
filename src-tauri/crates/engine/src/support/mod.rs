//! Says which program this is (`about`), and collects the information for a support request in one file: versions,
//! checks, settings, counts and logs, but no content.
//!
//! Of a workspace only numbers and the names of models and hosts are included. The workspace itself is named by a hash
//! that only this machine can compute. Each part is built here from known values. No file of a bundle is copied as it
//! is, because it may contain words of a document. Paths and the account's name are removed from all parts (`hidden`).

mod about;
mod hidden;
mod pack;
mod readme;
mod runs;
mod system;
mod workspaces;

pub use about::{about, about_worker};
pub use pack::{support_parts, write_support};
