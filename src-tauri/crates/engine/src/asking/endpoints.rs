//! Endpoints: naming them, confirming them, taking them away.

use super::Asking;
use super::confirmed::{Confirmation, Confirmed, definition};
use super::keys;
use super::reach::{ENVIRONMENT, Reach};
use crate::workspace::{Result, UID, workspace_uid};
use lexforge_augment::endpoint::{Address, Client, ProxyServer, Secret};
use lexforge_domain::endpoint::{Endpoint, EndpointRow, KeySource, LOCAL, Proxy};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_text::likeness::nearest;

impl Asking<'_> {
    /// The endpoints that this workspace knows.
    pub fn endpoints(&self) -> Result<Vec<EndpointRow>> {
        Ok(self.endpoint_rows()?.into_iter().map(with_key).collect())
    }

    /// The endpoints; whether their keys can be had is not looked at.
    fn endpoint_rows(&self) -> Result<Vec<EndpointRow>> {
        let (endpoints, workspace) = self
            .workspace
            .store
            .read(|r| Ok((r.endpoints()?, r.setting(UID)?)))?;
        let known = |endpoint: &Endpoint| {
            self.confirmation(workspace.as_deref(), endpoint) == Confirmation::Given
        };
        Ok(endpoints
            .into_iter()
            .map(|endpoint| (known(&endpoint), endpoint))
            .map(|(c, e)| row(e, c))
            .collect())
    }

    /// The hosts of endpoints and proxies that are not on this machine, each once.
    pub(crate) fn endpoint_hosts(&self) -> Result<Vec<String>> {
        let mut hosts: Vec<String> = Vec::new();
        for row in self.endpoint_rows()?.into_iter().filter(|row| !row.local) {
            let here = Address::parse(&row.endpoint.url).is_ok_and(|address| address.is_loopback());
            hosts.extend(row.via.filter(|via| via != ENVIRONMENT));
            hosts.extend((!here).then_some(row.host));
        }
        hosts.sort();
        hosts.dedup();
        Ok(hosts)
    }

    pub(super) fn confirmation(
        &self,
        workspace: Option<&str>,
        endpoint: &Endpoint,
    ) -> Confirmation {
        workspace.map_or(Confirmation::Never, |workspace| {
            self.workspace.memo::<Confirmed>().of(workspace, endpoint)
        })
    }

    /// Keeps an endpoint under its name and marks it as confirmed; it replaces an older endpoint of that name. A given
    /// key, and a password in the proxy's address, are stored in the key ring. Nothing is sent.
    ///
    /// # Errors
    /// When the name, the address or the proxy cannot be used, or when a secret must be stored and there is no key
    /// ring.
    pub fn add_endpoint(&self, endpoint: &Endpoint, key: Option<&str>) -> Result<EndpointRow> {
        let invalid =
            |message: &str, hint: &str| Err(Failure::new(Code::InvalidRequest, message, hint));
        let name = endpoint.name.trim();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
        if name.is_empty() || name.chars().count() > 60 || !name.chars().all(fits) {
            return invalid(
                "An endpoint's name has up to 60 letters, digits, blanks, dots and dashes.",
                "Choose a short name, for example the firm's or the server's.",
            );
        }
        if name == LOCAL {
            return invalid(
                "The name `local` stands for the models of this machine.",
                "Choose another name.",
            );
        }
        if endpoint.model.trim().is_empty() {
            return invalid(
                "The endpoint has no model.",
                "Name the model as the endpoint does.",
            );
        }
        let address = Address::parse(&endpoint.url)?;
        let mut endpoint = Endpoint {
            name: name.to_owned(),
            url: address.as_str().to_owned(),
            model: endpoint.model.trim().to_owned(),
            ..endpoint.clone()
        };
        if endpoint.settings.proxy == Proxy::None && !endpoint.settings.proxy_password.is_none() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "There is a password for a proxy and no proxy.",
                Remedy::NameProxy,
            ));
        }
        if let Proxy::Url(url) = &endpoint.settings.proxy {
            ProxyServer::parse(url)?;
        }
        if let Some(key) = key {
            endpoint.key = KeySource::KeyRing;
            keys::key(&endpoint).put(&Secret::new(key))?;
        }
        let endpoint = without_password(endpoint)?;
        // An endpoint that cannot be used is found now, and not at the first question.
        Client::new(&endpoint, None, None)?;
        self.keep_confirmed(&endpoint, "endpoint.put")?;
        Ok(with_key(row(endpoint, true)))
    }

    /// Confirms that an endpoint may be used as it is defined: to which host, through which proxy, with a key from
    /// which place. `shown` is the definition that the confirming person saw. If the workspace contains the proxy's
    /// password, the password is moved into the key ring.
    ///
    /// # Errors
    /// When no endpoint has this name, its definition is no longer what was shown, or the confirmation cannot be kept.
    pub fn confirm_endpoint(&self, name: &str, shown: &str) -> Result<EndpointRow> {
        let endpoint = self.endpoint(name)?;
        if definition(&shown_of(endpoint.clone())) != shown {
            return Err(Failure::new(
                Code::EndpointUnconfirmed,
                format!("The endpoint {name} is not what was shown any more."),
                "Look at it again before you confirm it. Nothing was sent.",
            ));
        }
        let endpoint = without_password(endpoint)?;
        // Address and proxy must be such.
        Reach::of(&endpoint)?;
        self.keep_confirmed(&endpoint, "endpoint.confirm")?;
        Ok(with_key(row(endpoint, true)))
    }

    /// Keeps an endpoint and, outside of the workspace, that this very endpoint is confirmed.
    fn keep_confirmed(&self, endpoint: &Endpoint, action: &str) -> Result<()> {
        let workspace = self
            .workspace
            .store
            .write(&self.workspace.actor, workspace_uid)?;
        self.workspace
            .memo::<Confirmed>()
            .keep(&workspace, endpoint)?;
        let words = confirmed_words(endpoint);
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            if w.endpoint(&endpoint.name)?.as_ref() != Some(endpoint) || action == "endpoint.put" {
                w.because(words.clone());
                w.put_endpoint(endpoint)?;
            }
            if action != "endpoint.put" {
                w.note(action, &format!("endpoint {}", endpoint.name), Some(&words))?;
            }
            Ok(())
        })?)
    }

    /// Removes an endpoint and its key. The answers that it gave are kept.
    ///
    /// # Errors
    /// When no endpoint has this name.
    pub fn remove_endpoint(&self, name: &str) -> Result<()> {
        let endpoint = self.endpoint(name)?;
        let workspace = self.workspace.store.read(|r| r.setting(UID))?;
        let confirmed = self.confirmation(workspace.as_deref(), &endpoint) == Confirmation::Given;
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.remove_endpoint(name))?;
        // Secrets are stored in this key ring only for endpoints that were confirmed here. So there is something to
        // remove only if this endpoint was confirmed.
        if confirmed {
            keys::key(&endpoint).forget();
            keys::proxy_password(&endpoint).forget();
        }
        if let Some(workspace) = workspace {
            self.workspace
                .memo::<Confirmed>()
                .withdraw(&workspace, name);
        }
        Ok(())
    }

    pub(super) fn endpoint(&self, name: &str) -> Result<Endpoint> {
        let (found, all) = self
            .workspace
            .store
            .read(|r| Ok((r.endpoint(name)?, r.endpoints()?)))?;
        found.ok_or_else(|| {
            let meant = nearest(name, all.iter().map(|e| e.name.as_str()));
            let said = match meant {
                Some(meant) => format!(
                    "There is no endpoint {name} in this workspace. Perhaps {meant} is meant."
                ),
                None => format!("There is no endpoint {name} in this workspace."),
            };
            Failure::new(Code::NotFound, said, Remedy::NameEndpoint)
        })
    }
}

