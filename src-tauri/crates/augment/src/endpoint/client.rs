//! One request, its answer, or exactly what went wrong.

mod cause;
mod complaint;

use crate::endpoint::address::Address;
use crate::endpoint::answer::Answer;
use crate::endpoint::failure::{CallFailure, Fault};
use crate::endpoint::prompt::Prompt;
use crate::endpoint::proxy::ProxyServer;
use crate::endpoint::secret::{Cut, Secret};
use crate::endpoint::{retry, wire};
use cause::{chain, holds, innermost};
use complaint::{excerpt, is_page, looks_like_a_page, no_such_model};
use lexforge_domain::endpoint::{AnswerForm, Endpoint, EndpointSettings};
use lexforge_domain::{Code, Failure};
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// Time for a connection to come about.
const CONNECT: Duration = Duration::from_secs(10);
/// Longest silence in the middle of an answer.
const SILENCE: Duration = Duration::from_secs(30);
/// Most bytes of an error's body that are read.
const COMPLAINT_BYTES: u64 = 64 << 10;

/// Makes requests to one endpoint.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    pub(crate) address: Address,
    pub(crate) model: String,
    pub(crate) settings: EndpointSettings,
    /// The host of the proxy in between.
    via: Option<String>,
    /// The secrets that are removed from every answer and message.
    pub(super) cut: Cut,
    pub(super) silence: Duration,
    /// How far the endpoint lets itself be held to a form, as far as it is known by now.
    form: AtomicU8,
}

