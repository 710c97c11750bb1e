//! Chat templates: how a model was taught to distinguish a question from an answer.
//!
//! Templates are Jinja programs that come with a model's tokenizer. `minijinja` runs them with the settings and the
//! string methods that Transformers provides. They have no access to a clock or to files.

use crate::decoding::allowance::{Beyond, within};
use crate::texts::vocabulary::{TOKENIZER_CONFIG_FILE, tokenizer_config};
use crate::{Error, Result};
use lexforge_domain::Code;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value as Item, context};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use strum::IntoStaticStr;

/// Name of a template in a file of its own.
pub(crate) const TEMPLATE_FILE: &str = "chat_template.jinja";
/// Name of the template in its environment.
const NAME: &str = "chat";
/// The most bytes of a template. A larger one is not used.
const LARGEST: u64 = 1 << 20;
/// Instructions that a template may run; a conversation takes some thousands.
const FUEL: u64 = 10_000_000;
/// Memory that a template may take beside the conversation's own; one takes some kilobytes.
const MEMORY: usize = 128 << 20;
/// Time of a processor that it may take; it takes less than a millisecond.
const TIME: Duration = Duration::from_secs(30);

/// The speaker of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Instructions to the model.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// As templates name it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// One of the person.
    pub fn user(content: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            content: content.into(),
        }
    }
}

/// A model's chat template.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Arc<Environment<'static>>,
    begin: Option<String>,
    end: Option<String>,
    /// It once used more time or memory than a template may, and is not run again.
    beyond: AtomicBool,
}

impl ChatTemplate {
    /// Reads the template of a model folder; `None` if the folder has no template (a base model).
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if the file cannot be read. [`Code::ModelUnsupported`] if the template cannot be
    /// run.
    pub fn of_folder(folder: &Path) -> Result<Option<Self>> {
        let config = tokenizer_config(folder)?;
        let text = template_text(folder, &config)?;
        let Some(text) = text else { return Ok(None) };
        Self::new(
            &text,
            token_text(&config, "bos_token"),
            token_text(&config, "eos_token"),
        )
        .map(Some)
        .map_err(|e| refused(&folder.join(TOKENIZER_CONFIG_FILE), &e.to_string()))
    }

    /// A template from its text, with the tokens that begin and end a text.
    ///
    /// # Errors
    /// If the text is not a template.
    pub fn new(
        text: &str,
        begin: Option<String>,
        end: Option<String>,
    ) -> std::result::Result<Self, minijinja::Error> {
        let mut environment = Environment::new();
        environment.set_syntax(
            SyntaxConfig::builder()
                .trim_blocks(true)
                .lstrip_blocks(true)
                .build()?,
        );
        environment.set_fuel(Some(FUEL));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment
            .set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function(
            "raise_exception",
            |message: String| -> std::result::Result<String, _> {
                Err(minijinja::Error::new(ErrorKind::InvalidOperation, message))
            },
        );
        environment.add_template_owned(NAME, text.to_owned())?;
        Ok(Self {
            environment: Arc::new(environment),
            begin,
            end,
            beyond: AtomicBool::new(false),
        })
    }

    /// A conversation in the form that the model reads, up to the place where its answer begins. Reasoning is switched
    /// off (`enable_thinking`) for models that know it.
    ///
    /// # Errors
    /// [`Code::ModelUnsupported`] if the template refuses the conversation.
    pub fn prompt(&self, messages: &[Message]) -> Result<String> {
        let one = |m: &Message| context! { role => m.role.name(), content => m.content.as_str() };
        let values = context! {
            messages => messages.iter().map(one).collect::<Vec<Item>>(),
            add_generation_prompt => true,
            enable_thinking => false,
            bos_token => self.begin.as_deref().unwrap_or_default(),
            eos_token => self.end.as_deref().unwrap_or_default(),
        };
        if self.beyond.load(Ordering::Relaxed) {
            return Err(too_much());
        }
        let environment = self.environment.clone();
        let texts: usize = messages.iter().map(|m| m.content.len()).sum();
        let render = move || environment.get_template(NAME)?.render(values);
        match within(texts.saturating_mul(8).saturating_add(MEMORY), TIME, render) {
            Ok(rendered) => rendered.map_err(|e: minijinja::Error| {
                Error::told(
                    Code::ModelUnsupported,
                    format!("The model's chat template refuses the conversation: {e}."),
                    "Use the model's folder as it was published; a model without a chat template can be used too.",
                )
            }),
            Err(Beyond::Failed) => Err(Error::Shim("the chat template could not be run".to_owned())),
            Err(Beyond::Memory | Beyond::Time) => {
                self.beyond.store(true, Ordering::Relaxed);
                Err(too_much())
            }
        }
    }
}

