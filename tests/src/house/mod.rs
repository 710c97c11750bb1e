//! The house rules: what each crate and module must never do. Each check takes its input as a value and returns the
//! violations in words, so that unit tests can show both outcomes. `tests/house.rs` applies the checks to this
//! repository.

pub mod circles;
pub mod dependencies;
pub mod examples;
pub mod files;
pub mod logged;
pub mod rooms;
pub mod said;
pub mod sources;
