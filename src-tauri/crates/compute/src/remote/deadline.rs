//! Ends programs that take too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Ends a program that takes too long, unless this is dropped before.
pub(super) struct Deadline(Arc<AtomicBool>);

impl Deadline {
    /// For a process, which is asked to end.
    pub(super) fn of(pid: u32, within: Duration) -> Self {
        Self::then(within, move || end(pid))
    }

    /// For a process that leads a group, with all that it started.
    pub(super) fn of_group(pid: u32, within: Duration) -> Self {
        Self::then(within, move || end_group(pid))
    }

    fn then(within: Duration, end: impl FnOnce() + Send + 'static) -> Self {
        let off = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&off);
        std::thread::spawn(move || {
            let since = Instant::now();
            while since.elapsed() < within {
                if seen.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            if !seen.load(Ordering::Relaxed) {
                end();
            }
        });
        Self(off)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Asks a process that this program started to end.
pub(super) fn end(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = as_pid(pid) {
        // If the process has ended already, the signal does nothing.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// Ends a group of processes.
fn end_group(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = as_pid(pid) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

#[cfg(unix)]
fn as_pid(pid: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)
}
