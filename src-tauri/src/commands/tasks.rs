//! Commands that begin and end background jobs.

use super::reply::{Reply, job, now};
use crate::drift;
use crate::shell::{Answer, Shell};
use crate::tasks::begin_then;
use crate::vectors;
use crate::watch::Watch;
use lexforge_domain::api::commands::TasksRequest as Request;
use lexforge_engine::{Engine, GraphRequest, ParseOptions};
use std::path::PathBuf;

pub fn reply(shell: &Shell, request: Request) -> Reply {
    match request {
        Request::ImportDocuments(asked) => now(asked, |asked| {
            import(
                shell,
                asked.paths.into_iter().map(PathBuf::from).collect(),
                asked.password,
            )
        }),
        Request::Prepare(asked) => job(shell, asked, "prepare", "", |engine, watch, _| {
            // Too few questions for a snapshot: what was made before is kept, and the job says why it ended there.
            engine
                .prepare(&GraphRequest::default(), watch)?
                .dataset
                .map(|_| ())
        }),
        Request::Tasks(asked) => now(asked, |_| Ok(shell.tasks().list())),
        Request::CancelTask(asked) => now(asked, |asked| {
            shell.tasks().cancel(asked.id);
            Ok(())
        }),
    }
}

/// Imports files and folders in the background. The job's title has one line for each. The password, if there is one,
/// is given to the parser and is stored nowhere.
pub fn import(shell: &Shell, paths: Vec<PathBuf>, password: Option<String>) -> Answer<u64> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| {
            path.file_name().map_or_else(
                || path.display().to_string(),
                |n| n.to_string_lossy().into_owned(),
            )
        })
        .collect();
    let work = move |engine: &Engine, watch: &Watch| {
        let options = ParseOptions {
            password,
            ..ParseOptions::default()
        };
        engine.corpus().import(&paths, &options, watch).map(|_| ())
    };
    // These are separate jobs: the import has ended, even if the vectors or the sample fail.
    begin_then(shell, "import", &names.join("\n"), work, |shell, engine| {
        vectors::make_when_quiet(shell, engine);
        drift::after_import(shell, engine);
    })
}
