//! Vectors for the search that no graph has yet: made by the encoder that comes with the product, so that questions find other
//! wordings straight after an import. A build of the graph takes them over.

use super::Corpus;
use super::encoders::{Wanted, mark_of};
use crate::models::{BaseModel, EncoderUse, Models, ahead_label, minilm_label, suits_minilm};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::EncoderVectors;
use lexforge_domain::text::Language;
use lexforge_store::{EmbeddingKind, Embeddings, Scope, StoreError};
use std::collections::{HashMap, HashSet};

/// Sentences whose vectors are kept together: some seconds of work, so that little is lost when it is ended.
const TOGETHER: usize = 1_024;

/// Vectors by their texts, as they were made ahead of the graph.
pub(crate) struct Ahead {
    kept: Embeddings,
    at: HashMap<u64, usize>,
}

impl Ahead {
    /// The vector of a text; none where none was made.
    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        let at = self.at.get(&mark_of(text))? * self.kept.dim;
        self.kept.vectors.get(at..at + self.kept.dim)
    }
}

impl Corpus<'_> {
    /// Makes the vectors that sentences lack by the encoder that comes with the product, part by part. Where the graph has
    /// vectors of another encoder, and for languages that this encoder does not know, nothing is made.
    ///
    /// # Errors
    /// When the worker or the encoder is missing, the workspace cannot be written, or the watcher ends it; what was made until
    /// then is kept.
    pub(crate) fn make_ahead(&self, watcher: &dyn Watcher) -> Result<EncoderVectors> {
        if let Some(reason) = self.workspace.store.read_only() {
            return Err(StoreError::ReadOnly(reason.to_owned()).into());
        }
        if self.lacking()? == 0 {
            return Ok(EncoderVectors::default());
        }
        let encoders = Models::of(self.workspace).encoders()?;
        let languages = languages_of(&encoders);
        let of_graph = self.workspace.store.read(|r| {
            let ids = r.embedded(EmbeddingKind::Sentence, &minilm_label())?;
            Ok(ids.into_iter().collect::<HashSet<i64>>())
        })?;
        let mut sentences = self.marked(|language| languages.contains(&language))?;
        sentences.retain(|sentence| !of_graph.contains(&sentence.id));
        let base = BaseModel::named(None);
        let read = Models::of(self.workspace).read_by(&base, None)?;
        let wanted = Wanted {
            label: &ahead_label(),
            base: &base,
            adapter: None,
            read: &read,
            together: TOGETHER,
            handed_back: false,
        };
        let (_, made, removed) = self.completed(&wanted, &sentences, watcher)?;
        Ok(EncoderVectors {
            encoder: minilm_label(),
            sentences: (of_graph.len() + sentences.len()) as u64,
            made,
            removed,
        })
    }

    /// Sentences without a vector that the encoder which comes with the product would make; none of a workspace that cannot be
    /// written.
    pub(crate) fn lacking(&self) -> Result<u64> {
        if self.is_read_only() {
            return Ok(0);
        }
        self.lacking_in(&languages_of(&Models::of(self.workspace).encoders()?))
    }

    fn lacking_in(&self, languages: &[Language]) -> Result<u64> {
        if languages.is_empty() {
            return Ok(0);
        }
        Ok(self.workspace.store.read(|r| {
            let documents = r.documents()?.into_iter();
            let all: u64 = documents
                .filter(|d| languages.contains(&d.language))
                .map(|d| u64::from(d.sentences))
                .sum();
            let mut there = HashSet::new();
            for label in [minilm_label(), ahead_label()] {
                there.extend(r.embedded(EmbeddingKind::Sentence, &label)?);
            }
            Ok(all.saturating_sub(there.len() as u64))
        })?)
    }

    /// The encoders whose vectors are searched: those of the graph, and before there is one that of the vectors made ahead of
    /// it, as soon as every sentence has one: with some of them only, the other sentences would be found less.
    pub(super) fn encoders_searched(&self) -> Result<Vec<EncoderUse>> {
        let mut encoders = Models::of(self.workspace).encoders()?;
        if encoders.iter().any(|u| u.encoder == minilm_label()) {
            return Ok(encoders);
        }
        let languages = languages_of(&encoders);
        let made = self
            .workspace
            .store
            .read(|r| r.embedded(EmbeddingKind::Sentence, &ahead_label()))?;
        if !languages.is_empty() && !made.is_empty() && self.lacking_in(&languages)? == 0 {
            encoders.push(EncoderUse {
                encoder: minilm_label(),
                languages,
                choice: None,
            });
        }
        Ok(encoders)
    }

    /// Number of the newest audit row of the vectors made ahead; 0 where none were ever made.
    pub(super) fn newest_ahead(&self) -> Result<i64> {
        let name = format!("{} {}", EmbeddingKind::Sentence.tag(), ahead_label());
        let scope = Scope::Embeddings(name);
        Ok(self.workspace.store.read(|r| r.newest_row_of(&scope))?)
    }

    /// The kept sentence vectors of an encoder, with those that were made ahead of the graph.
    pub(super) fn kept_and_ahead(&self, encoder: &str) -> Result<Option<Embeddings>> {
        let (kept, ahead) = self.workspace.store.read(|r| {
            let ahead = match encoder == minilm_label() {
                true => r.embeddings(EmbeddingKind::Sentence, &ahead_label())?,
                false => None,
            };
            Ok((r.embeddings(EmbeddingKind::Sentence, encoder)?, ahead))
        })?;
        let (mut all, ahead) = match (kept, ahead) {
            (Some(kept), Some(ahead)) => (kept, ahead),
            (kept, ahead) => return Ok(kept.or(ahead)),
        };
        if all.dim == ahead.dim {
            let mut there: HashSet<i64> = all.ids.iter().copied().collect();
            let rows = ahead.vectors.chunks(ahead.dim.max(1));
            for (id, row) in ahead.ids.iter().zip(rows) {
                if there.insert(*id) {
                    all.ids.push(*id);
                    all.vectors.extend_from_slice(row);
                }
            }
        }
        Ok(Some(all))
    }

    /// The vectors that were made ahead of the graph; none where none are kept.
    pub(crate) fn ahead(&self) -> Result<Option<Ahead>> {
        let (kept, marks) = self.workspace.store.read(|r| {
            let label = ahead_label();
            Ok((
                r.embeddings(EmbeddingKind::Sentence, &label)?,
                r.marks_of(&label)?,
            ))
        })?;
        let marks = marks.into_iter().enumerate();
        Ok(kept.map(|kept| Ahead {
            kept,
            at: marks.map(|(at, (_, mark))| (mark, at)).collect(),
        }))
    }
}

