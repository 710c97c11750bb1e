//! Trying an endpoint with the smallest possible request.

use crate::endpoint::client::Client;
use crate::endpoint::failure::{CallFailure, Fault};
use crate::endpoint::object;
use crate::endpoint::prompt::{Prompt, Shape};
use lexforge_domain::Failure;
use lexforge_domain::endpoint::AnswerForm;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;

/// The sentence that is sent as a test.
pub(crate) const SENT: &str =
    "the model's name and one test sentence of ours; nothing of your documents";

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The models that the endpoint names. `None` if it has no list.
    pub models: Option<Vec<String>>,
    /// The form that it can be held to, and how long the answer took in milliseconds.
    pub answered: Result<(AnswerForm, u64), CallFailure>,
    /// It reports token counts.
    pub counts_tokens: bool,
    /// The answer had the form that was asked for.
    pub in_form: bool,
}

impl Checked {
    /// What is sent by a check, in words.
    pub fn sent() -> &'static str {
        SENT
    }
}

#[derive(Deserialize, PartialEq)]
struct Reply {
    #[allow(dead_code)] // That it is there is what is looked for.
    answer: String,
}

/// Asks the endpoint for its models, then for one short answer.
///
/// # Errors
/// No request can be made at all.
pub fn check(client: &Arc<Client>) -> Result<Checked, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| {
            Failure::new(
                lexforge_domain::Code::Internal,
                format!("No thread can be had: {e}."),
                "Close other programs.",
            )
        })?;
    runtime.block_on(async {
        let models = match client.models().await {
            Ok(models) => Some(models),
            // Some servers have no list. If the server cannot be reached at all, it is not asked a second time.
            Err(failure)
                if matches!(
                    failure.fault,
                    Fault::Model | Fault::Refused | Fault::Garbage
                ) =>
            {
                None
            }
            Err(failure) => {
                return Ok(Checked {
                    models: None,
                    answered: Err(failure),
                    counts_tokens: false,
                    in_form: false,
                });
            }
        };
        let schema = serde_json::json!({
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": false,
        });
        let prompt = Prompt::new(
            "You are tried out. Answer with one JSON object {\"answer\": \"…\"} and nothing else.",
            "Put the word “ready” in the place of the dots.",
            64,
        )
        .in_shape(Shape {
            name: "trial",
            schema,
        });
        let began = Instant::now();
        let answer = client.complete(&prompt).await;
        let milliseconds = began.elapsed().as_millis() as u64;
        let counts_tokens = answer.as_ref().is_ok_and(|a| a.completion_tokens.is_some());
        let in_form = answer
            .as_ref()
            .is_ok_and(|a| object::read::<Reply>(&a.text, &a.finish).is_ok());
        Ok(Checked {
            models,
            answered: answer.map(|_| (client.form(), milliseconds)),
            counts_tokens,
            in_form,
        })
    })
}
