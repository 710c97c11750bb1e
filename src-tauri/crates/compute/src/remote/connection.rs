//! A connection on which a worker answers: several requests at the same time, each with its number.

use super::frame;
use super::login::{self, Line};
use super::setup::{Shell, into_station, on_target};
use crate::error::Error;
use crate::program::loader_complaint;
use lexforge_domain::protocol::{
    FrameKind, LARGEST_FRAME, PROTOCOL_VERSION, STATION_MARK, STATION_VERSION, StationReply,
    StationRequest,
};
use lexforge_domain::{Code, Failure};
use std::collections::HashMap;
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest wait for a worker's first words.
const SPEAKS_WITHIN: Duration = Duration::from_secs(120);
/// How often each side gives a sign of life.
pub(crate) const BEAT: Duration = Duration::from_secs(5);
/// A silence of this length ends a connection.
pub(crate) const SILENCE: Duration = Duration::from_secs(45);
/// Frames of an answer that may wait to be taken.
const WAITING: usize = 64;

/// The parts of an answer to a request.
#[derive(Debug)]
pub(crate) enum Incoming {
    Said(StationReply),
    Piece(Vec<u8>),
}

/// A connection to a worker on a target. It ends when this is dropped; what was started there goes on.
pub struct Connection {
    shared: Arc<Shared>,
    line: Mutex<Line>,
    next: AtomicU32,
    folder: String,
}

struct Shared {
    writer: Mutex<Option<ChildStdin>>,
    waiting: Mutex<HashMap<u32, SyncSender<Incoming>>>,
    heard: Mutex<Instant>,
    ended: AtomicBool,
    why: Mutex<Option<String>>,
}

/// A request whose answers are awaited.
pub(crate) struct Asked<'c> {
    connection: &'c Connection,
    pub(crate) number: u32,
    answers: Receiver<Incoming>,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// Replaces a shell on a target by the installed worker of this version, and connects to the worker.
    ///
    /// # Errors
    /// [`Code::TargetUnreachable`] if the connection ends, [`Code::TargetRefused`] if the target refuses,
    /// [`Code::TargetUnready`] if the worker is not installed or does not start, [`Code::WorkerIncompatible`] if its
    /// protocol version differs.
    pub fn open(shell: Shell, version: &str) -> Result<Self, Failure> {
        let mut line = into_station(shell, version);
        if let Err(failure) = line.pass(STATION_MARK, None, SPEAKS_WITHIN) {
            return Err(not_started(&line.words(), failure));
        }
        let (writer, output) = (line.input.take(), line.output.take());
        let shared = Arc::new(Shared {
            writer: Mutex::new(writer),
            waiting: Mutex::new(HashMap::new()),
            heard: Mutex::new(Instant::now()),
            ended: AtomicBool::new(false),
            why: Mutex::new(None),
        });
        // The first message belongs to no request.
        let (sender, first) = sync_channel(WAITING);
        held(&shared.waiting).insert(0, sender);
        if let Some(mut output) = output {
            let listening = Arc::clone(&shared);
            std::thread::spawn(move || listen(&mut output, &listening));
        }
        let (beating, watched) = (Arc::clone(&shared), Arc::clone(&shared));
        let pid = line.pid();
        std::thread::spawn(move || beat(&beating));
        std::thread::spawn(move || watch(&watched, pid));
        let mut connection = Self {
            shared,
            line: Mutex::new(line),
            next: AtomicU32::new(1),
            folder: String::new(),
        };
        match first.recv_timeout(SPEAKS_WITHIN) {
            Ok(Incoming::Said(StationReply::Ready {
                station_version,
                protocol_version,
                folder,
                ..
            })) => {
                held(&connection.shared.waiting).remove(&0);
                for (found, wanted) in [
                    (station_version, STATION_VERSION),
                    (protocol_version, PROTOCOL_VERSION),
                ] {
                    if found != wanted {
                        let told = Failure::from(Error::WorkerIncompatible { found, wanted });
                        // Versions lie beside each other there: jobs of the other one go on.
                        return Err(told.with_advice("Install the worker on the target again."));
                    }
                }
                connection.folder = folder;
                Ok(connection)
            }
            Ok(Incoming::Said(StationReply::Failed { failure })) => Err(of_target(failure)),
            Ok(_) => Err(Failure::new(
                Code::TargetUnready,
                "The worker on the target begins with something else than its version.",
                "Install the worker on the target again.",
            )),
            Err(_) => Err(connection.why()),
        }
    }

    /// The folder on the target.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Whether the worker can still be asked.
    pub fn is_alive(&self) -> bool {
        !self.shared.ended.load(Ordering::SeqCst) && held(&self.shared.writer).is_some()
    }

    /// Why the connection ended.
    pub(crate) fn why(&self) -> Failure {
        let told = held(&self.shared.why).clone();
        let failure = held(&self.line).why(false);
        match told {
            Some(why) if failure.code == Code::TargetUnreachable => Failure::new(
                Code::TargetUnreachable,
                format!("The connection to the target ended: {why}."),
                failure.hint,
            ),
            _ => failure,
        }
    }

    /// Sends a request.
    pub(crate) fn ask(&self, request: &StationRequest) -> Result<Asked<'_>, Failure> {
        let text = in_a_frame(request)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answers) = sync_channel(WAITING);
        held(&self.shared.waiting).insert(number, sender);
        let asked = Asked {
            connection: self,
            number,
            answers,
        };
        // If the connection ended before this, all senders are gone already.
        let ended = self.shared.ended.load(Ordering::SeqCst);
        if ended || !self.shared.write(FrameKind::Message, number, &text) {
            return Err(self.why());
        }
        Ok(asked)
    }

    /// Sends a piece of a file.
    pub(crate) fn piece(&self, number: u32, bytes: &[u8]) -> Result<(), Failure> {
        if self.shared.write(FrameKind::Piece, number, bytes) {
            Ok(())
        } else {
            Err(self.why())
        }
    }

    /// Sends a request that has one answer.
    pub(crate) fn answer(&self, request: &StationRequest) -> Result<StationReply, Failure> {
        self.ask(request)?.said()
    }
}

