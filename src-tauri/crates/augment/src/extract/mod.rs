//! Finding terms with a language model and a schema (docs/methods.md, "The sentence graph").
//!
//! This is done in two halves, as for questions. [`TermPrompter`] makes the prompts about batches of sentences. Answers
//! are stored under the key of their prompt, so that no prompt is sent twice. If an answer cannot be read, the model is
//! asked again with the reason, up to five times; each repetition is a separate prompt. [`LlmExtractor`] makes terms
//! from the stored answers.
//!
//! What a model proposes is accepted only as far as it can be checked. A term must occur word for word in its sentence,
//! be one noun phrase without a number or a date, and have a class of the schema. Everything else is rejected and
//! counted ([`Reason`]).

mod check;
mod read;

pub use check::{Reason, phrase};

use crate::endpoint::object::Unparseable;
use crate::endpoint::{Prompt, Shape};
use crate::fence::fenced;
use crate::llm::{AnswerText, Answers, Planned};
use crate::wording::{Why, Wordings};
use lexforge_domain::api::PromptKind;
use lexforge_domain::extract::{Defined, Extraction, RejectedTerm, TermExtractor, TermSource};
use lexforge_domain::schema::{TermSchema, TermSchemaClass};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Sentences of one prompt.
const TOGETHER: usize = 8;
/// Most characters of a prompt's sentences.
const MOST_CHARACTERS: usize = 6_000;
/// How often the model is asked again if its answer cannot be read.
const RETRIES: usize = 5;
/// Most terms of one sentence that are taken.
const MOST_TERMS: usize = 12;
/// If more terms than this are proposed for a sentence, none is accepted: the model has lost the thread or was misled.
const FLOOD: usize = 60;
/// Sentences of fewer characters hold no term worth a question.
const SHORTEST: usize = 4;
/// Characters of a rejected term that are kept.
const SHOWN: usize = 120;

/// Says what to ask about sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermPrompter {
    /// Distinguishes models of the same name: the endpoint's address, or the weights' hash.
    pub identity: String,
    pub model: String,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// The wordings in use.
    pub wordings: Arc<Wordings>,
}

/// The state of a batch so far.
#[derive(Debug)]
enum Standing {
    /// Its answer was read: for each sentence by number, classes with terms.
    Read(read::Answer),
    /// This prompt must be sent next.
    Open(Box<Planned>),
    /// Every retry was used up.
    GivenUp,
}

impl TermPrompter {
    /// The prompts about these sentences that must be sent next: the first one about each batch, or a repeated one if
    /// the earlier answers cannot be read. `known` is increased by the number of batches that need no prompt, because
    /// their answers were read or they were asked about too often.
    pub fn open(
        &self,
        sources: &[TermSource<'_>],
        schema: &TermSchema,
        answers: Answers<'_>,
        known: &mut u64,
    ) -> Vec<Planned> {
        let mut open = Vec::new();
        for batch in batches(sources) {
            match self.standing(&batch, schema, answers, &mut BTreeMap::new()) {
                Standing::Open(planned) => open.push(*planned),
                Standing::Read(_) | Standing::GivenUp => *known += 1,
            }
        }
        open
    }

    /// The number of terms that an answer about this many sentences proposes, before any check.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn proposed(&self, answer: &AnswerText, sentences: usize) -> Result<u64, Unparseable> {
        let read = read::answer(&answer.text, &answer.finish, sentences)?;
        Ok(read.sentences.iter().map(|terms| terms.len() as u64).sum())
    }

