//! Vectors of a model: which texts it can read, and whether it can be given a prompt.

use super::systems::Prompt;
use crate::evaluation::Evaluations;
use crate::models::{BaseModel, Embedding, Models, inspect, is_an_encoder};
use crate::training::{SAMPLE, reads};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{EmbedResult, InspectResult, TextSide};
use lexforge_domain::text::Language;
use lexforge_graph::Matrix;
use std::collections::HashMap;
use std::path::Path;

/// A base model as it is, and the places of those texts that it reads, by the language of each.
pub(in crate::evaluation) fn readable(
    base: &BaseModel,
    texts: &[(Language, &str)],
) -> Result<(InspectResult, Vec<usize>)> {
    let mut tried: HashMap<Language, usize> = HashMap::new();
    let sample: Vec<(Language, &str)> = texts
        .iter()
        .filter(|(language, _)| {
            let count = tried.entry(*language).or_default();
            *count += 1;
            *count <= SAMPLE
        })
        .copied()
        .collect();
    let model = inspect(base, None, &sample)?;
    let read = texts
        .iter()
        .enumerate()
        .filter(|(_, (language, _))| reads(base, &model, *language))
        .map(|(place, _)| place)
        .collect();
    Ok((model, read))
}

/// Refuses a prompt for an encoder.
pub(super) fn check_prompt(base: &BaseModel, model: &InspectResult, prompt: Prompt) -> Result<()> {
    if prompt == Prompt::None || model.decoder {
        return Ok(());
    }
    Err(is_an_encoder(base))
}

impl Evaluations<'_> {
    /// Vectors of texts. Without a prompt each is read as the encoder's folder says that its side is.
    pub(super) fn vectors_of(
        &self,
        texts: &[(TextSide, &str)],
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        watcher: &dyn Watcher,
    ) -> Result<(Matrix, EmbedResult)> {
        let put: Vec<(TextSide, String)> = texts
            .iter()
            .map(|(side, text)| {
                let side = match prompt {
                    Prompt::None => *side,
                    Prompt::Eol | Prompt::Echo => TextSide::Plain,
                };
                (side, prompt.around(text))
            })
            .collect();
        let put: Vec<(TextSide, &str)> = put
            .iter()
            .map(|(side, text)| (*side, text.as_str()))
            .collect();
        let what = Embedding {
            goes_on: prompt != Prompt::None,
            ..Embedding::of(Stage::Evaluate)
        };
        Models::of(self.workspace).embed_sides(base, adapter, &put, &what, watcher)
    }
}
