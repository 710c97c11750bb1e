//! `events.jsonl`: append-only, numbered over all attempts, and never silent for five seconds.

use crate::platform::resident_mb;
use crate::{Error, Result};
use lexforge_domain::protocol::{Event, JobEvent};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A silence of this length is broken by repeating the last state.
const HEARTBEAT: Duration = Duration::from_secs(3);

/// The event file of one attempt. Clones write to the same file.
#[derive(Clone)]
pub struct EventLog(Arc<Mutex<Inner>>);

struct Inner {
    path: PathBuf,
    file: File,
    attempt: u32,
    seq: u64,
    last_write: Instant,
    /// The event that a heartbeat repeats: the last progress, or that the worker is paused.
    state: Option<Event>,
}

impl EventLog {
    /// Opens the event file for a new attempt, and removes an incomplete last line of the attempt before.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(Error::io(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        let whole = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(Error::io(path))?;
        }
        file.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
        let (mut attempt, mut seq) = (1, 0);
        for line in bytes[..whole]
            .split(|&b| b == b'\n')
            .filter(|line| !line.is_empty())
        {
            if let Ok(event) = serde_json::from_slice::<JobEvent>(line) {
                // The file may come from elsewhere and hold any number.
                attempt = attempt.max(event.attempt.saturating_add(1));
                seq = seq.max(event.seq.saturating_add(1));
            }
        }
        let inner = Inner {
            path: path.to_owned(),
            file,
            attempt,
            seq,
            last_write: Instant::now(),
            state: None,
        };
        Ok(Self(Arc::new(Mutex::new(inner))))
    }

    /// Appends an event.
    ///
    /// # Errors
    /// If the event cannot be written, for example on a full disk.
    pub fn write(&self, event: Event) -> Result<()> {
        let mut inner = self.inner();
        match event {
            Event::Progress { .. } | Event::Paused { .. } => inner.state = Some(event.clone()),
            Event::Finished { .. } | Event::Stopped { .. } | Event::Failed { .. } => {
                inner.state = None
            }
            _ => {}
        }
        inner.append(event)
    }

    /// Appends a warning.
    ///
    /// # Errors
    /// If the warning cannot be written.
    pub fn warn(&self, code: &str, message: impl Into<String>) -> Result<()> {
        self.write(Event::Warning {
            code: code.into(),
            message: message.into(),
        })
    }

    /// Starts the thread that repeats the last state whenever no other event was written for some seconds. The thread
    /// ends when the last clone of the log is dropped.
    pub fn beat(&self) {
        let weak = Arc::downgrade(&self.0);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let Some(inner) = weak.upgrade() else { return };
                let mut inner = inner.lock().unwrap_or_else(PoisonError::into_inner);
                if inner.last_write.elapsed() < HEARTBEAT {
                    continue;
                }
                if let Some(mut state) = inner.state.clone() {
                    if let Event::Progress { memory_mb, .. } = &mut state {
                        *memory_mb = resident_mb();
                    }
                    // A heartbeat that cannot be written (a full disk) is only skipped; the next event of the work
                    // itself reports the reason.
                    let _ = inner.append(state);
                }
            }
        });
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn append(&mut self, event: Event) -> Result<()> {
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs_f64();
        let last = matches!(
            event,
            Event::Finished { .. } | Event::Stopped { .. } | Event::Failed { .. }
        );
        let line = JobEvent {
            attempt: self.attempt,
            seq: self.seq,
            time,
            event,
        };
        let mut text = serde_json::to_vec(&line).map_err(|e| Error::Shim(e.to_string()))?;
        text.push(b'\n');
        whole(&mut self.file, |file| file.write_all(&text)).map_err(Error::io(&self.path))?;
        if last {
            self.file.sync_all().map_err(Error::io(&self.path))?;
        }
        self.seq = self.seq.saturating_add(1);
        self.last_write = Instant::now();
        Ok(())
    }
}

/// Writes a line whole or not at all. If a full disk left only the beginning of a line, the next line would be
/// unreadable, and that line may say why the work ended.
fn whole(
    file: &mut File,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let at = file.stream_position()?;
    let written = write(file);
    if written.is_err() {
        let _ = file
            .set_len(at)
            .and_then(|()| file.seek(SeekFrom::Start(at)));
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    fn read(path: &Path) -> Vec<JobEvent> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn attempts_and_numbers_go_on_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let log = EventLog::open(&path).unwrap();
        log.warn("a", "one").unwrap();
        log.warn("b", "two").unwrap();
        drop(log);
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"{\"attempt\":1,\"seq\":2,\"ti").unwrap();
        let log = EventLog::open(&path).unwrap();
        log.warn("c", "three").unwrap();
        let numbers: Vec<(u32, u64)> = read(&path).iter().map(|e| (e.attempt, e.seq)).collect();
        assert_eq!(numbers, [(1, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn the_largest_numbers_of_a_foreign_file_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        for (attempt, seq, expected) in [
            (u32::MAX, 6, (u32::MAX, 7)),
            (1, u64::MAX, (2, u64::MAX)),
            (u32::MAX, u64::MAX, (u32::MAX, u64::MAX)),
        ] {
            let line = JobEvent {
                attempt,
                seq,
                time: 0.0,
                event: Event::Stopped { step: 1 },
            };
            std::fs::write(&path, serde_json::to_string(&line).unwrap() + "\n").unwrap();
            let log = EventLog::open(&path).unwrap();
            log.warn("a", "one").unwrap();
            let events = read(&path);
            let last = events.last().map(|event| (event.attempt, event.seq));
            assert_eq!(last, Some(expected));
        }
    }

    #[test]
    fn a_line_that_a_full_disk_cuts_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let mut file = File::create(&path).unwrap();
        for (text, fails) in [("one\n", false), ("tw", true), ("three\n", false)] {
            let written = whole(&mut file, |file| {
                file.write_all(text.as_bytes())?;
                match fails {
                    true => Err(ErrorKind::StorageFull.into()),
                    false => Ok(()),
                }
            });
            assert_eq!(written.is_err(), fails, "{text:?}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\nthree\n");
    }
}
