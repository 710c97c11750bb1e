//! A decoder that is asked: it writes, and it scores choices.

pub mod allowance;
pub mod chat;
pub mod generate;
pub mod language;
pub mod named_choice;
pub mod score;
