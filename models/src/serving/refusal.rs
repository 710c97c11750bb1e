//! Why a request gets no answer, in the shape in which OpenAI's clients read it.

use crate::Error;
use lexforge_domain::{Code, Failure};
use serde_json::{Value, json};

/// A request that gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// For programs.
    pub code: &'static str,
    /// What happened and why, and what to do now.
    pub message: String,
    /// Seconds after which it may be tried again.
    pub retry_after: Option<u32>,
}

impl Refusal {
    /// One with its status.
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    /// The request itself is wrong.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(400, code, message)
    }

    /// A text longer than the model reads.
    pub fn too_long(tokens: usize, most: usize, what: &str) -> Self {
        Self::invalid(
            "context_length_exceeded",
            format!(
                "{what} has {tokens} tokens; the model takes at most {most}. Send a shorter text."
            ),
        )
    }

    /// The queue is full.
    pub fn full(of: usize) -> Self {
        let message = format!("{of} requests are under way already. Try again in a moment.");
        Self {
            retry_after: Some(1),
            ..Self::new(429, "queue_full", message)
        }
    }

    /// The server is about to end.
    pub fn ending() -> Self {
        let message = "The server is shutting down. Start it again, or ask another one.";
        Self {
            retry_after: Some(5),
            ..Self::new(503, "shutting_down", message)
        }
    }

    /// The request took longer than a request may.
    pub(crate) fn overdue(seconds: u64) -> Self {
        let message = format!(
            "The answer was not ready after {seconds} seconds. Ask for fewer tokens, or send less."
        );
        Self::new(504, "time_limit", message)
    }

    /// The model's files are no longer those that were loaded.
    pub fn changed(what: &str) -> Self {
        let message = format!(
            "The model's folder changed under the running server: {what}. Start the server again to serve the new \
             files, or put the old ones back."
        );
        Self::new(503, "model_changed", message)
    }

    /// The body of the answer.
    pub fn body(&self) -> Value {
        let kind = match self.status {
            401 => "authentication_error",
            403 => "permission_error",
            429 => "rate_limit_error",
            400..=499 => "invalid_request_error",
            _ => "server_error",
        };
        json!({"error": {"message": self.message, "type": kind, "param": null, "code": self.code}})
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let message = format!("{} {}", failure.message, failure.hint);
        match failure.code {
            Code::InvalidRequest => Self::invalid("invalid_request", message),
            Code::ModelUnsupported => Self::invalid("model_unsupported", message),
            Code::OutOfMemory => Self {
                retry_after: Some(5),
                ..Self::new(503, "out_of_memory", message)
            },
            _ => Self::new(500, "internal", message),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        error.into_failure().into()
    }
}
