//! A worker on this machine: started so that it outlives us, followed through its files.

use crate::bundle::{Bundle, Claim};
use crate::error::Error;
use crate::program::{WorkerProgram, loader_complaint};
use lexforge_domain::Failure;
use lexforge_domain::protocol::{Control, Event, JobEvent, JobResult, STDERR_FILE};
use lexforge_files::inside;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tracing::info;

/// Pause between two looks at the event file.
const POLL: Duration = Duration::from_millis(60);
/// A worker that has not taken up its job after this time is left alone: the machine may be very busy.
const BEGINS_WITHIN: Duration = Duration::from_secs(20);
/// Name of the file that takes the worker's standard output (its result again, as JSON).
const STDOUT_FILE: &str = "stdout.log";

/// The word of the worker's command line by which it makes a session of its own.
pub const APART: &str = "--apart";

/// Starts a worker on a bundle. Returns the worker's process id as soon as the worker holds the bundle's lock or has
/// written something. The worker continues if this process ends: it is in a process group of its own, has no terminal,
/// and writes to files. From now on the worker holds the claim.
///
/// # Errors
/// [`lexforge_domain::Code::BundleLocked`] if a worker holds the bundle already,
/// [`lexforge_domain::Code::WorkerMissing`] if the program cannot start (also if a library is missing),
/// [`lexforge_domain::Code::WorkerDied`] if it ended before it took up the job.
pub fn start(
    program: &WorkerProgram,
    bundle: &Bundle,
    models: &[PathBuf],
    claim: Claim,
) -> Result<u32, Failure> {
    started(program, bundle, models, claim, false)
}

/// Starts the worker as [`start`] does, but in a session of its own. So the worker also continues after the user has
/// logged out.
///
/// # Errors
/// As [`start`].
pub(crate) fn start_apart(
    program: &WorkerProgram,
    bundle: &Bundle,
    models: &[PathBuf],
    claim: Claim,
) -> Result<u32, Failure> {
    started(program, bundle, models, claim, true)
}

fn started(
    program: &WorkerProgram,
    bundle: &Bundle,
    models: &[PathBuf],
    claim: Claim,
    apart: bool,
) -> Result<u32, Failure> {
    let mut said = bundle.event_reader();
    said.read()?;
    // The worker's standard input is the claimed file. So the claim is held as long as the worker lives, even if this
    // process ends. The worker reads nothing from it.
    let mut child = spawn(program, bundle, models, Stdio::from(claim.0), apart)?;
    let pid = child.id();
    let since = Instant::now();
    while !bundle.held() && since.elapsed() < BEGINS_WITHIN {
        if let Some(status) = child
            .try_wait()
            .map_err(|e| program.unusable(e.to_string()))?
        {
            info!(pid, exit = status.code(), "a worker ended");
            // If the worker took up the job, its events and its result say what it did.
            if said.read()?.is_empty() && bundle.result()?.is_none() {
                conclude(program, bundle, None, status.code())?;
            }
            return Ok(pid);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // An ended child process stays in the process table until its exit status is read.
    std::thread::spawn(move || {
        let exit = child.wait().ok().and_then(|status| status.code());
        info!(pid, exit, "a worker ended");
    });
    Ok(pid)
}

fn spawn(
    program: &WorkerProgram,
    bundle: &Bundle,
    models: &[PathBuf],
    input: Stdio,
    apart: bool,
) -> Result<Child, Failure> {
    if bundle.held() {
        return Err(Error::Locked.into());
    }
    bundle.clear_control()?;
    let log = |name: &str| inside::create(bundle.folder(), name).map_err(Error::from);
    let mut command = program.command();
    command.arg("run").arg(bundle.folder()).stdin(input);
    command.stdout(log(STDOUT_FILE)?).stderr(log(STDERR_FILE)?);
    for folder in models {
        command.arg("--models").arg(folder);
    }
    if apart {
        command.arg(APART);
    } else {
        detach(&mut command);
    }
    let child = program.start(&mut command)?;
    let kind = bundle.job().kind();
    info!(pid = child.id(), kind, "a worker begins a job");
    Ok(child)
}

/// Makes this process the leader of its own session, if the system has sessions. A worker started with [`APART`] calls
/// this.
pub fn leave_session() {
    // A process that leads a group already is separate from our terminal, though not from the session.
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}

/// Keeps the signals of our terminal away from the worker.
fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x0000_0008;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(
            command,
            DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP,
        );
    }
}

