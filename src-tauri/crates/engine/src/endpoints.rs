//! Endpoints: naming them, confirming them, trying them, taking them away, and what stands behind a name.

use crate::confirmed::{Confirmation, definition};
use crate::models::{Scratch, inspect};
use crate::reach::{ENVIRONMENT, Reach};
use crate::review::{UID, workspace_uid};
use crate::{Engine, Result, keys};
use lexforge_augment::endpoint::{Address, Checked, Client, ProxyServer, Secret, check};
use lexforge_compute::WorkerProgram;
use lexforge_compute::serve::{ServeRequest, Served, serve};
use lexforge_domain::endpoint::{Endpoint, EndpointCheck, EndpointRow, EndpointSettings, KeySource, LOCAL, Proxy};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use std::sync::Arc;

/// Which model of this machine `local` stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalModel {
    /// The base model; none = the base of the run, else the decoder that comes with the product.
    pub base: Option<String>,
    /// The run whose adapter is used.
    pub run: Option<RunId>,
}

/// An endpoint whose model is known, before anything is sent.
pub(crate) struct Target {
    pub endpoint: Endpoint,
    /// The host that is talked to.
    pub host: String,
    /// Who is in between. That it is here, as it was worked out, is what a person agrees to.
    pub proxy: Option<ProxyServer>,
    pub local: bool,
    pub unencrypted: bool,
    /// Tells models of the same name apart.
    pub identity: String,
    /// For `local`: what is to be served.
    serve: Option<ServeRequest>,
}

impl Target {
    /// Nobody: for a look at prompts that are not sent.
    pub(crate) fn nobody() -> Self {
        Self {
            endpoint: Endpoint {
                name: String::new(),
                url: String::new(),
                model: String::new(),
                key: KeySource::None,
                settings: EndpointSettings::default(),
            },
            host: String::new(),
            proxy: None,
            local: true,
            unencrypted: false,
            identity: String::new(),
            serve: None,
        }
    }

    /// The host of the proxy in between.
    pub(crate) fn via(&self) -> Option<String> {
        self.proxy.as_ref().map(ProxyServer::host)
    }
}

/// An open way to an endpoint; the worker that serves a local model ends with it.
pub(crate) struct Connection {
    pub client: Arc<Client>,
    // In this order: the worker leaves before its folder goes.
    _served: Option<Served>,
    _folder: Option<Scratch>,
}

