//! The JSON of a chat call, as OpenAI's interface has it.

use crate::endpoint::answer::Answer;
use crate::endpoint::prompt::Prompt;
use lexforge_domain::endpoint::AnswerForm;
use serde::Deserialize;
use serde_json::{Value, json};

/// The body of a chat call.
pub(crate) fn request(prompt: &Prompt, model: &str, form: AnswerForm, stream: bool) -> Value {
    let mut messages = Vec::new();
    if !prompt.system.is_empty() {
        messages.push(json!({"role": "system", "content": prompt.system}));
    }
    messages.push(json!({"role": "user", "content": prompt.user}));
    let mut body = json!({
        "model": model,
        "messages": messages,
        "max_tokens": prompt.max_tokens,
        "temperature": prompt.temperature,
    });
    if let Some(seed) = prompt.seed {
        body["seed"] = json!(seed);
    }
    if stream {
        body["stream"] = json!(true);
        // Without it, nobody says how many tokens a stream cost.
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(shape) = &prompt.shape {
        match form {
            AnswerForm::Schema => {
                body["response_format"] = json!({
                    "type": "json_schema",
                    "json_schema": {"name": shape.name, "strict": true, "schema": shape.schema},
                });
            }
            AnswerForm::Object => body["response_format"] = json!({"type": "json_object"}),
            AnswerForm::Free => {}
        }
    }
    body
}

#[derive(Deserialize)]
struct Completion {
    model: Option<String>,
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    /// The endpoint's words if it refuses to give a content.
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

/// The first choice of a completion; `None` if this is no completion.
pub(crate) fn completion(value: Value, asked_model: &str) -> Option<Answer> {
    let completion: Completion = serde_json::from_value(value).ok()?;
    let choice = completion.choices.into_iter().next()?;
    let refused = choice.message.content.is_none() && choice.message.refusal.is_some();
    let usage = completion.usage;
    Some(Answer {
        model: completion.model.unwrap_or_else(|| asked_model.to_owned()),
        // If a model writes nothing, this is an answer with an empty text.
        text: choice
            .message
            .content
            .or(choice.message.refusal)
            .unwrap_or_default(),
        finish: if refused {
            "refusal".to_owned()
        } else {
            choice.finish_reason.unwrap_or_default()
        },
        prompt_tokens: usage.as_ref().and_then(|u| u.prompt_tokens),
        completion_tokens: usage.as_ref().and_then(|u| u.completion_tokens),
    })
}

/// An answer that arrives in pieces.
#[derive(Default)]
pub(crate) struct Streamed {
    text: String,
    refusal: String,
    finish: Option<String>,
    model: Option<String>,
    usage: Option<Usage>,
    /// A choice has come, if only an empty one.
    begun: bool,
}

impl Streamed {
    /// Takes in an event of the stream, and gives what it adds to the text.
    pub(crate) fn add<'e>(&mut self, event: &'e Value) -> &'e str {
        if self.model.is_none() {
            self.model = event["model"].as_str().map(str::to_owned);
        }
        // The last event may tell the tokens, and may have no choice.
        if let Ok(usage) = Usage::deserialize(&event["usage"]) {
            self.usage = Some(usage);
        }
        let choice = &event["choices"][0];
        self.begun |= choice.is_object();
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
        let piece = |name: &str| choice["delta"][name].as_str().unwrap_or_default();
        self.refusal.push_str(piece("refusal"));
        let text = piece("content");
        self.text.push_str(text);
        text
    }

    /// What has come of the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The endpoint has said why the answer ends.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The answer as it would have come as a whole; `None` if there was none.
    pub(crate) fn answer(self, asked_model: &str) -> Option<Answer> {
        if !self.begun {
            return None;
        }
        let refused = self.text.is_empty() && !self.refusal.is_empty();
        Some(Answer {
            model: self.model.unwrap_or_else(|| asked_model.to_owned()),
            text: if refused { self.refusal } else { self.text },
            finish: if refused {
                "refusal".to_owned()
            } else {
                self.finish.unwrap_or_default()
            },
            prompt_tokens: self.usage.as_ref().and_then(|u| u.prompt_tokens),
            completion_tokens: self.usage.as_ref().and_then(|u| u.completion_tokens),
        })
    }
}