/// The languages whose sentences the default encoder is to make vectors of, beside what made the graph's.
fn languages_of(encoders: &[EncoderUse]) -> Vec<Language> {
    if let Some(used) = encoders.iter().find(|u| u.encoder == minilm_label()) {
        return used.languages.clone();
    }
    let of_graph: Vec<Language> = encoders
        .iter()
        .flat_map(|u| u.languages.iter().copied())
        .collect();
    let own = [Language::En].into_iter();
    own.filter(|language| suits_minilm(*language) && !of_graph.contains(language))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::lsa_label;

    fn used(encoder: String, languages: &[Language]) -> EncoderUse {
        EncoderUse {
            encoder,
            languages: languages.to_vec(),
            choice: None,
        }
    }

    #[test]
    fn what_the_graph_has_by_another_encoder_gets_no_second_vectors() {
        assert_eq!(languages_of(&[]), [Language::En]);
        let chinese = used(lsa_label(&[Language::Zh]), &[Language::Zh]);
        assert_eq!(languages_of(std::slice::from_ref(&chinese)), [Language::En]);
        let both = [Language::En, Language::Zh];
        assert!(languages_of(&[used(lsa_label(&both), &both)]).is_empty());
        // Somebody had the default encoder read every language.
        let all = [used(minilm_label(), &both)];
        assert_eq!(languages_of(&all), both);
    }
}
