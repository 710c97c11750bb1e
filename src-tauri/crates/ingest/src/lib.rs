//! Turns documents into sentences, definitions, references and term candidates.
//!
//! Documents are read by `lexforge-parser` in a process of its own. [`Parser`] starts and supervises it, so that a
//! hostile file causes only one failure. The text stages ([`segment`], [`definitions`], [`references`], [`terms`],
//! [`mentions`]) are plain functions that the engine calls in its own process, as are the readers and writers of
//! [`glossary`] files. Tables for spreadsheets are written by [`sheet`].
#![forbid(unsafe_code)]

pub mod addressed;
mod allowance;
pub mod corpus;
pub mod definitions;
pub mod encoding;
mod environment;
pub mod error;
pub mod exam;
pub mod format;
pub mod glossary;
pub mod mentions;
pub mod noise;
pub mod numbering;
pub mod options;
pub mod parser;
pub mod personal;
pub mod references;
pub mod sandbox;
mod sections;
pub mod segment;
pub mod sheet;
pub mod terms;
pub mod tesseract;
pub mod validity;
pub mod wire;
pub mod workbook;
pub mod xml;

pub use options::{ParseLimits, ParseOptions};
pub use parser::Parser;
pub use sections::{
    CONTENTS_SECTION, FOOTNOTES_SECTION, FRONT_MATTER_SECTION, is_contents, is_footnotes,
    section_name,
};
