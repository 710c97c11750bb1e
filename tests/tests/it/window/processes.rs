//! Processes of this machine that the tests of the window look at.

use std::time::{Duration, Instant};

/// The longest wait. What has not ended by then is left alone.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);

/// The numbers of all processes.
pub fn all() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The parent of a process; `None` if there is no such process. What has ended and was not waited for counts as gone.
pub fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold spaces; state and parent follow its closing bracket.
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    (!matches!(rest.next()?, "Z" | "X")).then(|| rest.next()?.parse().ok())?
}

/// The processes that one has started itself and that run.
pub fn children(of: u32) -> Vec<u32> {
    all().filter(|pid| parent(*pid) == Some(of)).collect()
}

/// Waits until none of these processes runs any more.
///
/// A worker that a test holds by a signal goes on as soon as the application that started it ends: the system lets a
/// stopped group of processes go on when nobody is left to do so. So what is held after a window was closed is held only
/// once the application has ended, which takes seconds on a busy machine.
pub fn wait_for_end(processes: &[u32]) {
    let began = Instant::now();
    while processes.iter().any(|pid| parent(*pid).is_some()) && began.elapsed() < PATIENCE {
        std::thread::sleep(LOOK);
    }
}

#[test]
fn a_child_is_seen_until_it_has_ended() {
    let mut child = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .unwrap();
    assert!(children(std::process::id()).contains(&child.id()));
    child.kill().unwrap();
    wait_for_end(&[child.id()]);
    assert!(!children(std::process::id()).contains(&child.id()));
    child.wait().unwrap();
}
