//! Endpoints: a language model behind an OpenAI-compatible HTTP interface, and what is counted about asking it.

use crate::grouped::grouped;
use crate::id::AskingId;
use crate::tags::{read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

tagged!(AskingState);
read_by_tag!(AskingState);

/// Name under which the worker of this machine is asked; no endpoint of a user can bear it.
pub const LOCAL: &str = "local";

/// A named endpoint. It never contains its key; [`KeySource`] says where the key is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The user's name for it.
    pub name: String,
    /// Where its interface begins: `https://llm.example.internal/v1`.
    pub url: String,
    /// The model that is asked for.
    pub model: String,
    /// Where its key is.
    #[serde(default)]
    pub key: KeySource,
    /// How it is asked.
    #[serde(flatten)]
    pub settings: EndpointSettings,
}

/// How an endpoint is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointSettings {
    /// Most requests at a time.
    pub concurrency: u32,
    /// Seconds after which one request is given up.
    pub timeout_s: u32,
    /// Seconds after which a prompt with all its retries is given up.
    pub total_s: u32,
    /// Most requests for one prompt.
    pub attempts: u32,
    /// Most bytes of one answer.
    pub max_bytes: u64,
    /// Most tokens of one answer.
    pub max_tokens: u32,
    /// Price of a million tokens of prompt, in the user's currency.
    pub price_in: Option<f64>,
    /// Price of a million tokens of answer.
    pub price_out: Option<f64>,
    /// How far it can be held to a form of answer.
    pub form: AnswerForm,
    /// The way in which it is reached: directly or through a proxy.
    pub proxy: Proxy,
    /// Where the proxy's password is, if the proxy asks for one. The address contains at most the user's name.
    #[serde(skip_serializing_if = "KeySource::is_none")]
    pub proxy_password: KeySource,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            concurrency: 4,
            timeout_s: 120,
            total_s: 600,
            attempts: 6,
            max_bytes: 4 << 20,
            max_tokens: 1024,
            price_in: None,
            price_out: None,
            form: AnswerForm::Schema,
            proxy: Proxy::None,
            proxy_password: KeySource::None,
        }
    }
}

/// How far an endpoint can be held to a form of answer. Whatever it is, every answer is read strictly.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// The prompt alone asks for the form.
    Free,
    /// `response_format` of type `json_object`.
    Object,
    /// `response_format` of type `json_schema`; where an endpoint refuses it, the next lower one is tried.
    #[default]
    Schema,
}

impl AnswerForm {
    /// The form that demands less, if there is one.
    pub fn lower(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::Object),
            Self::Object => Some(Self::Free),
            Self::Free => None,
        }
    }
}

/// The way in which an endpoint is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proxy {
    /// Straight. Variables such as `HTTPS_PROXY` are not heeded: what the consent names is what is talked to.
    #[default]
    None,
    /// The proxy that the environment of the program names.
    Environment,
    /// Through this proxy.
    Url(String),
}

/// The place of an endpoint's key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum KeySource {
    /// It needs none.
    #[default]
    None,
    /// In the key ring of the operating system.
    KeyRing,
    /// In an environment variable.
    Variable {
        /// Its name.
        name: String,
    },
    /// In a file that only its owner can read.
    File {
        /// Its path.
        path: String,
    },
}

impl KeySource {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The place in words.
    pub fn words(&self) -> String {
        match self {
            Self::None => "no key".to_owned(),
            Self::KeyRing => "key ring".to_owned(),
            Self::Variable { name } => format!("variable {name}"),
            Self::File { path } => format!("file {path}"),
        }
    }
}

/// An endpoint in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndpointRow {
    /// The endpoint.
    #[serde(flatten)]
    pub endpoint: Endpoint,
    /// The host that is talked to.
    pub host: String,
    /// The proxy in between: its host, or `environment` where that is not looked up before it is confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// It is on this machine and there is no proxy, so nothing leaves the machine.
    pub local: bool,
    /// A key would travel, or text does, without encryption.
    pub unencrypted: bool,
    /// Somebody on this machine added the endpoint here, or confirmed it. Before that, nothing is sent to the endpoint,
    /// and its key is not looked for.
    pub confirmed: bool,
    /// SHA-256 over what is confirmed, hexadecimal.
    pub definition: String,
    /// Whether its key is available now. The key is not looked for if the endpoint is not confirmed.
    pub key_present: bool,
}

/// The result of checking an endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndpointCheck {
    /// The endpoint's name.
    pub name: String,
    /// The host that was talked to.
    pub host: String,
    /// The proxy in between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// What was sent.
    pub sent: String,
    /// It can be used.
    pub ok: bool,
    /// Models that it names; `None` where it does not tell.
    pub models: Option<Vec<String>>,
    /// The form that it can be held to.
    pub form: Option<AnswerForm>,
    /// It reports token counts.
    pub counts_tokens: bool,
    /// Milliseconds of one short answer.
    pub milliseconds: Option<u64>,
    /// Notes for the user, although it can be used.
    pub notes: Vec<String>,
    /// Why it cannot be used.
    pub failure: Option<crate::Failure>,
}

