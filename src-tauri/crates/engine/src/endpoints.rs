//! Endpoints: naming them, trying them, taking them away, and what stands behind a name.

use crate::models::{Scratch, inspect};
use crate::{Engine, Result, keys};
use lexforge_augment::endpoint::{Address, Checked, Client, Secret, check};
use lexforge_compute::WorkerProgram;
use lexforge_compute::serve::{ServeRequest, Served, serve};
use lexforge_domain::endpoint::{Endpoint, EndpointCheck, EndpointRow, EndpointSettings, KeySource, LOCAL};
use lexforge_domain::{Code, Failure, RunId};
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
            local: true,
            unencrypted: false,
            identity: String::new(),
            serve: None,
        }
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
        self.store.read(|r| r.endpoints())?.into_iter().map(row).collect()
    }

    /// Keeps an endpoint under its name, in place of one that bears it. A key that is given goes into the key ring;
    /// nothing is sent anywhere.
    ///
    /// # Errors
    /// When name or address cannot be used, or there is no key ring for the key.
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
        if let Some(key) = key {
            endpoint.key = KeySource::KeyRing;
            keys::put(&endpoint, &Secret::new(key))?;
        }
        // What cannot be used is found now and not at the first question.
        Client::new(&endpoint, None)?;
        self.store.write(&self.actor, |w| w.put_endpoint(&endpoint))?;
        row(endpoint)
    }

    /// Takes an endpoint and its key away. Its answers stay.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn remove_endpoint(&self, name: &str) -> Result<()> {
        let endpoint = self.endpoint(name)?;
        self.store.write(&self.actor, |w| w.remove_endpoint(name))?;
        keys::forget(&endpoint);
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
        self.store.write(&self.actor, |w| w.note("endpoint.check", &format!("endpoint {name}"), Some(&target.host)))?;
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
                "List them with lexforge endpoints list, or name one with lexforge endpoints add.",
            )
        })
    }

    /// What stands behind a name. Nothing is sent and nothing started.
    pub(crate) fn target(&self, name: &str, local: &LocalModel) -> Result<Target> {
        if name == LOCAL {
            return self.local_target(local);
        }
        let endpoint = self.endpoint(name)?;
        let address = Address::parse(&endpoint.url)?;
        Ok(Target {
            host: address.host(),
            local: address.is_loopback(),
            unencrypted: address.is_unencrypted(),
            identity: address.as_str().to_owned(),
            endpoint,
            serve: None,
        })
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
                "Choose a decoder, for example with --base lexforge-demo, or a run that tuned one.",
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
            local: true,
            unencrypted: false,
            identity,
            serve: Some(ServeRequest { model: base.name, models: base.folders, adapters }),
        })
    }

    /// Opens the way to an endpoint; a local model is loaded by a worker of its own.
    pub(crate) fn connect(&self, target: &Target, cancelled: &dyn Fn() -> bool) -> Result<Connection> {
        let Some(request) = &target.serve else {
            let client = Client::new(&target.endpoint, keys::find(&target.endpoint)?)?;
            return Ok(Connection { client: Arc::new(client), _served: None, _folder: None });
        };
        let folder = Scratch::new(&std::env::temp_dir(), "serve")?;
        let served = serve(&WorkerProgram::locate()?, request, folder.path(), cancelled)?;
        let endpoint = Endpoint { url: served.url(), ..target.endpoint.clone() };
        let client = Client::new(&endpoint, Some(Secret::new(served.token())))?;
        Ok(Connection { client: Arc::new(client), _served: Some(served), _folder: Some(folder) })
    }
}

/// The hosts of endpoints that are not this machine, each once.
pub(crate) fn hosts(endpoints: &[Endpoint]) -> Vec<String> {
    let addresses = endpoints.iter().filter_map(|e| Address::parse(&e.url).ok());
    let mut hosts: Vec<String> = addresses.filter(|a| !a.is_loopback()).map(|a| a.host()).collect();
    hosts.sort();
    hosts.dedup();
    hosts
}

fn row(endpoint: Endpoint) -> Result<EndpointRow> {
    let address = Address::parse(&endpoint.url)?;
    Ok(EndpointRow {
        host: address.host(),
        local: address.is_loopback(),
        unencrypted: address.is_unencrypted(),
        key_present: keys::find(&endpoint).is_ok(),
        endpoint,
    })
}