/// The message in the body of an error: `{"error": {"message"}}`, `{"error": "…"}`, `{"message"}` or `{"detail"}`.
pub(crate) fn complaint(body: &Value) -> Option<String> {
    let error = body.get("error").unwrap_or(body);
    let text = error.as_str().or_else(|| {
        ["message", "detail"]
            .iter()
            .find_map(|key| error.get(key)?.as_str())
    })?;
    Some(text.to_owned())
}

/// The names of a list of models.
pub(crate) fn models(body: &Value) -> Option<Vec<String>> {
    let rows = body.get("data")?.as_array()?;
    Some(
        rows.iter()
            .filter_map(|row| Some(row.get("id")?.as_str()?.to_owned()))
            .collect(),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::endpoint::prompt::Shape;

    #[test]
    fn the_form_is_asked_for_as_far_as_it_is_offered() {
        let prompt = Prompt::new("s", "u", 5).in_shape(Shape {
            name: "q",
            schema: json!({"type": "object"}),
        });
        let of = |form| request(&prompt, "m", form, false);
        assert_eq!(
            of(AnswerForm::Schema)["response_format"]["json_schema"]["schema"]["type"],
            "object"
        );
        assert_eq!(
            of(AnswerForm::Object)["response_format"]["type"],
            "json_object"
        );
        assert!(of(AnswerForm::Free).get("response_format").is_none());
        assert_eq!(of(AnswerForm::Free)["messages"][1]["content"], "u");
    }

    #[test]
    fn an_answer_is_taken_out_of_its_envelope() {
        let body = json!({"model": "m-2", "choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}],
                          "usage": {"prompt_tokens": 3, "completion_tokens": 1}});
        let answer = completion(body, "m").unwrap();
        assert_eq!(
            (
                answer.model.as_str(),
                answer.text.as_str(),
                answer.finish.as_str()
            ),
            ("m-2", "yes", "stop")
        );
        assert_eq!(
            (answer.prompt_tokens, answer.completion_tokens),
            (Some(3), Some(1))
        );
        let bare = completion(json!({"choices": [{"message": {"content": null}}]}), "m").unwrap();
        assert_eq!(
            (bare.model.as_str(), bare.text.as_str(), bare.prompt_tokens),
            ("m", "", None)
        );
        let refused = completion(
            json!({"choices": [{"message": {"content": null, "refusal": "no"}}]}),
            "m",
        )
        .unwrap();
        assert_eq!(refused.finish, "refusal");
        for no in [
            json!({}),
            json!({"choices": []}),
            json!([]),
            json!({"choices": [{"text": "old"}]}),
            json!(null),
        ] {
            assert!(completion(no, "m").is_none());
        }
    }

    #[test]
    fn the_pieces_of_a_stream_are_the_answer_as_a_whole() {
        let piece = |delta: Value, finish: Value| json!({"model": "n", "choices": [{"delta": delta, "finish_reason": finish}]});
        let of = |events: &[Value]| {
            let mut streamed = Streamed::default();
            for event in events {
                streamed.add(event);
            }
            streamed.answer("m")
        };
        let (text, end) = (json!({"content": "a"}), json!("stop"));
        let tokens = json!({"model": "n", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}});
        let answer = of(&[
            piece(json!({"role": "assistant", "content": ""}), json!(null)),
            piece(text.clone(), json!(null)),
            piece(text, json!(null)),
            piece(json!({}), end),
            tokens,
        ]);
        let whole = json!({
            "model": "n", "choices": [{"message": {"content": "aa"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2},
        });
        assert_eq!(answer, completion(whole, "m"));
        let refused = of(&[piece(
            json!({"content": null, "refusal": "no"}),
            json!("stop"),
        )]);
        let whole = json!({"model": "n", "choices": [{"message": {"content": null, "refusal": "no"}, "finish_reason": "stop"}]});
        assert_eq!(refused, completion(whole, "m"));
        assert!(of(&[]).is_none() && of(&[json!({"choices": []}), json!([1])]).is_none());
    }

    #[test]
    fn complaints_are_found_in_their_usual_places() {
        let check =
            |body: Value, expected: Option<&str>| assert_eq!(complaint(&body).as_deref(), expected);
        check(
            json!({"error": {"message": "no such model"}}),
            Some("no such model"),
        );
        check(json!({"error": "bad"}), Some("bad"));
        check(json!({"detail": "gone"}), Some("gone"));
        check(json!({"error": {"code": 1}}), None);
        check(json!([1]), None);
    }
}
