//! The writer that needs no language model.

use crate::anchor::Anchor;
use crate::reasons::Skip;
use crate::writer::QuestionWriter;
use crate::{sentence_level, token_level};
use lexforge_domain::qca::{QcaDraft, QuestionSource};

/// Writes questions by patterns and minimal edits. The same seed and anchor give the same drafts,
/// whatever was written before.
#[derive(Clone, Debug)]
pub struct OfflineWriter {
    seed: u64,
}

impl OfflineWriter {
    /// A writer whose random choices come from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl QuestionWriter for OfflineWriter {
    fn source(&self) -> QuestionSource {
        QuestionSource::Offline
    }

    fn describe(&self) -> String {
        "offline generator (patterns and minimal edits; no language model)".to_owned()
    }

    fn sentence_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        sentence_level::draft(anchor, self.seed)
    }

    fn token_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip> {
        token_level::draft(anchor, self.seed)
    }
}
