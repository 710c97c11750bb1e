//! Rules about text that all crates share: scripts and languages, words, spellings, numbers, comparing two texts, and
//! the lists of words that these rules use.
//!
//! The crate depends only on `domain`, and every crate above it may use it. So all crates decide in the same way what
//! an ideograph or a word is. The crate opens no files and does not know documents.
#![forbid(unsafe_code)]

pub mod addresses;
pub mod articles_han;
pub mod asked;
mod asked_han;
pub mod aspect;
pub mod bounds;
pub mod calendar;
pub mod commencing;
pub mod deeds;
pub mod diff;
pub mod duty;
pub mod everyday;
pub mod everyday_han;
pub mod expected;
mod figures;
pub mod fold;
pub mod granted;
pub mod how_much;
pub mod language;
pub mod likeness;
pub mod lists;
pub mod meaning;
pub mod money;
pub mod numerals;
pub mod parts;
pub mod parts_han;
pub mod permits;
pub mod phrasal;
pub mod plural;
pub mod rights;
pub mod said;
pub mod sanction;
mod sanction_han;
pub mod script;
pub mod seams;
pub mod spelling;
pub mod stem;
pub mod titled;
pub mod tokens;
pub mod variants;
pub mod when;
pub mod wording;
pub mod words;
pub mod written_out;

pub use script::{is_east_asian, is_han, is_hangul, is_kana, is_set_solid, is_unspaced, is_wide};
pub use words::words;
