//! The failures of one request, and what the client does after each.

use lexforge_domain::{Advice, Code, Failure, Remedy};
use std::time::Duration;
use strum::{EnumString, IntoStaticStr};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Fault {
    /// No connection.
    Unreachable,
    /// The host's name is not known.
    UnknownHost,
    /// Certificate or encryption.
    Tls,
    /// Not answered in time.
    TimedOut,
    /// The connection ended before an answer began.
    Dropped,
    /// The answer's text ended before it was whole.
    Truncated,
    /// The answer's text stopped arriving.
    Stalled,
    /// 401 or 403.
    Key,
    /// 404.
    Model,
    /// 429.
    Busy,
    /// 5xx.
    ServerError,
    /// 400, 413, 422 and the other 4xx.
    Refused,
    /// 3xx.
    Redirect,
    /// A web page in place of an answer.
    Page,
    /// Not valid UTF-8.
    Encoding,
    /// Not the JSON of an answer.
    Garbage,
    /// Larger than the limit.
    TooLarge,
    /// The request could not even be made.
    Internal,
}

impl Fault {
    /// The tag under which it is counted.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// The fault that is counted under a tag; `None` if it is the tag of none.
    pub fn of_tag(tag: &str) -> Option<Self> {
        tag.parse().ok()
    }

    /// Whether the request may have been answered, and billed, though we do not have the answer.
    pub fn is_uncertain(self) -> bool {
        matches!(
            self,
            Self::TimedOut
                | Self::Dropped
                | Self::Truncated
                | Self::Stalled
                | Self::Encoding
                | Self::Garbage
                | Self::TooLarge
        )
    }

    /// Whether the same request may succeed later.
    pub(crate) fn may_pass(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::TimedOut
                | Self::Dropped
                | Self::Truncated
                | Self::Stalled
                | Self::Busy
                | Self::ServerError
                | Self::Page
                | Self::Encoding
                | Self::Garbage
        )
    }

    /// Whether every other request would fail in the same way.
    pub(crate) fn ends_all(self) -> bool {
        matches!(
            self,
            Self::UnknownHost
                | Self::Tls
                | Self::Key
                | Self::Model
                | Self::Redirect
                | Self::Internal
        )
    }
}

/// A request that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFailure {
    /// What went wrong.
    pub fault: Fault,
    /// The host that was talked to.
    pub host: String,
    /// The model that was asked for.
    pub model: String,
    /// HTTP status, where there was one.
    pub status: Option<u16>,
    /// The message of the endpoint or the system, shortened and without the key. Empty if there is no message.
    pub said: String,
    /// How long the endpoint asks not to be called.
    pub retry_after: Option<Duration>,
}

impl std::fmt::Display for CallFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Failure::from(self.clone()).message)
    }
}

impl std::error::Error for CallFailure {}

impl From<CallFailure> for Failure {
    fn from(failure: CallFailure) -> Self {
        let CallFailure {
            fault,
            host,
            model,
            status,
            said,
            ..
        } = failure;
        let status = status.map(|s| format!(" (HTTP {s})")).unwrap_or_default();
        let said = if said.is_empty() {
            String::new()
        } else {
            format!(" It says: {said}")
        };
        let (code, message, advice): (Code, String, Advice) = match fault {
            Fault::Unreachable => (
                Code::EndpointUnreachable,
                format!("{host} cannot be reached: no connection.{said}"),
                Remedy::ReachEndpoint.into(),
            ),
            Fault::UnknownHost => (
                Code::EndpointUnreachable,
                format!("{host} cannot be reached: its name is not known here."),
                "Check the spelling of the address, and the network's name service.".into(),
            ),
            Fault::Tls => (
                Code::EndpointTls,
                format!("The connection to {host} is not safe: its certificate or encryption was turned down.{said}"),
                "Have the server's certificate authority installed in this system's store, and check the address and \
                 this machine's clock. Nothing was sent."
                    .into(),
            ),
            Fault::TimedOut => {
                (Code::EndpointUnreachable, format!("{host} did not answer in time."), Remedy::AskSlower.into())
            }
            Fault::Dropped => (
                Code::EndpointUnreachable,
                format!("{host} closed the connection without an answer."),
                "Look at the server's log: it may have run out of memory or been restarted.".into(),
            ),
            Fault::Truncated => (
                Code::EndpointAnswer,
                format!("The answer of {host} broke off before it was whole."),
                "Try again; if it happens again, a proxy on the way cuts long answers.".into(),
            ),
            Fault::Stalled => (
                Code::EndpointAnswer,
                format!("The answer of {host} stopped in the middle."),
                "Try again; if it happens again, look at the server's load and at proxies on the way.".into(),
            ),
            Fault::Key => {
                (Code::EndpointKey, format!("{host} does not take the key{status}.{said}"), Remedy::GiveKey.into())
            }
            Fault::Model => (
                Code::EndpointModel,
                format!("{host} has no model {model} at this address{status}.{said}"),
                Remedy::CheckModelName.into(),
            ),
            Fault::Busy => (
                Code::EndpointBusy,
                format!("{host} takes no more requests now{status}.{said}"),
                Remedy::WaitForEndpoint.into(),
            ),
            Fault::ServerError => (
                Code::EndpointBusy,
                format!("{host} reports an error of its own{status}.{said}"),
                "Look at the server's log, then run the step again; what was answered is kept.".into(),
            ),
            Fault::Refused => (
                Code::EndpointRefused,
                format!("{host} refuses the request{status}.{said}"),
                "Check the model's context length and the endpoint's settings.".into(),
            ),
            Fault::Redirect => (
                Code::EndpointRefused,
                format!("{host} sends the request on to another address{status}.{said}"),
                "Redirects are not followed. If you trust that address, make it the endpoint's.".into(),
            ),
            Fault::Page => (
                Code::EndpointAnswer,
                format!("{host} answers with a web page and not with a model's answer{status}."),
                "A proxy or a log-in page stands in between, or the address lacks its path (usually /v1). Open the \
                 address in a browser to see the page."
                    .into(),
            ),
            Fault::Encoding => (
                Code::EndpointAnswer,
                format!("The answer of {host} is not valid UTF-8."),
                "The server or a proxy damages text. Try again; if it happens again, report it to the server's owner."
                    .into(),
            ),
            Fault::Garbage => (
                Code::EndpointAnswer,
                format!("What {host} answers is not the answer of an OpenAI-compatible interface.{said}"),
                "Check that the address is that of such an interface, usually ending in /v1.".into(),
            ),
            Fault::TooLarge => (
                Code::EndpointAnswer,
                format!("The answer of {host} is larger than the limit.{said}"),
                Remedy::RaiseByteLimit.into(),
            ),
            Fault::Internal => (
                Code::Internal,
                format!("The request could not be made.{said}"),
                "Check the endpoint's settings; if they are right, report this.".into(),
            ),
        };
        Self::new(code, message, advice)
    }
}
