//! Answers that follow a JSON schema. Before each token, all tokens that cannot lead to such an answer are excluded.
//!
//! `llguidance` computes what a schema allows, over the bytes of the tokens.

use crate::decoding::language::Language;
use crate::serving::refusal::Refusal;
use crate::{Error, Result};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};
use llguidance::{JsonCompileOptions, Matcher, ParserFactory};
use serde_json::Value;
use std::sync::Arc;

/// White space allowed between the parts of an answer: at most one space, which models like to write. If more were
/// allowed, small models would write nothing else.
const WHITE_SPACE: &str = r"\x20";

/// Makes constraints for one model's tokens.
pub struct Constraints {
    factory: ParserFactory,
}

/// Says which tokens may follow in one answer.
#[derive(Clone)]
pub struct Constraint(Matcher);

impl Constraints {
    /// The constraints for a model with `vocabulary` logits.
    ///
    /// # Errors
    /// If the bytes of the tokens cannot be found out.
    pub fn of(language: &Language, vocabulary: usize) -> Result<Self> {
        let of = |e: &dyn std::fmt::Display| {
            Error::Shim(format!("the tokens' bytes cannot be told: {e}"))
        };
        let tokenizer = language.tokenizer_json()?;
        let mut words =
            llguidance::token_bytes_from_tokenizer_json(&tokenizer).map_err(|e| of(&e))?;
        // Entries of the model beyond the tokenizer's are never written.
        words.resize(vocabulary, Vec::new());
        let entries = u32::try_from(vocabulary).map_err(|e| of(&e))?;
        let trie = TokTrie::from(&TokRxInfo::new(entries, language.end()), &words)
            .with_eos_tokens(language.ends());
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let mut factory = ParserFactory::new_simple(&environment).map_err(|e| of(&e))?;
        // No text of an answer may get into the log or into a refusal.
        factory.quiet().limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }

    /// The constraint of a schema.
    ///
    /// # Errors
    /// If the schema is not valid, asks for something impossible, or uses a feature that is not supported.
    pub(crate) fn of_schema(&self, schema: &Value) -> std::result::Result<Constraint, Refusal> {
        let refused = |why: &str| {
            let first = why.lines().next().unwrap_or_default().trim_end_matches('.');
            let message = format!(
                "The JSON schema cannot be followed: {first}. Use another schema, or response_format text."
            );
            Refusal::invalid("unsupported_schema", message)
        };
        if !schema.is_object() {
            return Err(refused("it is not an object"));
        }
        let mut schema = schema.clone();
        let options = JsonCompileOptions {
            whitespace_pattern: Some(WHITE_SPACE.into()),
            ..Default::default()
        };
        options.apply_to(&mut schema);
        let grammar = TopLevelGrammar::from_json_schema(schema);
        // The compiler of grammars is a library. If it panics on a schema, the schema is refused.
        let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.factory.create_parser(grammar)
        }));
        let matcher = Matcher::new(made.map_err(|_| refused("it is too unusual"))?);
        match matcher.get_error() {
            Some(error) => Err(refused(&error)),
            None => Ok(Constraint(matcher)),
        }
    }
}

impl Constraint {
    /// Excludes the tokens that cannot follow.
    ///
    /// # Errors
    /// If the answer became too large for the schema to be followed.
    pub(crate) fn rule_out(&mut self, logits: &mut [f32]) -> Result<()> {
        let allowed = self.0.compute_mask_or_eos().map_err(|e| failed(&e))?;
        for (token, logit) in logits.iter_mut().enumerate() {
            if !u32::try_from(token).is_ok_and(|token| allowed.is_allowed(token)) {
                *logit = f32::NEG_INFINITY;
            }
        }
        Ok(())
    }

