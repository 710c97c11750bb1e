//! Looking at a target and putting the worker there, through nothing but a POSIX shell: no worker is there yet.

use super::content::{LocalFile, tree_hash};
use super::login::{self, Line, Place};
use lexforge_domain::protocol::{TreeFile, WorkerVersion};
use lexforge_domain::{Code, Failure, Sha256};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

/// The folder on a target where no other was named, in the home of the user there.
pub(crate) const USUAL_FOLDER: &str = ".lexforge";
/// The script that the shell runs.
const SCRIPT: &str = include_str!("station.sh");
/// Name of the worker among the files of a version.
pub const WORKER_FILE: &str = "lexforge-worker";
/// The folder of libtorch's files among them.
pub const LIBTORCH_FOLDER: &str = "libtorch/lib";
/// A look at a target takes a second or two; programs that hang are ended there after 20 s.
const LOOKS_WITHIN: Duration = Duration::from_secs(180);
/// How long this side waits for the sizes of many folders, because measuring them takes long on a slow disk. The target
/// itself ends the measurement after 300 s, and skips a folder that takes more than 60 s.
const MEASURES_WITHIN: Duration = Duration::from_secs(600);
/// A shell that was left alone answers within this time, or its connection is gone.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// A worker whose libraries lie on a slow disk starts within this time.
const LOADS_WITHIN: Duration = Duration::from_secs(300);
/// Bytes that are written at a time.
const PIECE: usize = 1 << 18;

/// A shell on a target that knows what to do.
pub struct Shell {
    line: Line,
}

/// A version that was put on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Its name.
    pub id: String,
    /// How many bytes were sent.
    pub sent: u64,
    /// The description that its worker gives of itself, or the reason why it does not start.
    pub worker: Result<WorkerVersion, String>,
}

/// What a worker says of itself, or the reason why it does not start.
fn described(said: String) -> Result<WorkerVersion, String> {
    serde_json::from_str(&said).map_err(|_| said)
}

/// The script for a folder.
fn script(folder: &str) -> Result<String, Failure> {
    if folder.contains(['\n', '\0']) {
        return Err(Failure::new(
            Code::InvalidRequest,
            "The folder on the target has a line break in its name.",
            "Name another folder.",
        ));
    }
    let folder = if folder.is_empty() {
        USUAL_FOLDER
    } else {
        folder
    };
    Ok(format!("root={}\n{SCRIPT}", quoted(folder)))
}

/// A text as one word of a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Starts a version's worker in the place of a shell; it has not said anything yet.
pub(crate) fn into_station(shell: Shell, version: &str) -> Line {
    let mut line = shell.line;
    if let Some(input) = line.input.as_mut() {
        // A shell that is gone is found out by its answer that does not come.
        let _ = input
            .write_all(format!("station {version}\n").as_bytes())
            .and_then(|()| input.flush());
    }
    line
}

impl Shell {
    /// Opens a shell on a target.
    ///
    /// # Errors
    /// If the target does not answer or does not let us in.
    pub fn open(place: &Place, folder: &str) -> Result<Self, Failure> {
        Ok(Self {
            line: login::open(place, &script(folder)?)?,
        })
    }

    /// Whether the target still answers on it. One that does not is of no use any more.
    pub fn answers(&mut self) -> bool {
        self.in_time(ANSWERS_WITHIN, |shell| shell.ask("have 0"))
            .is_ok()
    }

