//! The proxy in between: who else is talked to before an endpoint is.

use crate::endpoint::address::Address;
use crate::endpoint::secret::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper_util::client::proxy::matcher::Matcher;
use lexforge_domain::endpoint::{Endpoint, Proxy};
use lexforge_domain::{Code, Failure};
use percent_encoding::percent_decode_str;
use reqwest::Url;

/// A proxy, by its address and the user that it is used as. Its password is apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyServer {
    base: Url,
    password: Option<Secret>,
}

impl ProxyServer {
    /// The proxy of an endpoint, if it has one. If the setting refers to the environment, the environment is read now.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the proxy cannot be used.
    pub fn of(endpoint: &Endpoint) -> Result<Option<Self>, Failure> {
        match &endpoint.settings.proxy {
            Proxy::None => Ok(None),
            Proxy::Url(url) => Self::parse(url).map(Some),
            Proxy::Environment => Self::of_environment(&Address::parse(&endpoint.url)?),
        }
    }

    /// The proxy that a user typed. A password in the address is removed from it.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the text is not the address of a proxy.
    pub fn parse(typed: &str) -> Result<Self, Failure> {
        let typed = typed.trim();
        let full = if typed.contains("://") {
            typed.to_owned()
        } else {
            format!("http://{typed}")
        };
        let mut base = Url::parse(&full).map_err(|_| refused("its address is no web address"))?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none_or(str::is_empty) {
            return Err(refused(
                "its address begins neither with http:// nor with https://",
            ));
        }
        let password = base
            .password()
            .map(|p| Secret::new(&percent_decode_str(p).decode_utf8_lossy()));
        // An address with a host takes both.
        let _ = base.set_password(None);
        base.set_path("");
        base.set_query(None);
        base.set_fragment(None);
        Ok(Self {
            base,
            password: password.filter(|p| !p.reveal().is_empty()),
        })
    }

    /// The proxy that the environment names for an address: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in
    /// upper or lower case, as the client itself would read them.
    fn of_environment(address: &Address) -> Result<Option<Self>, Failure> {
        let target: http::Uri = address
            .as_str()
            .parse()
            .map_err(|_| refused("the endpoint's address cannot be compared with NO_PROXY"))?;
        let Some(found) = Matcher::from_system().intercept(&target) else {
            return Ok(None);
        };
        let mut proxy = Self::parse(&found.uri().to_string()).map_err(|failure| Failure {
            message: format!("{} The environment names it.", failure.message),
            ..failure
        })?;
        let told = found
            .basic_auth()
            .and_then(|value| value.to_str().ok()?.strip_prefix("Basic "));
        let told = told.and_then(|encoded| String::from_utf8(STANDARD.decode(encoded).ok()?).ok());
        if let Some((user, password)) = told.as_ref().and_then(|told| told.split_once(':')) {
            let _ = proxy.base.set_username(user);
            proxy.password = Some(Secret::new(password)).filter(|p| !p.reveal().is_empty());
        }
        Ok(Some(proxy))
    }

    /// As it is kept and shown: never with a password.
    pub fn as_str(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The host, with its port where it is not the usual one.
    pub fn host(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        self.base
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The password that came with its address.
    pub fn password(&self) -> Option<&Secret> {
        self.password.as_ref()
    }

    /// This proxy with its password.
    #[must_use]
    pub fn with_password(self, password: Option<Secret>) -> Self {
        Self {
            password: password.or(self.password),
            ..self
        }
    }

    /// For the client: all requests go through it.
    pub(crate) fn for_all(&self) -> Result<reqwest::Proxy, Failure> {
        let mut bare = self.base.clone();
        let _ = bare.set_username("");
        let proxy =
            reqwest::Proxy::all(bare).map_err(|_| refused("its address is no web address"))?;
        let user = percent_decode_str(self.base.username())
            .decode_utf8_lossy()
            .into_owned();
        Ok(match &self.password {
            None if user.is_empty() => proxy,
            password => proxy.basic_auth(&user, password.as_ref().map_or("", Secret::reveal)),
        })
    }
}

fn refused(why: &str) -> Failure {
    Failure::new(
        Code::InvalidRequest,
        format!("The proxy cannot be used: {why}."),
        "Write it like http://proxy.example.internal:3128.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_taken_as_people_write_it_and_shown_without_its_password() {
        let check = |typed: &str, shown: &str, host: &str, password: Option<&str>| {
            let proxy = ProxyServer::parse(typed).unwrap();
            assert_eq!(
                (proxy.as_str(), proxy.host().as_str()),
                (shown, host),
                "{typed}"
            );
            assert_eq!(proxy.password().map(Secret::reveal), password, "{typed}");
            assert!(password.is_none_or(|p| !format!("{proxy:?}").contains(p)));
        };
        check(
            "http://p.example.internal:3128",
            "http://p.example.internal:3128",
            "p.example.internal:3128",
            None,
        );
        check(
            "p.example.internal:3128/",
            "http://p.example.internal:3128",
            "p.example.internal:3128",
            None,
        );
        check("http://ann@p:1", "http://ann@p:1", "p:1", None);
        check(
            "http://ann:p%40ss%3Aword@p:1/x?y",
            "http://ann@p:1",
            "p:1",
            Some("p@ss:word"),
        );
        check("https://:only@p", "https://p", "p", Some("only"));
        for typed in ["", "socks5://p:1", "ftp://p", "http://"] {
            assert_eq!(
                ProxyServer::parse(typed).unwrap_err().code,
                Code::InvalidRequest,
                "{typed}"
            );
        }
    }
}
