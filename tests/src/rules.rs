//! A workspace of rules to ask a language model about, an endpoint for it, and a worker that serves one.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot be prepared has failed.

use crate::product::{Product, program};
use crate::repository::demo_decoder;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

/// The workspace's file.
pub const WS: &str = "a.lexforge";
/// The endpoint's key.
pub const KEY: &str = "sk-test-0123456789abcdef";
/// How long a step may take before the test gives it up as stuck.
pub const PATIENCE: Duration = Duration::from_secs(420);

/// What matches the rules of document 1 against the policy of document 2 by their words alone.
pub const MATCH: [&str; 7] = ["match", WS, "--rules", "1", "--policies", "2", "--words"];
/// Rules on breaches, one of which answers [`NOTIFY`].
pub const BREACHES: &str = "# Rules on breaches

## Article 1

A controller shall keep a register of its processing activities.

## Article 2

A controller shall notify the supervisory authority of a personal data breach within 72 hours.
";
/// A question that one clause answers.
pub const NOTIFY: &str = "Within how many hours shall a controller notify the supervisory authority of a personal data breach?";

/// A workspace with these rules, as Markdown.
pub fn with_rules(rules: &str) -> Option<Product> {
    let lexforge = Product::find()?;
    let file = lexforge.file("rules.md", rules.as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    Some(lexforge)
}

/// Rules that differ in several words each, so that they are neighbours of each other and not duplicates.
pub fn corpus(count: usize) -> String {
    let actors = [
        "ferry operator",
        "harbour master",
        "grain warehouse",
        "toll bridge company",
        "railway dispatcher",
        "dairy cooperative",
        "lighthouse keeper",
        "mountain guide",
        "salt refinery",
        "printing house",
        "canal authority",
        "quarry owner",
        "seed merchant",
        "bell foundry",
        "pilot association",
        "timber exchange",
    ];
    let deeds = [
        "report",
        "inspect",
        "replace",
        "certify",
        "record",
        "insure",
        "calibrate",
        "publish",
        "seal",
        "withdraw",
        "repair",
        "register",
        "measure",
    ];
    let things = [
        "life rafts",
        "mooring lines",
        "weighing scales",
        "signal lamps",
        "storage tanks",
        "cargo manifests",
        "safety harnesses",
        "pressure valves",
        "tariff tables",
        "hull plates",
        "fire doors",
        "grain samples",
        "track switches",
        "anchor chains",
        "rescue plans",
        "lifting gear",
        "fuel meters",
        "crew lists",
        "berth plans",
    ];
    let towards = [
        "before the district board",
        "in the presence of a sworn surveyor",
        "at the expense of its owner",
        "together with the regional inspector",
        "in the central register",
        "under the supervision of an engineer",
        "for the trade association",
    ];
    let whens = [
        "after a storm",
        "when a licence ends",
        "before each voyage",
        "if a complaint is lodged",
        "at the end of a quarter",
        "where a defect is found",
        "on the request of an insurer",
        "after a change of owner",
        "during the winter season",
        "once a new tariff applies",
        "if a worker is injured",
    ];
    (0..count)
        .map(|i| {
            let pick = |list: &[&str], step: usize| {
                list[(i * step + i / list.len()) % list.len()].to_owned()
            };
            let text = format!(
                "The {} shall {} its {} {} {} and no later than {} days.",
                pick(&actors, 5),
                pick(&deeds, 7),
                pick(&things, 11),
                pick(&towards, 3),
                pick(&whens, 4),
                2 + (i * 13) % 90
            );
            json!({"id": format!("r{i}"), "text": text, "section": format!("Part {}", i / 12)})
                .to_string()
                + "\n"
        })
        .collect()
}

/// A workspace with a graph over `count` rules.
pub fn prepared(count: usize) -> Option<Product> {
    let lexforge = Product::find()?;
    let file = lexforge.file("rules.jsonl", corpus(count).as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    lexforge.json(&["terms", "extract", WS]);
    lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    Some(lexforge)
}

/// A key file that its owner alone can read.
pub fn key_file(lexforge: &Product) -> String {
    let path = lexforge.file("key", format!("{KEY}\n").as_bytes());
    close(&path, 0o600);
    path.display().to_string()
}

/// Gives a file's rights.
#[cfg(unix)]
pub fn close(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Rights are not given here.
#[cfg(not(unix))]
pub fn close(_: &std::path::Path, _: u32) {}

/// Names an endpoint `firm` at an address.
pub fn add(lexforge: &Product, url: &str, more: &[&str]) -> Value {
    let key = key_file(lexforge);
    let words = [
        "endpoints",
        "add",
        WS,
        "firm",
        "--url",
        url,
        "--model",
        "m",
        "--key-file",
        &key,
        "--total",
        "300",
    ];
    lexforge.json(&[&words[..], more].concat())
}

/// A worker that serves the demo decoder.
pub struct Server {
    child: std::process::Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Server {
    /// A server that was started in another way.
    pub fn of(child: std::process::Child, address: SocketAddr) -> Self {
        Self { child, address }
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Starts it, where there is a worker.
    pub fn start(lexforge: &Product) -> Option<Self> {
        let worker = program("LEXFORGE_WORKER", "lexforge-worker")?;
        let port = lexforge.path("port.json");
        let child = Command::new(worker)
            .args(["serve", "--model"])
            .arg(demo_decoder())
            .arg("--port-file")
            .arg(&port)
            .env("LEXFORGE_TOKEN", "server-token")
            .env("OMP_WAIT_POLICY", "passive")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut server = Self {
            child,
            address: ([127, 0, 0, 1], 0).into(),
        };
        let began = Instant::now();
        while !port.exists() {
            assert!(
                began.elapsed() < PATIENCE,
                "the server does not become ready"
            );
            assert!(
                server.child.try_wait().unwrap().is_none(),
                "the server ended"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        let told: Value = serde_json::from_slice(&std::fs::read(&port).unwrap()).unwrap();
        server
            .address
            .set_port(told["port"].as_u64().unwrap() as u16);
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The row of a matching whose rule says these words.
#[track_caller]
pub fn row_of<'r>(rows: &'r [Value], rule: &str) -> &'r Value {
    let says = |row: &&Value| {
        row["rule"]["text"]
            .as_str()
            .is_some_and(|t| t.contains(rule))
    };
    let found = rows.iter().find(says);
    found.unwrap_or_else(|| panic!("no rule says {rule}"))
}
