//! What is done with a connection: folders are sent, jobs started and followed, results fetched.

use super::connection::{Connection, Incoming, unexpected};
use super::content::{self, LocalFile};
use super::frame::PIECE;
use crate::bundle::Bundle;
use crate::error::Error;
use crate::events::whole_length;
use lexforge_domain::protocol::{
    Control, EVENTS_FILE, JobEvent, JobId, RESULT_FILE, STDERR_FILE, SlurmSettings, StationReply,
    StationRequest, TargetState, Tree, TreeFile,
};
use lexforge_domain::{Code, Failure, Sha256};
use lexforge_files::inside;
use lexforge_files::lease::has_no_locks;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// Contents that are asked about in one message.
const CONTENTS: usize = 1000;
/// Folder of a bundle for files that are on their way.
const FETCHED: &str = "fetched";
/// Name of the lock file that a program holds while it puts fetched files into a bundle.
const FETCH_LOCK: &str = "fetched.lock";
/// How often a caller is asked whether to go on while nothing comes.
const POLL: Duration = Duration::from_millis(200);

impl Connection {
    /// Sends a folder: the files that the target lacks are sent, and the folder is made there from all its files.
    /// `told` is called with the number of bytes that have arrived, and their total.
    ///
    /// # Errors
    /// A failure that the target reports, or that `told` returns. Also if the connection ends or a file here cannot be
    /// read.
    pub fn send(
        &self,
        tree: Tree,
        files: &[LocalFile],
        told: &mut dyn FnMut(u64, u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let of = files.iter().map(|f| f.file.bytes).sum();
        let mut done = 0;
        told(done, of)?;
        for some in files.chunks(CONTENTS) {
            let contents = some.iter().map(|f| f.file.sha256.clone()).collect();
            let asked = self.ask(&StationRequest::Have { contents })?;
            // A target that copies a large file from another folder there takes its time.
            let have = loop {
                match asked.next_within(POLL)? {
                    None => told(done, of)?,
                    Some(Incoming::Said(StationReply::Have { bytes }))
                        if bytes.len() == some.len() =>
                    {
                        break bytes;
                    }
                    Some(_) => return Err(unexpected()),
                }
            };
            for (local, have) in some.iter().zip(have) {
                if let Some(offset) = have {
                    self.put(local, offset, &mut |sent| told(done + sent, of))?;
                }
                done += local.file.bytes;
                told(done, of)?;
            }
        }
        let files = files.iter().map(|f| f.file.clone()).collect();
        match self.answer(&StationRequest::Place { tree, files })? {
            StationReply::Done => Ok(()),
            _ => Err(unexpected()),
        }
    }

    fn put(
        &self,
        local: &LocalFile,
        offset: u64,
        told: &mut dyn FnMut(u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let TreeFile { sha256, bytes, .. } = &local.file;
        let io = || Error::io(&local.place);
        let mut file = File::open(&local.place).map_err(io())?;
        // If more bytes are there than the file has, another file left them under this name.
        let offset = if offset > *bytes { 0 } else { offset };
        file.seek(SeekFrom::Start(offset)).map_err(io())?;
        let asked = self.ask(&StationRequest::Put {
            sha256: sha256.clone(),
            bytes: *bytes,
            offset,
        })?;
        let mut buffer = vec![0; PIECE];
        let mut at = offset;
        while at < *bytes {
            let most = usize::try_from(bytes - at).unwrap_or(PIECE).min(PIECE);
            let n = file.read(&mut buffer[..most]).map_err(io())?;
            if n == 0 {
                return Err(
                    Error::io(&local.place)(std::io::ErrorKind::UnexpectedEof.into()).into(),
                );
            }
            self.piece(asked.number, &buffer[..n])?;
            at += n as u64;
            told(at)?;
            // A target that takes no more says so in between.
            if at < *bytes && asked.next_within(Duration::ZERO)?.is_some() {
                return Err(unexpected());
            }
        }
        // The target is still writing the data that it received. A cancelled transfer does not wait for this.
        loop {
            match asked.next_within(POLL)? {
                None => told(at)?,
                Some(Incoming::Said(StationReply::Done)) => return Ok(()),
                Some(_) => return Err(unexpected()),
            }
        }
    }

    /// Starts an attempt at a job that was sent. The call may be repeated with the same attempt, and the attempt then
    /// starts only once.
    ///
    /// # Errors
    /// The target's own failure, or the end of the connection.
    pub fn start(
        &self,
        job: &JobId,
        attempt: &JobId,
        models: &[Sha256],
        slurm: Option<&SlurmSettings>,
    ) -> Result<TargetState, Failure> {
        let request = StationRequest::Start {
            job: job.clone(),
            attempt: attempt.clone(),
            models: models.to_vec(),
            slurm: slurm.cloned().map(Box::new),
        };
        self.state_of(&request)
    }

    /// What a job is doing.
    ///
    /// # Errors
    /// The target's own failure; if the connection ends.
    pub fn look(&self, job: &JobId) -> Result<TargetState, Failure> {
        self.state_of(&StationRequest::Look { job: job.clone() })
    }

    fn state_of(&self, request: &StationRequest) -> Result<TargetState, Failure> {
        match self.answer(request)? {
            StationReply::Job { state } => Ok(state),
            _ => Err(unexpected()),
        }
    }

    /// Passes a control word to a job's worker.
    ///
    /// # Errors
    /// The target's own failure; if the connection ends.
    pub fn control(&self, job: &JobId, wish: Control) -> Result<(), Failure> {
        let job = job.clone();
        self.answer(&StationRequest::Control { job, wish })
            .map(drop)
    }

    /// Passes a job's events, and the job's states, to `on`. With `after`, only events with a larger `seq` are passed.
    /// Ends when no worker works on the job, or when `on` asks to end. Returns the last state.
    ///
    /// # Errors
    /// The target's own failure, the end of the connection, or the failure that `on` returns.
    pub fn follow(
        &self,
        job: &JobId,
        after: Option<u64>,
        on: &mut dyn FnMut(Told) -> Result<bool, Failure>,
    ) -> Result<TargetState, Failure> {
        let asked = self.ask(&StationRequest::Follow {
            job: job.clone(),
            after,
        })?;
        let mut last = TargetState::Starting;
        loop {
            let goes_on = match asked.next_within(POLL)? {
                None => on(Told::Nothing)?,
                Some(Incoming::Said(StationReply::Events { events })) => on(Told::Events(events))?,
                Some(Incoming::Said(StationReply::Job { state })) => {
                    last = state.clone();
                    on(Told::State(state))? && last.goes_on()
                }
                Some(_) => return Err(unexpected()),
            };
            if !goes_on {
                return Ok(last);
            }
        }
    }

    /// Fetches the files that a job made on the target into the job's bundle on this machine. Each file is complete
    /// and has the content that the target named; the result comes last. `told` is called with the number of bytes
    /// that have arrived, and their total. Returns the total.
    ///
    /// # Errors
    /// A failure that the target reports. Also if the connection ends or `told` fails; the next call goes on where
    /// this one stopped.
    pub fn fetch(
        &self,
        job: &JobId,
        checkpoints: bool,
        bundle: &Bundle,
        told: &mut dyn FnMut(u64, u64) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let request = StationRequest::Results {
            job: job.clone(),
            checkpoints,
        };
        let files = match self.answer(&request)? {
            StationReply::Files { files } => files,
            _ => return Err(unexpected()),
        };
        let of = files.iter().map(|file| file.bytes).sum();
        let turn = inside::open_to_lock(bundle.folder(), FETCH_LOCK, true).map_err(Error::from)?;
        take_turn(&turn, bundle.folder(), &mut || told(0, of))?;
        let mut bytes = 0;
        for file in &files {
            self.get(job, file, bundle, &mut |came| told(bytes + came, of))?;
            bytes += file.bytes;
        }
        match std::fs::remove_dir_all(bundle.folder().join(FETCHED)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(bundle.folder())(e).into())
            }
            _ => Ok(bytes),
        }
    }

