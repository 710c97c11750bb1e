//! A lease: it says which process works in a folder whose file system has no locks, such as a home folder on a network
//! disk. The process renews its lease regularly.
//!
//! A lease is a file with a number. The process that makes the file with the next number holds the folder; if two
//! processes try, the file system lets only one succeed. The holder writes its file again and again, each time under
//! another name that is then renamed, so that every machine sees it. A process that checks the lease writes a small
//! file of its own and compares the times of both files. Both times come from the disk's clock, so the machines' clocks
//! do not matter.
//!
//! If a lease was not renewed for a long time, its holder is gone, because a holder that cannot renew ends its work
//! long before. If the state cannot be found out, it is reported as unknown.

use crate::{Error, inside};
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// The words in the files of a holder that works and of a holder that has released the lease. A number follows.
const HELD: &str = "held";
const FREE: &str = "free";
/// Bytes of a lease that are read.
const LONGEST: u64 = 64;

/// The function that takes a file's lock. Tests replace it to imitate a file system without locks.
pub type TryLock = fn(&File) -> Result<(), TryLockError>;

/// How often a lease is renewed, and when it counts no more.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Time between two renewals.
    pub beat: Duration,
    /// A holder that could not renew its lease for so long ends its work.
    pub gives_up: Duration,
    /// A lease that was not renewed for so long is nobody's. Network disks may show a file a minute late.
    pub expires: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            beat: Duration::from_secs(10),
            gives_up: Duration::from_secs(60),
            expires: Duration::from_secs(180),
        }
    }
}

/// Whether somebody works in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody does.
    Free,
    /// Somebody does.
    Held,
    /// The state is unknown; with the system's message.
    Unknown(String),
}

/// Why a holder has to end its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Another one has taken over.
    Taken,
    /// The holder could not renew its lease for so long that another process may have taken it.
    Silent,
}

/// Whether an error of locking says that the file system has no locks.
pub fn has_no_locks(error: &std::io::Error) -> bool {
    /// `ENOLCK` of Linux and of macOS: the disk's server has no service for locks.
    const NO_LOCKS: i32 = if cfg!(target_os = "linux") { 37 } else { 77 };
    error.kind() == ErrorKind::Unsupported || (cfg!(unix) && error.raw_os_error() == Some(NO_LOCKS))
}

/// A lease of this process, renewed until it is dropped.
pub struct Lease {
    place: Place,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Lease {
    /// Takes the lease of this name in a folder. `None` if another process has it. An expired lease is watched for two
    /// more intervals before it is taken over. If the lease is lost later, `lost` is called once, from another thread,
    /// and must end the work.
    ///
    /// # Errors
    /// The folder cannot be read or written, so it is unknown whether another process has the lease.
    pub fn take(
        root: &Path,
        name: &str,
        pace: Pace,
        lost: impl Fn(Lost) + Send + Sync + 'static,
    ) -> Result<Option<Self>, Error> {
        let before = match seen(root, name, pace)? {
            Seen::Held => return Ok(None),
            Seen::Free(number) => number,
            Seen::Expired(number, text) => {
                std::thread::sleep(2 * pace.beat);
                match seen(root, name, pace)? {
                    Seen::Expired(now, later) if now == number && later == text => number,
                    _ => return Ok(None),
                }
            }
        };
        let place = Place {
            root: root.to_owned(),
            name: name.to_owned(),
            number: before + 1,
        };
        if !inside::make_new(root, &place.file())? || !place.begin()? {
            return Ok(None);
        }
        let shared = Arc::new(Shared {
            ended: Mutex::new(false),
            woken: Condvar::new(),
            renewed: Mutex::new(Instant::now()),
        });
        let lost: Arc<dyn Fn(Lost) + Send + Sync> = Arc::new(lost);
        let threads = {
            let (own, seen, told) = (place.clone(), Arc::clone(&shared), Arc::clone(&lost));
            let renews = std::thread::spawn(move || renew(&own, pace, &seen, &*told));
            // A disk that is away may keep the other thread waiting for ever.
            let seen = Arc::clone(&shared);
            let watches = std::thread::spawn(move || watch(pace, &seen, &*lost));
            vec![renews, watches]
        };
        Ok(Some(Self {
            place,
            shared,
            threads,
        }))
    }

    /// Whether the lease is still our own and was not taken over meanwhile. A machine that was asleep notices a
    /// takeover only at its next renewal, so call this function before you write what others read.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub fn is_own(&self) -> Result<bool, Error> {
        // Write before reading: only after a write does this machine see the leases that another one has made.
        now_of_the_disk(&self.place.root, &self.place.name)?;
        self.place.is_newest()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let own = self.shared.end();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        if own {
            // Where it cannot be written, the lease expires.
            let _ = self.place.write(FREE, 0);
        }
    }
}

