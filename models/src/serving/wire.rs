//! The requests of clients in OpenAI's format, and which of their fields are supported. A field that would change the
//! answer and is not supported is refused, and the error names it.

use crate::decoding::chat::{Message, Role};
use crate::serving::refusal::Refusal;
use crate::serving::sampling::Sampling;
use crate::serving::work::{Asked, Form};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

/// Answers to one conversation at most.
const MOST_ANSWERS: usize = 16;
/// Alternatives told with a token at most, as with OpenAI.
const MOST_ALTERNATIVES: usize = 20;
/// Stop strings at most.
const MOST_STOPS: usize = 16;
/// Texts in one request at most, as with OpenAI.
const MOST_TEXTS: usize = 2048;
/// Choices of a question at most.
const MOST_CHOICES: usize = 256;
/// Fields that say something about the caller and change no answer.
const HARMLESS: [&str; 9] = [
    "user",
    "metadata",
    "store",
    "service_tier",
    "parallel_tool_calls",
    "prompt_cache_key",
    "safety_identifier",
    "prediction",
    "tool_choice",
];

/// One of something, or a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// A list.
    Many(Vec<String>),
}

impl OneOrMany {
    /// As a list.
    pub fn list(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(list) => list,
        }
    }
}

/// `/v1/chat/completions`.
#[derive(Debug, Deserialize)]
pub struct ChatRequest {
    /// Base or adapter.
    pub model: String,
    messages: Vec<WireMessage>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    pub stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(default)]
    max_tokens: Option<usize>,
    #[serde(default)]
    max_completion_tokens: Option<usize>,
    #[serde(default)]
    min_tokens: Option<usize>,
    #[serde(default)]
    temperature: Option<f64>,
    #[serde(default)]
    top_p: Option<f64>,
    #[serde(default)]
    top_k: Option<i64>,
    #[serde(default)]
    presence_penalty: Option<f64>,
    #[serde(default)]
    frequency_penalty: Option<f64>,
    #[serde(default)]
    seed: Option<i64>,
    #[serde(default)]
    stop: Option<OneOrMany>,
    #[serde(default)]
    n: Option<usize>,
    #[serde(default)]
    logprobs: Option<bool>,
    #[serde(default)]
    top_logprobs: Option<usize>,
    #[serde(default)]
    response_format: Option<ResponseFormat>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Debug, Deserialize)]
struct WireMessage {
    role: String,
    #[serde(default)]
    content: Option<Content>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ResponseFormat {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    json_schema: Option<NamedSchema>,
}

#[derive(Debug, Deserialize)]
struct NamedSchema {
    #[serde(default)]
    schema: Option<Value>,
}

/// Reads a request's body.
///
/// # Errors
/// If it is not UTF-8, not JSON, or not such a request.
pub fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let text = std::str::from_utf8(body).map_err(|e| {
        let message = format!(
            "The body is not UTF-8 (byte {}). Send JSON in UTF-8.",
            e.valid_up_to()
        );
        Refusal::invalid("invalid_utf8", message)
    })?;
    serde_json::from_str(text).map_err(|e| match e.classify() {
        serde_json::error::Category::Data => Refusal::invalid(
            "invalid_request",
            format!("The request is not complete or not valid: {e}."),
        ),
        _ => Refusal::invalid(
            "invalid_json",
            format!("The body is not JSON: {e}. Send one JSON object."),
        ),
    })
}

/// Refuses fields that are not understood and not empty.
fn check_rest(rest: &Map<String, Value>, known: &[&str]) -> Result<(), Refusal> {
    let empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    match rest
        .iter()
        .find(|(name, value)| !known.contains(&name.as_str()) && !empty(value))
    {
        None => Ok(()),
        Some((name, _)) => Err(Refusal::invalid(
            "unsupported_parameter",
            format!(
                "The field {name:?} is not supported and would change the answer. Leave it out."
            ),
        )),
    }
}

fn out_of_range(name: &str, range: &str) -> Refusal {
    Refusal::invalid("invalid_request", format!("{name} must be {range}."))
}

impl ChatRequest {
    /// Whether a stream ends with the count of tokens.
    pub(crate) fn wants_usage(&self) -> bool {
        self.stream_options
            .as_ref()
            .is_some_and(|options| options.include_usage)
    }