    fn tell(&mut self, words: &str) -> Result<(), Failure> {
        let told = match self.line.input.as_mut() {
            Some(input) => input
                .write_all(format!("{words}\n").as_bytes())
                .and_then(|()| input.flush()),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        told.map_err(|_| self.line.why(false))
    }

    fn heard(&mut self) -> Result<String, Failure> {
        let mut text = Vec::new();
        let read = match self.line.output.as_mut() {
            Some(output) => output.take(1 << 16).read_until(b'\n', &mut text),
            None => Ok(0),
        };
        if read.is_err() || text.pop() != Some(b'\n') {
            return Err(self.line.why(false));
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn ask(&mut self, words: &str) -> Result<String, Failure> {
        self.tell(words)?;
        self.answer()
    }

    /// The next line, unless it is a failure.
    fn answer(&mut self) -> Result<String, Failure> {
        let said = self.heard()?;
        match said.strip_prefix("failed ") {
            Some(why) => Err(on_target(why)),
            None => Ok(said),
        }
    }

    /// Examines the target. The result has pairs of a name and what was found.
    ///
    /// # Errors
    /// If the connection ends, or the target does not finish in time.
    pub fn look(&mut self) -> Result<Vec<(String, String)>, Failure> {
        self.rows("look", LOOKS_WITHIN)
    }

    /// Finds out only what decides whether the worker can be installed there, which is a part of [`Self::look`]. This
    /// takes less time, and no scheduler is asked.
    ///
    /// # Errors
    /// If the connection ends, or the target does not finish in time.
    pub fn suited(&mut self) -> Result<Vec<(String, String)>, Failure> {
        self.rows("suited", LOOKS_WITHIN)
    }

    /// Lists what is stored in the folder on the target. Each entry has a kind (such as `model`) and a text. The text
    /// holds its size in KiB and what else is known about it.
    ///
    /// # Errors
    /// If the connection ends, or the target does not finish in time.
    pub fn kept(&mut self) -> Result<Vec<(String, String)>, Failure> {
        self.rows("kept", MEASURES_WITHIN)
    }

    fn rows(&mut self, verb: &str, within: Duration) -> Result<Vec<(String, String)>, Failure> {
        self.in_time(within, |shell| {
            shell.tell(verb)?;
            let mut rows = Vec::new();
            loop {
                let line = shell.heard()?;
                match line.split_once('\t') {
                    Some(("end", _)) => return Ok(rows),
                    Some((name, value)) => rows.push((name.to_owned(), value.to_owned())),
                    None => {}
                }
            }
        })
    }

    /// Sends a request that is normally answered quickly. If no answer comes in time, the connection is ended.
    fn in_time<T>(
        &mut self,
        within: Duration,
        ask: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let since = Instant::now();
        let deadline = self.line.deadline(within);
        let answer = ask(self);
        drop(deadline);
        match answer {
            Err(_) if since.elapsed() >= within => Err(hangs()),
            answer => answer,
        }
    }

    /// The description that a version's worker gives of itself, or the reason why it does not start.
    ///
    /// # Errors
    /// If the connection ends, or the worker does not finish in time.
    pub fn version(&mut self, id: &str) -> Result<Result<WorkerVersion, String>, Failure> {
        let said = self.in_time(LOADS_WITHIN, |shell| shell.ask(&format!("version {id}")))?;
        Ok(described(said))
    }

    /// Installs a version on the target. Files that are there already are not sent again, and an interrupted file
    /// continues where it stopped. `room` is the number of free bytes on the target, if it is known. `told` is called
    /// with the number of bytes that have arrived, and their total.
    ///
    /// # Errors
    /// [`Code::DiskFull`] if there is too little room; nothing is sent then. Other failures if the target refuses a
    /// file, the connection ends, or `told` fails. After an error this shell cannot be used any more.
    pub fn install(
        &mut self,
        files: &[LocalFile],
        room: Option<u64>,
        told: &mut dyn FnMut(u64, u64) -> Result<(), Failure>,
    ) -> Result<Put, Failure> {
        let id = version_id(files);
        let (coming, mut sent) = self.bring(files, room, told)?;
        // The worker starts while what came last is hashed. It is given its name only if all is as it should be.
        self.link(files, &id)?;
        self.ask(&format!("try {id}"))?;
        let damaged = self.not_whole(&coming)?;
        if !damaged.is_empty() {
            sent += self.bring_again(&damaged)?;
            self.link(files, &id)?;
        }
        let said = self.in_time(LOADS_WITHIN, |shell| shell.ask(&format!("tried {id}")))?;
        self.ask(&format!("name {id}"))?;
        let tried = described(said).ok().filter(|_| damaged.is_empty());
        let worker = match tried {
            Some(worker) => Ok(worker),
            // What it complains of is told as it is in its own place.
            None => self.version(&id)?,
        };
        Ok(Put { id, sent, worker })
    }

    /// Gives files that are on the target their place in a version that is being made.
    fn link(&mut self, files: &[LocalFile], id: &str) -> Result<(), Failure> {
        for LocalFile { file, .. } in files {
            let program = if file.path == WORKER_FILE {
                "program"
            } else {
                "part"
            };
            self.tell(&format!(
                "link {} {id} {} {program}",
                file.sha256, file.path
            ))?;
        }
        for _ in files {
            self.answer()?;
        }
        Ok(())
    }

    /// Sends the files that the target lacks. The largest is sent first, because the target computes the hash of a file
    /// while the next ones arrive. The function does not wait for an answer after each file, because this would take
    /// long over a slow connection. Returns the files whose content must now be checked, and how many bytes were sent.
    fn bring<'f>(
        &mut self,
        files: &'f [LocalFile],
        room: Option<u64>,
        told: &mut dyn FnMut(u64, u64) -> Result<(), Failure>,
    ) -> Result<(Vec<&'f LocalFile>, u64), Failure> {
        let of: u64 = files.iter().map(|f| f.file.bytes).sum();
        let (mut done, mut sent) = (0, 0);
        told(done, of)?;
        let mut paths = files.iter().map(|f| &f.file.path);
        if let Some(path) = paths.find(|path| path.contains([' ', '\n', '\t'])) {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("{path:?} has a blank in its name and cannot be sent."),
                "Install libtorch in a folder of its own, as tools/setup does.",
            ));
        }
        let mut order: Vec<&LocalFile> = files.iter().collect();
        order.sort_by_key(|local| Reverse(local.file.bytes));
        let mut contents = HashSet::new();
        let have = self.have(&order)?;
        enough(room, left_of(&order, &have))?;
        let (mut coming, mut unheard) = (Vec::new(), 0);
        for (local, have) in order.into_iter().zip(have) {
            let TreeFile { sha256, bytes, .. } = &local.file;
            // Two files of the same content are sent once.
            if let Some(offset) = have.filter(|_| contents.insert(sha256)) {
                // Of an empty file the target is told, so that it makes one.
                if offset < *bytes || *bytes == 0 {
                    self.stream(local, offset, unheard, &mut |at| told(done + at, of))?;
                    sent += bytes - offset;
                    unheard += 1;
                }
                coming.push(local);
            }
            done += bytes;
            told(done, of)?;
        }
        for _ in 0..unheard {
            self.answer()?;
        }
        Ok((coming, sent))
    }

