//! Bundles the page.

fn main() {}
