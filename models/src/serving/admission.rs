//! Decides which requests are answered. A request must have the right token and address this machine by its own name,
//! and it must not come from a page in a browser.
//!
//! The server listens on loopback, and any page open in a browser on this machine can reach loopback, too. Such a page
//! states its origin. If the page's own name was made to point to this machine (DNS rebinding), the request states that
//! name.

use crate::serving::refusal::Refusal;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Names of this machine under which it may be asked.
const OWN_NAMES: [&str; 2] = ["127.0.0.1", "localhost"];
/// A header that a browser adds to every request, even to a request without an origin. A page cannot leave it out.
const OF_A_BROWSER: &str = "sec-fetch-site";

/// The conditions that a request must meet before its content is read.
pub struct Admission {
    port: u16,
    token: [u8; 32],
}

impl Admission {
    /// For a server on a port, with its token.
    pub fn new(port: u16, token: &str) -> Self {
        Self {
            port,
            token: Sha256::digest(token).into(),
        }
    }

    /// Checks whether a request with these headers is answered.
    ///
    /// # Errors
    /// The reason why it is not answered.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !self.is_asked_for(headers) {
            let message = format!(
                "The Host header must be 127.0.0.1:{0} or localhost:{0}.",
                self.port
            );
            return Err(Refusal::new(403, "host_not_allowed", message));
        }
        if headers.contains_key(ORIGIN) || headers.contains_key(OF_A_BROWSER) {
            let message = "Pages in a browser are not answered (the request has an Origin or Sec-Fetch-Site header). \
                           Ask from a program.";
            return Err(Refusal::new(403, "origin_not_allowed", message));
        }
        if !self.knows_the_token(headers) {
            let message = "The token is missing or wrong. Send \"Authorization: Bearer …\" with the server's own token.";
            return Err(Refusal::new(401, "invalid_api_key", message));
        }
        Ok(())
    }

    /// One host is named, and it is this one.
    fn is_asked_for(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let parts = host.to_str().ok().and_then(|host| host.rsplit_once(':'));
        parts.is_some_and(|(name, port)| {
            OWN_NAMES.iter().any(|own| name.eq_ignore_ascii_case(own))
                && port == self.port.to_string()
        })
    }

    /// Hashes of one length are compared, and always all their bytes. So the time of the comparison shows nothing.
    fn knows_the_token(&self, headers: &HeaderMap) -> bool {
        let given = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        let given: [u8; 32] = Sha256::digest(given.unwrap_or_default()).into();
        given.ct_eq(&self.token).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_by_its_host_its_origin_and_its_token() {
        /// The heads of a request, and why it is refused.
        type Case = (
            &'static [(&'static str, &'static str)],
            Option<&'static str>,
        );
        const OURS: (&str, &str) = ("host", "127.0.0.1:8080");
        const TOKEN: (&str, &str) = ("authorization", "Bearer a long random text");
        let (host, origin, token) = (
            Some("host_not_allowed"),
            Some("origin_not_allowed"),
            Some("invalid_api_key"),
        );
        let cases: &[Case] = &[
            (&[OURS, TOKEN], None),
            (&[("host", "localhost:8080"), TOKEN], None),
            (&[("host", "LocalHost:8080"), TOKEN], None),
            // Another name for this machine, or another machine.
            (&[TOKEN], host),
            (&[("host", ""), TOKEN], host),
            (&[("host", "127.0.0.1"), TOKEN], host),
            (&[("host", "127.0.0.1:80"), TOKEN], host),
            (&[("host", "127.0.0.1:08080"), TOKEN], host),
            (&[("host", "127.0.0.1:+8080"), TOKEN], host),
            (&[("host", "127.0.0.1:8080:8080"), TOKEN], host),
            (&[("host", "rebound.example.org:8080"), TOKEN], host),
            (&[("host", "127.0.0.1.example.org:8080"), TOKEN], host),
            (&[("host", "localhost.:8080"), TOKEN], host),
            (&[("host", "0.0.0.0:8080"), TOKEN], host),
            (&[("host", "2130706433:8080"), TOKEN], host),
            (&[OURS, ("host", "rebound.example.org:8080"), TOKEN], host),
            // A page, with the token or without it, of this machine or of another.
            (&[OURS, ("origin", "https://example.org"), TOKEN], origin),
            (&[OURS, ("origin", "http://localhost:8080"), TOKEN], origin),
            (&[OURS, ("origin", "null"), TOKEN], origin),
            (&[OURS, ("sec-fetch-site", "none"), TOKEN], origin),
            (&[OURS, ("origin", "https://example.org")], origin),
            // Somebody else of this machine.
            (&[OURS], token),
            (&[OURS, ("authorization", "a long random text")], token),
            (&[OURS, ("authorization", "Bearer ")], token),
            (
                &[OURS, ("authorization", "Bearer a long random tex")],
                token,
            ),
            (
                &[OURS, ("authorization", "Bearer a long random text ")],
                token,
            ),
            (
                &[OURS, ("authorization", "Bearer A long random text")],
                token,
            ),
            (
                &[OURS, ("authorization", "Basic a long random text")],
                token,
            ),
        ];
        let admission = Admission::new(8080, "a long random text");
        for (given, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in *given {
                headers.append(*name, value.parse().unwrap());
            }
            let refused = admission.check(&headers).err().map(|refusal| refusal.code);
            assert_eq!(refused, *expected, "{given:?}");
        }
    }
}