/// Whether somebody has the lease of this name in a folder.
pub fn look(root: &Path, name: &str, pace: Pace) -> Standing {
    match seen(root, name, pace) {
        Ok(Seen::Held) => Standing::Held,
        Ok(Seen::Free(_) | Seen::Expired(..)) => Standing::Free,
        Err(error) => Standing::Unknown(error.to_string()),
    }
}

/// The place of a lease.
#[derive(Clone, Debug)]
struct Place {
    root: PathBuf,
    name: String,
    number: u64,
}

impl Place {
    fn file(&self) -> String {
        file_of(&self.name, self.number)
    }

    /// Writes a lease for the first time. Returns false if another process made a lease meanwhile. This happens if the
    /// disk was so slow that our lease had expired before it was written.
    fn begin(&self) -> Result<bool, Error> {
        self.write(HELD, 0)?;
        self.is_newest()
    }

    fn is_newest(&self) -> Result<bool, Error> {
        let newest = newest(&self.root, &self.name)?;
        Ok(newest.is_none_or(|number| number <= self.number))
    }

    /// Writes the lease whole. The disk's time of it is that of this moment.
    fn write(&self, word: &str, beat: u64) -> Result<(), Error> {
        let new = format!("{}.new", self.file());
        let path = self.root.join(&new);
        let mut file = inside::create(&self.root, &new)?;
        file.write_all(format!("{word} {beat}\n").as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&path, self.root.join(self.file())))
            .map_err(Error::io(&path))
    }
}

/// What the threads of a lease share.
struct Shared {
    ended: Mutex<bool>,
    woken: Condvar,
    renewed: Mutex<Instant>,
}