impl Asked<'_> {
    /// The next message or piece of a file from the target.
    ///
    /// # Errors
    /// The target's own failure, or the reason why the connection ended.
    pub(crate) fn next(&self) -> Result<Incoming, Failure> {
        match self.answers.recv() {
            Ok(Incoming::Said(StationReply::Failed { failure })) => Err(of_target(failure)),
            Ok(incoming) => Ok(incoming),
            Err(_) => Err(self.connection.why()),
        }
    }

    /// The next, if it comes within a time.
    pub(crate) fn next_within(&self, time: Duration) -> Result<Option<Incoming>, Failure> {
        match self.answers.recv_timeout(time) {
            Ok(Incoming::Said(StationReply::Failed { failure })) => Err(of_target(failure)),
            Ok(incoming) => Ok(Some(incoming)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.connection.why()),
        }
    }

    /// The next, which must be a message.
    pub(crate) fn said(&self) -> Result<StationReply, Failure> {
        match self.next()? {
            Incoming::Said(reply) => Ok(reply),
            Incoming::Piece(_) => Err(unexpected()),
        }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        held(&self.connection.shared.waiting).remove(&self.number);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        // The worker's input ends, and so does the worker that answers.
        held(&self.shared.writer).take();
    }
}

impl Shared {
    fn write(&self, kind: FrameKind, number: u32, bytes: &[u8]) -> bool {
        let mut writer = held(&self.writer);
        let written = writer
            .as_mut()
            .is_some_and(|out| frame::write(out, kind, number, bytes).is_ok());
        if !written {
            // If only a part of a frame was written, no further frame is written.
            *writer = None;
        }
        written
    }

    fn write_message(&self, number: u32, request: &StationRequest) -> bool {
        serde_json::to_vec(request).is_ok_and(|text| self.write(FrameKind::Message, number, &text))
    }

