//! The window shell.

fn main() {}