fn too_much() -> Error {
    Error::told(
        Code::ModelUnsupported,
        "The model's chat template takes more memory or time than any template needs, so it was stopped.",
        "Do not use this model's folder as it is: get it again from where it was published.",
    )
}

/// The text of a model folder's template: from a separate file, or from the tokenizer's configuration.
///
/// # Errors
/// As [`ChatTemplate::of_folder`].
pub(crate) fn template_text(folder: &Path, config: &Value) -> Result<Option<String>> {
    let path = folder.join(TEMPLATE_FILE);
    if !path.is_file() {
        return Ok(template_in(config).map(str::to_owned));
    }
    if std::fs::metadata(&path).map_err(Error::io(&path))?.len() > LARGEST {
        return Err(refused(&path, "it is far too long"));
    }
    std::fs::read_to_string(&path)
        .map_err(Error::io(&path))
        .map(Some)
}

/// `chat_template`: a text, or a list of named ones; then the one named `default` is taken.
fn template_in(config: &Value) -> Option<&str> {
    match config.get("chat_template")? {
        Value::String(text) => Some(text),
        Value::Array(list) => {
            let default = |t: &&Value| t.get("name").and_then(Value::as_str) == Some("default");
            list.iter().find(default)?.get("template")?.as_str()
        }
        _ => None,
    }
}

/// The text of a special token that a tokenizer's configuration names: plain, or with its settings.
pub(crate) fn token_text(config: &Value, name: &str) -> Option<String> {
    let token = config.get(name)?;
    token
        .as_str()
        .or_else(|| token.get("content")?.as_str())
        .map(str::to_owned)
}

fn refused(path: &Path, why: &str) -> Error {
    Error::told_of(
        path,
        Code::ModelUnsupported,
        format!("The model's chat template cannot be run: {why}."),
        "Use the model's folder as it was published.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(template: &str) -> Result<String> {
        ChatTemplate::new(template, None, None)
            .unwrap()
            .prompt(&[Message::user("What is a bank?")])
    }

    #[test]
    fn a_template_writes_the_conversation() {
        let text =
            prompt("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}").unwrap();
        assert_eq!(text, "<user>What is a bank?");
    }

    #[test]
    fn templates_that_grow_beyond_measure_are_stopped_once_and_for_all() {
        for template in [
            "{% set n = namespace(s='aaaaaaaa') %}{% for i in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s }}",
            "{% set n = namespace(s='aaaaaaaa') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}",
            "{% set n = namespace(s='a') %}{% for i in range(60) %}{% set n.s = n.s.replace('a', 'aaaa') %}{% endfor %}",
            "{% set s = 'aaaaaaaa' * 12000000 %}{{ s }}{{ s }}{{ s }}",
            &format!(
                "{{% for i in range(999) %}}{{% for j in range(999) %}}{}{{% endfor %}}{{% endfor %}}",
                "a".repeat(900)
            ),
        ] {
            let chat = ChatTemplate::new(template, None, None).unwrap();
            for _ in 0..2 {
                let failure = chat
                    .prompt(&[Message::user("?")])
                    .unwrap_err()
                    .into_failure();
                assert_eq!(failure.code, Code::ModelUnsupported, "{template}");
                assert!(
                    failure.message.contains("more memory or time"),
                    "{template}: {}",
                    failure.message
                );
            }
        }
    }

    #[test]
    fn a_template_that_never_ends_runs_out_of_instructions() {
        let failure = prompt(
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        );
        assert!(
            failure
                .unwrap_err()
                .to_string()
                .contains("refuses the conversation")
        );
    }
}