    /// Sends files that came damaged once more, from their beginning. Returns how many bytes that were.
    fn bring_again(&mut self, damaged: &[&LocalFile]) -> Result<u64, Failure> {
        let mut sent = 0;
        for local in damaged {
            self.stream(local, 0, 0, &mut |_| Ok(()))?;
            self.answer()?;
            sent += local.file.bytes;
            if let Some(local) = self.not_whole(&[*local])?.first() {
                let path = &local.file.path;
                return Err(Failure::new(
                    Code::BundleInvalid,
                    format!("{path} arrives with another content each time."),
                    "Nothing of it was kept. The disk of the target is not to be trusted, or the file here is being changed.",
                ));
            }
        }
        Ok(sent)
    }

    /// Per file the bytes that are there, and nothing where all are.
    fn have(&mut self, files: &[&LocalFile]) -> Result<Vec<Option<u64>>, Failure> {
        for local in files {
            self.tell(&format!("have {}", local.file.sha256))?;
        }
        let mut there = Vec::new();
        for local in files {
            let said = self.answer()?;
            let have = said.strip_prefix("have ").unwrap_or_default();
            // If more bytes are there than the file has, they are another file's; the hash finds that out.
            let bytes = have.parse::<u64>().unwrap_or(0).min(local.file.bytes);
            there.push((have != "all").then_some(bytes));
        }
        Ok(there)
    }