/// The prompts that would be sent, and where: a person agrees to this plan before the first byte leaves the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskPlan {
    /// The endpoint's name.
    pub endpoint: String,
    /// The host that would be talked to.
    pub host: String,
    /// The proxy in between, which reads what is not encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The model.
    pub model: String,
    /// Whether it is on this machine without a proxy, so that no consent is needed.
    pub local: bool,
    /// Prompts that would be sent.
    pub prompts: u64,
    /// Prompts that the workspace has the answers of; they are not sent again.
    pub answered: u64,
    /// Different sentences of the documents in the prompts that would be sent.
    pub sentences: u64,
    /// Documents that these sentences are from.
    pub documents: u64,
    /// Characters that would be sent.
    pub characters: u64,
    /// Whether sentences are sent without encryption.
    pub unencrypted: bool,
    /// Whether the number is only an upper limit, because the real number is known only afterwards. An example is a
    /// judge: it is asked only about drafts that pass the checks before.
    #[serde(default)]
    pub at_most: bool,
    /// SHA-256 over host, proxy, model and prompts, hexadecimal: consent is to this and to nothing else.
    pub scope: String,
}

impl AskPlan {
    /// The consent to just this; `given` says how a person gave it.
    pub fn agreed(&self, given: &str) -> Consent {
        Consent {
            scope: self.scope.clone(),
            given: given.to_owned(),
        }
    }

    /// The consent line.
    pub fn line(&self) -> String {
        let prompts = many(self.prompts, "prompt", "prompts");
        let at_most = if self.at_most { "at most " } else { "" };
        let open = if self.unencrypted {
            " Nothing encrypts them on the way."
        } else {
            ""
        };
        let via = self
            .via
            .as_ref()
            .map(|proxy| format!(" through the proxy {proxy}"))
            .unwrap_or_default();
        format!(
            "Send {at_most}{prompts} to {} (model {}){via}? They contain {} from {}.{open}",
            self.host,
            self.model,
            many(self.sentences, "sentence", "sentences"),
            many(self.documents, "document", "documents"),
        )
    }
}

fn many(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { more })
}

/// A person's consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// [`AskPlan::scope`] of the plan that was shown.
    pub scope: String,
    /// How it was given: `terminal`, `--yes`, `window`.
    pub given: String,
}

/// State of an asking: one time that a use case asks an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AskingState {
    /// Requests are under way.
    Running,
    /// Every prompt was asked.
    Finished,
    /// The user ended it.
    Cancelled,
    /// The endpoint could not be used any more.
    Failed,
    /// The program ended in the middle.
    Interrupted,
}

/// Counts of requests and answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskCounts {
    /// The asking, where one was begun.
    pub asking: Option<AskingId>,
    /// Prompts for which answers are needed.
    pub prompts: u64,
    /// Requests that were sent.
    pub calls: u64,
    /// Answers that were received.
    pub answered: u64,
    /// Prompts whose answer the workspace had already.
    pub from_cache: u64,
    /// Requests beyond the first for their prompt.
    pub retried: u64,
    /// Requests for which nobody knows whether they were answered: they may be billed.
    pub uncertain: u64,
    /// Prompts sent again though an earlier request may have been answered: possibly billed twice.
    pub possibly_billed_twice: u64,
    /// Requests that failed, by reason.
    pub failed: BTreeMap<String, u64>,
    /// Prompts that have no answer yet.
    pub unanswered: u64,
    /// Answers that could not be read, by reason.
    pub unparseable: BTreeMap<String, u64>,
    /// Tokens of the prompts, as the endpoint counts them.
    pub prompt_tokens: u64,
    /// Tokens of the answers, as the endpoint counts them.
    pub completion_tokens: u64,
    /// Answers without a token count.
    pub uncounted: u64,
    /// The cost of the tokens at the endpoint's prices; `None` if it has no prices.
    pub cost: Option<f64>,
    /// Seconds that asking took.
    pub seconds: f64,
}

impl AskCounts {
    /// Requests were made, and none of them brought an answer.
    pub fn all_failed(&self) -> bool {
        self.calls > 0 && self.answered == 0
    }
}

/// How an asking is going.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskProgress {
    /// Host that is asked.
    pub host: String,
    /// Prompts that are settled: answered or given up.
    pub done: u64,
    /// Of how many.
    pub of: u64,
    /// Answers that arrived.
    pub answered: u64,
    /// Questions in them that passed the checks.
    pub accepted: u64,
    /// Rejected drafts by the reason of a check or of the parser.
    pub rejected: BTreeMap<String, u64>,
    /// Prompts sent again though an earlier request may have been answered.
    pub possibly_billed_twice: u64,
    /// Answers a second over the last half minute.
    pub per_second: f64,
    /// Seconds left at that rate; `None` before the first answer.
    pub seconds_left: Option<f64>,
}

/// The result of reading a batch file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatchReport {
    /// Lines of the file.
    pub lines: u64,
    /// Answers that are new in the workspace.
    pub accepted: u64,
    /// Answers that the workspace has already, word for word.
    pub known: u64,
    /// Answers to a prompt that has a different answer already: the first one is kept.
    pub duplicate: u64,
    /// Lines whose `custom_id` belongs to no prompt of this workspace.
    pub unmatched: u64,
    /// Lines that carry an error in place of an answer, by its code.
    pub failed: BTreeMap<String, u64>,
    /// Lines that are no batch answer, by reason.
    pub invalid: BTreeMap<String, u64>,
    /// The first twenty lines that were not taken: (line, why).
    pub first: Vec<(u64, String)>,
    /// Prompts that were written out and have no answer yet.
    pub missing: u64,
}

#[cfg(test)]
mod tests;
