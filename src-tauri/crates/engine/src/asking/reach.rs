//! By which way an endpoint is reached: whether what is sent to it leaves this machine, and through whom.

use crate::workspace::Result;
use lexforge_augment::endpoint::{Address, ProxyServer};
use lexforge_domain::endpoint::{Endpoint, Proxy};

/// What [`Reach::proxy_named`] says where the environment is to be asked.
pub(crate) const ENVIRONMENT: &str = "environment";

/// The way to an endpoint. It is worked out once: what a person agreed to is what is used.
pub(crate) struct Reach {
    /// The host that is talked to.
    pub host: String,
    /// The proxy in between. Its password is not looked up yet.
    pub proxy: Option<ProxyServer>,
    /// It is on this machine without a proxy in between, because a proxy may pass data on to anywhere.
    pub local: bool,
    /// What is sent is not encrypted on the way.
    pub unencrypted: bool,
}

impl Reach {
    /// The way to an endpoint; where it is to follow the environment, that is looked at now.
    pub(crate) fn of(endpoint: &Endpoint) -> Result<Self> {
        let address = Address::parse(&endpoint.url)?;
        let proxy = ProxyServer::of(endpoint)?;
        let straight = proxy.is_none();
        Ok(Self {
            host: address.host(),
            local: straight && address.is_loopback(),
            unencrypted: address.is_plain() && !(straight && address.is_loopback()),
            proxy,
        })
    }

    /// The proxy's host.
    pub(crate) fn via(&self) -> Option<String> {
        self.proxy.as_ref().map(ProxyServer::host)
    }

    /// The proxy that an endpoint names, without a look at the environment.
    pub(crate) fn proxy_named(endpoint: &Endpoint) -> Option<String> {
        match &endpoint.settings.proxy {
            Proxy::None => None,
            Proxy::Environment => Some(ENVIRONMENT.to_owned()),
            Proxy::Url(url) => {
                Some(ProxyServer::parse(url).map_or_else(|_| "?".to_owned(), |proxy| proxy.host()))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::endpoint::{EndpointSettings, KeySource};

    #[test]
    fn a_proxy_in_between_is_not_this_machine() {
        let check = |url: &str, proxy: Proxy, local: bool, unencrypted: bool, via: Option<&str>| {
            let settings = EndpointSettings {
                proxy,
                ..EndpointSettings::default()
            };
            let endpoint = Endpoint {
                name: "e".into(),
                url: url.into(),
                model: "m".into(),
                key: KeySource::None,
                settings,
            };
            let reach = Reach::of(&endpoint).unwrap();
            assert_eq!(
                (reach.local, reach.unencrypted, reach.via().as_deref()),
                (local, unencrypted, via),
                "{url}"
            );
        };
        let proxy = || Proxy::Url("http://ann:word@proxy.example.internal:3128".into());
        let via = Some("proxy.example.internal:3128");
        check("http://localhost:1/v1", Proxy::None, true, false, None);
        check("http://localhost:1/v1", proxy(), false, true, via);
        check(
            "http://127.0.0.1:1/v1",
            Proxy::Url("http://127.0.0.1:3128".into()),
            false,
            true,
            Some("127.0.0.1:3128"),
        );
        check("https://h.example.internal/v1", proxy(), false, false, via);
        check(
            "http://h.example.internal/v1",
            Proxy::None,
            false,
            true,
            None,
        );
    }
}
