//! Programs that are killed while they write.
#![allow(clippy::unwrap_used)] // A test that cannot go on has failed.

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Kills a program as soon as the write-ahead log of its workspace is long and contains a whole transaction. SQLite
/// ignores frames without a commit, so a log without a commit would test nothing.
///
/// # Panics
/// If the program ends before that, or writes nothing for two minutes.
pub fn killed_after_a_transaction(mut child: Child, log: &Path) {
    let started = Instant::now();
    while !std::fs::read(log).is_ok_and(|log| log.len() > 100_000 && has_commit(&log)) {
        assert!(
            started.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none(),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Whether a log contains a complete transaction. The last frame of a transaction states the number of pages that the
/// database has afterwards (<https://www.sqlite.org/fileformat2.html#walformat>).
fn has_commit(log: &[u8]) -> bool {
    const HEADER: usize = 32;
    const FRAME: usize = 24;
    let number = |at: usize| {
        log.get(at..at + 4)
            .map(|b| u32::from_be_bytes(b.try_into().unwrap()))
    };
    let Some(page) = number(8) else {
        return false;
    };
    (HEADER..log.len())
        .step_by(FRAME + page as usize)
        .any(|frame| number(frame + 4).is_some_and(|pages| pages > 0))
}
