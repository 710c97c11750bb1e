//! The dialogs for files: each in a process of its own, so that the window keeps its locks on the workspace.

use crate::window::{built, open, processes};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_dialog_for_files_leaves_the_workspace_locked_and_ends_with_the_window() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("held.lexforge");
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    let shell = process(|arguments| arguments.iter().any(|a| Path::new(a) == workspace))
        .expect("the window's process names its workspace");
    let shared = home.path().join("held.lexforge-shm");
    assert!(is_locked(&shared, shell), "an open workspace is locked");

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
    assert!(
        processes::parent(dialog).is_some(),
        "the dialog waits for a choice"
    );
    assert!(is_locked(&shared, shell), "it still is");
    assert_eq!(window.ask("return window.picked === undefined").await, true);

    window.close().await;
    until_some(|| processes::parent(dialog).is_none().then_some(()));
    drop(driver);
}

/// The first process whose arguments are so.
fn process(is: impl Fn(&[String]) -> bool) -> Option<u32> {
    processes::all().find(|id| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let arguments: Vec<String> = line
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        arguments[0].ends_with("lexforge-app") && is(&arguments)
    })
}

/// Whether a process holds a lock of the system on a file.
fn is_locked(file: &Path, process: u32) -> bool {
    let file = std::fs::metadata(file).unwrap().ino().to_string();
    let process = process.to_string();
    let all = std::fs::read_to_string("/proc/locks").unwrap();
    all.lines().any(|line| {
        // Number, kind, mode, access, process, device and file, bytes.
        let words: Vec<&str> = line.split_whitespace().collect();
        let inode = words.get(5).and_then(|id| id.rsplit(':').next());
        words.get(4) == Some(&process.as_str()) && inode == Some(file.as_str())
    })
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
