//! No other connection than that of `ssh`: a training over a real `sshd` in a network namespace with nothing but loopback,
//! where the kernel counts each connection that is tried.

use crate::prepared;
use lexforge_tests::loopback::{Loopback, Tried, end};
use lexforge_tests::product::Product;
use lexforge_tests::ssh_target::SshTarget;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WS: &str = "a.lexforge";

/// Puts a program in the place of `ssh` that writes down each time that it is started.
fn counting_ssh(target: &SshTarget) {
    let text = format!(
        "#!/bin/sh\necho started >>'{}'\nexec ssh -F '{}' \"$@\"\n",
        target.path("started").display(),
        target.path("ssh_config").display()
    );
    std::fs::write(target.ssh(), text).unwrap();
}

fn lines(path: &Path) -> u64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().count() as u64
}

/// Runs a line of bash in the namespace.
fn inside(namespace: &Loopback, line: &str) {
    let words = namespace.words();
    let done = Command::new(&words[0])
        .args(&words[1..])
        .args(["bash", "-c", line])
        .output();
    assert!(done.is_ok(), "{line}");
}

#[test]
fn a_training_elsewhere_opens_no_connection_but_that_of_ssh() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let Some(namespace) = Loopback::start() else {
        return;
    };
    let Some(target) = SshTarget::start_inside(&namespace) else {
        return;
    };
    counting_ssh(&target);
    prepared::short(&lexforge.path(WS)).unwrap();
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_PATIENCE", "60")
        .started_by(namespace.words());
    let before = namespace.tried();
    let (ended, port) = (AtomicBool::new(false), end(target.port()));
    let (seen, looked) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut seen = BTreeSet::new();
            while !ended.load(Ordering::SeqCst) {
                seen.extend(namespace.sockets());
                std::thread::sleep(Duration::from_millis(10));
            }
            seen
        });
        // It ends the watcher also where a command fails.
        let works = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let there = target.path("there");
            let folder = there.display().to_string();
            let words = ["compute", "add", "box", "--ssh", "straight", "--folder"];
            lexforge.json(&[&words[..], &[&folder]].concat());
            prepared::installed(&lexforge, "box", &there);
            lexforge.lines(&["compute", "check", "box"]);
            // Slurm's programs, where they are installed, looked for the machine of their queue.
            let looked = namespace.tried();
            lexforge.lines(&[
                "train",
                WS,
                "--base",
                "lexforge-demo",
                "--threads",
                "1",
                "--max-steps",
                "2",
                "--batch-size",
                "4",
                "--on",
                "box",
            ]);
            lexforge.json(&["compute", "clean", "box"]);
            looked
        }));
        ended.store(true, Ordering::SeqCst);
        let seen = watcher.join().unwrap();
        (seen, works.unwrap())
    });
    let run = &lexforge.lines(&["runs", "list", WS])[0];
    assert_eq!(run["state"], "finished", "{run}");

    // As many connections were tried as ssh was started, and nothing was sent otherwise.
    let (after, started) = (namespace.tried(), lines(&target.path("started")));
    assert!(started >= 3, "{started}");
    let expected = Tried {
        connections: before.connections + started,
        datagrams: before.datagrams,
        elsewhere: looked.elsewhere,
    };
    assert_eq!(after, expected);
    // Each socket that was seen is one of ssh or of its server, and nobody but the server listened.
    let others: Vec<_> = seen
        .iter()
        .filter(|(kind, own, other)| *kind != "tcp" || (*own != port && *other != port))
        .collect();
    assert!(others.is_empty(), "{others:?}");
    assert!(seen.iter().any(|(_, _, other)| *other == port), "{seen:?}");

    // The counters would have shown it.
    inside(&namespace, "exec 3<>/dev/tcp/127.0.0.1/1");
    inside(&namespace, "exec 3<>/dev/tcp/192.0.2.1/443");
    inside(&namespace, "echo x >/dev/udp/127.0.0.1/53");
    let shown = Tried {
        connections: after.connections + 1,
        datagrams: after.datagrams + 1,
        elsewhere: after.elsewhere + 1,
    };
    assert_eq!(namespace.tried(), shown);
}