impl Client {
    /// A client for an endpoint, with its key, with or without a proxy. The proxy setting of the endpoint is ignored
    /// here, because the caller has already looked up the proxy ([`ProxyServer::of`]) and a person has agreed to it.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the address, the proxy or the key cannot be used. Then nothing is sent.
    pub fn new(
        endpoint: &Endpoint,
        key: Option<Secret>,
        proxy: Option<&ProxyServer>,
    ) -> Result<Self, Failure> {
        let address = Address::parse(&endpoint.url)?;
        let settings = endpoint.settings.clone();
        // This provider, or one that a library set before: either is good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| {
                    invalid(
                        "The key has characters that no key has.",
                        "Copy the key again, without line breaks.",
                    )
                })?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("lexforge/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .connect_timeout(CONNECT)
            // A request with a key is sent only to the address that the user gave.
            .redirect(reqwest::redirect::Policy::none())
            // Each request is recorded before it is sent, so the HTTP library must not send one again by itself.
            .retry(reqwest::retry::never())
            .tcp_nodelay(true)
            .pool_max_idle_per_host(settings.concurrency.max(1) as usize);
        // Use only the given proxy, whatever the environment says.
        builder = builder.no_proxy();
        if let Some(proxy) = proxy {
            builder = builder.proxy(proxy.for_all()?);
        }
        let http = builder.build().map_err(|e| {
            let why = innermost(&e);
            invalid(
                &format!("The client cannot be set up: {why}."),
                "Check the endpoint's address and proxy.",
            )
        })?;
        let form = AtomicU8::new(settings.form as u8);
        let cut = Cut::new(key.iter().chain(proxy.and_then(ProxyServer::password)));
        let via = proxy.map(ProxyServer::host);
        Ok(Self {
            http,
            address,
            model: endpoint.model.clone(),
            settings,
            via,
            cut,
            silence: SILENCE,
            form,
        })
    }

    /// The host that is talked to.
    pub fn host(&self) -> String {
        self.address.host()
    }

    /// How far the endpoint lets itself be held to a form, as far as it is known by now.
    pub fn form(&self) -> AnswerForm {
        match self.form.load(Ordering::Relaxed) {
            2 => AnswerForm::Schema,
            1 => AnswerForm::Object,
            _ => AnswerForm::Free,
        }
    }

    /// Sends a prompt once. If the endpoint does not support the form that the answer should have, the prompt is sent
    /// again with a less strict form. A refused request costs nothing.
    ///
    /// # Errors
    /// A failure that says what went wrong.
    pub async fn complete(&self, prompt: &Prompt) -> Result<Answer, CallFailure> {
        let mut form = if prompt.shape.is_some() {
            self.form()
        } else {
            AnswerForm::Free
        };
        loop {
            let outcome = self.within_time(self.complete_in(prompt, form)).await;
            match outcome {
                Ok(answer) => {
                    if prompt.shape.is_some() {
                        self.form.store(form as u8, Ordering::Relaxed);
                    }
                    return Ok(answer);
                }
                Err(failure) => match (form.lower(), failure.status) {
                    (Some(lower), Some(400 | 415 | 422 | 501)) => form = lower,
                    _ => return Err(failure),
                },
            }
        }
    }

    async fn complete_in(&self, prompt: &Prompt, form: AnswerForm) -> Result<Answer, CallFailure> {
        let response = self.send(self.request(prompt, form, false)).await?;
        self.whole(response).await
    }

    /// The request that asks a prompt.
    pub(super) fn request(
        &self,
        prompt: &Prompt,
        form: AnswerForm,
        stream: bool,
    ) -> reqwest::RequestBuilder {
        self.http
            .post(self.address.call("chat/completions"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(wire::request(prompt, &self.model, form, stream).to_string())
    }

    /// The answer that a response holds as a whole.
    pub(super) async fn whole(&self, response: Response) -> Result<Answer, CallFailure> {
        let value = self.json_of(response).await?;
        let said = wire::complaint(&value);
        let answer = wire::completion(value, &self.model).ok_or_else(|| {
            self.failure(Fault::Garbage, None, said.as_deref().unwrap_or_default())
        })?;
        Ok(self.without_secrets(answer))
    }

    /// The answer as it may be kept.
    pub(super) fn without_secrets(&self, answer: Answer) -> Answer {
        Answer {
            model: self.cut.out_of_answer(&answer.model),
            text: self.cut.out_of_answer(&answer.text),
            finish: self.cut.out_of_answer(&answer.finish),
            ..answer
        }
    }

    /// The models that the endpoint names.
    ///
    /// # Errors
    /// A failure that says what went wrong.
    pub async fn models(&self) -> Result<Vec<String>, CallFailure> {
        let value = self
            .within_time(self.json(self.http.get(self.address.call("models"))))
            .await?;
        let models = wire::models(&value).ok_or_else(|| {
            self.failure(Fault::Garbage, None, "the list of models is no such list")
        })?;
        Ok(models
            .iter()
            .map(|name| self.cut.out_of_message(name))
            .collect())
    }

    /// The longest time that one request may take.
    pub(super) fn longest(&self) -> Duration {
        Duration::from_secs(self.settings.timeout_s.max(1).into())
    }

    pub(super) async fn within_time<T>(
        &self,
        call: impl Future<Output = Result<T, CallFailure>>,
    ) -> Result<T, CallFailure> {
        timeout(self.longest(), call)
            .await
            .unwrap_or_else(|_| Err(self.failure(Fault::TimedOut, None, "")))
    }

    /// The JSON that a request is answered with.
    async fn json(&self, request: reqwest::RequestBuilder) -> Result<Value, CallFailure> {
        let response = self.send(request).await?;
        self.json_of(response).await
    }

    /// The JSON of a response.
    async fn json_of(&self, mut response: Response) -> Result<Value, CallFailure> {
        let page = is_page(&response);
        let bytes = self.body(&mut response, self.settings.max_bytes).await?;
        let text =
            std::str::from_utf8(&bytes).map_err(|_| self.failure(Fault::Encoding, None, ""))?;
        serde_json::from_str(text).map_err(|_| {
            let fault = if page || looks_like_a_page(text) {
                Fault::Page
            } else {
                Fault::Garbage
            };
            self.failure(fault, None, if fault == Fault::Page { "" } else { text })
        })
    }

    /// The answer to a request, once its status says that it is one.
    pub(super) async fn send(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<Response, CallFailure> {
        let mut response = request.send().await.map_err(|e| self.transport(&e))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let wait = response
            .headers()
            .get(header::RETRY_AFTER)
            .and_then(|v| v.to_str().ok());
        let retry_after =
            wait.and_then(|value| retry::retry_after(value, time::OffsetDateTime::now_utc()));
        let target = response
            .headers()
            .get(header::LOCATION)
            .and_then(|v| v.to_str().ok())
            .map(str::to_owned);
        let page = is_page(&response);
        // An error whose words do not arrive is still that error.
        let body = self
            .body(&mut response, COMPLAINT_BYTES)
            .await
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        let page = page || looks_like_a_page(&text);
        let complaint = serde_json::from_str(&text)
            .ok()
            .and_then(|value| wire::complaint(&value));
        let fault = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Fault::Key,
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => Fault::Page,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED if page => Fault::Page,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Fault::Model,
            StatusCode::TOO_MANY_REQUESTS => Fault::Busy,
            StatusCode::REQUEST_TIMEOUT => Fault::ServerError,
            s if s.is_redirection() => Fault::Redirect,
            s if s.is_server_error() && page => Fault::Page,
            s if s.is_server_error() => Fault::ServerError,
            // vLLM and others answer 400 for a model that they do not have.
            _ if complaint.as_deref().is_some_and(no_such_model) => Fault::Model,
            _ if page => Fault::Page,
            _ => Fault::Refused,
        };
        let said = match fault {
            Fault::Redirect => target.as_deref().map(host_of).unwrap_or_default(),
            _ => complaint.unwrap_or_default(),
        };
        Err(CallFailure {
            retry_after,
            ..self.failure(fault, Some(status.as_u16()), &said)
        })
    }

    async fn body(&self, response: &mut Response, most: u64) -> Result<Vec<u8>, CallFailure> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk(response, self.silence).await? {
            if (bytes.len() + chunk.len()) as u64 > most {
                return Err(self.failure(
                    Fault::TooLarge,
                    None,
                    &format!("more than {most} bytes"),
                ));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    pub(super) async fn chunk(
        &self,
        response: &mut Response,
        silence: Duration,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]> + use<>>, CallFailure>
    {
        match timeout(silence, response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(_)) => Err(self.failure(Fault::Truncated, None, "")),
            Err(_) => Err(self.failure(Fault::Stalled, None, "")),
        }
    }

    pub(super) fn within_size(&self, bytes: u64) -> Result<(), CallFailure> {
        let most = self.settings.max_bytes;
        if bytes <= most {
            Ok(())
        } else {
            Err(self.failure(Fault::TooLarge, None, &format!("more than {most} bytes")))
        }
    }

    /// A request that got no answer at all.
    fn transport(&self, error: &reqwest::Error) -> CallFailure {
        let why = innermost(error);
        let words = chain(error);
        let fault = if error.is_builder() {
            Fault::Internal
        } else if holds::<rustls::Error>(error)
            || words.contains("certificate")
            || words.contains("tls")
        {
            Fault::Tls
        } else if error.is_dns()
            || words.contains("dns error")
            || words.contains("failed to lookup")
        {
            Fault::UnknownHost
        } else if error.is_connect() {
            Fault::Unreachable
        } else if error.is_timeout() {
            Fault::TimedOut
        } else {
            Fault::Dropped
        };
        self.failure(fault, None, &why)
    }

    pub(crate) fn failure(&self, fault: Fault, status: Option<u16>, said: &str) -> CallFailure {
        let said = self.cut.out_of_message(said);
        let through = self
            .via
            .as_ref()
            .map(|proxy| format!(" through the proxy {proxy}"))
            .unwrap_or_default();
        CallFailure {
            fault,
            host: format!("{}{through}", self.host()),
            model: self.model.clone(),
            status,
            said: excerpt(&said),
            retry_after: None,
        }
    }
}

fn invalid(message: &str, hint: &str) -> Failure {
    Failure::new(Code::InvalidRequest, message, hint)
}

/// The host of an address, or nothing. A message must not show the path or the query.
fn host_of(target: &str) -> String {
    reqwest::Url::parse(target)
        .ok()
        .and_then(|url| Some(url.host_str()?.to_owned()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
