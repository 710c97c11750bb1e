//! Prompts and answers as files, for a model that no network reaches: OpenAI's batch JSONL.

use crate::endpoint::answer::Answer;
use crate::endpoint::prompt::{Prompt, PromptKey};
use crate::endpoint::wire;
use lexforge_domain::endpoint::AnswerForm;
use serde_json::{Value, json};

/// Longest line that is read.
pub const LONGEST_LINE: usize = 8 << 20;

/// The line of a prompt; its `custom_id` is the prompt's key.
pub fn line(key: &PromptKey, prompt: &Prompt, model: &str, form: AnswerForm) -> String {
    json!({
        "custom_id": hex::encode(key),
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": wire::request(prompt, model, form, false),
    })
    .to_string()
}

/// The content of a line of an answer file.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchLine {
    Answer(PromptKey, Answer),
    /// An error in place of an answer, with its code.
    Error(PromptKey, String),
    /// A `custom_id` that is not a key of this program.
    Foreign,
}

/// Reads a line of an answer file.
///
/// # Errors
/// A tag that says why the line cannot be read.
pub fn read(line: &[u8]) -> Result<BatchLine, &'static str> {
    let text = std::str::from_utf8(line).map_err(|_| "encoding")?;
    let mut value: Value = serde_json::from_str(text).map_err(|_| "not_json")?;
    let id = value
        .get("custom_id")
        .and_then(Value::as_str)
        .ok_or("no_custom_id")?;
    let mut key = PromptKey::default();
    if hex::decode_to_slice(id, &mut key).is_err() {
        return Ok(BatchLine::Foreign);
    }
    if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
        return Ok(BatchLine::Error(key, code(error)));
    }
    let status = value
        .pointer("/response/status_code")
        .and_then(Value::as_u64);
    let body = value
        .pointer_mut("/response/body")
        .map(Value::take)
        .ok_or("no_response")?;
    if status.is_some_and(|status| status >= 400) || body.get("error").is_some_and(|e| !e.is_null())
    {
        let error = body.get("error").map_or(String::new(), code);
        let status = status.map(|s| s.to_string()).unwrap_or_default();
        return Ok(BatchLine::Error(
            key,
            if error.is_empty() { status } else { error },
        ));
    }
    let answer = wire::completion(body, "").ok_or("no_completion")?;
    Ok(BatchLine::Answer(key, answer))
}

/// An error's code, cut: it is counted by it.
fn code(error: &Value) -> String {
    let code = ["code", "type"]
        .iter()
        .find_map(|key| error.get(key)?.as_str())
        .unwrap_or("error");
    code.chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .take(40)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_s_line_and_its_answer_meet_by_the_key() {
        let prompt = Prompt::new("s", "u", 9);
        let key = prompt.key("id", "m");
        let value: Value =
            serde_json::from_str(&line(&key, &prompt, "m", AnswerForm::Free)).unwrap();
        assert_eq!(
            (&value["url"], &value["body"]["model"]),
            (&json!("/v1/chat/completions"), &json!("m"))
        );
        let id = value["custom_id"].as_str().unwrap();
        assert!(id.len() <= 64);
        let body = json!({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]});
        let of = |rest: Value| {
            let mut line = json!({"custom_id": id});
            line.as_object_mut()
                .unwrap()
                .extend(rest.as_object().unwrap().clone());
            read(line.to_string().as_bytes())
        };
        let answered =
            of(json!({"response": {"status_code": 200, "body": body}, "error": null})).unwrap();
        assert!(matches!(answered, BatchLine::Answer(k, a) if k == key && a.text == "yes"));
        let failed =
            of(json!({"response": null, "error": {"code": "batch_expired", "message": "late"}}));
        assert_eq!(failed, Ok(BatchLine::Error(key, "batch_expired".into())));
        let refused = of(
            json!({"response": {"status_code": 429, "body": {"error": {"type": "rate_limit"}}}}),
        );
        assert_eq!(refused, Ok(BatchLine::Error(key, "rate_limit".into())));
        assert_eq!(of(json!({})), Err("no_response"));
        assert_eq!(
            of(json!({"response": {"body": {"text": "x"}}})),
            Err("no_completion")
        );
        assert_eq!(
            read(br#"{"custom_id": "request-1"}"#),
            Ok(BatchLine::Foreign)
        );
        assert_eq!(read(br#"{"id": 1}"#), Err("no_custom_id"));
        assert_eq!(read(b"{"), Err("not_json"));
        assert_eq!(read(b"\xff"), Err("encoding"));
    }
}
