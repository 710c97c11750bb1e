//! The prompts for terms of all documents, and what was found by their answers.

use super::super::Terms;
use super::super::extract::sources;
use crate::asking::StoredAnswers;
use crate::workspace::{OpenWorkspace, Result};
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::extract::{LlmExtractor, TermPrompter};
use lexforge_augment::{Planned, schemas};
use lexforge_domain::document::Sentence;
use lexforge_domain::extract::{Defined, Extraction, TermExtractor, TermSource};
use lexforge_domain::schema::TermSchema;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::Language;
use lexforge_ingest::terms::{self, OfflineExtractor};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How prompts about terms were made, as it is recorded with an asking.
#[derive(Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) identity: String,
    pub(super) model: String,
    pub(super) max_tokens: u32,
    pub(super) schemas: Vec<String>,
    /// Hashes of the workspace's own wordings that were in use.
    #[serde(default)]
    pub(super) wordings: Vec<String>,
}

/// Prompts about all sentences for one model.
pub(super) struct TermPrompts<'e> {
    pub(super) workspace: &'e OpenWorkspace,
    pub(super) prompter: TermPrompter,
    pub(super) names: Vec<String>,
    pub(super) by_language: BTreeMap<Language, Vec<Sentence>>,
    pub(super) schemas: HashMap<Language, TermSchema>,
}

impl<'e> TermPrompts<'e> {
    pub(super) fn new(
        workspace: &'e OpenWorkspace,
        prompter: TermPrompter,
        asked: &[String],
    ) -> Result<Self> {
        let all = Terms::of(workspace).term_schemas()?;
        let names = Terms::of(workspace).schema_names(&all, asked)?;
        let by_language = Terms::of(workspace).sentences_to_search()?;
        let of = |language: &Language| (*language, schemas::joined(&all, &names, *language));
        let schemas = by_language.keys().map(of).collect();
        Ok(Self {
            workspace,
            prompter,
            names,
            by_language,
            schemas,
        })
    }

    /// The prompts to be put next, and how many batches of sentences need none.
    pub(super) fn open(&self) -> Result<(Vec<Planned>, u64)> {
        let (mut open, mut known) = (Vec::new(), 0);
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        for (language, sentences) in &self.by_language {
            if let Some(schema) = self.schemas.get(language) {
                open.extend(
                    self.prompter
                        .open(&sources(sentences), schema, &answers, &mut known),
                );
            }
        }
        stored.all_read()?;
        Ok((open, known))
    }

    pub(super) fn made(&self) -> (&'static str, serde_json::Value) {
        let TermPrompter {
            identity,
            model,
            max_tokens,
            wordings,
        } = self.prompter.clone();
        let (schemas, wordings) = (self.names.clone(), wordings.own_hashes());
        (
            "terms",
            serde_json::json!(Made {
                identity,
                model,
                max_tokens,
                schemas,
                wordings
            }),
        )
    }

    /// The terms of the answers that are there, by language, and which answers could not be read.
    pub(super) fn extracted(
        &self,
    ) -> Result<(HashMap<Language, Extraction>, BTreeMap<String, u64>)> {
        let stored = StoredAnswers::of(self.workspace);
        let answers = |key: &PromptKey| stored.get(key);
        let mut extractor = LlmExtractor::new(
            self.prompter.clone(),
            self.schemas.clone(),
            &answers,
            terms::key,
        );
        let found = self.by_language.iter().map(|(language, sentences)| {
            (
                *language,
                extractor.extract(&sources(sentences), &[], *language),
            )
        });
        let found = found.collect();
        stored.all_read()?;
        Ok((found, extractor.unparseable().clone()))
    }
}

/// The terms that a model found, in addition to those that the documents define and abbreviate themselves.
pub(super) struct Answered {
    pub(super) found: HashMap<Language, Extraction>,
    pub(super) describe: String,
}

impl TermExtractor for Answered {
    fn describe(&self) -> String {
        self.describe.clone()
    }

    fn extract(
        &mut self,
        sources: &[TermSource<'_>],
        defined: &[Defined],
        language: Language,
    ) -> Extraction {
        let mut extraction = self.found.remove(&language).unwrap_or_default();
        let own = OfflineExtractor.extract(sources, defined, language).terms;
        for mut term in own.into_iter().filter(|t| t.found != FoundBy::Phrase) {
            match extraction
                .terms
                .iter_mut()
                .find(|known| known.normal == term.normal)
            {
                Some(known) => {
                    term.class = std::mem::take(&mut known.class);
                    *known = term;
                }
                None => extraction.terms.push(term),
            }
        }
        extraction.terms.sort_by(TermCandidate::best_first);
        extraction
    }
}