impl Shared {
    /// Waits so long; whether the lease has ended by then.
    fn ends_within(&self, time: Duration) -> bool {
        let ended = self
            .woken
            .wait_timeout_while(held(&self.ended), time, |ended| !*ended);
        *ended.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Ends the lease. Returns whether it had not ended yet.
    fn end(&self) -> bool {
        let before = std::mem::replace(&mut *held(&self.ended), true);
        self.woken.notify_all();
        !before
    }
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn renew(place: &Place, pace: Pace, shared: &Shared, lost: &(dyn Fn(Lost) + Send + Sync)) {
    let mut beat = 0;
    while !shared.ends_within(pace.beat) {
        beat += 1;
        // Write before reading: only after a write does this machine see the leases that another one has made.
        let newest = place
            .write(HELD, beat)
            .and_then(|()| newest(&place.root, &place.name));
        match newest {
            Ok(Some(number)) if number > place.number => {
                if shared.end() {
                    lost(Lost::Taken);
                }
                return;
            }
            Ok(_) => *held(&shared.renewed) = Instant::now(),
            // A full disk or one that is away for a moment: the other thread says when it is too long.
            Err(_) => {}
        }
    }
}

fn watch(pace: Pace, shared: &Shared, lost: &(dyn Fn(Lost) + Send + Sync)) {
    while !shared.ends_within(pace.beat / 2) {
        let since = held(&shared.renewed).elapsed();
        if since > pace.gives_up {
            if shared.end() {
                lost(Lost::Silent);
            }
            return;
        }
    }
}

enum Seen {
    /// Nobody has it; the number of the last lease, 0 where there was none.
    Free(u64),
    Held,
    /// The lease of this number was not renewed for long, and what stands in it.
    Expired(u64, Vec<u8>),
}

fn seen(root: &Path, name: &str, pace: Pace) -> Result<Seen, Error> {
    // The disk's time is asked for before the folder is read. Asking writes into the folder, and this makes the machine
    // read the folder again from the file system.
    let now = now_of_the_disk(root, name)?;
    let Some(number) = newest(root, name)? else {
        return Ok(Seen::Free(0));
    };
    let (renewed, text) = match read(root, &file_of(name, number)) {
        Err(error) if was_replaced(&error) => return Ok(Seen::Held),
        other => other?,
    };
    if text.starts_with(FREE.as_bytes()) {
        return Ok(Seen::Free(number));
    }
    // A lease that was renewed after we began to look counts as just renewed.
    let age = now.duration_since(renewed).unwrap_or_default();
    if age < pace.expires {
        Ok(Seen::Held)
    } else {
        Ok(Seen::Expired(number, text))
    }
}

/// When the disk says that a lease was written, and what stands in it.
fn read(root: &Path, name: &str) -> Result<(SystemTime, Vec<u8>), Error> {
    let path = root.join(name);
    let file = inside::open(root, name)?;
    let renewed = file
        .metadata()
        .and_then(|meta| meta.modified())
        .map_err(Error::io(&path))?;
    let mut text = Vec::new();
    file.take(LONGEST)
        .read_to_end(&mut text)
        .map_err(Error::io(&path))?;
    Ok((renewed, text))
}

/// Whether another machine replaced the lease file while it was read: network disks then report a stale file. (If the
/// whole disk were gone, reading the folder would have failed before.)
fn was_replaced(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::StaleNetworkFileHandle)
}

fn file_of(name: &str, number: u64) -> String {
    format!("{name}.lease-{number}")
}

/// The number of the last lease.
fn newest(root: &Path, name: &str) -> Result<Option<u64>, Error> {
    let prefix = format!("{name}.lease-");
    let mut newest: Option<u64> = None;
    for entry in std::fs::read_dir(root).map_err(Error::io(root))? {
        let entry = entry.map_err(Error::io(root))?.file_name();
        let number = entry
            .to_str()
            .and_then(|n| n.strip_prefix(&prefix)?.parse().ok());
        newest = newest.max(number);
    }
    let last = followed(root, name, newest.unwrap_or_default())?;
    Ok((last > 0).then_some(last))
}

/// The number of the last lease, searched from `last` on. Numbers have no gaps. Trying each number is safer than
/// listing the folder: a listing may miss a file that is replaced at the same moment.
fn followed(root: &Path, name: &str, mut last: u64) -> Result<u64, Error> {
    loop {
        let next = root.join(file_of(name, last + 1));
        if !next.try_exists().map_err(Error::io(&next))? {
            return Ok(last);
        }
        last += 1;
    }
}

/// The time that the folder's disk gives a file which is written now.
fn now_of_the_disk(root: &Path, name: &str) -> Result<SystemTime, Error> {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let own = own_look(root, name, &LOOKS)?;
    let path = root.join(&own);
    let mut file = inside::create(root, &own)?;
    let time = file
        .write_all(b"\n")
        .and_then(|()| file.sync_all())
        .and_then(|()| file.metadata())
        .and_then(|meta| meta.modified());
    drop(file);
    let _ = std::fs::remove_file(&path);
    time.map_err(Error::io(&path))
}

/// Makes a file whose time shows the disk's clock, and returns its name. The name contains the number of this process,
/// and a process on another machine may have the same number (in containers this is common). If the file exists
/// already, it belongs to such a process, and another name is tried.
fn own_look(root: &Path, name: &str, looks: &AtomicU64) -> Result<String, Error> {
    loop {
        let look = looks.fetch_add(1, Ordering::Relaxed);
        let own = format!("{name}.look-{}-{look}", std::process::id());
        if inside::make_new(root, &own)? {
            return Ok(own);
        }
    }
}

#[cfg(test)]
mod tests;
