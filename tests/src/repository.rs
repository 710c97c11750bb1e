//! The places of the checkout, of its files, and of the folder of real data beside it.

use std::path::PathBuf;
use std::process::Command;

/// The repository's root.
pub fn root() -> PathBuf {
    lexforge_needs::root()
}

/// Every file that is tracked, or would be if it were added (ignored files are left out), relative to the root with
/// `/`. `None` outside a git checkout.
pub fn files() -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .ok()
        .filter(|done| done.status.success())?;
    let mut files: Vec<String> = String::from_utf8_lossy(&listed.stdout)
        .split('\0')
        .filter(|name| !name.is_empty() && root().join(name).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    Some(files)
}

/// A file or folder of the real data; where it is missing, the test is skipped.
pub fn data(name: &str) -> Option<PathBuf> {
    lexforge_needs::data(name)
}

/// The English sample regulation as it is committed.
pub fn sample() -> PathBuf {
    root().join("tools/sample/regulation.pdf")
}

/// The second document that the demo imports, as it is committed.
pub fn companion() -> PathBuf {
    root().join("tools/sample/companion.pdf")
}

/// The Chinese sample regulation.
pub fn chinese_sample() -> PathBuf {
    root().join("tools/sample/regulation-zh.txt")
}

/// The folder of the demo decoder as it is committed.
pub fn demo_decoder() -> PathBuf {
    root().join("models/demo")
}