    /// Those whose content is not what it should be, of files that were sent. What came of them was removed.
    fn not_whole<'f>(&mut self, files: &[&'f LocalFile]) -> Result<Vec<&'f LocalFile>, Failure> {
        for local in files {
            self.tell(&format!("whole {}", local.file.sha256))?;
        }
        let mut damaged = Vec::new();
        for local in files {
            if self.answer()? != "whole" {
                damaged.push(*local);
            }
        }
        Ok(damaged)
    }

    /// Writes a file's bytes from an offset on. `unheard` answers of the target are still to be read before its own.
    fn stream(
        &mut self,
        local: &LocalFile,
        offset: u64,
        unheard: usize,
        told: &mut dyn FnMut(u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let TreeFile { sha256, bytes, .. } = &local.file;
        let unreadable = |e: std::io::Error| {
            Failure::new(
                Code::FileUnreadable,
                format!("{}: {e}.", local.place.display()),
                "Check that the file is there and can be read.",
            )
        };
        let mut file = File::open(&local.place).map_err(unreadable)?;
        file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
        if let Err(ended) = self.tell(&format!("put {sha256} {offset} {}", bytes - offset)) {
            return Err(self.refused(unheard, ended));
        }
        let mut buffer = vec![0; PIECE];
        let mut at = offset;
        while at < *bytes {
            let most = usize::try_from(bytes - at).unwrap_or(PIECE).min(PIECE);
            let n = file.read(&mut buffer[..most]).map_err(unreadable)?;
            if n == 0 {
                return Err(unreadable(std::io::ErrorKind::UnexpectedEof.into()));
            }
            let sent = match self.line.input.as_mut() {
                Some(input) => input.write_all(&buffer[..n]),
                None => Err(std::io::ErrorKind::BrokenPipe.into()),
            };
            if sent.is_err() {
                let ended = self.line.why(false);
                return Err(self.refused(unheard + 1, ended));
            }
            at += n as u64;
            told(at)?;
        }
        match self.line.input.as_mut().map(Write::flush) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.line.why(false)),
        }
    }

    /// Why a target takes no more: what it said of what was sent before, or how the connection ended.
    fn refused(&mut self, unheard: usize, ended: Failure) -> Failure {
        (0..unheard)
            .find_map(|_| self.heard().ok()?.strip_prefix("failed ").map(on_target))
            .unwrap_or(ended)
    }

    /// Removes a version.
    ///
    /// # Errors
    /// If the connection ends.
    pub fn erase(&mut self, id: &str) -> Result<(), Failure> {
        self.ask(&format!("erase {id}")).map(drop)
    }

    /// Removes everything that this program put on the target.
    ///
    /// # Errors
    /// If the connection ends.
    pub fn erase_everything(&mut self) -> Result<(), Failure> {
        self.ask("everything").map(drop)
    }
}

/// The bytes that a target still lacks of these files. `have` is what is there of each.
fn left_of(files: &[&LocalFile], have: &[Option<u64>]) -> u64 {
    let mut contents = HashSet::new();
    let lacking = files.iter().zip(have).filter_map(|(local, have)| {
        // Two files of the same content are sent once.
        let is_new = contents.insert(&local.file.sha256);
        have.filter(|_| is_new).map(|have| local.file.bytes - have)
    });
    lacking.sum()
}

/// Refuses what a target has no room for: its disk would be full in the middle of the transfer, for everybody there.
fn enough(room: Option<u64>, left: u64) -> Result<(), Failure> {
    let Some(room) = room.filter(|room| *room < left) else {
        return Ok(());
    };
    Err(Failure::new(
        Code::DiskFull,
        format!(
            "The target has room for {} MiB, and {} MiB are still to be sent.",
            room >> 20,
            left.div_ceil(1 << 20)
        ),
        "Nothing was sent. Free some space on the target, or change it to a folder where there is more room.",
    ))
}

/// The name of a version: the beginning of the hash over its files.
pub(crate) fn version_id(files: &[LocalFile]) -> String {
    let named: Vec<TreeFile> = files.iter().map(|f| f.file.clone()).collect();
    let hash: Sha256 = tree_hash(&named);
    hash.as_str()[..16].to_owned()
}

/// The target has let us in, and then says nothing any more.
fn hangs() -> Failure {
    Failure::new(
        Code::TargetUnready,
        "The target lets us in and then does not answer: a disk or a driver there hangs.",
        "Log in by hand and try df and nvidia-smi there; tell those who run it which of them does not come back.",
    )
}

/// What a program on the target complained of.
pub(crate) fn on_target(why: &str) -> Failure {
    let (code, hint) = if why.contains("No space left") || why.contains("quota exceeded") {
        (
            Code::DiskFull,
            "Free some space on the target, or name another folder there; what arrived is kept, and sending goes on from it.",
        )
    } else if why.contains("Permission denied") || why.contains("Read-only") {
        (
            Code::ReadOnly,
            "Name a folder on the target that you may write to.",
        )
    } else {
        (
            Code::TargetUnready,
            "Look at that on the target, then try again.",
        )
    };
    Failure::new(code, format!("On the target: {why}."), hint)
}

#[cfg(test)]
mod tests;
