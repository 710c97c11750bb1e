//! Tests of reading: one program, so that what they share is compiled and linked once.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot go on has failed.

mod about;
mod adjacency;
mod articles;
mod better_reading;
mod boxes;
mod doubtful;
mod faces;
mod footnotes;
mod fuzz_corpus;
mod gold;
mod hostile;
mod kept_fonts;
mod locked;
mod made;
mod margins;
mod outlines;
mod pictures;
mod places;
mod read_once;
mod readers;
mod real;
mod sandbox;
mod scans;
mod shown_capitals;
mod tables;
