//! The logs of the programs, for whoever is asked for support: what was done, how long it took, and by which code it failed.
//!
//! Any crate of ours may say something with the macros of `tracing`; only programs begin a log. A line says a fixed
//! sentence and a few named values ([`mod@line`] knows which), and what a library of others says is left out. So no text of a
//! document, no question, no name of a file and no key can come into a log by an oversight.
//!
//! Lines go to files of a limited size and number ([`rolling`]), written by a thread of their own: where they cannot be
//! written they are dropped and counted, and nobody waits for them.
#![forbid(unsafe_code)]

mod deeds;
mod level;
pub mod line;
mod place;
mod queue;
pub mod rolling;

pub use deeds::{Deed, at_stage};
pub use level::{LEVEL_ENV, level, level_of_variable, set_level};
pub use place::{Log, Pace, begin, begin_for_parent, begun, hand_on, switch};
pub use rolling::lost;