    /// Checks the request, and returns it in the form in which it is answered. A request without a seed gets a random
    /// one.
    ///
    /// # Errors
    /// If a field is out of its range or not supported.
    pub fn asked(self) -> Result<Asked, Refusal> {
        check_rest(&self.rest, &HARMLESS)?;
        if self.messages.is_empty() {
            return Err(out_of_range("messages", "at least one message"));
        }
        let within = |name: &str, value: Option<f64>, low: f64, high: f64, usual: f64| match value
            .unwrap_or(usual)
        {
            value if (low..=high).contains(&value) => Ok(value),
            _ => Err(out_of_range(name, &format!("between {low} and {high}"))),
        };
        let count = self.n.unwrap_or(1);
        if !(1..=MOST_ANSWERS).contains(&count) {
            return Err(out_of_range("n", &format!("between 1 and {MOST_ANSWERS}")));
        }
        let most = self.max_completion_tokens.or(self.max_tokens);
        if most == Some(0) {
            return Err(out_of_range("max_tokens", "at least 1"));
        }
        let least = self.min_tokens.unwrap_or(0);
        if most.is_some_and(|most| least > most) {
            return Err(out_of_range("min_tokens", "at most max_tokens"));
        }
        let top_k = match self.top_k.unwrap_or(0) {
            -1 => 0, // as others say "all"
            k => usize::try_from(k).map_err(|_| out_of_range("top_k", "0 (all) or more"))?,
        };
        let top_p = within("top_p", self.top_p, 0.0, 1.0, 1.0)?;
        if self.top_logprobs.is_some_and(|top| top > MOST_ALTERNATIVES) {
            return Err(out_of_range(
                "top_logprobs",
                &format!("at most {MOST_ALTERNATIVES}"),
            ));
        }
        let stops = self.stop.map(OneOrMany::list).unwrap_or_default();
        if stops.len() > MOST_STOPS {
            return Err(out_of_range(
                "stop",
                &format!("at most {MOST_STOPS} strings"),
            ));
        }
        let logprobs = self
            .logprobs
            .unwrap_or(false)
            .then(|| self.top_logprobs.unwrap_or(0));
        Ok(Asked {
            messages: self
                .messages
                .into_iter()
                .map(message)
                .collect::<Result<_, _>>()?,
            count,
            most,
            least,
            sampling: Sampling {
                temperature: within("temperature", self.temperature, 0.0, 2.0, 1.0)?,
                top_p,
                top_k,
                presence_penalty: within(
                    "presence_penalty",
                    self.presence_penalty,
                    -2.0,
                    2.0,
                    0.0,
                )?,
                frequency_penalty: within(
                    "frequency_penalty",
                    self.frequency_penalty,
                    -2.0,
                    2.0,
                    0.0,
                )?,
            },
            seed: self.seed.map_or_else(rand::random, i64::cast_unsigned),
            stops,
            logprobs,
            form: form(self.response_format)?,
        })
    }
}

fn message(wire: WireMessage) -> Result<Message, Refusal> {
    check_rest(&wire.rest, &["name"])?;
    let role = match wire.role.as_str() {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        other => {
            let message =
                format!("The role {other:?} is not supported. Use system, user or assistant.");
            return Err(Refusal::invalid("unsupported_parameter", message));
        }
    };
    let content = match wire.content {
        None => String::new(),
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => {
            let mut content = String::new();
            for part in parts {
                match (part.kind.as_str(), part.text) {
                    ("text", Some(text)) => content.push_str(&text),
                    (kind, _) => {
                        let message = format!(
                            "A message has a part of the kind {kind:?}; only text can be read."
                        );
                        return Err(Refusal::invalid("unsupported_parameter", message));
                    }
                }
            }
            content
        }
    };
    Ok(Message { role, content })
}

fn form(format: Option<ResponseFormat>) -> Result<Form, Refusal> {
    let Some(format) = format else {
        return Ok(Form::Free);
    };
    match (
        format.kind.as_str(),
        format.json_schema.and_then(|named| named.schema),
    ) {
        ("text", _) => Ok(Form::Free),
        ("json_object", _) => Ok(Form::Schema(serde_json::json!({"type": "object"}))),
        ("json_schema", Some(schema)) => Ok(Form::Schema(schema)),
        ("json_schema", None) => Err(Refusal::invalid(
            "invalid_schema",
            "response_format.json_schema has no schema.",
        )),
        (other, _) => {
            let message = format!(
                "The response_format {other:?} is not supported. Use text, json_object or json_schema."
            );
            Err(Refusal::invalid("unsupported_parameter", message))
        }
    }
}

