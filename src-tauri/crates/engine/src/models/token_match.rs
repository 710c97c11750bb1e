//! Answers compared with the right ones token by token, by the worker.

use super::base::BaseModel;
use super::worker::{result_lines, run_job, wrong_result};
use crate::workspace::{Result, Scratch, Watcher, tell};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::{
    Event, Job, JobEvent, JobResult, TokenMatchItem, TokenMatchJob, TokenMatchLine,
    TokenMatchResult,
};
use std::path::Path;

const INPUT: &str = "inputs/answers.jsonl";
const OUTPUT: &str = "matches.jsonl";

/// Compares the tokens of each answer with those of its right answers, by the vectors of one layer of an encoder (the
/// last layer if none is named). The result has one line for each answer. The job gets a folder of its own below
/// `folder`.
pub(crate) fn token_matches(
    folder: &Path,
    base: &BaseModel,
    (layer, idf): (Option<usize>, bool),
    items: &[TokenMatchItem],
    watcher: &dyn Watcher,
) -> Result<(Vec<TokenMatchLine>, TokenMatchResult)> {
    let scratch = Scratch::new(folder, "score")?;
    let job = Job::TokenMatch(TokenMatchJob {
        model: base.reference(),
        input: INPUT.to_owned(),
        output: OUTPUT.to_owned(),
        layer,
        idf,
        threads: 0,
    });
    let inputs = [(INPUT, items.iter().map(|i| serde_json::json!(i)).collect())];
    let mut on_event = |event: &JobEvent| {
        if let Event::Progress { step, of, .. } = &event.event {
            tell(watcher, Stage::Evaluate, &base.name, *step, *of);
        }
    };
    let cancelled = || watcher.cancelled();
    let result = run_job(
        &scratch,
        &job,
        &inputs,
        &base.folders,
        &mut on_event,
        &cancelled,
    )?;
    let JobResult::TokenMatch(result) = result else {
        return Err(wrong_result());
    };
    let lines: Vec<TokenMatchLine> = result_lines(&scratch, &result.output)?;
    match lines.len() == items.len() {
        true => Ok((lines, result)),
        false => Err(wrong_result()),
    }
}