/// Runs a bundle to its end. If a worker holds the bundle already, only follows this worker. If this call started the
/// worker, only events of this attempt are reported; otherwise the events of all attempts. If the bundle has a result
/// already, the result is returned at once.
///
/// When `cancelled` returns true, the worker is asked to stop, and the function waits until it has ended.
///
/// # Errors
/// The worker's own failure; [`lexforge_domain::Code::Cancelled`] if it was stopped;
/// [`lexforge_domain::Code::WorkerDied`] if it ended without a message; [`lexforge_domain::Code::WorkerMissing`] if it
/// could not start.
pub fn run_to_end(
    program: &WorkerProgram,
    bundle: &Bundle,
    models: &[PathBuf],
    on_event: &mut dyn FnMut(&JobEvent),
    cancelled: &dyn Fn() -> bool,
) -> Result<JobResult, Failure> {
    if let Some(result) = bundle.result()?.filter(|_| !bundle.held()) {
        return Ok(result);
    }
    let mut reader = bundle.event_reader();
    let mut child = None;
    if !bundle.held() {
        reader.read()?; // what earlier attempts said was told then
        child = Some(spawn(program, bundle, models, Stdio::null(), false)?);
    }
    let mut asked_to_stop = false;
    let mut last = None;
    loop {
        // Whether it is over is asked before the events are read, so that none is missed.
        let over = match child.as_mut() {
            Some(child) => child
                .try_wait()
                .map_err(|e| program.unusable(e.to_string()))?,
            None => (!bundle.held()).then(Default::default),
        };
        for event in reader.read()? {
            on_event(&event);
            last = Some(event.event);
        }
        if let Some(status) = over {
            info!(exit = status.code(), "a worker ended");
            return conclude(program, bundle, last, status.code());
        }
        if cancelled() && !asked_to_stop {
            bundle.control(Control::Stop)?;
            asked_to_stop = true;
        }
        std::thread::sleep(POLL);
    }
}

fn conclude(
    program: &WorkerProgram,
    bundle: &Bundle,
    last: Option<Event>,
    status: Option<i32>,
) -> Result<JobResult, Failure> {
    if let Some(result) = bundle.result()? {
        return Ok(result);
    }
    match last {
        Some(Event::Stopped { .. }) => Err(Error::Stopped.into()),
        Some(Event::Failed {
            code,
            message,
            hint,
            remedy,
        }) => Err(crate::bundle::failure_of(&code, &message, &hint, remedy)),
        // Another worker has it.
        _ if bundle.held() => Err(Error::Locked.into()),
        _ => {
            if let Some(complaint) = loader_complaint(&bundle.standard_error()) {
                return Err(program.unusable(complaint).into());
            }
            if let Some(failure) = bundle.told_failure() {
                return Err(Error::Worker(Box::new(failure)).into());
            }
            let mut last_words = bundle.last_words();
            if last_words.is_none() && status == Some(127) {
                last_words = Some("the system could not load the program".into());
            }
            Err(Error::WorkerDied { last_words }.into())
        }
    }
}

