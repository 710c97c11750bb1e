//! What a request for support needs, as one file: versions, checks, settings, counts and logs, and no content.
//!
//! Nothing of a workspace goes in but numbers, names of models and hosts; a workspace is named by a hash that only this
//! machine can make again. Each part is made here, of values that are known: no file of a bundle is taken as it is, since its
//! words may be those of a document. Paths and the name of the account are taken out of all parts (`hidden`).

mod hidden;
mod pack;
mod readme;
mod runs;
mod system;
mod workspaces;

pub use pack::{support_parts, write_support};
