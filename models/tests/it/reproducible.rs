//! Figures that are the same on every processor. By default MKL chooses its instructions by the processor. Then a test
//! with cases near a boundary would count different cases on different processors.

use std::process::Command;

/// How MKL multiplies on any processor alike.
const ALIKE: (&str, &str) = ("MKL_CBWR", "COMPATIBLE");

/// The result of `what`, if this process computes in the same way on every processor. If it does not, the test is run
/// again in a process that does, because MKL reads the variable only once.
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
