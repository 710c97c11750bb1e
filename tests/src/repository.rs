//! Where things lie: the checkout, its files, and the folder of real data beside it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Every file that is tracked, or would be if it were added (ignored files left out), relative to the root with `/`.
/// `None` where this is no git checkout.
pub fn files() -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
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

/// A file or folder of the real data (`LEXFORGE_DATA`, else `../shared/data`). Where it is missing, says so and gives
/// `None`: the test that asked for it then passes without having looked.
pub fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LEXFORGE_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: data folder absent ({name})");
    None
}

/// The English sample regulation as it is committed.
pub fn sample() -> PathBuf {
    root().join("tools/sample/regulation.pdf")
}

/// The Chinese sample regulation.
pub fn chinese_sample() -> PathBuf {
    root().join("tools/sample/regulation-zh.txt")
}

/// The folder of the demo decoder as it is committed.
pub fn demo_decoder() -> PathBuf {
    root().join("models/demo")
}
