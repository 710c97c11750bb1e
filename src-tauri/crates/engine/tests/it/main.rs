//! Tests of use cases: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod answering;
mod articles;
mod heads;
