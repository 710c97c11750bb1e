//! The house rules: what each room must never do. Each check takes what it looks at as a value and returns the
//! breaches in words, so that a unit test can show it both ways; `tests/house.rs` applies them to this repository.

pub mod circles;
pub mod dependencies;
pub mod files;
pub mod logged;
pub mod rooms;
pub mod said;
pub mod sources;
