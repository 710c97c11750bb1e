//! Waits for the end of programs that others started.
//!
//! A worker that a test holds by a signal goes on as soon as the application that started it ends: the system lets a
//! stopped group of processes go on when nobody is left to do so. So what is held after a window was closed is held only
//! once the application has ended, which takes seconds on a busy machine.

use std::time::{Duration, Instant};

/// The longest wait. What has not ended by then is left alone.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);

/// The programs that a process has started itself and that run.
pub fn children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|pid| running(*pid) == Some(parent))
        .collect()
}

/// Waits until none of these processes runs any more.
pub fn wait(processes: &[u32]) {
    let began = Instant::now();
    while processes.iter().any(|pid| running(*pid).is_some()) && began.elapsed() < PATIENCE {
        std::thread::sleep(LOOK);
    }
}

/// The parent of a process; `None` if there is no such process, or it has ended and nobody has asked for its result.
fn running(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Its name stands in brackets and may hold any character.
    let (_, after) = stat.rsplit_once(") ")?;
    let mut fields = after.split(' ');
    let ended = matches!(fields.next()?, "Z" | "X");
    (!ended).then_some(fields.next()?.parse().ok()?)
}

#[test]
fn a_child_is_seen_until_it_has_ended() {
    let mut child = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .unwrap();
    assert!(children(std::process::id()).contains(&child.id()));
    child.kill().unwrap();
    wait(&[child.id()]);
    assert!(!children(std::process::id()).contains(&child.id()));
    child.wait().unwrap();
}
