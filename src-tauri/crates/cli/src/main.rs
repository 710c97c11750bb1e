//! The headless face.

fn main() {}
