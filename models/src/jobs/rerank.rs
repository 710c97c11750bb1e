//! The rerank job: a cross-encoder scores each question's passages.

use crate::adapters::adapter::Adapter;
use crate::architectures::pair_scorer::PairScorer;
use crate::data::{Records, write_lines};
use crate::folder::{self, ModelFolders};
use crate::jobs::attempt::Outcome;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::jobs::progress::Progress;
use crate::platform::peak_resident_mb;
use crate::{Result, device};
use lexforge_domain::protocol::{
    JobResult, ModelRef, RerankJob, RerankRequest, RerankResult, RerankScores,
};
use std::path::Path;
use std::time::Instant;

/// Pairs that are held as tokens at a time, unless one question has more.
const BLOCK: usize = 4096;

/// Runs a rerank job.
///
/// # Errors
/// If the model, its adapter or an input is not valid, or the output cannot be written.
pub fn rerank(
    bundle: &HeldBundle,
    job: &RerankJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    let began = Instant::now();
    let input = bundle.path(&job.input)?;
    let requests: Vec<RerankRequest> =
        Records::<RerankRequest>::open(&input)?.collect::<Result<_>>()?;
    let (scorer, content) = open(&job.model, &bundle.path(&job.adapter)?, folders)?;
    let pairs: u64 = requests.iter().map(|r| r.passages.len() as u64).sum();
    let (mut lines, mut done) = (Vec::<RerankScores>::with_capacity(requests.len()), 0u64);
    let mut told = Progress::new(events, began);
    let mut rest = requests.as_slice();
    while !rest.is_empty() {
        let mut held = 0;
        let fitting = rest.iter().take_while(|request| {
            held += request.passages.len();
            held <= BLOCK
        });
        let (block, others) = rest.split_at(fitting.count().max(1));
        rest = others;
        let after = &mut |scored: usize, _: u64| -> Result<bool> {
            done += scored as u64;
            told.tell("rerank", done, pairs, None)?;
            Ok(done >= pairs || control.wish(events, done)? != Wish::Stop)
        };
        let Some(found) = scorer.scores(block, after)? else {
            return Ok(Outcome::Stopped { step: done });
        };
        lines.extend(found);
    }
    write_lines(&bundle.path(&job.output)?, &lines)?;
    Ok(Outcome::Finished(JobResult::Rerank(RerankResult {
        output: job.output.clone(),
        rows: requests.len() as u64,
        pairs,
        truncated: lines.iter().map(|line| line.truncated).sum(),
        content,
        max_length: scorer.reading().max_length,
        peak_memory_mb: peak_resident_mb(),
        seconds: began.elapsed().as_secs_f64(),
    })))
}

/// Opens a cross-encoder from its base model and the folder of its adapter. Also returns a hash of everything that its
/// scores depend on.
///
/// # Errors
/// If the model or the adapter cannot be opened, or they do not belong together.
pub fn open(
    model: &ModelRef,
    adapter: &Path,
    folders: &ModelFolders,
) -> Result<(PairScorer, String)> {
    let folder = folders.find(model)?;
    let read = Adapter::read_of_pairs(adapter)?;
    read.check_base(&model.name, &folder)?;
    let scorer = PairScorer::open(&folder, &read, device::device())?;
    let content = folder::print_with(&folder, Some(adapter))?;
    Ok((scorer, content.to_string()))
}
