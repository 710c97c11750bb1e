//! Tests of the workspace: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod alterations;
mod audit;
mod common;
mod definitions;
mod disks;
mod encryption;
mod exams;
mod faults;
mod laundering;
mod noted_head;
mod obliqa;
mod older_formats;
mod private;
mod replies;
mod review;
mod tables;
mod triplets;
