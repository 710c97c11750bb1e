//! The worker's side of a connection. It reads requests from its standard input, and writes answers to its standard
//! output.
//!
//! It ends with the connection. Jobs that it started go on: they run in sessions of their own and write to their
//! bundles.

mod cleaning;

use super::connection::{BEAT, SILENCE};
use super::content;
use super::frame::{self, PIECE};
use super::queue::Queue;
use super::stored::{Stored, Taking};
use crate::bundle::{Bundle, BundleState};
use crate::error::Error;
use crate::local;
use crate::program::WorkerProgram;
use lexforge_domain::protocol::{
    CHECKPOINTS_DIR, FrameKind, JobEvent, JobId, JobResult, PROTOCOL_VERSION, RESULT_FILE,
    STATION_MARK, STATION_VERSION, STDERR_FILE, SlurmSettings, StationReply, StationRequest,
    TargetState, TreeFile,
};
use lexforge_domain::{Code, Failure, Sha256};
use lexforge_files::inside;
use std::collections::HashMap;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pause between two looks at a job's events.
const POLL: Duration = Duration::from_millis(100);
/// Pause between two looks at what a job is doing.
const LOOK: Duration = Duration::from_millis(300);
/// Most events in a message.
const EVENTS: usize = 200;
/// Folder of a job with a file an attempt.
const ATTEMPTS: &str = "attempts";
/// File of a job that says that its results were fetched.
const FETCHED_FILE: &str = "fetched";
/// An answer, or why there is none.
type Reply = Result<StationReply, Failure>;

/// What answers.
struct Station<W> {
    stored: Stored,
    program: WorkerProgram,
    queue: Queue,
    out: Arc<Mutex<W>>,
    /// The other side is gone.
    ended: Arc<AtomicBool>,
}

impl<W> Clone for Station<W> {
    fn clone(&self) -> Self {
        Self {
            stored: self.stored.clone(),
            program: self.program.clone(),
            queue: self.queue.clone(),
            out: Arc::clone(&self.out),
            ended: Arc::clone(&self.ended),
        }
    }
}

/// Answers until the input ends.
///
/// # Errors
/// If the folder cannot be made, or the input is not in frames.
pub fn serve(
    folder: &Path,
    program: WorkerProgram,
    version: &str,
    mut input: impl Read,
    mut out: impl Write + Send + 'static,
) -> Result<(), Failure> {
    close_to_others();
    let unwritten = |e: std::io::Error| {
        Failure::new(
            Code::TargetUnreachable,
            format!("Nobody reads what the worker says: {e}."),
            "Connect again.",
        )
    };
    out.write_all(STATION_MARK).map_err(unwritten)?;
    let stored = match Stored::open(folder) {
        Ok(stored) => stored,
        Err(failure) => {
            let reply = StationReply::Failed {
                failure: failure.clone(),
            };
            frame::write_message(&mut out, 0, &reply).map_err(unwritten)?;
            return Err(failure);
        }
    };
    let station = Station {
        stored,
        queue: Queue::default(),
        program,
        out: Arc::new(Mutex::new(out)),
        ended: Arc::new(AtomicBool::new(false)),
    };
    station.say(
        0,
        &StationReply::Ready {
            station_version: STATION_VERSION,
            protocol_version: PROTOCOL_VERSION,
            version: version.to_owned(),
            folder: station.stored.root().display().to_string(),
        },
    );
    station.beat();
    let answered = station.listen(&mut input);
    station.ended.store(true, Ordering::SeqCst);
    answered
}

/// Files and folders that this process makes can only be used by their owner.
fn close_to_others() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