    fn get(
        &self,
        job: &JobId,
        wanted: &TreeFile,
        bundle: &Bundle,
        told: &mut dyn FnMut(u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let root = bundle.folder();
        if !is_made_by_jobs(&wanted.path) {
            return Err(unexpected());
        }
        if is_whole(root, wanted)? {
            return Ok(());
        }
        inside::make_folder(root, FETCHED).map_err(Error::from)?;
        let part = format!("{FETCHED}/{}", wanted.sha256);
        let place = root.join(&part);
        let mut file = inside::open_to_lock(root, &part, true).map_err(Error::from)?;
        let mut offset = file.metadata().map_err(Error::io(&place))?.len();
        if offset > wanted.bytes {
            file.set_len(0).map_err(Error::io(&place))?;
            offset = 0;
        }
        file.seek(SeekFrom::Start(offset))
            .map_err(Error::io(&place))?;
        if offset < wanted.bytes {
            let asked = self.ask(&StationRequest::Get {
                job: job.clone(),
                path: wanted.path.clone(),
                offset,
            })?;
            loop {
                match asked.next_within(POLL)? {
                    None => told(offset)?,
                    Some(Incoming::Piece(bytes)) => {
                        // A log may have grown since the target named its hash; and nobody fills our disk.
                        let left = usize::try_from(wanted.bytes - offset).unwrap_or(usize::MAX);
                        let taken = &bytes[..bytes.len().min(left)];
                        file.write_all(taken).map_err(Error::io(&place))?;
                        offset += taken.len() as u64;
                        told(offset)?;
                    }
                    Some(Incoming::Said(StationReply::Done)) => break,
                    Some(Incoming::Said(_)) => return Err(unexpected()),
                }
            }
        }
        file.sync_all().map_err(Error::io(&place))?;
        file.seek(SeekFrom::Start(0)).map_err(Error::io(&place))?;
        let (found, bytes) = content::hash(&mut file).map_err(Error::io(&place))?;
        if (&found, bytes) != (&wanted.sha256, wanted.bytes) {
            let _ = std::fs::remove_file(&place);
            return Err(Failure::new(
                Code::BundleInvalid,
                format!(
                    "{} came with another content than the target named.",
                    wanted.path
                ),
                "Nothing of it was kept. Follow the run again to fetch it anew.",
            ));
        }
        if let Some((folder, _)) = wanted.path.rsplit_once('/') {
            inside::make_folder(root, folder).map_err(Error::from)?;
        }
        let to = inside::place(root, &wanted.path).map_err(Error::from)?;
        std::fs::rename(&place, &to).map_err(Error::io(&to))?;
        Ok(())
    }

    /// Tells the target that everything a job made has arrived here.
    ///
    /// # Errors
    /// The target's own failure; if the connection ends.
    pub fn fetched(&self, job: &JobId) -> Result<(), Failure> {
        self.answer(&StationRequest::Fetched { job: job.clone() })
            .map(drop)
    }

    /// Removes the jobs that have no worker, and contents that nothing refers to. If no job is left, also removes the
    /// models. With `discard`, also removes jobs whose results were not fetched and jobs that could go on.
    ///
    /// # Errors
    /// If the connection ends.
    pub fn clean(&self, discard: bool) -> Result<Removed, Failure> {
        match self.answer(&StationRequest::Clean { discard })? {
            StationReply::Removed {
                jobs,
                kept,
                waiting,
                bytes,
            } => Ok(Removed {
                jobs,
                kept,
                waiting,
                bytes,
            }),
            _ => Err(unexpected()),
        }
    }
}

/// What a clean-up removed and left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Removed {
    /// Jobs that went.
    pub jobs: u64,
    /// Jobs that are worked on.
    pub kept: u64,
    /// Jobs whose results nobody has fetched, or that can go on.
    pub waiting: u64,
    /// Bytes that were freed.
    pub bytes: u64,
}