    /// Adds the next token; returns whether more tokens can follow.
    ///
    /// # Errors
    /// As `Constraint::rule_out`.
    pub fn take(&mut self, token: u32) -> Result<bool> {
        self.0.consume_token(token).map_err(|e| failed(&e))?;
        Ok(!self.0.is_stopped())
    }
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    let first = error
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    Error::Shim(format!(
        "the JSON schema cannot be followed any further: {first}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serving::sampling::{Sampler, Sampling};
    use rand::{Rng, SeedableRng};
    use serde_json::json;

    fn demo() -> (Language, Constraints) {
        let folder = lexforge_needs::root().join("models/demo");
        let language = Language::open(&folder, 8192).unwrap();
        let constraints = Constraints::of(&language, 8192).unwrap();
        (language, constraints)
    }

    /// An answer that a model without any knowledge would write.
    fn random_answer(
        language: &Language,
        constraints: &Constraints,
        schema: &Value,
        seed: u64,
    ) -> Option<Value> {
        let mut constraint = constraints.of_schema(schema).unwrap();
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let mut sampler = Sampler::new(
            Sampling {
                temperature: 1.0,
                ..Sampling::GREEDY
            },
            seed,
        );
        let mut ids = Vec::new();
        while ids.len() < 3000 {
            let mut logits: Vec<f32> = (0..8192).map(|_| random.random::<f32>() * 3.0).collect();
            // Signs that end something are made likely, because random text would never end.
            for sign in ["\"", "}", "]", "\"}", "1", "0"] {
                for id in language.encode(sign).unwrap().ids {
                    logits[id as usize] += 8.0;
                }
            }
            constraint.rule_out(&mut logits).unwrap();
            let token = sampler.choose(&mut logits).unwrap();
            if language.ends().contains(&token) {
                return Some(serde_json::from_str(&language.decode(&ids).unwrap()).unwrap());
            }
            ids.push(token);
            if !constraint.take(token).unwrap() {
                return Some(serde_json::from_str(&language.decode(&ids).unwrap()).unwrap());
            }
        }
        None
    }

    #[test]
    fn whatever_a_model_says_follows_the_schema() {
        let (language, constraints) = demo();
        let schema = json!({
            "type": "object",
            "properties": {
                "question": {"type": "string", "maxLength": 40},
                "choices": {"type": "array", "items": {"type": "string", "maxLength": 20}, "minItems": 2, "maxItems": 4},
                "answer": {"type": "integer", "minimum": 0, "maximum": 3},
                "level": {"enum": ["sentence", "paragraph"]},
                "sure": {"type": "boolean"},
            },
            "required": ["question", "choices", "answer", "level"],
            "additionalProperties": false,
        });
        let mut ended = 0;
        for seed in 0..12 {
            let Some(answer) = random_answer(&language, &constraints, &schema, seed) else {
                continue;
            };
            ended += 1;
            assert!(
                answer["question"].as_str().unwrap().chars().count() <= 40,
                "{answer}"
            );
            assert!(
                (2..=4).contains(&answer["choices"].as_array().unwrap().len()),
                "{answer}"
            );
            assert!(
                (0..=3).contains(&answer["answer"].as_i64().unwrap()),
                "{answer}"
            );
            assert!(
                ["sentence", "paragraph"].contains(&answer["level"].as_str().unwrap()),
                "{answer}"
            );
            assert!(answer.as_object().unwrap().len() <= 5, "{answer}");
        }
        assert!(ended >= 8, "{ended} of 12 answers ended");
    }

    #[test]
    fn a_schema_that_cannot_be_followed_is_refused_in_one_sentence() {
        let (_, constraints) = demo();
        let check = |schema: Value| {
            let refusal = constraints
                .of_schema(&schema)
                .err()
                .unwrap_or_else(|| panic!("{schema}"));
            assert_eq!((refusal.status, refusal.code), (400, "unsupported_schema"));
            assert_eq!(refusal.message.lines().count(), 1, "{}", refusal.message);
        };
        check(json!(true));
        check(json!({"type": "strange"}));
        check(json!({"type": "string", "pattern": "("}));
        check(json!({"$ref": "https://example.org/other.json"}));
        check(json!({"type": "array", "uniqueItems": true}));
        check(json!({"allOf": [{"type": "string"}, {"type": "integer"}]}));
    }
}
