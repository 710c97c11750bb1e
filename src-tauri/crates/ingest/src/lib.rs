//! Bytes to pages with positioned text, to sections, to sentences, to term candidates.
//!
//! The parser proper runs in its own process (a supervisor starts and supervises it); the text stages
//! (segmenting, definitions, terms, mentions) are plain functions that the engine calls in its own process.
#![forbid(unsafe_code)]

pub mod definitions;
pub mod mentions;
pub mod terms;
