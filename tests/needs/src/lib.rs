//! Finds the things that tests need and a checkout does not contain: real documents, downloaded models, programs of the
//! machine.
//!
//! A test that lacks something returns early, and the output of a passing test is not shown. So each such test calls
//! this module. The line goes to standard error and, if `LEXFORGE_SKIPPED` names a file, also to that file. `make test`
//! counts and prints those lines at its end. With `LEXFORGE_REQUIRE_ALL=1`, a test fails if it lacks something that
//! `make setup` and the data folder provide.
#![forbid(unsafe_code)]

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root, found from the package whose tests run. A path compiled into the test program would be wrong
/// if it was built in another checkout.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.as_deref().and_then(root_above).unwrap_or_else(|| {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
        root_above(built_in).unwrap_or_default()
    })
}

/// The nearest folder, `inside` or above it, that holds the lock file of the workspace.
fn root_above(inside: &Path) -> Option<PathBuf> {
    let holds = |folder: &&Path| folder.join("Cargo.lock").is_file();
    inside.ancestors().find(holds).map(Path::to_path_buf)
}

/// A file or folder of the real data (`LEXFORGE_DATA`, else `../shared/data`). If it is missing, the test is skipped.
///
/// # Panics
/// As [`missing`].
#[track_caller]
pub fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LEXFORGE_DATA")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    missing(format!("{name} of the data folder is absent"));
    None
}

/// The folder of a model that `make setup` fetches. If it is missing, the test is skipped.
///
/// # Panics
/// As [`missing`].
#[track_caller]
pub fn model(name: &str) -> Option<PathBuf> {
    let folder = root().join(".deps/models").join(name);
    if folder.join("config.json").is_file() {
        return Some(folder);
    }
    missing(format!(
        "the model {name} is absent (make setup fetches it)"
    ));
    None
}

/// The Python of `LEXFORGE_PYTHON` (else `python3`), where it can import these modules; else the test is skipped.
pub fn python(modules: &str) -> Option<String> {
    let python = std::env::var("LEXFORGE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let asked = Command::new(&python)
        .args(["-c", &format!("import {modules}")])
        .output();
    if asked.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    unavailable(format!(
        "{python} cannot import {modules} (LEXFORGE_PYTHON names another)"
    ));
    None
}

/// How often a test does what it repeats: the long form with `LEXFORGE_SOAK=1` (`make soak`), else the short one.
pub fn times(short: usize, long: usize) -> usize {
    if std::env::var_os("LEXFORGE_SOAK").is_some_and(|soak| soak == "1") {
        long
    } else {
        short
    }
}

/// Reports that something is missing which a full test run has: the data, a model, a program of the product, or the
/// driver of the window.
///
/// # Panics
/// If `LEXFORGE_REQUIRE_ALL` is 1: the test fails.
#[track_caller]
pub fn missing(what: impl Display) {
    note("missing", &what);
    assert!(
        std::env::var_os("LEXFORGE_REQUIRE_ALL").is_none_or(|all| all != "1"),
        "needed and not there: {what}"
    );
}

/// Reports a missing thing that only few machines have: a GPU, an interpreter with a rare library, a permission of the
/// system. A missing thing of this kind never fails a run.
pub fn unavailable(what: impl Display) {
    note("unavailable", &what);
}

fn note(kind: &str, what: &dyn Display) {
    eprintln!("skipped: {what}");
    let Some(file) = std::env::var_os("LEXFORGE_SKIPPED") else {
        return;
    };
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let line = format!(
        "{kind}\t{test}\t{}\n",
        what.to_string().replace(['\n', '\t'], " ")
    );
    // One write a line, so that tests that run at the same time do not mix theirs.
    let written = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&file)
        .and_then(|mut f| f.write_all(line.as_bytes()));
    if let Err(problem) = written {
        eprintln!("{}: {problem}", Path::new(&file).display());
    }
}