impl Engine {
    /// The endpoints that this workspace knows.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn endpoints(&self) -> Result<Vec<EndpointRow>> {
        Ok(self.endpoint_rows()?.into_iter().map(with_key).collect())
    }

    /// The endpoints; whether their keys can be had is not looked at.
    fn endpoint_rows(&self) -> Result<Vec<EndpointRow>> {
        let (endpoints, workspace) = self.store.read(|r| Ok((r.endpoints()?, r.setting(UID)?)))?;
        let known = |endpoint: &Endpoint| self.confirmation(workspace.as_deref(), endpoint) == Confirmation::Given;
        Ok(endpoints.into_iter().map(|endpoint| (known(&endpoint), endpoint)).map(|(c, e)| row(e, c)).collect())
    }

    /// The hosts of endpoints and proxies that are not this machine, each once.
    ///
    /// # Errors
    /// When the workspace cannot be read.
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

    fn confirmation(&self, workspace: Option<&str>, endpoint: &Endpoint) -> Confirmation {
        workspace.map_or(Confirmation::Never, |workspace| self.confirmed.of(workspace, endpoint))
    }

    /// Keeps an endpoint under its name, in place of one that bears it, and that it is confirmed. A key that is given and a
    /// password in the proxy's address go into the key ring; nothing is sent anywhere.
    ///
    /// # Errors
    /// When name, address or proxy cannot be used, or there is no key ring for what is to be in it.
    pub fn add_endpoint(&self, endpoint: &Endpoint, key: Option<&str>) -> Result<EndpointRow> {
        let invalid = |message: &str, hint: &str| Err(Failure::new(Code::InvalidRequest, message, hint));
        let name = endpoint.name.trim();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
        if name.is_empty() || name.chars().count() > 60 || !name.chars().all(fits) {
            return invalid(
                "An endpoint's name has up to 60 letters, digits, blanks, dots and dashes.",
                "Choose a short name, for example the firm's or the server's.",
            );
        }
        if name == LOCAL {
            return invalid("The name `local` stands for the models of this machine.", "Choose another name.");
        }
        if endpoint.model.trim().is_empty() {
            return invalid("The endpoint has no model.", "Name the model as the endpoint does.");
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
        // What cannot be used is found now and not at the first question.
        Client::new(&endpoint, None, None)?;
        self.keep_confirmed(&endpoint, "endpoint.put")?;
        Ok(with_key(row(endpoint, true)))
    }

    /// Confirms that an endpoint is to be used as it stands: to whom, through whom, with a key from where. `shown` is the
    /// definition that the person who confirms it saw. A proxy's password that stands in the workspace goes into the key
    /// ring.
    ///
    /// # Errors
    /// When there is none of this name, it is not what was shown any more, or the confirmation cannot be kept.
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
        let workspace = self.store.write(&self.actor, workspace_uid)?;
        self.confirmed.keep(&workspace, endpoint)?;
        let words = confirmed_words(endpoint);
        Ok(self.store.write(&self.actor, |w| {
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

    /// Takes an endpoint and its key away. Its answers stay.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn remove_endpoint(&self, name: &str) -> Result<()> {
        let endpoint = self.endpoint(name)?;
        let workspace = self.store.read(|r| r.setting(UID))?;
        let confirmed = self.confirmation(workspace.as_deref(), &endpoint) == Confirmation::Given;
        self.store.write(&self.actor, |w| w.remove_endpoint(name))?;
        // What nobody confirmed here has put nothing into this key ring, and takes nothing out of it.
        if confirmed {
            keys::key(&endpoint).forget();
            keys::proxy_password(&endpoint).forget();
        }
        if let Some(workspace) = workspace {
            self.confirmed.withdraw(&workspace, name);
        }
        Ok(())
    }

    /// Tries an endpoint with the smallest possible request, and remembers how far it can be held to a form of answer.
    /// Nothing of the documents is sent.
    ///
    /// # Errors
    /// When there is none of this name, or the workspace cannot be written; what is wrong with the endpoint is a
    /// result.
    pub fn check_endpoint(&self, name: &str, local: &LocalModel) -> Result<EndpointCheck> {
        let target = self.target(name, local)?;
        let mut found = EndpointCheck {
            name: name.to_owned(),
            host: target.host.clone(),
            via: target.via(),
            sent: Checked::sent().to_owned(),
            ok: false,
            models: None,
            form: None,
            counts_tokens: false,
            milliseconds: None,
            notes: Vec::new(),
            failure: None,
        };
        let checked = match self.connect(&target, &|| false) {
            Ok(connection) => check(&connection.client)?,
            Err(failure) => return Ok(EndpointCheck { failure: Some(failure), ..found }),
        };
        let shown = target.via().map_or_else(|| target.host.clone(), |via| format!("{} through {via}", target.host));
        self.store.write(&self.actor, |w| w.note("endpoint.check", &format!("endpoint {name}"), Some(&shown)))?;
        found.counts_tokens = checked.counts_tokens;
        found.models = checked.models;
        match checked.answered {
            Ok((form, milliseconds)) => {
                (found.ok, found.form, found.milliseconds) = (true, Some(form), Some(milliseconds));
                if !target.local && form != target.endpoint.settings.form {
                    let mut endpoint = target.endpoint.clone();
                    endpoint.settings.form = form;
                    self.store.write(&self.actor, |w| w.put_endpoint(&endpoint))?;
                }
            }
            Err(failure) => found.failure = Some(failure.into()),
        }
        if found.models.as_ref().is_some_and(|models| !models.contains(&target.endpoint.model)) {
            found.notes.push(format!("The endpoint does not list the model {}.", target.endpoint.model));
        }
        if found.ok && !checked.in_form {
            found.notes.push("Its answer had not the form that was asked for; such answers are counted.".to_owned());
        }
        if found.ok && !found.counts_tokens {
            found.notes.push("It does not count tokens, so that no cost can be told.".to_owned());
        }
        if target.unencrypted {
            found.notes.push("What is sent to it is not encrypted on the way.".to_owned());
        }
        Ok(found)
    }

    fn endpoint(&self, name: &str) -> Result<Endpoint> {
        let found = self.store.read(|r| r.endpoint(name))?;
        found.ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("There is no endpoint {name} in this workspace."),
                Remedy::NameEndpoint,
            )
        })
    }

    /// What stands behind a name. Nothing is sent and nothing started.
    ///
    /// # Errors
    /// [`Code::EndpointUnconfirmed`] where nobody on this machine said that it is to be used.
    pub(crate) fn target(&self, name: &str, local: &LocalModel) -> Result<Target> {
        if name == LOCAL {
            return self.local_target(local);
        }
        let endpoint = self.endpoint(name)?;
        let workspace = self.store.read(|r| r.setting(UID))?;
        let confirmation = self.confirmation(workspace.as_deref(), &endpoint);
        if confirmation != Confirmation::Given {
            return Err(unconfirmed(name, confirmation));
        }
        let Reach { host, proxy, local, unencrypted } = Reach::of(&endpoint)?;
        let identity = Address::parse(&endpoint.url)?.as_str().to_owned();
        Ok(Target { endpoint, host, proxy, local, unencrypted, identity, serve: None })
    }

    fn local_target(&self, local: &LocalModel) -> Result<Target> {
        let run = local.run.map(|id| self.run(id)).transpose()?;
        let named = local.base.clone().or_else(|| run.as_ref().map(|r| r.base.clone()));
        let base = self.base(Some(named.as_deref().unwrap_or(crate::bases::DEMO_DECODER)))?;
        let model = inspect(&base, None, &[])?;
        if let Some(problem) = model.problems.into_iter().next() {
            return Err(problem);
        }
        if !model.decoder {
            return Err(Failure::new(
                Code::ModelUnsupported,
                format!("{} is an encoder: it makes vectors and writes no text.", base.name),
                Remedy::ChooseDecoder,
            ));
        }
        let mut identity = format!("local {}", model.sha256);
        let mut adapters = Vec::new();
        let mut name = base.name.clone();
        if let Some(run) = run {
            name = format!("run-{}", run.id);
            adapters.push((name.clone(), self.adapter_dir(run.id)?));
            identity.push_str(&format!(" {}", run.adapter.unwrap_or_default()));
        }
        Ok(Target {
            endpoint: Endpoint {
                name: LOCAL.to_owned(),
                url: "http://127.0.0.1".to_owned(),
                model: name,
                key: KeySource::None,
                settings: EndpointSettings::default(),
            },
            host: "this machine".to_owned(),
            proxy: None,
            local: true,
            unencrypted: false,
            identity,
            serve: Some(ServeRequest { model: base.name, models: base.folders, adapters }),
        })
    }

    /// Opens the way to an endpoint; a local model is loaded by a worker of its own.
    pub(crate) fn connect(&self, target: &Target, cancelled: &dyn Fn() -> bool) -> Result<Connection> {
        let Some(request) = &target.serve else {
            let proxy = match &target.proxy {
                Some(proxy) => Some(proxy.clone().with_password(keys::proxy_password(&target.endpoint).find()?)),
                None => None,
            };
            let client = Client::new(&target.endpoint, keys::key(&target.endpoint).find()?, proxy.as_ref())?;
            return Ok(Connection { client: Arc::new(client), _served: None, _folder: None });
        };
        let folder = Scratch::new(&std::env::temp_dir(), "serve")?;
        let served = serve(&WorkerProgram::locate()?, request, folder.path(), cancelled)?;
        let endpoint = Endpoint { url: served.url(), ..target.endpoint.clone() };
        let client = Client::new(&endpoint, Some(Secret::new(served.token())), None)?;
        Ok(Connection { client: Arc::new(client), _served: Some(served), _folder: Some(folder) })
    }
}

