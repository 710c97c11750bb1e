//! The model that makes vectors for the graph, and those that it made before.

use super::Graph;
use super::partitions::Partition;
use crate::corpus::Corpus;
use crate::models::{
    BaseModel, Embedding, EncoderUse, Models, ahead_label, is_counted, minilm_label,
};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{EncoderChoice, Stage};
use lexforge_domain::protocol::TextSide;
use lexforge_graph::Matrix;
use lexforge_store::{EmbeddingKind, MarkedEmbeddings, Writer};
use std::path::{Path, PathBuf};

/// The model that makes vectors for the graph.
pub(super) struct OfGraph {
    base: BaseModel,
    adapter: Option<PathBuf>,
    /// The name that is recorded with its vectors.
    pub(super) label: String,
    /// The encoder that the user named; `None` = the default encoder.
    choice: Option<EncoderChoice>,
}

impl OfGraph {
    /// The encoder of a partition. If this model covers the partition, the user's choice is included.
    pub(super) fn use_for(&self, partition: &Partition) -> EncoderUse {
        let covered = !is_counted(&partition.encoder);
        EncoderUse {
            encoder: partition.encoder.clone(),
            languages: partition.languages.clone(),
            choice: self.choice.clone().filter(|_| covered),
        }
    }
}

impl Graph<'_> {
    /// The model that was named, or the default encoder.
    pub(super) fn model(&self, choice: Option<&EncoderChoice>) -> Result<OfGraph> {
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

    /// Vectors of unit length by a model. The model reads the texts as passages, not as questions. Vectors that were
    /// made before there was a graph are not made again.
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
