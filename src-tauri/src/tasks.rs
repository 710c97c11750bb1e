//! Begins background jobs.

use crate::shell::{Answer, Shell};
use crate::watch::Watch;
use lexforge_domain::api::Notice;
use lexforge_engine::{Deed, Engine};
use std::sync::Arc;

/// The kind of job that makes vectors for the search.
pub const VECTORS: &str = "vectors";
/// Kinds of jobs that cancel the job that makes vectors. The first three make the vectors of all sentences themselves
/// and use the ones that exist. The others measure the search, which must not change while they run.
const FIRST: [&str; 6] = [
    "graph",
    "prepare",
    "sample",
    "calibrate",
    "train_ranker",
    "measure_rerank",
];

/// Kinds of jobs whose result is stored in the workspace. Where that cannot be written, they are refused at once and
/// not when they end.
const STORED: [&str; 18] = [
    "bench",
    "calibrate",
    "confusables",
    "evaluate",
    "gate_general",
    "graph",
    "import",
    "import_triplets",
    "measure_rerank",
    "prepare",
    "questions",
    "sample",
    "search_with",
    "similarity",
    "sweep",
    "terms",
    "train_ranker",
    "triplets",
];

/// Begins a job on its own thread and returns its number; the window is told of each step.
pub fn begin(
    shell: &Shell,
    kind: &str,
    title: &str,
    work: impl FnOnce(&Engine, &Watch) -> Answer<()> + Send + 'static,
) -> Answer<u64> {
    begin_then(shell, kind, title, work, |_, _| ())
}

/// Begins a job as [`begin`] does. After the job has ended and the window was informed, `after` runs on the same
/// thread.
pub fn begin_then(
    shell: &Shell,
    kind: &str,
    title: &str,
    work: impl FnOnce(&Engine, &Watch) -> Answer<()> + Send + 'static,
    after: impl FnOnce(&Shell, &Arc<Engine>) + Send + 'static,
) -> Answer<u64> {
    let engine = shell.engine()?;
    if STORED.contains(&kind) {
        engine.workspace().require_writable()?;
    }
    let (task, cancel) = shell.tasks().enter(kind, title)?;
    let id = task.id;
    if FIRST.contains(&kind) {
        shell.tasks().make_way(VECTORS);
    }
    shell.tell(Notice::Task { task });
    let (shell, kind) = (shell.clone(), kind.to_owned());
    std::thread::spawn(move || {
        let watch = Watch::new(shell.clone(), id, cancel);
        let deed = Deed::begin(format!("job.{kind}"));
        let outcome = work(&engine, &watch);
        deed.end(&outcome);
        let ended = shell.tasks().change(id, |task| {
            task.done = true;
            task.failure = outcome.err();
        });
        if let Some(task) = ended {
            shell.tell(Notice::Task { task });
        }
        shell.tell(Notice::Changed);
        after(&shell, &engine);
    });
    Ok(id)
}
