//! The record of a job's attempts in Slurm's queue: a file each, with the number that Slurm gave it.

use crate::error::Error;
use lexforge_domain::Failure;
use lexforge_domain::protocol::JobId;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A job with an unknown submission may still be on its way for so long. During this time it is not submitted again.
pub(super) const SETTLES: Duration = Duration::from_secs(20);
/// So far the clock of another machine may be ahead.
const AHEAD: Duration = Duration::from_secs(600);

/// What an attempt's batch script writes when it begins.
pub(super) fn started(folder: &Path, attempt: &str) -> PathBuf {
    folder.join(format!("{attempt}.started"))
}

/// The attempts that were made, the last one last.
pub(super) fn attempts(folder: &Path) -> Vec<(SystemTime, String)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(SystemTime, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            JobId::try_from(name.clone()).ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, name))
        })
        .collect();
    found.sort();
    found
}

/// The attempt that was made last, with Slurm's number where it is known.
pub(super) fn newest(folder: &Path) -> Option<(String, Option<String>)> {
    let (_, name) = attempts(folder).pop()?;
    let number = number_in(&folder.join(&name));
    Some((name, number))
}

/// Slurm's number in a file that holds nothing else.
pub(super) fn number_in(record: &Path) -> Option<String> {
    let number = std::fs::read_to_string(record).ok()?;
    let number = number.trim();
    (!number.is_empty()).then(|| number.to_owned())
}

pub(super) fn keep(record: &Path, number: &str) -> Result<(), Failure> {
    let write = || {
        let mut file = std::fs::File::create(record)?;
        file.write_all(number.as_bytes())?;
        make_newest(record, &file);
        file.sync_all()
    };
    Ok(write().map_err(Error::io(record))?)
}

/// Sets the time of a record to be later than the times of all other records. If the clock was set back, a new attempt
/// would otherwise look older than an earlier one. If the file system does not allow this, the record keeps the time of
/// the clock.
pub(super) fn make_newest(record: &Path, file: &std::fs::File) {
    let own = record.file_name().and_then(OsStr::to_str);
    let folder = record.parent().unwrap_or(record);
    let Ok(written) = file.metadata().and_then(|meta| meta.modified()) else {
        return;
    };
    let mut others = attempts(folder);
    others.retain(|(_, name)| Some(name.as_str()) != own);
    // If the clock was set back, earlier attempts may have times far in the future. Such attempts now get times before
    // the new one, and keep their order. Otherwise the new attempt would need a time even further in the future, and
    // would count as new until the clock reaches that time.
    let is_ahead = |when: &SystemTime| when.duration_since(written).is_ok_and(|by| by > AHEAD);
    let ahead: Vec<&String> = others
        .iter()
        .filter(|(when, _)| is_ahead(when))
        .map(|(_, name)| name)
        .collect();
    for (seconds, name) in (1..).zip(ahead.into_iter().rev()) {
        let before = written.checked_sub(SETTLES + Duration::from_secs(seconds));
        if let Some(before) = before
            && let Ok(other) = std::fs::File::options().write(true).open(folder.join(name))
        {
            let _ = other.set_modified(before);
        }
    }
    let mut others = attempts(folder);
    others.retain(|(_, name)| Some(name.as_str()) != own);
    if let Some((latest, _)) = others.pop()
        && written <= latest
        && let Some(later) = latest.checked_add(Duration::from_secs(1))
    {
        let _ = file.set_modified(later);
    }
}

/// Whether a record is so new that its job may still be on its way to the queue. A record whose time is a little in the
/// future counts as new, because the clock of another machine may be ahead. A record whose time is far in the future
/// does not: it was written before the clock was set back. If it counted as new, nothing could be submitted until the
/// clock reaches its time.
pub(super) fn is_young(record: &Path) -> bool {
    is_younger(record, SETTLES)
}

/// Whether a file was written less than this time ago. The clock of whoever wrote it may be ahead of ours.
pub(super) fn is_younger(file: &Path, than: Duration) -> bool {
    let written = std::fs::metadata(file).and_then(|meta| meta.modified());
    written.is_ok_and(|when| match when.elapsed() {
        Ok(age) => age < than,
        Err(ahead) => ahead.duration() <= AHEAD,
    })
}
