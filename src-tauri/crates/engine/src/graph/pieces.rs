//! The sub-words of sentences, for lexical edges by a tokenizer (docs/methods.md, "Terminology in practice").

use super::Graph;
use super::partitions::Partition;
use crate::models::{Models, tokens};
use crate::workspace::{Result, Watcher, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::graph::{GraphSettings, SentenceEdge};
use lexforge_graph::lexical::LexicalTexts;

impl Graph<'_> {
    /// The sub-words of texts, as numbers with blanks between. The settings name the tokenizer. `None` if the settings
    /// name no tokenizer.
    ///
    /// # Errors
    /// When the worker, the model or its tokenizer is missing, or the caller cancels.
    pub(crate) fn pieces(
        &self,
        settings: &GraphSettings,
        texts: &[&str],
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<String>>> {
        let Some(name) = settings.lexical_tokenizer.as_deref() else {
            return Ok(None);
        };
        let base = Models::of(self.workspace).base(Some(name))?;
        let of = texts.len() as u64;
        tell(watcher, Stage::Graph, &base.name, 0, of);
        let found = tokens(&base, texts, &|| watcher.cancelled())?;
        tell(watcher, Stage::Graph, &base.name, of, of);
        Ok(Some(found))
    }

    /// Gives every partition the sub-words of its sentences.
    pub(super) fn with_pieces(
        &self,
        partitions: &mut [Partition],
        settings: &GraphSettings,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        for partition in partitions {
            let texts: Vec<&str> = partition
                .sentences
                .iter()
                .map(|s| s.text.as_str())
                .collect();
            partition.pieces = self.pieces(settings, &texts, watcher)?;
        }
        Ok(())
    }
}

impl Partition {
    /// The texts that lexical edges compare: words or sub-words. Sub-words are not always computed. For example, a
    /// graph that is only loaded uses the stored edges instead. Building and updating a graph compute the sub-words,
    /// and fail if the tokenizer is gone. Otherwise new sentences would get no lexical edges, and nobody would notice.
    pub(super) fn lexical_texts<'a>(
        &'a self,
        settings: &GraphSettings,
        stored: &'a [SentenceEdge],
    ) -> LexicalTexts<'a> {
        match (&settings.lexical_tokenizer, &self.pieces) {
            (None, _) => LexicalTexts::Words,
            (Some(_), Some(pieces)) => LexicalTexts::Pieces(pieces),
            (Some(_), None) => LexicalTexts::AsLeft(stored),
        }
    }
}
