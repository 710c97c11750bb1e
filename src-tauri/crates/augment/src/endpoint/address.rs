//! The address of an endpoint.

use lexforge_domain::{Code, Failure};
use reqwest::Url;

/// The address of an endpoint's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    base: Url,
}

impl Address {
    /// The address that a user typed: `https://host/v1`, a bare host, or the full path of a call.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if it is not a web address. Also if it contains a user name, a password or a
    /// query, which would be stored with it.
    pub fn parse(typed: &str) -> Result<Self, Failure> {
        let refuse = |why: &str, hint: &str| {
            Err(Failure::new(
                Code::InvalidRequest,
                format!("This address cannot be used: {why}."),
                hint,
            ))
        };
        const FORM: &str =
            "Write it like https://llm.example.internal/v1, or http://localhost:8000/v1.";
        let typed = typed.trim();
        let full = if typed.contains("://") {
            typed.to_owned()
        } else {
            format!("https://{typed}")
        };
        let Ok(mut base) = Url::parse(&full) else {
            return refuse("it is no web address", FORM);
        };
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none_or(str::is_empty) {
            return refuse("it begins neither with https:// nor with http://", FORM);
        }
        if !base.username().is_empty() || base.password().is_some() {
            return refuse(
                "it carries a name or password",
                "Give the key by itself; it is then kept apart.",
            );
        }
        if base.query().is_some() || base.fragment().is_some() {
            return refuse(
                "it carries a query",
                "Leave out everything from the question mark on.",
            );
        }
        let path = base.path().trim_end_matches('/');
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let path = if path.is_empty() {
            "/v1".to_owned()
        } else {
            path.to_owned()
        };
        base.set_path(&path);
        Ok(Self { base })
    }

    /// As it is kept and shown.
    pub fn as_str(&self) -> &str {
        self.base.as_str()
    }

    /// The host, with its port where it is not the usual one.
    pub fn host(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        match self.base.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Whether it is this machine by its name or number; nothing is looked up.
    pub fn is_loopback(&self) -> bool {
        let host = self
            .base
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']']);
        host.eq_ignore_ascii_case("localhost")
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|ip| ip.is_loopback())
    }

    /// Whether nothing encrypts what is sent.
    pub fn is_plain(&self) -> bool {
        self.base.scheme() == "http"
    }

    /// The address of a call.
    pub(crate) fn call(&self, path: &str) -> String {
        format!("{}/{path}", self.base.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_people_write_them() {
        let check = |typed: &str, base: &str, host: &str, here: bool| {
            let address = Address::parse(typed).unwrap();
            assert_eq!(
                (address.as_str(), address.host().as_str()),
                (base, host),
                "{typed}"
            );
            assert_eq!(address.is_loopback(), here, "{typed}");
            assert_eq!(address.call("models"), format!("{base}/models"));
        };
        check(
            "https://llm.example.internal/v1",
            "https://llm.example.internal/v1",
            "llm.example.internal",
            false,
        );
        check(
            "https://llm.example.internal/v1/",
            "https://llm.example.internal/v1",
            "llm.example.internal",
            false,
        );
        check(
            "llm.example.internal",
            "https://llm.example.internal/v1",
            "llm.example.internal",
            false,
        );
        check(
            " http://localhost:8000 ",
            "http://localhost:8000/v1",
            "localhost:8000",
            true,
        );
        check(
            "http://127.0.0.1:1/v1/chat/completions",
            "http://127.0.0.1:1/v1",
            "127.0.0.1:1",
            true,
        );
        check(
            "http://[::1]:8000/api/v3",
            "http://[::1]:8000/api/v3",
            "[::1]:8000",
            true,
        );
        check(
            "http://127.0.0.1.example.com/v1",
            "http://127.0.0.1.example.com/v1",
            "127.0.0.1.example.com",
            false,
        );
        assert!(
            Address::parse("http://10.0.0.7:8000/v1")
                .unwrap()
                .is_plain()
        );
        assert!(
            !Address::parse("https://10.0.0.7:8000/v1")
                .unwrap()
                .is_plain()
        );
    }

    #[test]
    fn an_address_that_carries_more_is_refused() {
        for typed in [
            "",
            "ftp://host/v1",
            "https://user:secret@host/v1",
            "https://host/v1?api-key=1",
            "http://",
        ] {
            let failure = Address::parse(typed).unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest, "{typed}");
            assert!(!failure.message.contains("secret") && !failure.hint.is_empty());
        }
    }
}