/// The reports to a caller that follows a job.
#[derive(Debug)]
pub enum Told {
    /// Events, in their order.
    Events(Vec<JobEvent>),
    /// What the job is doing now.
    State(TargetState),
    /// Nothing for a moment.
    Nothing,
}

/// Waits until no other program fetches the files of the same run. The program that waits then finds what the other one
/// has fetched. A transfer may take long, so the wait can be cancelled.
fn take_turn(
    turn: &File,
    place: &Path,
    told: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<(), Failure> {
    loop {
        match turn.try_lock() {
            Err(TryLockError::WouldBlock) => {
                told()?;
                std::thread::sleep(POLL);
            }
            Err(TryLockError::Error(e)) if !has_no_locks(&e) => {
                return Err(Error::io(place)(e).into());
            }
            // It is ours, or the file system has no locks.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}

/// Whether a job makes files of this path. All others of a bundle are our own: what the job is, and where it runs.
fn is_made_by_jobs(path: &str) -> bool {
    path.contains('/') || [STDERR_FILE, RESULT_FILE].contains(&path)
}

fn is_whole(root: &Path, wanted: &TreeFile) -> Result<bool, Failure> {
    let place = root.join(&wanted.path);
    match inside::open(root, &wanted.path) {
        Err(e) if e.is_absent() => Ok(false),
        other => {
            let file = other.map_err(Error::from)?;
            let (found, _) = content::hash(file).map_err(Error::io(&place))?;
            Ok(found == wanted.sha256)
        }
    }
}

/// Appends events to a bundle's event file. Events that the file already has are left out.
///
/// # Errors
/// The file cannot be read or written.
pub fn append_events(bundle: &Bundle, events: &[JobEvent]) -> Result<(), Failure> {
    let place = bundle.folder().join(EVENTS_FILE);
    let mut file = inside::open_to_lock(bundle.folder(), EVENTS_FILE, true).map_err(Error::from)?;
    // If two programs follow the same run, they take turns, and the second finds what the first has written.
    match file.lock() {
        Err(e) if !has_no_locks(&e) => return Err(Error::io(&place)(e).into()),
        _ => {}
    }
    let newest = bundle.newest_event(|_| true, |_| true)?;
    let known = newest.map(|event| event.seq);
    let mut text = Vec::new();
    for event in events
        .iter()
        .filter(|event| known.is_none_or(|known| event.seq > known))
    {
        serde_json::to_writer(&mut text, event).map_err(|e| Error::Unusable {
            file: place.clone(),
            reason: e.to_string(),
        })?;
        text.push(b'\n');
    }
    // A line that was torn when a program was ended is written again.
    let whole = whole_length(&mut file).map_err(Error::io(&place))?;
    file.set_len(whole).map_err(Error::io(&place))?;
    file.seek(SeekFrom::Start(whole))
        .map_err(Error::io(&place))?;
    file.write_all(&text).map_err(Error::io(&place))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_for_the_transfer_of_another_can_call_it_off() {
        let folder = tempfile::tempdir().unwrap();
        let open = || inside::open_to_lock(folder.path(), FETCH_LOCK, true).unwrap();
        let (theirs, ours) = (open(), open());
        theirs.lock().unwrap();
        let mut called_off = || -> Result<(), Failure> {
            Err(Failure::new(Code::Cancelled, "Called off.", "Nothing."))
        };
        let waited = take_turn(&ours, folder.path(), &mut called_off);
        assert_eq!(waited.unwrap_err().code, Code::Cancelled);
        drop(theirs);
        take_turn(&ours, folder.path(), &mut called_off).unwrap();
    }

    #[test]
    fn a_target_writes_over_no_file_that_says_what_the_job_is() {
        for (path, expected) in [
            ("result.json", true),
            ("stderr.log", true),
            ("tuned/adapter_model.safetensors", true),
            ("checkpoints/stage-1-step-4/manifest.json", true),
            ("job.json", false),
            ("target.json", false),
            ("events.jsonl", false),
            ("starting", false),
        ] {
            assert_eq!(is_made_by_jobs(path), expected, "{path}");
        }
    }
}
