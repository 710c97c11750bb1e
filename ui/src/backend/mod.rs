//! The way to the shell: [`call`] with a command of the table, and what the shell reports without being asked.

pub mod events;
mod invoke;

pub use invoke::{Answer, call, page_image};
pub use lexforge_domain::api::commands;