/// Asks the worker that holds the bundle on this machine, if there is one, to stop. The worker writes a checkpoint
/// before it stops.
///
/// # Errors
/// If the request cannot be written.
pub fn stop(bundle: &Bundle) -> Result<(), Failure> {
    if bundle.held() {
        bundle.control(Control::Stop)?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::bundle::{self, BundleState};
    use lexforge_domain::Code;
    use lexforge_domain::protocol::{InspectJob, Job, ModelRef};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// A program that behaves like a worker in one respect: a shell script, with the bundle as `$2`.
    fn script(folder: &Path, body: &str) -> WorkerProgram {
        let path = folder.join("program");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        WorkerProgram::at(path)
    }

    fn run(body: &str, cancel: bool) -> (Result<JobResult, Failure>, Vec<JobEvent>) {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::Inspect(InspectJob::of(ModelRef {
            name: "m".into(),
            sha256: String::new(),
        }));
        let bundle = bundle::create(&folder.path().join("bundle"), &job).unwrap();
        let mut events = Vec::new();
        let program = script(folder.path(), body);
        let result = run_to_end(
            &program,
            &bundle,
            &[],
            &mut |e| events.push(e.clone()),
            &|| cancel,
        );
        (result, events)
    }

    #[test]
    fn the_end_of_a_worker_is_told_as_what_it_was() {
        let check = |body: &str, code: Code, named: &str| {
            let (result, _) = run(body, false);
            let failure = result.unwrap_err();
            assert_eq!(failure.code, code, "{body}: {failure}");
            assert!(failure.message.contains(named), "{}", failure.message);
        };
        check("exit 0", Code::WorkerDied, "without a result");
        check("echo 'bad luck' >&2; exit 1", Code::WorkerDied, "bad luck");
        check(
            "echo 'error[disk_full]: no room' >&2; echo 'hint: none' >&2; exit 1",
            Code::DiskFull,
            "no room",
        );
        let loader =
            "echo 'w: error while loading shared libraries: libc10.so: cannot open' >&2; exit 127";
        check(loader, Code::WorkerMissing, "libc10.so");
        let failed = r#"{"attempt":1,"seq":0,"time":0,"event":"failed","code":"out_of_memory","message":"m","hint":"h"}"#;
        check(
            &format!("echo '{failed}' > \"$2/events.jsonl\"; exit 1"),
            Code::OutOfMemory,
            "m",
        );
    }

    #[test]
    fn a_result_is_given_with_its_events() {
        let event = r#"{"attempt":1,"seq":0,"time":0,"event":"finished","seconds":1.0}"#;
        let result = r#"{"kind":"embed","output":"o","rows":1,"dim":1,"truncated":0,"unknown_rate":0.0,"peak_memory_mb":1.0,"seconds":1.0}"#;
        let body =
            format!("echo '{result}' > \"$2/result.json\"; echo '{event}' >> \"$2/events.jsonl\"");
        let (result, events) = run(&body, false);
        assert!(matches!(result.unwrap(), JobResult::Embed(_)));
        assert_eq!(events.len(), 1);
    }

    #[test]
    fn a_cancelled_job_is_asked_to_stop_and_waited_for() {
        let stopped = r#"{"attempt":1,"seq":0,"time":0,"event":"stopped","step":4}"#;
        let body = format!(
            "until grep -q stop \"$2/control\"; do sleep 0.05; done; echo '{stopped}' > \"$2/events.jsonl\""
        );
        let (result, events) = run(&body, true);
        assert_eq!(result.unwrap_err().code, Code::Cancelled);
        assert!(matches!(events[0].event, Event::Stopped { step: 4 }));
    }

    #[test]
    fn a_start_tells_whether_the_job_was_taken_up() {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::Inspect(InspectJob::of(ModelRef {
            name: "m".into(),
            sha256: String::new(),
        }));
        let start_with = |name: &str, body: &str| {
            let bundle = bundle::create(&folder.path().join(name), &job).unwrap();
            start(
                &script(folder.path(), body),
                &bundle,
                &[],
                bundle.claim().unwrap(),
            )
        };
        let loader =
            "echo 'w: error while loading shared libraries: libc10.so: cannot open' >&2; exit 127";
        assert_eq!(
            start_with("loader", loader).unwrap_err().code,
            Code::WorkerMissing
        );
        assert_eq!(
            start_with("mute", "exit 1").unwrap_err().code,
            Code::WorkerDied
        );
        // A job that was taken up and then failed counts as started: its bundle reports the failure.
        let failed = r#"{"attempt":1,"seq":0,"time":0,"event":"failed","code":"model_missing","message":"m","hint":"h"}"#;
        assert!(
            start_with(
                "failed",
                &format!("echo '{failed}' > \"$2/events.jsonl\"; exit 1")
            )
            .is_ok()
        );
    }

    /// A starter that is killed leaves no run that waits for ever, and a worker that has not begun is waited for.
    #[test]
    fn a_claim_lives_as_long_as_starter_or_worker() {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::Inspect(InspectJob::of(ModelRef {
            name: "m".into(),
            sha256: String::new(),
        }));
        let bundle = bundle::create(&folder.path().join("bundle"), &job).unwrap();
        let program = script(
            folder.path(),
            "until test -e \"$2/go\"; do sleep 0.02; done",
        );
        let input = Stdio::from(bundle.claim().unwrap().0);
        let mut child = spawn(&program, &bundle, &[], input, false).unwrap();
        assert_eq!(bundle.state(), BundleState::NotStarted);
        assert_eq!(bundle.claim().unwrap_err().code, Code::BundleLocked);
        std::fs::write(bundle.path("go").unwrap(), "").unwrap();
        child.wait().unwrap();
        assert_eq!(bundle.state(), BundleState::NeverStarted);
        assert!(bundle.claim().is_ok());
    }

    #[test]
    fn a_program_that_is_not_there_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::Inspect(InspectJob::of(ModelRef {
            name: "m".into(),
            sha256: String::new(),
        }));
        let bundle = bundle::create(&folder.path().join("bundle"), &job).unwrap();
        let program = WorkerProgram::at(folder.path().join("absent"));
        let claim = bundle.claim().unwrap();
        assert_eq!(
            start(&program, &bundle, &[], claim).unwrap_err().code,
            Code::WorkerMissing
        );
    }
}
