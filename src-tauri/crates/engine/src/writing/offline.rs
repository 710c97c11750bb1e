//! Writing questions without a language model.

use super::Writing;
use super::anchors::{Anchors, Material, Shares, split_from};
use super::drafting::drafts;
use crate::graph::Graph;
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_augment::OfflineWriter;
use lexforge_domain::api::{AugmentReport, Extent, Progress};
use lexforge_graph::split::SplitPlan;

impl Writing<'_> {
    /// Writes questions with the offline generator. They replace the earlier questions; snapshots are not changed.
    ///
    /// The questions are written twice. The split should balance the number of questions, but how many questions a
    /// sentence gives is known only after writing. The first split is balanced by an estimate. The second split starts
    /// from the first and is balanced by the questions that were written. So most sentences stay in the part where
    /// their questions were counted.
    ///
    /// # Errors
    /// When the graph was not built yet, or the caller cancels.
    pub fn augment_offline(&self, watcher: &dyn Watcher) -> Result<AugmentReport> {
        let material = Material::load(self.workspace)?.with_usage(self.workspace)?;
        let (graphs, settings) = (
            Graph::of(self.workspace).load_graphs()?,
            Graph::of(self.workspace).graph_settings()?,
        );
        let write = |plan: &SplitPlan, second: bool| {
            let anchors = Anchors::new(&graphs, &settings, plan, &material, &Extent::default());
            drafts(
                &anchors,
                &mut OfflineWriter::new(DEFAULT_SEED),
                &Half { watcher, second },
            )
        };
        let expected = Shares::expected(&graphs, &material, &Extent::default());
        let wanted = self.split_shares()?;
        let first = split_from(&graphs, &expected, None, wanted);
        let written = write(&first, false)?;
        let sentences = written.accepted.iter().map(|one| one.draft.anchor_sentence);
        let counted = expected.counted(sentences, &first);
        let drafted = write(&split_from(&graphs, &counted, Some(&first), wanted), true)?;
        self.keep_drafted(drafted, false)
    }
}

/// One of two passes over the same sentences. Each counts as half of the progress.
struct Half<'a> {
    watcher: &'a dyn Watcher,
    second: bool,
}

impl Watcher for Half<'_> {
    fn progress(&self, progress: Progress) {
        let before = if self.second { progress.of } else { 0 };
        self.watcher.progress(Progress {
            done: (before + progress.done) / 2,
            ..progress
        });
    }

    fn cancelled(&self) -> bool {
        self.watcher.cancelled()
    }
}
