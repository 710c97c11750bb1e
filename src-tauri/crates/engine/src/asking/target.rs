//! Finds the endpoint with a name, and the way to reach it.

use super::Asking;
use super::confirmed::Confirmation;
use super::keys;
use super::reach::Reach;
use super::request::LocalModel;
use crate::models::{DEMO_DECODER, Models, folder_of, inspect, weights_of};
use crate::runs::Runs;
use crate::workspace::{Result, Scratch, UID};
use lexforge_augment::endpoint::{Address, CallFailure, Client, Fault, ProxyServer, Secret};
use lexforge_compute::WorkerProgram;
use lexforge_compute::serve::{ServeRequest, Served, serve};
use lexforge_domain::endpoint::{Endpoint, EndpointSettings, KeySource, LOCAL};
use lexforge_domain::{Code, Failure, Remedy};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An endpoint whose model is known, before anything is sent.
pub(crate) struct Target {
    pub endpoint: Endpoint,
    /// The host that is talked to.
    pub host: String,
    /// The proxy in between, already looked up. The person's consent depends on whether it is on this machine.
    pub proxy: Option<ProxyServer>,
    pub local: bool,
    pub unencrypted: bool,
    /// Distinguishes models of the same name.
    pub identity: String,
    /// For `local`: what a change of the weights' files changes.
    pub weights: String,
    /// The length of the longest text that the model reads, in tokens. `None` = not known.
    pub context: Option<u64>,
    /// For `local`: the model to be served.
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
            weights: String::new(),
            context: None,
            serve: None,
        }
    }

    /// Why nothing was answered, by the faults under which the requests were counted.
    pub(crate) fn answered_nothing(&self, failed: &BTreeMap<String, u64>) -> Failure {
        let Some(fault) = failed.keys().find_map(|tag| Fault::of_tag(tag)) else {
            let tags: Vec<&str> = failed.keys().map(String::as_str).collect();
            return self.gave_no_answer(&tags.join(", "));
        };
        let mut failure = Failure::from(CallFailure {
            fault,
            host: self.host.clone(),
            model: self.endpoint.model.clone(),
            status: None,
            said: String::new(),
            retry_after: None,
        });
        // Whatever the fault was, it is this answer that is missing: nothing else waits for the endpoint.
        failure.code = Code::EndpointAnswer;
        failure
    }

    /// That there is no answer, with the reason.
    pub(crate) fn gave_no_answer(&self, why: &str) -> Failure {
        let host = &self.host;
        Failure::new(
            Code::EndpointAnswer,
            format!("{host} gave no answer: {why}."),
            Remedy::CheckEndpoint,
        )
    }

    /// The host of the proxy in between.
    pub(crate) fn via(&self) -> Option<String> {
        self.proxy.as_ref().map(ProxyServer::host)
    }
}

/// An open way to an endpoint; the worker that serves a local model ends with it.
pub(crate) struct Connection {
    pub client: Arc<Client>,
    // The order matters: the worker must end before its folder is removed.
    _served: Option<Served>,
    _folder: Option<Scratch>,
}

impl Asking<'_> {
    /// Finds the endpoint or local model that has this name. This function sends nothing and starts nothing.
    ///
    /// # Errors
    /// [`Code::EndpointUnconfirmed`] where nobody on this machine confirmed the endpoint.
    pub(crate) fn target(&self, name: &str, local: &LocalModel) -> Result<Target> {
        if name == LOCAL {
            return self.local_target(local);
        }
        let endpoint = self.endpoint(name)?;
        let workspace = self.workspace.store.read(|r| r.setting(UID))?;
        let confirmation = self.confirmation(workspace.as_deref(), &endpoint);
        if confirmation != Confirmation::Given {
            return Err(unconfirmed(name, confirmation));
        }
        let Reach {
            host,
            proxy,
            local,
            unencrypted,
        } = Reach::of(&endpoint)?;
        let identity = Address::parse(&endpoint.url)?.as_str().to_owned();
        Ok(Target {
            endpoint,
            host,
            proxy,
            local,
            unencrypted,
            identity,
            weights: String::new(),
            context: None,
            serve: None,
        })
    }

    fn local_target(&self, local: &LocalModel) -> Result<Target> {
        let run = local
            .run
            .map(|id| Runs::of(self.workspace).run(id))
            .transpose()?;
        let named = local
            .base
            .clone()
            .or_else(|| run.as_ref().map(|r| r.base.clone()));
        let base =
            Models::of(self.workspace).base(Some(named.as_deref().unwrap_or(DEMO_DECODER)))?;
        let model = inspect(&base, None, &[])?;
        if let Some(problem) = model.problems.into_iter().next() {
            return Err(problem);
        }
        if !model.decoder {
            return Err(Failure::new(
                Code::ModelUnsupported,
                format!(
                    "{} is an encoder: it makes vectors and writes no text.",
                    base.name
                ),
                Remedy::ChooseDecoder,
            ));
        }
        let mut identity = format!("local {}", model.sha256);
        let mut adapters = Vec::new();
        let mut name = base.name.clone();
        if let Some(run) = run {
            name = format!("run-{}", run.id);
            adapters.push((name.clone(), Runs::of(self.workspace).adapter_dir(run.id)?));
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
            weights: folder_of(&base).map_or(String::new(), |folder| weights_of(&folder)),
            context: Some(model.max_positions),
            serve: Some(ServeRequest {
                model: base.name,
                models: base.folders,
                adapters,
            }),
        })
    }

    /// Opens the way to an endpoint; a local model is loaded by a worker of its own.
    pub(crate) fn connect(
        &self,
        target: &Target,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Connection> {
        let (endpoint, host) = (target.endpoint.name.as_str(), target.host.as_str());
        tracing::info!(endpoint, host, "an endpoint is asked");
        let Some(request) = &target.serve else {
            let proxy = match &target.proxy {
                Some(proxy) => Some(
                    proxy
                        .clone()
                        .with_password(keys::proxy_password(&target.endpoint).find()?),
                ),
                None => None,
            };
            let client = Client::new(
                &target.endpoint,
                keys::key(&target.endpoint).find()?,
                proxy.as_ref(),
            )?;
            return Ok(Connection {
                client: Arc::new(client),
                _served: None,
                _folder: None,
            });
        };
        let folder = Scratch::new(&std::env::temp_dir(), "serve")?;
        let served = serve(&WorkerProgram::locate()?, request, folder.path(), cancelled)?;
        let endpoint = Endpoint {
            url: served.url(),
            ..target.endpoint.clone()
        };
        let client = Client::new(&endpoint, Some(Secret::new(served.token())), None)?;
        Ok(Connection {
            client: Arc::new(client),
            _served: Some(served),
            _folder: Some(folder),
        })
    }
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
        Remedy::ConfirmEndpoint {
            name: name.to_owned(),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_nothing_was_answered_is_said_in_words() {
        let target = Target {
            host: "llm.example".to_owned(),
            ..Target::nobody()
        };
        for (tag, said) in [
            ("refused", "llm.example refuses the request."),
            ("timed_out", "llm.example did not answer in time."),
            ("of_old", "llm.example gave no answer: of_old."),
        ] {
            let failure = target.answered_nothing(&BTreeMap::from([(tag.to_owned(), 2)]));
            assert_eq!(failure.message, said);
            assert_eq!(failure.code, Code::EndpointAnswer, "{tag}");
            assert!(!failure.hint.is_empty(), "{tag}");
        }
    }
}