impl<W: Write + Send + 'static> Station<W> {
    /// Sends a message. False if it is too long for a frame: nothing of it was sent then.
    fn say(&self, request: u32, reply: &StationReply) -> bool {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        match frame::write_message(&mut *out, request, reply) {
            Ok(()) => true,
            Err(e) if e.kind() == ErrorKind::InvalidInput => false,
            Err(_) => {
                self.ended.store(true, Ordering::SeqCst);
                true
            }
        }
    }

    /// Sends events, in as many messages as they need. An event that is too long for a frame is left out, so that it
    /// does not hide all others.
    fn tell(&self, request: u32, events: &[JobEvent]) {
        let reply = StationReply::Events {
            events: events.to_vec(),
        };
        if !self.say(request, &reply) && events.len() > 1 {
            let (one, other) = events.split_at(events.len() / 2);
            self.tell(request, one);
            self.tell(request, other);
        }
    }

    fn beat(&self) {
        let station = self.clone();
        std::thread::spawn(move || {
            let mut last = Instant::now();
            while !station.ended.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(200));
                if last.elapsed() >= BEAT {
                    station.say(0, &StationReply::Beat);
                    last = Instant::now();
                }
            }
        });
    }

    fn listen(&self, input: &mut impl Read) -> Result<(), Failure> {
        let waits = Arc::new(Mutex::new(None));
        let waits_since = |since: Option<Instant>| {
            *waits.lock().unwrap_or_else(PoisonError::into_inner) = since;
        };
        watch(Arc::clone(&waits), Arc::clone(&self.ended));
        let mut taking: HashMap<u32, Taking> = HashMap::new();
        loop {
            waits_since(Some(Instant::now()));
            let frame = match frame::read(input) {
                Ok(Some(frame)) => frame,
                Ok(None) => return Ok(()),
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(()),
                Err(e) => return Err(not_understood(&e.to_string())),
            };
            // The next steps may take minutes, for example if a large file is written to the disk. Nothing is read
            // during this time, so it must not count as silence of the other side.
            waits_since(None);
            let number = frame.request;
            if frame.kind == FrameKind::Piece {
                self.take_piece(&mut taking, number, &frame.bytes);
                continue;
            }
            let request: StationRequest =
                serde_json::from_slice(&frame.bytes).map_err(|e| not_understood(&e.to_string()))?;
            match request {
                StationRequest::Beat => {}
                StationRequest::Put {
                    sha256,
                    bytes,
                    offset,
                } => match self.stored.take(sha256, bytes, offset) {
                    Ok(begun) => {
                        taking.insert(number, begun);
                        if bytes == offset {
                            self.take_piece(&mut taking, number, &[]);
                        }
                    }
                    Err(failure) => {
                        self.say(number, &StationReply::Failed { failure });
                    }
                },
                other => {
                    let station = self.clone();
                    std::thread::spawn(move || {
                        let reply = station
                            .answer(number, other)
                            .unwrap_or_else(|failure| StationReply::Failed { failure });
                        if !station.say(number, &reply) {
                            // Somebody waits for an answer.
                            let failure = too_long();
                            station.say(number, &StationReply::Failed { failure });
                        }
                    });
                }
            }
        }
    }

    fn take_piece(&self, taking: &mut HashMap<u32, Taking>, number: u32, bytes: &[u8]) {
        // After a failure the rest of the pieces is on its way still.
        let Some(mut begun) = taking.remove(&number) else {
            return;
        };
        let reply = match self.stored.piece(&mut begun, bytes) {
            Ok(false) => {
                taking.insert(number, begun);
                return;
            }
            Ok(true) => self.stored.taken(begun).map(|()| StationReply::Done),
            Err(failure) => Err(failure),
        };
        self.say(
            number,
            &reply.unwrap_or_else(|failure| StationReply::Failed { failure }),
        );
    }

    fn answer(&self, number: u32, request: StationRequest) -> Reply {
        match request {
            StationRequest::Beat | StationRequest::Put { .. } => Ok(StationReply::Done),
            StationRequest::Have { contents } => Ok(StationReply::Have {
                bytes: contents.iter().map(|c| self.stored.have(c)).collect(),
            }),
            StationRequest::Place { tree, files } => {
                self.stored.place(&tree, &files)?;
                Ok(StationReply::Done)
            }
            StationRequest::Start {
                job,
                attempt,
                models,
                slurm,
            } => self.start(&job, &attempt, &models, slurm.as_deref()),
            StationRequest::Look { job } => Ok(StationReply::Job {
                state: self.state(&job)?,
            }),
            StationRequest::Follow { job, after } => self.follow(number, &job, after),
            StationRequest::Control { job, wish } => {
                self.needed(&job)?.control(wish)?;
                self.queue.told(&self.stored, &job, wish)?;
                Ok(StationReply::Done)
            }
            StationRequest::Results { job, checkpoints } => Ok(StationReply::Files {
                files: results(&self.needed(&job)?, checkpoints)?,
            }),
            StationRequest::Get { job, path, offset } => self.get(number, &job, &path, offset),
            StationRequest::Fetched { job } => {
                self.needed(&job)?.write_note(FETCHED_FILE, b"")?;
                Ok(StationReply::Done)
            }
            StationRequest::Clean { discard } => self.clean(discard),
        }
    }

    /// The bundle of a job that must be there.
    fn needed(&self, job: &JobId) -> Result<Bundle, Failure> {
        self.stored.bundle(job)?.ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                "The target has no such job any more.",
                "Start it again.",
            )
        })
    }

    /// Starts an attempt once. If it is requested again, the answer is what became of it.
    fn start(
        &self,
        job: &JobId,
        attempt: &JobId,
        models: &[Sha256],
        slurm: Option<&SlurmSettings>,
    ) -> Reply {
        let bundle = self.needed(job)?;
        let folders: Vec<_> = models.iter().map(|m| self.stored.model_folder(m)).collect();
        let now = |station: &Self| {
            // If its state cannot be read for a moment, that is no failure of what was started.
            let state = station.state(job).unwrap_or_else(|failure| {
                let reason = failure.message.trim_end_matches('.').to_owned();
                TargetState::Unknown { reason }
            });
            Ok(StationReply::Job { state })
        };
        // Who starts it holds this claim from before the attempt is on record until a worker has it.
        let claim = match bundle.claim() {
            Err(failure) if failure.code == Code::BundleLocked => return now(self),
            other => other?,
        };
        if bundle.result()?.is_some() {
            return now(self);
        }
        if let Some(settings) = slurm {
            self.queue.submit(
                &self.stored,
                job,
                attempt,
                &self.program,
                &folders,
                settings,
            )?;
            drop(claim);
            return now(self);
        }
        inside::make_folder(bundle.folder(), ATTEMPTS).map_err(Error::from)?;
        let record = inside::place(bundle.folder(), &format!("{ATTEMPTS}/{attempt}"))
            .map_err(Error::from)?;
        match std::fs::File::create_new(&record) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                drop(claim);
                return now(self);
            }
            other => other
                .and_then(|file| file.sync_all())
                .map_err(Error::io(&record))?,
        }
        local::start_apart(&self.program, &bundle, &folders, claim)?;
        now(self)
    }

    /// The state of a job.
    fn state(&self, job: &JobId) -> Result<TargetState, Failure> {
        let by_files = || {
            let Some(bundle) = self.stored.bundle(job)? else {
                return Ok(TargetState::Absent);
            };
            Ok(match bundle.state() {
                BundleState::NotStarted => TargetState::Starting,
                BundleState::NeverStarted => TargetState::NotStarted,
                BundleState::Running => TargetState::Running,
                BundleState::Paused => TargetState::Paused,
                BundleState::Finished => TargetState::Finished,
                BundleState::Stopped => TargetState::Stopped,
                BundleState::Failed(failure) => TargetState::Failed { failure },
                BundleState::Died => TargetState::Died,
                BundleState::Unknown { reason } => TargetState::Unknown { reason },
            })
        };
        self.queue.reconciled(&self.stored, job, by_files)
    }

    /// Sends a job's events until nobody works on it any more. The answer is its last state.
    fn follow(&self, number: u32, job: &JobId, after: Option<u64>) -> Reply {
        let mut reader = self.needed(job)?.event_reader();
        let mut state = self.state(job)?;
        let mut told: Option<TargetState> = None;
        let mut looked = Instant::now();
        loop {
            // Whether it is over is asked before the events are read, so that none is missed.
            if looked.elapsed() >= LOOK {
                state = self.state(job)?;
                looked = Instant::now();
            }
            let mut events = reader.read()?;
            events.retain(|event| after.is_none_or(|after| event.seq > after));
            for some in events.chunks(EVENTS) {
                self.tell(number, some);
            }
            if !state.goes_on() || self.ended.load(Ordering::SeqCst) {
                return Ok(StationReply::Job { state });
            }
            if told.as_ref() != Some(&state) {
                self.say(
                    number,
                    &StationReply::Job {
                        state: state.clone(),
                    },
                );
                told = Some(state.clone());
            }
            std::thread::sleep(POLL);
        }
    }

    /// Sends a file of a job.
    fn get(&self, number: u32, job: &JobId, path: &str, offset: u64) -> Reply {
        let bundle = self.needed(job)?;
        let mut file = bundle.open_file(path)?;
        let place = bundle.folder().join(path);
        file.seek(SeekFrom::Start(offset))
            .map_err(Error::io(&place))?;
        let mut buffer = vec![0; PIECE];
        loop {
            let n = file.read(&mut buffer).map_err(Error::io(&place))?;
            if n == 0 {
                return Ok(StationReply::Done);
            }
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            if frame::write(&mut *out, FrameKind::Piece, number, &buffer[..n]).is_err() {
                self.ended.store(true, Ordering::SeqCst);
                return Ok(StationReply::Done);
            }
        }
    }
}

