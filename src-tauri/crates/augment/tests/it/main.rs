//! Tests of question writers: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod binding;
mod endpoint;
mod server;
mod streams;
