//! The model that makes vectors for the graph, and those that it made before.

use super::Graph;
use super::partitions::Partition;
use crate::corpus::Corpus;
use crate::models::{
    BaseModel, Embedding, EncoderUse, Models, ahead_label, for_languages, is_by_last_token,
    minilm_label,
};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{EncoderChoice, Stage};
use lexforge_domain::protocol::TextSide;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_graph::Matrix;
use lexforge_store::{EmbeddingKind, MarkedEmbeddings, Writer};
use std::path::{Path, PathBuf};

/// The model that makes vectors for the graph.
pub(super) struct OfGraph {
    base: BaseModel,
    adapter: Option<PathBuf>,
    /// The name that is recorded with its vectors.
    label: String,
    /// The encoder that the user named; `None` = the default encoder.
    choice: Option<EncoderChoice>,
}

/// The source of the vectors of a language.
pub(super) enum Made {
    /// They are counted from the characters.
    ByCounting,
    /// The model that was named makes them; `None` = the default encoder.
    By(Option<EncoderChoice>),
}

/// The models of a build, each with the languages that it covers. All other languages are counted.
pub(super) struct ModelsOfGraph(Vec<(OfGraph, Vec<Language>)>);

impl ModelsOfGraph {
    /// The name of the vectors that a model makes of a language; `None` = they are counted.
    pub(super) fn label(&self, language: Language) -> Option<String> {
        let mut all = self.0.iter();
        let (model, _) = all.find(|(_, languages)| languages.contains(&language))?;
        Some(model.label.clone())
    }

    /// The model that makes the vectors of this name. Two choices can name the same model.
    pub(super) fn named(&self, label: &str) -> Option<&OfGraph> {
        let mut models = self.0.iter().map(|(model, _)| model);
        models.find(|model| model.label == label)
    }

    /// The encoder of each partition, with the user's choice if a model covers it.
    pub(super) fn uses(&self, partitions: &[Partition], by_language: bool) -> Vec<EncoderUse> {
        let of = |partition: &Partition| EncoderUse {
            encoder: partition.encoder.clone(),
            languages: partition.languages.clone(),
            choice: self
                .named(&partition.encoder)
                .and_then(|model| model.choice.clone()),
            by_language,
        };
        partitions.iter().map(of).collect()
    }
}

impl Graph<'_> {
    /// The models that these languages need. Each model is examined once. If a model cannot be used, the error names
    /// the model; it also names the languages of the model, unless the model is for all languages.
    pub(super) fn models_of(
        &self,
        languages: impl Iterator<Item = Language>,
        made: impl Fn(Language) -> Made,
    ) -> Result<ModelsOfGraph> {
        let mut asked: Vec<(Option<EncoderChoice>, Vec<Language>)> = Vec::new();
        let mut all = 0;
        for language in languages {
            all += 1;
            let Made::By(choice) = made(language) else {
                continue;
            };
            match asked.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, languages)) => languages.push(language),
                None => asked.push((choice, vec![language])),
            }
        }
        let model = |(choice, languages): (Option<EncoderChoice>, Vec<Language>)| {
            let only: &[Language] = if languages.len() < all {
                &languages
            } else {
                &[]
            };
            let model = self
                .model(choice.as_ref())
                .map_err(|failure| for_languages(failure, only))?;
            Ok((model, languages))
        };
        let models: Result<Vec<_>> = asked.into_iter().map(model).collect();
        Ok(ModelsOfGraph(models?))
    }

    /// Refuses languages that no document has. Otherwise a mistyped language would have no effect, and nobody would
    /// notice. The language of a document without sentences is allowed, because the window lists it, too.
    pub(super) fn are_there(&self, mut named: impl Iterator<Item = Language>) -> Result<()> {
        let there = self.sentences()?;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let of_document = |language| documents.iter().any(|d| d.language == language);
        let missing =
            named.find(|&language| !there.contains_key(&language) && !of_document(language));
        missing.map_or(Ok(()), |language| {
            Err(Failure::new(
                Code::InvalidRequest,
                format!(
                    "An encoder was given for the language “{}”, and no document is in it.",
                    language.tag()
                ),
                "Give encoders for the languages of your documents alone.",
            ))
        })
    }

    /// The model that was named, or the default encoder.
    fn model(&self, choice: Option<&EncoderChoice>) -> Result<OfGraph> {
        let Some(choice) = choice else {
            return Ok(OfGraph {
                base: BaseModel::named(None),
                adapter: None,
                label: minilm_label(),
                choice: None,
            });
        };
        let (base, adapter, label) = Corpus::of(self.workspace).encoder_of_graph(choice)?;
        let mut choice = choice.clone();
        // A graph outlives the folder that it was built from.
        if let Some(path) = choice.model.as_deref().map(Path::new)
            && path.is_dir()
            && let Ok(whole) = path.canonicalize()
        {
            choice.model = Some(whole.display().to_string());
        }
        Ok(OfGraph {
            base,
            adapter,
            label,
            choice: Some(choice),
        })
    }

    /// Vectors of unit length by a model. The model reads the texts as passages, not as questions. If the default
    /// encoder made vectors of some texts before the graph was built, these vectors are used again.
    pub(super) fn by_model(
        &self,
        model: &OfGraph,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        if model.choice.is_some() {
            return Ok(self.made(model, texts, watcher)?.normalized());
        }
        let Some(ahead) = Corpus::of(self.workspace).ahead()? else {
            return self.made(model, texts, watcher);
        };
        let known: Vec<Option<&[f32]>> = texts.iter().map(|text| ahead.of(text)).collect();
        let Some(dim) = known.iter().flatten().next().map(|row| row.len()) else {
            return self.made(model, texts, watcher);
        };
        let missing: Vec<&str> = texts
            .iter()
            .zip(&known)
            .filter(|(_, row)| row.is_none())
            .map(|(text, _)| *text)
            .collect();
        let new = match missing.is_empty() {
            true => Matrix::zeros(0, dim),
            false => self.made(model, &missing, watcher)?,
        };
        if new.dim != dim {
            return self.made(model, texts, watcher);
        }
        let mut all = Matrix::zeros(texts.len(), dim);
        let mut next = 0;
        for (at, row) in known.into_iter().enumerate() {
            let vector = row.unwrap_or_else(|| {
                next += 1;
                new.row(next - 1)
            });
            all.row_mut(at).copy_from_slice(vector);
        }
        Ok(all)
    }

    fn made(&self, model: &OfGraph, texts: &[&str], watcher: &dyn Watcher) -> Result<Matrix> {
        let what = Embedding {
            side: TextSide::Passage,
            ..Embedding::of(Stage::Embed)
        };
        let models = Models::of(self.workspace);
        if model.choice.as_ref().is_some_and(|choice| choice.echo) {
            return models.embedded_twice(&model.base, texts, watcher);
        }
        if is_by_last_token(&model.label) {
            return models.embedded_by_last_token(&model.base, texts, watcher);
        }
        let adapter = model.adapter.as_deref();
        let (vectors, _) = models.embed_as(&model.base, adapter, texts, &what, watcher)?;
        Ok(vectors)
    }
}

/// Removes the vectors that were made ahead of the graph, which has its own of all sentences now.
pub(super) fn forget_ahead(w: &mut Writer<'_>) -> lexforge_store::Result<()> {
    let label = ahead_label();
    if !w.embedded(EmbeddingKind::Sentence, &label)?.is_empty() {
        w.put_marked_embeddings(&label, &MarkedEmbeddings::default(), true)?;
    }
    Ok(())
}
