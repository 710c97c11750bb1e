//! Bytes to pages with positioned text, to sections, to sentences, to term candidates.
//!
//! The parser proper runs in its own process (`lexforge-parse`); [`Parser`] starts and supervises it, so
//! that a hostile file costs one failure. Inside, [`reader`] turns a PDF into positioned characters,
//! [`layout`] those into lines in reading order, and [`structure`] lines into sections and sentences.
//! The text stages ([`segment`], [`definitions`], [`references`], [`terms`], [`mentions`]) are plain functions that the
//! engine calls in its own process, as are the readers and writers of [`glossary`] files. Tables for spreadsheets are written
//! by [`sheet`].
#![forbid(unsafe_code)]

pub mod about;
pub mod addressed;
pub mod complete;
pub mod corpus;
pub mod definitions;
pub mod docx;
pub mod encoding;
pub mod error;
pub mod flow;
pub mod format;
pub mod glossary;
pub mod html;
pub mod language;
pub mod layout;
pub mod limits;
pub mod markdown;
pub mod mentions;
pub mod numerals;
pub mod options;
pub mod parser;
pub mod pdf;
pub mod plain;
pub mod read;
pub mod reader;
pub mod references;
pub mod render;
pub mod segment;
pub mod sheet;
pub mod similarity;
pub mod structure;
pub mod terms;
pub mod whole;
pub mod wire;

pub use options::{ParseLimits, ParseOptions};
pub use parser::Parser;

/// Top-level section that holds the footnotes.
pub const FOOTNOTES_SECTION: &str = "Footnotes";
/// Top-level section that holds the entries of a table of contents.
pub const CONTENTS_SECTION: &str = "Contents";