/// The endpoint as it is listed; whether its key can be had is not looked at.
fn row(endpoint: Endpoint, confirmed: bool) -> EndpointRow {
    let reach = if confirmed { Reach::of(&endpoint).ok() } else { None };
    let address = Address::parse(&endpoint.url).ok();
    let via = reach.as_ref().map_or_else(|| Reach::proxy_named(&endpoint), Reach::via);
    let straight = via.is_none();
    let endpoint = shown_of(endpoint);
    EndpointRow {
        host: address.as_ref().map_or_else(|| endpoint.url.clone(), Address::host),
        local: straight && address.as_ref().is_some_and(Address::is_loopback),
        unencrypted: address.is_some_and(|a| a.is_plain() && !(straight && a.is_loopback())),
        via,
        confirmed,
        definition: definition(&endpoint),
        key_present: false,
        endpoint,
    }
}

/// The same with whether its key can be had, which is looked for only where it is confirmed.
fn with_key(mut row: EndpointRow) -> EndpointRow {
    let there = |held: keys::Held<'_>| held.find().is_ok();
    row.key_present = row.confirmed && there(keys::key(&row.endpoint)) && there(keys::proxy_password(&row.endpoint));
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
    let Proxy::Url(url) = &endpoint.settings.proxy else { return Ok(endpoint) };
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

/// What is confirmed, for the chain.
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
    format!("{} · model {} · {proxy}{password} · {}", endpoint.url, endpoint.model, endpoint.key.words())
}

fn unconfirmed(name: &str, confirmation: Confirmation) -> Failure {
    let why = match confirmation {
        Confirmation::Changed => "is not what was confirmed on this machine any more",
        Confirmation::Given | Confirmation::Never => {
            "was not confirmed on this machine; it may have come with the workspace"
        }
    };
    Failure::new(
        Code::EndpointUnconfirmed,
        format!("The endpoint {name} {why}. Nothing was sent, and its key was not looked for."),
        Remedy::ConfirmEndpoint { name: name.to_owned() },
    )
}