    fn standing(
        &self,
        batch: &[TermSource<'_>],
        schema: &TermSchema,
        answers: Answers<'_>,
        unparseable: &mut BTreeMap<String, u64>,
    ) -> Standing {
        let mut why: Option<Unparseable> = None;
        for attempt in 0..=RETRIES {
            let prompt = self.prompt(batch, schema, attempt, why);
            let key = prompt.key(&self.identity, &self.model);
            let Some(answer) = answers(&key) else {
                let sentences = batch.iter().map(|s| s.sentence).collect();
                return Standing::Open(Box::new(Planned {
                    key,
                    prompt,
                    sentences,
                }));
            };
            match read::answer(&answer.text, &answer.finish, batch.len()) {
                Ok(read) => return Standing::Read(read),
                Err(reason) => {
                    *unparseable.entry(reason.tag().to_owned()).or_default() += 1;
                    why = Some(reason);
                }
            }
        }
        Standing::GivenUp
    }

    fn prompt(
        &self,
        batch: &[TermSource<'_>],
        schema: &TermSchema,
        attempt: usize,
        why: Option<Unparseable>,
    ) -> Prompt {
        let sentences: String = batch
            .iter()
            .zip(1..)
            .map(|(source, number)| format!("{}\n", fenced(&number.to_string(), source.text)))
            .collect();
        let classes = classes(schema);
        let again = why.map(|why| (attempt, Why::Unparseable(why)));
        let words = self
            .wordings
            .get(PromptKind::EntityExtraction, schema.language);
        let shape = Shape {
            name: "terms",
            schema: shape(batch.len(), schema),
        };
        words.prompt(
            &[
                ("classes", classes.as_str()),
                ("sentences", sentences.as_str()),
            ],
            again,
            self.max_tokens,
            shape,
        )
    }
}

/// The classes of a schema, a line each, in its language.
fn classes(schema: &TermSchema) -> String {
    let zh = schema.language == Language::Zh;
    let (colon, comma, stop, label) = if zh {
        ("：", "、", "。", "例如")
    } else {
        (": ", ", ", ". ", "For example ")
    };
    let line = |class: &TermSchemaClass| {
        let described = class.description.trim_end_matches(['.', '。']);
        format!(
            "- \"{}\"{colon}{described}{stop}{label}{}",
            class.name,
            class.examples.join(comma)
        )
    };
    schema
        .classes
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Batches of sentences that are asked about together. A sentence that addresses a model is asked about alone, so that
/// it cannot influence the answers about other sentences.
fn batches<'a>(sources: &[TermSource<'a>]) -> Vec<Vec<TermSource<'a>>> {
    let mut batches: Vec<Vec<TermSource<'a>>> = Vec::new();
    let (mut now, mut characters) = (Vec::new(), 0);
    for source in sources.iter().filter(|s| worth_asking(s)) {
        if source.addressed {
            batches.push(vec![*source]);
            continue;
        }
        let length = source.text.chars().count();
        if now.len() == TOGETHER || (!now.is_empty() && characters + length > MOST_CHARACTERS) {
            batches.push(std::mem::take(&mut now));
            characters = 0;
        }
        characters += length;
        now.push(*source);
    }
    if !now.is_empty() {
        batches.push(now);
    }
    batches
}

fn worth_asking(source: &TermSource<'_>) -> bool {
    !matches!(source.kind, SentenceKind::Heading | SentenceKind::TableCell)
        && (SHORTEST..=MOST_CHARACTERS).contains(&source.text.trim().chars().count())
}

/// The form of an answer: for each sentence by its number, for each class the terms.
fn shape(sentences: usize, schema: &TermSchema) -> serde_json::Value {
    let list = serde_json::json!({"type": "array", "items": {"type": "string"}});
    let object = |fields: Vec<(String, serde_json::Value)>| {
        let required: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
        let properties: serde_json::Map<String, serde_json::Value> = fields.into_iter().collect();
        serde_json::json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        })
    };
    let classes = object(
        schema
            .classes
            .iter()
            .map(|class| (class.name.clone(), list.clone()))
            .collect(),
    );
    object(
        (1..=sentences)
            .map(|number| (number.to_string(), classes.clone()))
            .collect(),
    )
}

/// Makes terms of the answers that are there.
pub struct LlmExtractor<'a> {
    prompter: TermPrompter,
    /// The schema of each language.
    schemas: HashMap<Language, TermSchema>,
    answers: Answers<'a>,
    /// The key under which the variants of a term are one.
    key: fn(&str, Language) -> String,
    unparseable: BTreeMap<String, u64>,
}

