//! Vectors of terms in their texts, made by the worker.

use super::Models;
use super::base::BaseModel;
use super::vectors::read_matrix;
use super::worker::{ADAPTER_DIR, copy_adapter, run_job, wrong_result};
use crate::workspace::{Result, Scratch, Watcher, file_failure, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{EmbedJob, Event, Job, JobEvent, JobResult, TermReading, TextSide};
use lexforge_files::inside;
use lexforge_graph::Matrix;
use std::ops::Range;
use std::path::Path;

/// What was made.
pub(crate) struct TermVectors {
    /// A row for each term.
    pub(crate) matrix: Matrix,
    /// Layers of the model.
    pub(crate) layers: usize,
    /// Whether a decoder's tokens saw those before them alone.
    pub(crate) causal: bool,
}

impl Models<'_> {
    /// The vector of each term at some bytes of its text: the mean over the term's tokens after the first `layer` layers
    /// (all of them for `None`), at unit length. A term that the model does not read as a whole has zeros. With `causal`,
    /// a decoder's tokens see those before them alone, or not; `None` = as the model is read otherwise.
    ///
    /// # Errors
    /// When the model or the worker is missing, the model has no such layer, the worker is of an earlier version, or the
    /// watcher cancels.
    pub(crate) fn term_vectors(
        &self,
        (base, adapter): (&BaseModel, Option<&Path>),
        terms: &[(&str, Range<usize>)],
        (layer, causal): (Option<usize>, Option<bool>),
        watcher: &dyn Watcher,
    ) -> Result<TermVectors> {
        let scratch = Scratch::new(&self.workspace.bundles_dir()?, "embed")?;
        if let Some(adapter) = adapter {
            copy_adapter(adapter, &scratch.path().join(ADAPTER_DIR))?;
        }
        let job = Job::Embed(EmbedJob {
            model: base.reference(),
            adapter: adapter.map(|_| ADAPTER_DIR.to_owned()),
            input: "inputs/texts.jsonl".to_owned(),
            output: "embeddings.safetensors".to_owned(),
            pooling: None,
            causal,
            normalize: None,
            max_length: None,
            side: TextSide::Plain,
            terms: Some(TermReading { layer }),
            threads: 0,
        });
        let lines: Vec<serde_json::Value> = terms
            .iter()
            .map(|(text, at)| serde_json::json!({ "text": text, "part": [at.start, at.end] }))
            .collect();
        let item = base.title(adapter.is_some());
        let mut on_event = |event: &JobEvent| {
            if let Event::Progress { step, of, .. } = &event.event {
                tell(watcher, Stage::Evaluate, &item, *step, *of);
            }
        };
        let inputs = [("inputs/texts.jsonl", lines)];
        let done = run_job(
            &scratch,
            &job,
            &inputs,
            &base.folders,
            &mut on_event,
            &|| watcher.cancelled(),
        )?;
        let JobResult::Embed(result) = done else {
            return Err(wrong_result());
        };
        // A worker that does not know terms has made vectors of the whole texts.
        let layers = result.layers.ok_or_else(wrong_result)?;
        let matrix =
            read_matrix(&inside::place(scratch.path(), &result.output).map_err(file_failure)?)?;
        if matrix.rows != terms.len() {
            return Err(wrong_result());
        }
        Ok(TermVectors {
            matrix,
            layers,
            causal: result.reading.causal,
        })
    }
}
