//! Vectors of terms in their texts, made by the worker.

use super::Models;
use super::base::BaseModel;
use super::vectors::{ReadAs, embed_lines, vectors_of};
use super::worker::wrong_result;
use crate::workspace::{Result, Scratch, Watcher, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{TermReading, TextSide};
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
    /// The vector of each term. A term is given as a text and the range of bytes that it has in this text. The vector
    /// is the mean over the term's tokens after the first `layer` layers (all of them for `None`), at unit length. A
    /// term that the model does not read as a whole gets zeros. `causal` says whether each token of a decoder sees
    /// only the tokens before it; `None` = as the model is usually read.
    ///
    /// # Errors
    /// When the model or the worker is missing, the model has no such layer, the worker is of an earlier version, or
    /// the watcher cancels.
    pub(crate) fn term_vectors(
        &self,
        (base, adapter): (&BaseModel, Option<&Path>),
        terms: &[(&str, Range<usize>)],
        (layer, causal): (Option<usize>, Option<bool>),
        watcher: &dyn Watcher,
    ) -> Result<TermVectors> {
        let scratch = Scratch::new(&self.workspace.bundles_dir()?, "embed")?;
        let lines = terms
            .iter()
            .map(|(text, at)| serde_json::json!({ "text": text, "part": [at.start, at.end] }))
            .collect();
        let how = ReadAs {
            pooling: None,
            causal,
            side: TextSide::Plain,
            terms: Some(TermReading { layer }),
        };
        let item = base.title(adapter.is_some());
        let progress = |step: u64, of: u64| tell(watcher, Stage::Evaluate, &item, step, of);
        let result = embed_lines(&scratch, (base, adapter), lines, how, &progress, watcher)?;
        // A worker that does not know terms has made vectors of the whole texts.
        let layers = result.layers.ok_or_else(wrong_result)?;
        let matrix = vectors_of(&scratch, &result, terms.len())?;
        Ok(TermVectors {
            matrix,
            layers,
            causal: result.reading.causal,
        })
    }
}
