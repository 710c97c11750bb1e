//! The page's process is killed, and the page is loaded again. The second time within a minute it is explained, first
//! by a page and then by a dialog. WebDriver's session ends with the page's process, so the window is started without
//! WebDriver, and its processes and its log show what it did.

use crate::window::built;
use crate::window::display::Display;
use crate::window::processes;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What the page's process is called, as the kernel cuts names.
const PAGE_PROCESS: &str = "WebKitWebProces";

/// The process that draws the page, once there is another one than before.
fn page_process(app: &Child, before: Option<u32>) -> u32 {
    let begun = Instant::now();
    loop {
        let found = descendants(app.id())
            .into_iter()
            .find(|pid| named(*pid) && Some(*pid) != before);
        if let Some(pid) = found {
            return pid;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "no process draws the page"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn named(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == PAGE_PROCESS)
}

/// All processes below one that have not ended.
fn descendants(of: u32) -> Vec<u32> {
    let all: Vec<(u32, u32)> = processes::all()
        .filter_map(|pid| Some((pid, processes::parent(pid)?)))
        .collect();
    let mut found = vec![of];
    let mut at = 0;
    while let Some(above) = found.get(at).copied() {
        found.extend(
            all.iter()
                .filter(|(_, parent)| *parent == above)
                .map(|(pid, _)| *pid),
        );
        at += 1;
    }
    found
}

fn kill(pid: u32) {
    assert!(
        Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status()
            .unwrap()
            .success()
    );
}

/// Ends the application with the test.
struct App(Child);

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn until_logged(log: &Path, words: &str) {
    let begun = Instant::now();
    while !fs::read_to_string(log).unwrap().contains(words) {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "not logged: {words}"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test]
async fn a_page_whose_process_is_killed_is_loaded_again_and_then_explained() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("log");
    let display = Display::start();
    let mut command = Command::new(app);
    command
        .arg(home.path().join("page.lexforge"))
        .env("DISPLAY", display.name())
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
        .env("LEXFORGE_PARSE", parse)
        .env("LEXFORGE_WORKER", worker)
        .env("XDG_DATA_HOME", home.path());
    let app = App(command.stderr(File::create(&log).unwrap()).spawn().unwrap());

    let mut before = None;
    for done in [
        "The page is loaded again.",
        "It is explained.",
        "A dialog explains.",
    ] {
        let page = page_process(&app.0, before);
        // It is killed with a page in it and not while it begins.
        std::thread::sleep(Duration::from_secs(2));
        kill(page);
        until_logged(&log, done);
        before = Some(page);
    }
    assert!(
        !fs::read_to_string(&log)
            .unwrap()
            .contains("could not be loaded")
    );
}