/// The endpoint as it is listed; whether its key can be had is not looked at.
fn row(endpoint: Endpoint, confirmed: bool) -> EndpointRow {
    let reach = if confirmed {
        Reach::of(&endpoint).ok()
    } else {
        None
    };
    let address = Address::parse(&endpoint.url).ok();
    let via = reach
        .as_ref()
        .map_or_else(|| Reach::proxy_named(&endpoint), Reach::via);
    let straight = via.is_none();
    let endpoint = shown_of(endpoint);
    EndpointRow {
        host: address
            .as_ref()
            .map_or_else(|| endpoint.url.clone(), Address::host),
        local: straight && address.as_ref().is_some_and(Address::is_loopback),
        unencrypted: address.is_some_and(|a| a.is_plain() && !(straight && a.is_loopback())),
        via,
        confirmed,
        definition: definition(&endpoint),
        key_present: false,
        endpoint,
    }
}

/// This row, with whether the endpoint's key is there. The key is looked for only if the endpoint is confirmed.
fn with_key(mut row: EndpointRow) -> EndpointRow {
    let there = |held: keys::Held<'_>| held.find().is_ok();
    row.key_present = row.confirmed
        && there(keys::key(&row.endpoint))
        && there(keys::proxy_password(&row.endpoint));
    row
}

/// The endpoint without a password that an older version kept in the proxy's address.
fn shown_of(mut endpoint: Endpoint) -> Endpoint {
    if let Proxy::Url(url) = &mut endpoint.settings.proxy
        && let Ok(proxy) = ProxyServer::parse(url)
        && proxy.password().is_some()
    {
        *url = proxy.as_str().to_owned();
    }
    endpoint
}

/// The endpoint with its proxy's address as it is kept; a password in it goes into the key ring.
fn without_password(mut endpoint: Endpoint) -> Result<Endpoint> {
    let Proxy::Url(url) = &endpoint.settings.proxy else {
        return Ok(endpoint);
    };
    let proxy = ProxyServer::parse(url)?;
    endpoint.settings.proxy = Proxy::Url(proxy.as_str().to_owned());
    if let Some(password) = proxy.password() {
        if !endpoint.settings.proxy_password.is_none() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "The proxy's password stands in its address, and another place is named for it.",
                "Leave it out of the address.",
            ));
        }
        endpoint.settings.proxy_password = KeySource::KeyRing;
        keys::proxy_password(&endpoint).put(password)?;
    }
    Ok(endpoint)
}

/// The confirmed definition in words, for the audit chain.
fn confirmed_words(endpoint: &Endpoint) -> String {
    let proxy = match &endpoint.settings.proxy {
        Proxy::None => "no proxy".to_owned(),
        Proxy::Environment => format!("proxy of the {ENVIRONMENT}"),
        Proxy::Url(url) => format!("proxy {url}"),
    };
    let password = match &endpoint.settings.proxy_password {
        KeySource::None => String::new(),
        source => format!(", its password: {}", source.words()),
    };
    format!(
        "{} · model {} · {proxy}{password} · {}",
        endpoint.url,
        endpoint.model,
        endpoint.key.words()
    )
}
