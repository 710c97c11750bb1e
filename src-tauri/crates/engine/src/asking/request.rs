//! A request to a language model, and the consent to it.

use lexforge_domain::RunId;
use lexforge_domain::api::{DEFAULT_THRESHOLD, Extent};
use lexforge_domain::endpoint::Consent;

/// The model of this machine that `local` means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalModel {
    /// The base model; `None` = the base of the run, else the decoder that comes with the product.
    pub base: Option<String>,
    /// The run whose adapter is used.
    pub run: Option<RunId>,
}

/// Which endpoint is to write questions, and how many.
#[derive(Clone, Debug, Default)]
pub struct AskRequest {
    /// The endpoint's name, or `local`.
    pub endpoint: String,
    /// For `local`: the model.
    pub local: LocalModel,
    /// The most prompts that are sent to the writer. Asking again about an unusable answer counts as well. `None` = all
    /// prompts that have no answer.
    pub limit: Option<u64>,
    /// Most requests at a time; `None` = as the endpoint says.
    pub concurrency: Option<u32>,
    /// Most tokens of an answer; `None` = as the endpoint says.
    pub max_tokens: Option<u32>,
    /// How often an answer that cannot be used is asked for again with the reason; `None` = twice.
    pub reasks: Option<u32>,
    /// How many questions are to be written.
    pub extent: Extent,
    /// The model that judges the questions that pass the checks; `None` = no judge.
    pub judge: Option<JudgeRequest>,
    /// The person's consent.
    pub consent: Option<Consent>,
}

/// The model that judges.
#[derive(Clone, Debug)]
pub struct JudgeRequest {
    /// The endpoint's name, or `local`.
    pub endpoint: String,
    /// For `local`: the model.
    pub local: LocalModel,
    /// Lowest score that keeps a question, 0 to 10.
    pub threshold: f64,
    /// The person's consent: the scope of [`crate::Writing::plan_judging`].
    pub consent: Option<Consent>,
}

impl Default for JudgeRequest {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            local: LocalModel::default(),
            threshold: DEFAULT_THRESHOLD,
            consent: None,
        }
    }
}