impl<'a> LlmExtractor<'a> {
    /// An extractor whose answers are looked up by `answers`; `key` joins the variants of a term.
    pub fn new(
        prompter: TermPrompter,
        schemas: HashMap<Language, TermSchema>,
        answers: Answers<'a>,
        key: fn(&str, Language) -> String,
    ) -> Self {
        Self {
            prompter,
            schemas,
            answers,
            key,
            unparseable: BTreeMap::new(),
        }
    }

    /// Answers that could not be read, by reason.
    pub fn unparseable(&self) -> &BTreeMap<String, u64> {
        &self.unparseable
    }
}

impl TermExtractor for LlmExtractor<'_> {
    fn describe(&self) -> String {
        format!("language model {}, by the schema", self.prompter.model)
    }

    fn extract(
        &mut self,
        sources: &[TermSource<'_>],
        _: &[Defined],
        language: Language,
    ) -> Extraction {
        let mut extraction = Extraction::default();
        let Some(schema) = self.schemas.get(&language) else {
            extraction.without_answer = sources.len() as u64;
            return extraction;
        };
        let mut taken: HashMap<String, Taken> = HashMap::new();
        for batch in batches(sources) {
            let standing =
                self.prompter
                    .standing(&batch, schema, self.answers, &mut self.unparseable);
            let Standing::Read(answer) = standing else {
                extraction.without_answer += batch.len() as u64;
                continue;
            };
            for (source, proposed) in batch.iter().zip(&answer.sentences) {
                let mut seen: Vec<String> = Vec::new();
                if proposed.len() > FLOOD {
                    for (class, term) in proposed {
                        extraction.reject(rejected(source, class, term, Reason::TooMany));
                    }
                    continue;
                }
                for (class, term) in proposed {
                    let checked = check::term(source, class, term, schema).and_then(|surface| {
                        let key = (self.key)(&surface, language);
                        if seen.contains(&key) {
                            return Err(Reason::Repeated);
                        }
                        if seen.len() == MOST_TERMS {
                            return Err(Reason::TooMany);
                        }
                        seen.push(key.clone());
                        Ok((key, surface))
                    });
                    match checked {
                        Ok((key, surface)) => taken.entry(key).or_default().add(surface, class),
                        Err(reason) => extraction.reject(rejected(source, class, term, reason)),
                    }
                }
            }
            if let Some(source) = batch.first() {
                for (class, term) in &answer.elsewhere {
                    extraction.reject(rejected(source, class, term, Reason::UnknownSentence));
                }
            }
        }
        extraction.terms = taken
            .into_iter()
            .map(|(key, taken)| taken.candidate(key, language))
            .collect();
        extraction.terms.sort_by(TermCandidate::best_first);
        extraction
    }
}

fn rejected(source: &TermSource<'_>, class: &str, term: &str, reason: Reason) -> RejectedTerm {
    RejectedTerm {
        sentence: source.sentence,
        class: class.chars().take(SHOWN).collect(),
        text: term.chars().take(SHOWN).collect(),
        reason: reason.tag().to_owned(),
    }
}

/// The proposals for one term.
#[derive(Default)]
struct Taken {
    sentences: u32,
    surfaces: BTreeMap<String, u32>,
    classes: BTreeMap<String, u32>,
}

impl Taken {
    fn add(&mut self, surface: String, class: &str) {
        self.sentences += 1;
        *self.surfaces.entry(surface).or_default() += 1;
        *self.classes.entry(class.to_owned()).or_default() += 1;
    }

    /// The term in its commonest form and class; of equals, the first in the order of the alphabet.
    fn candidate(self, normal: String, language: Language) -> TermCandidate {
        fn commonest(of: BTreeMap<String, u32>) -> String {
            of.into_iter()
                .reduce(|a, b| if b.1 > a.1 { b } else { a })
                .map(|(text, _)| text)
                .unwrap_or_default()
        }
        let text = commonest(self.surfaces);
        let parts = match language {
            Language::Zh => text.chars().count() / 2,
            _ => text.split_whitespace().count(),
        };
        TermCandidate {
            // As C-value weighs: frequency times the logarithm of the length.
            score: f64::from(self.sentences) * ((parts + 1) as f64).log2(),
            normal,
            count: self.sentences,
            class: commonest(self.classes),
            ..TermCandidate::new(text, FoundBy::Model, language)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
