//! What every question writer can do.

use crate::anchor::Anchor;
use crate::reasons::Skip;
use lexforge_domain::api::RejectedDraft;
use lexforge_domain::qca::{QcaDraft, QuestionSource};

/// A writer of drafts for questions: the offline generator, or a language model behind an endpoint.
///
/// A writer only makes drafts. All drafts are checked with [`crate::validate()`] and compared with each other by
/// [`crate::Deduplicator`].
pub trait QuestionWriter {
    /// The source that is recorded with its questions.
    fn source(&self) -> QuestionSource;

    /// The writer in words, for reports.
    fn describe(&self) -> String;

    /// Questions whose choices are sentences (`Q_sen`).
    ///
    /// # Errors
    /// [`Skip`] with the reason why this anchor gives no question.
    fn sentence_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip>;

    /// Questions whose choices are terms (`Q_tok`).
    ///
    /// # Errors
    /// [`Skip`] with the reason why this anchor gives no question.
    fn token_questions(&mut self, anchor: &Anchor<'_>) -> Result<Vec<QcaDraft>, Skip>;

    /// The drafts that the writer itself has rejected since the last call. They are not among its results. The default
    /// is for writers without checks of their own, which reject no drafts.
    fn turned_down(&mut self) -> Vec<RejectedDraft> {
        Vec::new()
    }
}
