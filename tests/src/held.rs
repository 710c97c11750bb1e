//! A training whose worker is held still while a test looks at it. Such a training is at work for as long as the test
//! needs, on a machine of any speed, and need not have many steps.
//!
//! The worker also goes on if the test is killed, as it is when it takes too long.
#![allow(clippy::panic)] // A test whose training does not get that far has failed.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A training that gets no further within this time is taken for stuck.
const PATIENCE: Duration = Duration::from_secs(300);
/// Time between two looks at what the worker has written. A step takes longer, so only a few steps are made meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// A worker that is held still. When this is dropped, the worker goes on.
pub struct Held {
    bundles: PathBuf,
    bundle: PathBuf,
    guard: Child,
}

impl Held {
    /// Holds the worker of the only training in a folder of bundles as soon as its events are as wanted.
    ///
    /// # Panics
    /// If the training never gets so far, or has ended.
    pub fn when(bundles: &Path, wanted: impl Fn(&[Value]) -> bool) -> Self {
        let (bundle, pid) = until("the training gets so far", || {
            let bundle = training(bundles)?;
            let events = events(&bundle);
            let newest = events.iter().rfind(|event| has_begun(event))?;
            wanted(&events).then(|| (bundle, newest["pid"].to_string()))
        });
        let held = Self {
            bundles: bundles.to_path_buf(),
            bundle,
            guard: guard(&pid),
        };
        assert!(signal("STOP", &pid), "the training has ended already");
        held
    }

    /// Lets the worker go on, and holds it again as soon as it has made another step.
    ///
    /// # Panics
    /// If it makes none.
    pub fn after_a_step(self) -> Self {
        let before = steps(&events(&self.bundle));
        let bundles = self.bundles.clone();
        drop(self);
        Self::when(&bundles, |events| steps(events) > before)
    }

    /// Waits until this word has been left for the worker, which then goes on.
    ///
    /// # Panics
    /// If nobody leaves it.
    pub fn until_told(self, word: &str) {
        let control = self.bundle.join("control");
        until("the word for the worker is there", || {
            let said = std::fs::read_to_string(&control).ok()?;
            (said.trim() == word).then_some(())
        });
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // It has sent the signal by the time it ends. Without it there is nothing that could still be done here.
        let _ = self.guard.wait();
    }
}

/// A process that lets a worker go on as soon as nobody writes to its input any more. That is when this process lets go
/// of it, or has ended, however it ended. It is in a group of its own, since a test that takes too long is killed with
/// its whole group.
fn guard(pid: &str) -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", "cat > /dev/null; kill -CONT \"$0\"", pid])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().unwrap_or_else(|e| panic!("sh: {e}"))
}

/// How often a worker has begun with a training, by its events.
pub fn starts(events: &[Value]) -> usize {
    events.iter().filter(|event| has_begun(event)).count()
}

/// How many steps the worker has made that began last.
pub fn steps(events: &[Value]) -> usize {
    let began = events.iter().rposition(has_begun).unwrap_or(0);
    let made = |e: &&Value| e["event"] == "progress" && e["loss"].is_f64();
    // Its sign of life tells of the same step again.
    let made = events[began..].iter().filter(made);
    let made: BTreeSet<_> = made
        .map(|e| (e["stage"].to_string(), e["step"].as_u64()))
        .collect();
    made.len()
}

fn has_begun(event: &Value) -> bool {
    event["event"] == "started"
}

/// The bundle of the training in a folder of bundles. Those of other jobs have no steps with a loss.
fn training(bundles: &Path) -> Option<PathBuf> {
    let all = std::fs::read_dir(bundles).ok()?.flatten();
    let has_steps = |bundle: &PathBuf| events(bundle).iter().any(|e| e["loss"].is_f64());
    all.map(|entry| entry.path()).find(has_steps)
}

/// The events of a bundle that are written whole.
fn events(bundle: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(bundle.join("events.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |at| &text[..at]);
    let read = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    whole.lines().map(read).collect()
}

fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(LOOK);
    }
}

/// Sends a signal to a process; whether there is such a process.
fn signal(name: &str, pid: &str) -> bool {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), pid])
        .status();
    sent.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A bundle whose worker is this process.
    fn bundle(bundles: &Path, worker: &Child) -> PathBuf {
        let bundle = bundles.join("run-1");
        std::fs::create_dir(&bundle).unwrap_or_else(|e| panic!("{e}"));
        let lines = [
            json!({"event": "started", "pid": 1}),
            json!({"event": "progress", "stage": "sft", "step": 1, "loss": 0.5}),
            json!({"event": "started", "pid": worker.id()}),
            json!({"event": "progress", "stage": "sft", "step": 1, "loss": 0.5}),
            json!({"event": "progress", "stage": "sft", "step": 1, "loss": 0.5}),
            json!({"event": "progress", "stage": "load", "step": 2, "loss": null}),
        ];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(bundle.join("events.jsonl"), text + "{\"event")
            .unwrap_or_else(|e| panic!("{e}"));
        bundle
    }

    fn is_held(worker: &Child) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", worker.id()));
        stat.unwrap_or_default().contains(") T ")
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_newest_worker_is_held_until_it_is_told() {
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let sleeping = Command::new("sleep")
            .arg("600")
            .stdin(Stdio::null())
            .spawn();
        let mut worker = sleeping.unwrap_or_else(|e| panic!("{e}"));
        let bundle = bundle(folder.path(), &worker);
        assert_eq!((starts(&events(&bundle)), steps(&events(&bundle))), (2, 1));
        let held = Held::when(folder.path(), |events| steps(events) == 1);
        until("it is held", || is_held(&worker).then_some(()));
        let control = bundle.join("control");
        std::fs::write(control, "stop\n").unwrap_or_else(|e| panic!("{e}"));
        held.until_told("stop");
        until("it goes on", || (!is_held(&worker)).then_some(()));
        worker.kill().unwrap_or_else(|e| panic!("{e}"));
        worker.wait().unwrap_or_else(|e| panic!("{e}"));
    }
}
