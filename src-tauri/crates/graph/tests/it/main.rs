//! Tests of the graph: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod lexical;
mod split;
