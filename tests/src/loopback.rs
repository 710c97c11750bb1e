//! A network namespace that has only loopback, and the kernel's counters for it. The counters show every connection
//! that was tried, even a very short one.
#![allow(clippy::panic)] // A test that cannot read its counters has failed.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Child, Command, Stdio};

/// The namespace; it ends with this value and with what runs in it.
pub struct Loopback {
    holder: Child,
}

/// What was tried in a namespace since it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Connections by TCP, those that nobody answered among them.
    pub connections: u64,
    /// What was sent by UDP.
    pub datagrams: u64,
    /// What was to go where no way leads.
    pub elsewhere: u64,
}

impl Loopback {
    /// Makes a namespace. `None`, with a message, where this test may not.
    pub fn start() -> Option<Self> {
        let started = Command::new("unshare")
            .args(["-n", "sh", "-c"])
            .arg("{ ip link set lo up || ifconfig lo up; } && echo up && exec cat >/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut up = [0; 3];
        if let Ok(mut holder) = started {
            let said = holder.stdout.take().map(|mut out| out.read_exact(&mut up));
            if said.is_some_and(|said| said.is_ok()) {
                return Some(Self { holder });
            }
            let _ = holder.kill();
            let _ = holder.wait();
        }
        lexforge_needs::unavailable("a network namespace (as root, with unshare)");
        None
    }

    /// The process that holds it.
    pub fn holder(&self) -> u32 {
        self.holder.id()
    }

    /// The words that start a program in it, which comes after them.
    pub fn words(&self) -> Vec<String> {
        words(self.holder())
    }

    /// What was tried in it so far.
    pub fn tried(&self) -> Tried {
        let four = self.read("snmp");
        let six = self.read("snmp6");
        let of_six = |name: &str| {
            let line = six.lines().find(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some(name)
            });
            line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
                .unwrap_or(0)
        };
        let counted = counted(&four);
        let of = |name: &str| {
            let found = counted.get(name).copied();
            found.unwrap_or_else(|| panic!("no {name}: {four}"))
        };
        Tried {
            connections: of("Tcp ActiveOpens"),
            datagrams: of("Udp OutDatagrams") + of_six("Udp6OutDatagrams"),
            elsewhere: of("Ip OutNoRoutes") + of_six("Ip6OutNoRoutes"),
        }
    }

    /// The sockets in it now that are open to a network: kind, own end and other end, as the kernel writes them.
    pub fn sockets(&self) -> Vec<(&'static str, String, String)> {
        let kinds = ["tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6"];
        let mut found = Vec::new();
        for kind in kinds {
            for line in self.read(kind).lines().skip(1) {
                let mut words = line.split_whitespace().skip(1);
                let (own, other) = (words.next(), words.next());
                found.push((
                    kind,
                    own.unwrap_or_default().to_owned(),
                    other.unwrap_or_default().to_owned(),
                ));
            }
        }
        found
    }

    fn read(&self, table: &str) -> String {
        let path = format!("/proc/{}/net/{table}", self.holder());
        std::fs::read_to_string(path).unwrap_or_default()
    }
}

/// The words that start a program in the namespace of a process.
pub(crate) fn words(process: u32) -> Vec<String> {
    let process = process.to_string();
    ["nsenter", "-t", &process, "-n", "--"]
        .map(str::to_owned)
        .to_vec()
}

/// Whether somebody listens on a port of loopback in the namespace of a process.
pub(crate) fn listens(process: u32, port: u16) -> bool {
    let table = std::fs::read_to_string(format!("/proc/{process}/net/tcp")).unwrap_or_default();
    let own = end(port);
    table.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.get(1) == Some(&own.as_str()) && words.get(3) == Some(&"0A")
    })
}

/// A port of loopback as the kernel writes it.
pub fn end(port: u16) -> String {
    format!("0100007F:{port:04X}")
}

/// The counters of a table in which a line of names stands above each line of numbers.
fn counted(table: &str) -> BTreeMap<String, u64> {
    let lines: Vec<&str> = table.lines().collect();
    let mut found = BTreeMap::new();
    for pair in lines.chunks(2) {
        let [names, numbers] = pair else { continue };
        let kind = names.split(':').next().unwrap_or_default();
        let values = numbers.split_whitespace().skip(1);
        for (name, value) in names.split_whitespace().skip(1).zip(values) {
            if let Ok(value) = value.parse() {
                found.insert(format!("{kind} {name}"), value);
            }
        }
    }
    found
}

impl Drop for Loopback {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
