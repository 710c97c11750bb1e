//! Texts as tokens, as a model folder says.

pub mod mentions;
pub mod modules;
pub mod normaliser;
pub mod pairs;
pub mod reading;
pub mod tokenizer;
pub mod vocabulary;
pub mod whole_words;
