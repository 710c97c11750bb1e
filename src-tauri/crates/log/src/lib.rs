//! The logs of the programs, for support requests: what was done, how long it took, and with which code it failed.
//!
//! Any crate of the product may write a line with the macros of `tracing`, but only programs begin a log. A line has a
//! fixed sentence and a few named values ([`mod@line`] lists them). Messages of third-party libraries are left out. So
//! no text of a document, no question, no file name and no key can get into a log by mistake.
//!
//! A separate thread writes the lines to files of a limited size and number ([`rolling`]). Lines that cannot be written
//! are dropped and counted, and the program does not wait for them.
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
