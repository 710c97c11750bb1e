//! Turns the bytes of documents into pages with positioned text, then into sections, then into sentences.
//!
//! This code runs in its own process (`lexforge-parse`), which `lexforge-ingest` starts and supervises. So a hostile
//! file causes only one failure, and no long-running program links this crate. [`reader`] turns a PDF into positioned
//! characters, [`layout`] turns these into lines in reading order, and [`structure`] turns lines into sections and
//! sentences. Other formats state their structure; they are read through [`flow`].
#![forbid(unsafe_code)]

pub mod about;
pub mod complete;
pub mod docx;
pub mod flow;
pub mod front_matter;
pub mod html;
pub mod layout;
pub mod limits;
pub mod markdown;
pub mod pdf;
pub mod plain;
pub mod read;
pub mod reader;
pub mod render;
pub mod sandbox;
pub mod similarity;
pub mod structure;
pub mod whole;
pub mod workbook;
