//! Versions of the programs, the libraries and the operating system.

use lexforge_compute::WorkerProgram;
use lexforge_domain::protocol::PROTOCOL_VERSION;
use lexforge_ingest::Parser;
use serde_json::{Value, json};

/// Variables that change what the programs do, by the beginnings of their names.
const BEGINNINGS: [&str; 6] = ["LEXFORGE_", "LC_", "XDG_", "OMP_", "MKL_", "CUDA_"];
/// The others, by name.
const NAMES: [&str; 9] = [
    "LANG",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "NO_PROXY",
];

/// Versions of the programs, of the libraries that matter, and of the system.
pub(super) fn versions() -> Value {
    let worker = WorkerProgram::locate().and_then(|worker| worker.version());
    let worker = match worker {
        Ok(worker) => json!({
            "version": worker.version,
            "protocol": worker.protocol_version,
            "libtorch": worker.libtorch,
            "devices": worker.devices,
        }),
        Err(failure) => json!({ "code": failure.code.tag() }),
    };
    json!({
        "lexforge": env!("CARGO_PKG_VERSION"),
        "protocol": PROTOCOL_VERSION,
        "parser": Parser::locate().ok().and_then(|parser| parser.version()),
        "worker": worker,
        "sqlite": lexforge_store::database_version(),
        "system": std::env::consts::OS,
        "processor": std::env::consts::ARCH,
        "distribution": distribution(),
        "kernel": kernel(),
    })
}

/// Names of the variables that are set; their values stay here.
pub(super) fn variables_set() -> Vec<String> {
    let mut names: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| {
            NAMES.contains(&name.as_str()) || BEGINNINGS.iter().any(|b| name.starts_with(b))
        })
        .collect();
    names.sort();
    names
}

/// The name of the distribution; `None` if the system has no such file.
fn distribution() -> Option<String> {
    let about = std::fs::read_to_string("/etc/os-release").ok()?;
    let line = about.lines().find_map(|l| l.strip_prefix("PRETTY_NAME="))?;
    Some(line.trim_matches('"').to_owned())
}

fn kernel() -> Option<String> {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    Some(release.trim().to_owned())
}
