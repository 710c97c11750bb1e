//! A small decoder of one's own from nothing.

pub mod bpe;
pub mod corpus;
pub mod pretrain;
pub mod report;
pub mod settings;
mod start;
