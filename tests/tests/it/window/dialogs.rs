//! The dialogs for files: each in a process of its own, so that the window keeps its locks on the workspace.

use crate::window::{built, open};
use std::path::Path;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_dialog_for_files_leaves_the_workspace_locked_and_ends_with_the_window() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let _screen = crate::window::SCREEN.lock().await;
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("held.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    let shell = process(|arguments| arguments.iter().any(|a| Path::new(a) == workspace))
        .expect("the window's process names its workspace");
    let held = locks(shell);
    assert!(held > 0, "an open workspace is locked");

    let ask = "window.__TAURI__.core.invoke('PickOpen', { extensions: ['pdf'] }).then(p => window.picked = [p]); return true";
    assert_eq!(window.ask(ask).await, true);
    let dialog = until_some(|| {
        process(|arguments| {
            arguments.get(1).is_some_and(|a| a == "--dialog")
                && arguments.iter().any(|a| a == "pdf")
        })
    });
    assert_ne!(dialog, shell);
    // Long enough for the dialog to list a folder.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(is_there(dialog), "the dialog waits for a choice");
    assert_eq!(locks(shell), held);
    assert_eq!(window.ask("return window.picked === undefined").await, true);

    window.close().await;
    until_some(|| (!is_there(dialog)).then_some(()));
    drop(driver);
}

/// The first process whose arguments are so.
fn process(is: impl Fn(&[String]) -> bool) -> Option<u32> {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .find(|id| {
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let arguments: Vec<String> = line
                .split(|byte| *byte == 0)
                .map(|word| String::from_utf8_lossy(word).into_owned())
                .collect();
            arguments[0].ends_with("lexforge-app") && is(&arguments)
        })
}

/// How many locks of the system a process holds.
fn locks(process: u32) -> usize {
    let all = std::fs::read_to_string("/proc/locks").unwrap();
    let of_it = |line: &&str| line.split_whitespace().nth(4) == Some(&process.to_string());
    all.lines().filter(of_it).count()
}

fn is_there(process: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // What has ended and was not waited for counts as gone.
    state
        .rsplit(") ")
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

fn until_some<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "not within 60 s");
        std::thread::sleep(Duration::from_millis(50));
    }
}
