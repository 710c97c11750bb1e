//! How a long use case reports its progress to its caller.

use lexforge_domain::RunId;
use lexforge_domain::api::{AnswerSoFar, BenchTime, ImportReport, Progress, Stage};
use lexforge_domain::endpoint::AskProgress;
use lexforge_domain::protocol::JobEvent;

/// Someone who watches a use case: a progress bar, a window, or nobody ([`Silent`]).
pub trait Watcher: Sync {
    /// The use case is here now.
    fn progress(&self, progress: Progress);

    /// The caller has cancelled; the work ends at the next safe point with [`lexforge_domain::Code::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }

    /// A training run's worker said something.
    fn run_event(&self, _run: RunId, _event: &JobEvent) {}

    /// An endpoint is being asked; so far it went like this.
    fn asking(&self, _so_far: AskProgress) {}

    /// Is called while a model writes an answer. `_so_far` holds the statements that have passed the check. If a
    /// request fails, the answer is written again from its beginning, and the statements begin again, too.
    fn written(&self, _so_far: &AnswerSoFar) {}

    /// A bench scores questions; so long its rest takes. `None` = it scores nothing any more.
    fn ahead(&self, _time: Option<&BenchTime>) {}

    /// An import has dealt with one more file; this is what it has done so far.
    fn imported(&self, _so_far: &ImportReport) {}

    /// An import fails or is cancelled; this is what it had done.
    fn import_ended_early(&self, _done: &ImportReport) {}
}

/// Nobody watches.
pub struct Silent;

impl Watcher for Silent {
    fn progress(&self, _progress: Progress) {}
}

/// Shorthand for a progress report.
pub(crate) fn tell(
    watcher: &dyn Watcher,
    stage: Stage,
    item: impl Into<String>,
    done: u64,
    of: u64,
) {
    lexforge_log::at_stage(stage, done, of);
    watcher.progress(Progress {
        stage,
        item: item.into(),
        done,
        of,
    });
}

/// The failure of a use case that its caller ended.
pub(crate) fn cancelled(kept: &str) -> lexforge_domain::Failure {
    lexforge_domain::Failure::new(
        lexforge_domain::Code::Cancelled,
        "Cancelled.",
        format!("{kept} Run the step again to go on."),
    )
}