/// `/v1/embeddings`.
#[derive(Debug, Deserialize)]
pub struct EmbedRequest {
    /// Base or adapter.
    pub model: String,
    input: EmbedInput,
    #[serde(default)]
    encoding_format: Option<String>,
    /// `query` if the texts are questions, so that the adapter's instruction is put before them.
    #[serde(default)]
    input_type: Option<String>,
    /// Cuts a text that is too long.
    #[serde(default)]
    pub truncate: bool,
    /// Numbers in a vector; only the model's own number can be had.
    #[serde(default)]
    pub dimensions: Option<usize>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum EmbedInput {
    Texts(OneOrMany),
    Other(#[allow(dead_code, reason = "only its kind matters")] IgnoredAny),
}

/// The texts of an embedding request.
#[derive(Debug, PartialEq, Eq)]
pub struct EmbedTexts {
    /// The texts.
    pub texts: Vec<String>,
    /// Whether they ask something.
    pub asking: bool,
    /// Whether the client asks for vectors as Base64 of little-endian 32-bit numbers.
    pub base64: bool,
}

impl EmbedRequest {
    /// Checks the request, and returns the texts for which vectors are made.
    ///
    /// # Errors
    /// If a field is out of its range or not supported.
    pub fn texts(self) -> Result<EmbedTexts, Refusal> {
        check_rest(&self.rest, &HARMLESS)?;
        let EmbedInput::Texts(texts) = self.input else {
            let message =
                "input must be a text or a list of texts; lists of token numbers are not read.";
            return Err(Refusal::invalid("invalid_request", message));
        };
        let base64 = match self.encoding_format.as_deref() {
            None | Some("float") => false,
            Some("base64") => true,
            Some(_) => return Err(out_of_range("encoding_format", "float or base64")),
        };
        let asking = match self.input_type.as_deref() {
            None | Some("document" | "passage") => false,
            Some("query") => true,
            Some(_) => return Err(out_of_range("input_type", "query, document or passage")),
        };
        Ok(EmbedTexts {
            texts: some_texts("input", texts)?,
            asking,
            base64,
        })
    }
}

fn some_texts(name: &str, texts: OneOrMany) -> Result<Vec<String>, Refusal> {
    let texts = texts.list();
    if texts.is_empty() || texts.len() > MOST_TEXTS {
        return Err(out_of_range(name, &format!("from 1 to {MOST_TEXTS} texts")));
    }
    if let Some(empty) = texts.iter().position(String::is_empty) {
        return Err(Refusal::invalid(
            "invalid_request",
            format!("Text {empty} of {name} is empty."),
        ));
    }
    Ok(texts)
}

/// `/v1/score`: either a question with its choices, or texts beside texts.
#[derive(Debug, Deserialize)]
pub struct ScoreRequest {
    /// Base or adapter.
    pub model: String,
    #[serde(default)]
    question: Option<String>,
    #[serde(default)]
    choices: Option<Vec<String>>,
    #[serde(default)]
    text_1: Option<OneOrMany>,
    #[serde(default)]
    text_2: Option<OneOrMany>,
    /// Cuts a text that is too long.
    #[serde(default)]
    pub truncate: bool,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The two kinds of requests for scores.
#[derive(Debug, PartialEq, Eq)]
pub enum ToScore {
    /// The likelihood of choices.
    Choices {
        /// The question.
        question: String,
        /// Its choices.
        choices: Vec<String>,
    },
    /// The cosine of the first of these texts, or of each, with the second beside it.
    Pairs {
        /// Texts that ask; one, or as many as the others.
        first: Vec<String>,
        /// The others.
        second: Vec<String>,
    },
}

impl ScoreRequest {
    /// Checks the request, and returns the texts that are scored.
    ///
    /// # Errors
    /// If a field is missing or out of its range.
    pub fn wanted(self) -> Result<ToScore, Refusal> {
        check_rest(&self.rest, &HARMLESS)?;
        match (self.question, self.choices, self.text_1, self.text_2) {
            (Some(question), Some(choices), None, None) => {
                if choices.is_empty() || choices.len() > MOST_CHOICES {
                    return Err(out_of_range(
                        "choices",
                        &format!("from 1 to {MOST_CHOICES} texts"),
                    ));
                }
                Ok(ToScore::Choices { question, choices })
            }
            (None, None, Some(first), Some(second)) => {
                let (first, second) = (some_texts("text_1", first)?, some_texts("text_2", second)?);
                if first.len() != 1 && first.len() != second.len() {
                    return Err(out_of_range("text_1", "one text, or as many as text_2"));
                }
                Ok(ToScore::Pairs { first, second })
            }
            _ => Err(Refusal::invalid(
                "invalid_request",
                "Give question and choices (likelihoods), or text_1 and text_2 (cosines).",
            )),
        }
    }
}

#[cfg(test)]
mod tests;
