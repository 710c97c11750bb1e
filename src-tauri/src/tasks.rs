//! Begins background jobs.

use crate::shell::{Answer, Shell};
use crate::watch::Watch;
use lexforge_domain::api::Notice;
use lexforge_engine::{Deed, Engine};
use std::sync::Arc;

/// The kind of job that makes vectors for the search.
pub const VECTORS: &str = "vectors";
/// Kinds of jobs that cancel the job that makes vectors. The first three use the vectors of all sentences, and make the
/// missing ones themselves. The others measure the search, which must not change while they run.
const FIRST: [&str; 6] = [
    "graph",
    "prepare",
    "sample",
    "calibrate",
    "train_ranker",
    "measure_rerank",
];

/// Kinds of jobs whose result is stored in the workspace. If the workspace cannot be written, they are refused before
/// they start.
const STORED: [&str; 20] = [
    "activate",
    "bench",
    "calibrate",
    "confusables",
    "evaluate",
    "gate_general",
    "graph",
    "import",
    "import_exam",
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    /// Kinds of jobs that tell nothing of how far they are, with the reason. None now.
    const TELLS_NOTHING: [(&str, &str); 0] = [];

    /// The places where a job begins, each until the next command of the file: its kind, and what it does.
    fn jobs(code: &str) -> Vec<(String, String)> {
        let begins = ["job(", "begin(", "begin_then("];
        let mut found = Vec::new();
        for arm in code.split("\n        Request::").skip(1) {
            // The last one ends where the match does.
            let arm = arm.split("\n    }\n").next().unwrap_or_default();
            let Some(at) = begins.iter().filter_map(|call| arm.find(call)).min() else {
                continue;
            };
            let work = &arm[at..];
            let kind = work.split('"').nth(1).unwrap_or_default();
            found.push((kind.to_owned(), work.to_owned()));
        }
        found
    }

    /// Whether the work passes its watcher on. Work that only names its result shows no progress.
    fn hands_its_watcher_on(work: &str) -> bool {
        let body = work.splitn(3, '|').nth(2).unwrap_or_default();
        let mut rest = body;
        while let Some(at) = rest.find("watch") {
            rest = &rest[at + "watch".len()..];
            if rest.starts_with([')', ',', '\n']) {
                return true;
            }
        }
        false
    }

    /// Each job is told of as far as it is and can be cancelled: both come by its watcher.
    #[test]
    fn each_job_tells_how_far_it_is_or_says_why_not() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
        let (mut seen, mut silent) = (0, Vec::new());
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let code = std::fs::read_to_string(entry.path()).unwrap();
            for (kind, work) in jobs(&code) {
                seen += 1;
                let named = TELLS_NOTHING.iter().any(|(one, _)| *one == kind);
                if hands_its_watcher_on(&work) == named {
                    silent.push(kind);
                }
            }
        }
        assert!(seen >= 30, "{seen} jobs were found");
        assert!(silent.is_empty(), "{silent:?}");
    }

    #[test]
    fn a_job_without_its_watcher_is_found() {
        let code = "match request {\n        Request::One(asked) => job(shell, asked, \"one\", \"\", |engine, watch, _| {\n            \
                    watch.came_to(engine.one()?);\n        }),\n        Request::Two(asked) => job(shell, asked, \"two\", \"\", |engine, \
                    watch, _| engine.two(watch)),\n        Request::Three(asked) => ask(shell, asked, |engine, _| engine.three()),\n    }";
        let found: Vec<(String, bool)> = jobs(code)
            .into_iter()
            .map(|(kind, work)| (kind, hands_its_watcher_on(&work)))
            .collect();
        assert_eq!(found, [("one".to_owned(), false), ("two".to_owned(), true)]);
    }
}
