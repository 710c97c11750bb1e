//! The encoder that makes the vectors of a sample.

use crate::evaluation::Evaluations;
use crate::models::{BaseModel, DEFAULT_ENCODER, Models, inspect, suits_minilm};
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::{ModelKind, Stage};
use lexforge_domain::text::Language;
use lexforge_graph::Matrix;
use std::path::PathBuf;

/// The encoder that makes the vectors.
pub(super) struct Watching {
    base: BaseModel,
    adapter: Option<PathBuf>,
    /// Its name, with the hashes of its files.
    pub(super) label: String,
}

impl Watching {
    /// Whether the encoder reads this language. Any other encoder than the default one is assumed to read all
    /// languages that the user gives it.
    pub(super) fn reads(&self, language: Language) -> bool {
        self.base.name != DEFAULT_ENCODER || suits_minilm(language)
    }
}

impl Evaluations<'_> {
    /// The active encoder or, if none is active, the one that comes with Lexforge.
    pub(super) fn watching(&self) -> Result<Watching> {
        let active = self
            .workspace
            .store
            .read(|r| r.newest_deployment(ModelKind::Encoder))?;
        let Some(run) = active.and_then(|d| d.run) else {
            let base = Models::of(self.workspace).base(None)?;
            let model = inspect(&base, None, &[])?;
            return Ok(Watching {
                label: format!("{} {}", base.name, short(&model.sha256)),
                base,
                adapter: None,
            });
        };
        let row = Runs::of(self.workspace).run(run)?;
        let job = train_job(&Runs::of(self.workspace).bundle(run)?)?;
        let adapter = Runs::of(self.workspace)
            .train_result(run)?
            .adapter_sha256
            .to_string();
        Ok(Watching {
            label: format!(
                "{} {} + run {run} {}",
                row.base,
                short(&job.model.sha256),
                short(&adapter)
            ),
            base: BaseModel {
                sha256: job.model.sha256,
                ..Models::of(self.workspace).base(Some(&row.base))?
            },
            adapter: Some(Runs::of(self.workspace).adapter_dir(run)?),
        })
    }

    pub(super) fn watched_vectors(
        &self,
        watching: &Watching,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Matrix> {
        if texts.is_empty() {
            return Ok(Matrix {
                rows: 0,
                dim: 0,
                data: Vec::new(),
            });
        }
        let (vectors, _) = Models::of(self.workspace).embed_texts(
            &watching.base,
            watching.adapter.as_deref(),
            texts,
            Stage::Evaluate,
            watcher,
        )?;
        Ok(vectors)
    }
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
