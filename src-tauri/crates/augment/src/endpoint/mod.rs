//! The client for language models behind an OpenAI-compatible interface: the worker of this machine, a server on the
//! premises, or somebody's service.
//!
//! [`Client`] makes one request and says exactly what went wrong ([`CallFailure`]). [`ask_all`] puts many [`Prompt`]s:
//! several at a time, patiently where the endpoint is busy, and with a [`Ledger`] that is told of each request before
//! it leaves and given each answer before anything is made of it, so that whatever happens nothing received is lost
//! and nothing is asked twice without being counted. [`object::read`] takes the one JSON object out of an answer, or
//! says why there is none.
//!
//! What is not done: redirects are not followed (a request with a key and a firm's text goes where the user said and
//! nowhere else), and proxies are not taken from the environment unless the endpoint says so. Which proxy that is, is looked
//! up once ([`ProxyServer`]), so that what a person agreed to is what is talked to. Keys and passwords that come back in
//! what is said are cut out before anybody sees it.

mod address;
mod answer;
mod asking;
pub mod batch;
mod check;
mod client;
mod failure;
pub mod object;
mod prompt;
mod proxy;
mod retry;
mod secret;
mod wire;

pub use address::Address;
pub use answer::Answer;
pub use asking::{AskEvent, Entry, Ledger, ask_all};
pub use check::{Checked, check};
pub use client::Client;
pub use failure::{CallFailure, Fault};
pub use prompt::{Prompt, PromptKey, Shape};
pub use proxy::ProxyServer;
pub use secret::Secret;