    fn end(&self, why: Option<String>) {
        if let Some(why) = why {
            held(&self.why).get_or_insert(why);
        }
        self.ended.store(true, Ordering::SeqCst);
        held(&self.writer).take();
        // Dropping the senders tells all waiting callers that the connection has ended.
        held(&self.waiting).clear();
    }
}

fn listen(output: &mut impl std::io::Read, shared: &Shared) {
    loop {
        let frame = match frame::read(output) {
            Ok(Some(frame)) => frame,
            Ok(None) => return shared.end(None),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                return shared.end(Some(format!("what comes is not what a worker says ({e})")));
            }
            Err(_) => return shared.end(None),
        };
        *held(&shared.heard) = Instant::now();
        let incoming = match frame.kind {
            FrameKind::Piece => Incoming::Piece(frame.bytes),
            FrameKind::Message => match serde_json::from_slice(&frame.bytes) {
                Ok(StationReply::Beat) => continue,
                Ok(reply) => Incoming::Said(reply),
                Err(e) => return shared.end(Some(format!("a message cannot be read ({e})"))),
            },
        };
        let sender = held(&shared.waiting).get(&frame.request).cloned();
        // An answer that no caller waits for any more is dropped.
        if let Some(sender) = sender {
            let _ = sender.send(incoming);
        }
    }
}

/// Ends a connection if the other side has sent no sign of life for too long. Another thread sends our own signs of
/// life, because sending blocks while the other side reads nothing.
fn watch(shared: &Shared, pid: u32) {
    while !shared.ended.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(200));
        if held(&shared.heard).elapsed() > SILENCE {
            held(&shared.why)
                .get_or_insert_with(|| "nothing was heard of it for too long".to_owned());
            login::cut(pid);
            return;
        }
    }
}

/// Gives signs of life.
fn beat(shared: &Shared) {
    let mut sent = Instant::now();
    while !shared.ended.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(200));
        if sent.elapsed() >= BEAT {
            shared.write_message(0, &StationRequest::Beat);
            sent = Instant::now();
        }
    }
}

/// A request as it is sent. A request that is too long is refused here, because it would end the connection.
fn in_a_frame(request: &StationRequest) -> Result<Vec<u8>, Failure> {
    let text = serde_json::to_vec(request).ok();
    let fits = |text: &Vec<u8>| u32::try_from(text.len()).is_ok_and(|n| n <= LARGEST_FRAME);
    text.filter(fits).ok_or_else(|| {
        Failure::new(
            Code::InvalidRequest,
            "The folder holds more files than can be named to a target.",
            "Name a folder that holds the model alone.",
        )
    })
}

/// Why a worker on a target did not begin to speak.
fn not_started(words: &str, failure: Failure) -> Failure {
    if failure.code == Code::TargetRefused {
        return failure;
    }
    let unready = |what: String| {
        Failure::new(
            Code::TargetUnready,
            what,
            "Install the worker on the target.",
        )
    };
    if words.contains("lexforge: no such version") {
        return unready(
            "The worker that this target was set up with is not there any more.".to_owned(),
        );
    }
    let loader = loader_complaint(words).or_else(|| {
        words
            .lines()
            .find(|line| {
                line.contains("GLIBC")
                    || line.contains("Exec format")
                    || line.contains("cannot execute")
            })
            .map(str::to_owned)
    });
    match loader {
        Some(why) => Failure::new(
            Code::TargetUnready,
            format!("The worker does not start on the target: {why}."),
            "Check the target: another processor, an older system or a missing library is told there.",
        ),
        None => failure,
    }
}

/// A failure that the target told. Of a disk it is said that it is the target's.
fn of_target(failure: Failure) -> Failure {
    match failure.code {
        Code::DiskFull | Code::ReadOnly => on_target(failure.message.trim_end_matches('.')),
        _ => failure,
    }
}

/// An answer that belongs to another question.
pub(crate) fn unexpected() -> Failure {
    Failure::new(
        Code::TargetUnready,
        "The worker on the target answers something else than it was asked.",
        "Install the worker on the target again.",
    )
}

#[cfg(test)]
mod tests;
