//! Bytes of documents to pages with positioned text, to sections, to sentences.
//!
//! It runs in its own process (`lexforge-parse`), which `lexforge-ingest` starts and supervises, so that a hostile file
//! causes only one failure: no long-running program links this crate. [`reader`] turns a PDF into positioned
//! characters, [`layout`] those into lines in reading order, and [`structure`] turns lines into sections and sentences.
//! Other formats state their structure; it goes through [`flow`].
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
