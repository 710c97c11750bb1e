//! Figures that are the same on every processor. MKL multiplies by the instructions that it finds, and a test whose cases lie
//! near a boundary counts others of them on each.

use std::process::Command;

/// How MKL multiplies on any processor alike.
const ALIKE: (&str, &str) = ("MKL_CBWR", "COMPATIBLE");

/// What a test works on, where this process multiplies as any other. Where it does not, the test is run once more in one that
/// does, since MKL looks at the variable once.
#[track_caller]
pub fn alike<T>(what: impl FnOnce() -> Option<T>) -> Option<T> {
    if std::env::var_os(ALIKE.0).is_some() {
        return what();
    }
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &test, "--nocapture"])
        .env(ALIKE.0, ALIKE.1)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(
        again.status.success() && said.contains("1 passed"),
        "{said}"
    );
    None
}
