//! One attempt at a bundle: lock, events, the work, the result.

use crate::error::library_failure;
use crate::folder::ModelFolders;
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::ControlFile;
use crate::jobs::events::EventLog;
use crate::jobs::lease::{self, Lease};
use crate::jobs::{add_words, embed, inspect, rerank, score_job, token_match};
use crate::platform::StopSignal;
use crate::training::ranks::Place;
use crate::training::{memory, train};
use crate::{Error, Result, device, export};
use lexforge_domain::protocol::{EVENTS_FILE, Event, Job, JobResult, LOCK_FILE};
use lexforge_domain::{Code, Failure};
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Instant;
use tch::Device;

pub use crate::jobs::attempt::{Outcome, started};

/// Runs the job of a bundle. If the bundle has a result already, it is returned without doing the work again.
///
/// # Errors
/// The failure of the job. It is also in the bundle's events, unless the bundle could not be taken.
pub fn run(folder: &Path, folders: &ModelFolders) -> std::result::Result<Outcome, Failure> {
    run_at(folder, folders, Place::alone())
}

/// Runs the job as [`run`] does, as one of several ranks. Only a training is divided among the ranks; rank 0 does other
/// jobs alone.
///
/// # Errors
/// As [`run`]. Ranks other than 0 write into event files of their own.
pub(crate) fn run_at(
    folder: &Path,
    folders: &ModelFolders,
    place: Place,
) -> std::result::Result<Outcome, Failure> {
    let signal = StopSignal::listen();
    device::choose_gpu(place.local);
    let bundle =
        HeldBundle::take_by(folder, &place.own_file(LOCK_FILE)).map_err(Error::into_failure)?;
    if let Some(result) = bundle.result() {
        return Ok(Outcome::Finished(result));
    }
    if !place.leads() && !matches!(bundle.job, Job::Train(_)) {
        return Ok(Outcome::Followed { step: 0 });
    }
    tracing::info!(kind = bundle.job.kind(), "takes a job");
    let events =
        EventLog::open(&folder.join(place.own_file(EVENTS_FILE))).map_err(Error::into_failure)?;
    events.beat();
    let control = ControlFile::new(folder, signal);
    let began = Instant::now();
    // A panic is libtorch's way of telling an error in the methods that give no result.
    let attempt = std::panic::catch_unwind(AssertUnwindSafe(|| {
        work(&bundle, &events, &control, folders, place)
    }));
    let ended = match attempt {
        Ok(Ok(outcome)) => conclude(&bundle, &events, outcome, began).map_err(Error::into_failure),
        Ok(Err(error)) => Err(error.into_failure()),
        Err(panic) => Err(library_failure(&panic_text(panic.as_ref()))),
    };
    let ended = ended.map_err(|failure| with_setting(failure, &bundle.job, folders));
    if let Err(failure) = &ended {
        let event = Event::Failed {
            code: failure.code.tag(),
            message: failure.to_string(),
            hint: failure.hint.clone(),
            remedy: failure.remedy.clone(),
        };
        if let Err(error) = events.write(event) {
            eprintln!(
                "error: the failure could not be written to the bundle: {}",
                error.into_failure()
            );
        }
    }
    ended
}

/// A lack of memory with the setting of this training that would help.
fn with_setting(failure: Failure, job: &Job, folders: &ModelFolders) -> Failure {
    let Job::Train(job) = job else { return failure };
    if failure.code != Code::OutOfMemory {
        return failure;
    }
    let smaller = folders
        .find(&job.model)
        .and_then(|folder| memory::smaller(&folder, &job.settings));
    match smaller {
        Ok(Some((needed, advice))) => failure.with_advice(format!(
            "Start a new run with {} = {}: it needs about {:.0} MiB instead of {needed:.0}. The newest checkpoint is \
                 kept; where more memory is free this run can be resumed.",
            advice.setting, advice.value, advice.total_mb
        )),
        _ => failure,
    }
}

fn work(
    bundle: &HeldBundle,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
    place: Place,
) -> Result<Outcome> {
    match &bundle.job {
        Job::Embed(job) => {
            let threads = device::set_threads(job.threads);
            started(events, threads, None, 0)?;
            embed::embed(bundle, job, events, control, folders)
        }
        Job::Inspect(job) => {
            // Texts are cut into tokens on all processors; nothing else here would gain by them.
            let threads = usize::from(job.tokens.is_none());
            started(events, device::set_threads(threads), None, 0)?;
            let folder = folders.find(&job.model)?;
            let mut result = inspect::inspect(&folder)?;
            if let Some(plan) = &job.plan {
                result.memory = Some(memory::estimate(&folder, plan)?);
            }
            if let Some(texts) = &job.texts {
                result.vocabulary_use = inspect::vocabulary_use(&folder, &bundle.path(texts)?)?;
            }
            if let Some(wanted) = &job.tokens {
                let (texts, output) = (bundle.path(&wanted.texts)?, bundle.path(&wanted.output)?);
                inspect::tokens(&folder, &texts, &output)?;
            }
            Ok(Outcome::Finished(JobResult::Inspect(result)))
        }
        Job::Score(job) => {
            let threads = device::set_threads(job.threads);
            started(events, threads, None, 0)?;
            score_job::score(bundle, job, events, control, folders)
        }
        Job::TokenMatch(job) => {
            let threads = device::set_threads(job.threads);
            started(events, threads, None, 0)?;
            token_match::token_match(bundle, job, events, control, folders)
        }
        Job::Rerank(job) => {
            let threads = device::set_threads(job.threads);
            started(events, threads, None, 0)?;
            rerank::rerank(bundle, job, events, control, folders)
        }
        Job::AddWords(job) => {
            started(events, device::set_threads(1), None, 0)?;
            add_words::add_words(bundle, job, folders)
        }
        Job::Export(job) => {
            let threads = device::set_threads(job.threads);
            started(events, threads, None, 0)?;
            export::export(bundle, job, events, control, folders)
        }
        Job::Train(job) => {
            let device = device::device();
            let _lease = (device != Device::Cpu)
                .then(|| Lease::take(&lease::usual_folder(), &device::name(device)))
                .flatten();
            train::train(bundle, job, events, control, folders, place)
        }
    }
}

fn conclude(
    bundle: &HeldBundle,
    events: &EventLog,
    outcome: Outcome,
    began: Instant,
) -> Result<Outcome> {
    match &outcome {
        Outcome::Finished(result) => {
            bundle.finish(result)?;
            events.write(Event::Finished {
                seconds: began.elapsed().as_secs_f64(),
            })?;
        }
        Outcome::Stopped { step } => events.write(Event::Stopped { step: *step })?,
        Outcome::Followed { .. } => events.write(Event::Finished {
            seconds: began.elapsed().as_secs_f64(),
        })?,
    }
    Ok(outcome)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "an error without words".into())
}

/// Exit status of a failure: 3 where another worker holds the bundle, 1 otherwise.
pub(crate) fn exit_code(failure: &Failure) -> u8 {
    if failure.code == Code::BundleLocked {
        3
    } else {
        1
    }
}
