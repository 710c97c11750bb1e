//! Prompts to a language model, with the form that the answer must have.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// SHA-256 over model, prompt and parameters: prompts of one key have one answer.
pub type PromptKey = [u8; 32];

/// The form that an answer must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its name: letters, digits and underscores.
    pub name: &'static str,
    /// Its JSON schema, an object with all fields required.
    pub schema: Value,
}

/// A prompt with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The role that the model is given.
    pub system: String,
    /// The question itself.
    pub user: String,
    /// The form of the answer.
    pub shape: Option<Shape>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// Randomness of the choice of tokens; 0 = the likeliest each time.
    pub temperature: f64,
    /// Seed of that randomness, for endpoints that take one.
    pub seed: Option<u64>,
    /// SHA-256 of the prompt file, if a user edited it. Answers under different wordings are never mixed, even if both
    /// wordings give the same prompt.
    pub wording: Option<[u8; 32]>,
    /// Markers of the texts in it (`fence`).
    pub(crate) tags: Vec<String>,
}

impl Prompt {
    /// A prompt for the likeliest answer.
    pub fn new(system: impl Into<String>, user: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            system: system.into(),
            user: user.into(),
            shape: None,
            max_tokens,
            temperature: 0.0,
            seed: None,
            wording: None,
            tags: Vec::new(),
        }
    }

    /// This prompt, with the form that the answer must have.
    #[must_use]
    pub(crate) fn in_shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Characters of its text.
    pub fn characters(&self) -> u64 {
        (self.system.chars().count() + self.user.chars().count()) as u64
    }

    /// The prompt's key for one model. `identity` distinguishes models with the same name (by the address, or by the
    /// weights' hash).
    ///
    /// The way in which an endpoint is made to answer in a given form is not part of the key. So earlier answers stay
    /// valid if the endpoint supports schemas later.
    pub fn key(&self, identity: &str, model: &str) -> PromptKey {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(b"lexforge prompt 1");
        part(identity.as_bytes());
        part(model.as_bytes());
        part(self.system.as_bytes());
        part(crate::fence::keyed(&self.user, &self.tags).as_bytes());
        part(&self.max_tokens.to_le_bytes());
        part(&self.temperature.to_bits().to_le_bytes());
        match self.seed {
            Some(seed) => part(&seed.to_le_bytes()),
            None => part(b""),
        }
        match &self.shape {
            Some(shape) => {
                part(shape.name.as_bytes());
                part(shape.schema.to_string().as_bytes());
            }
            None => part(b""),
        }
        if let Some(wording) = &self.wording {
            part(b"wording");
            part(wording);
        }
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_bears_on_the_answer_is_in_the_key() {
        let prompt = Prompt::new("s", "u", 10);
        let key = prompt.key("id", "m");
        assert_eq!(key, prompt.clone().key("id", "m"));
        let shape = || Shape {
            name: "q",
            schema: serde_json::json!({"type": "object"}),
        };
        let others = [
            prompt.key("id", "n"),
            prompt.key("other", "m"),
            Prompt::new("su", "", 10).key("id", "m"),
            Prompt::new("s", "v", 10).key("id", "m"),
            Prompt::new("s", "u", 11).key("id", "m"),
            Prompt {
                temperature: 0.1,
                ..prompt.clone()
            }
            .key("id", "m"),
            Prompt {
                seed: Some(0),
                ..prompt.clone()
            }
            .key("id", "m"),
            Prompt {
                wording: Some([0; 32]),
                ..prompt.clone()
            }
            .key("id", "m"),
            Prompt {
                wording: Some([1; 32]),
                ..prompt.clone()
            }
            .key("id", "m"),
            prompt.in_shape(shape()).key("id", "m"),
        ];
        let all: std::collections::HashSet<_> = others.iter().chain([&key]).collect();
        assert_eq!(all.len(), others.len() + 1);
    }
}