/// Ends the process if the other side has been silent for too long: the connection is lost, and the system has not
/// reported it. `waits` is the time since which this side waits for a message; `None` while it does not wait.
fn watch(waits: Arc<Mutex<Option<Instant>>>, ended: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        while !ended.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_secs(1));
            let since = *waits.lock().unwrap_or_else(PoisonError::into_inner);
            if since.is_some_and(|since| since.elapsed() > 4 * SILENCE) {
                std::process::exit(0);
            }
        }
    });
}

fn not_understood(why: &str) -> Failure {
    Failure::new(
        Code::InvalidRequest,
        format!("What comes is not what the application says: {why}."),
        "Install application and worker of the same version.",
    )
}

fn too_long() -> Failure {
    Failure::new(
        Code::InvalidRequest,
        "The worker's answer is too long for one message.",
        "Install application and worker of the same version.",
    )
}

/// The files that a job made, each with its hash; the result is the last.
fn results(bundle: &Bundle, checkpoints: bool) -> Result<Vec<TreeFile>, Failure> {
    let mut paths = Vec::new();
    let result = bundle.result()?;
    let mut folders = Vec::new();
    if let Some(JobResult::Train(result)) = &result {
        folders.push(result.adapter.clone());
    }
    if checkpoints && let Ok(all) = inside::folder(bundle.folder(), CHECKPOINTS_DIR) {
        let names = std::fs::read_dir(&all)
            .and_then(|all| all.collect::<std::io::Result<Vec<_>>>())
            .map_err(Error::io(&all))?
            .into_iter()
            .filter_map(|entry| entry.file_name().into_string().ok())
            // Those that are not complete begin with a dot.
            .filter(|name| !name.starts_with('.'));
        folders.extend(names.map(|name| format!("{CHECKPOINTS_DIR}/{name}")));
    }
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let place = inside::folder(bundle.folder(), &folder).map_err(Error::from)?;
        let names = inside::files(&place).map_err(Error::from)?;
        paths.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
    }
    if bundle.open_file(STDERR_FILE).is_ok() {
        paths.push(STDERR_FILE.to_owned());
    }
    if result.is_some() {
        paths.push(RESULT_FILE.to_owned());
    }
    paths
        .into_iter()
        .map(|path| {
            let file = bundle.open_file(&path)?;
            let (sha256, bytes) =
                content::hash(file).map_err(Error::io(&bundle.folder().join(&path)))?;
            Ok(TreeFile {
                path,
                sha256,
                bytes,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
