//! The client for language models behind an OpenAI-compatible interface: the worker on this machine, a server in the
//! same organisation, or a commercial service.
//!
//! [`Client`] makes one request and says exactly what went wrong ([`CallFailure`]). [`ask_all`] sends many [`Prompt`]s,
//! several at a time, and waits if the endpoint is busy. [`ask_streamed`] also passes on the text of answers as it
//! arrives. A [`Ledger`] records each request before it is sent, and gets each answer before it is used. So no answer
//! is lost, and every repeated request is counted. [`object::read`] takes the one JSON object out of an answer, or says
//! why there is none.
//!
//! Redirects are not followed, because a request with a key and a firm's text may go only to the address that the user
//! gave. A proxy from the environment is used only if the endpoint's settings say so. Then the proxy is looked up once
//! ([`ProxyServer`]), so that the connection uses exactly the proxy to which a person agreed. Keys and passwords in
//! replies are removed before the replies are shown or stored.

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
mod stream;
mod wire;

pub use address::Address;
pub use answer::Answer;
pub use asking::{AskEvent, Entry, Ledger, ask_all, ask_streamed};
pub use check::{Checked, check};
pub use client::Client;
pub use failure::{CallFailure, Fault};
pub use prompt::{Prompt, PromptKey, Shape};
pub use proxy::ProxyServer;
pub use secret::Secret;
