//! From the `lexforge-ui` package to the files of `ui/dist`.

use crate::{style, text, toolchain};
use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Builds the page and returns each file of `ui/dist` with its size in bytes.
pub fn build(root: &Path, release: bool) -> Result<Vec<(u64, PathBuf)>> {
    let target = wasm_target_dir(root);
    let profile = if release { "wasm-release" } else { "wasm-dev" };
    let done = toolchain::wasm_cargo()?
        .current_dir(root)
        .args(["build", "-p", "lexforge-ui", "--bin", "lexforge-ui"])
        .args([
            "--target",
            toolchain::TARGET,
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(&target)
        .status()
        .context("cargo could not be started")?;
    ensure!(done.success(), "the page did not compile");

    let staged = target.join("dist");
    if staged.exists() {
        fs::remove_dir_all(&staged).with_context(|| format!("{}", staged.display()))?;
    }
    fs::create_dir_all(&staged)?;
    Bindgen::new()
        .input_path(
            target
                .join(toolchain::TARGET)
                .join(profile)
                .join("lexforge-ui.wasm"),
        )
        .web(true)?
        .typescript(false)
        .debug(!release)
        // The names of all functions are two fifths of the page's bytes, and each start of a window reads them.
        .remove_name_section(true)
        .remove_producers_section(release)
        .generate(&staged)?;
    for file in ["index.html", "main.js", "stopped.js"] {
        fs::copy(root.join("ui").join(file), staged.join(file))
            .with_context(|| format!("ui/{file}"))?;
    }
    fs::write(
        staged.join("stopped.html"),
        text::fill(&root.join("ui"), "stopped.html")?,
    )?;
    fs::write(
        staged.join("style.css"),
        style::gather(&root.join("ui/style"))?,
    )?;
    publish(&staged, &root.join("ui/dist"))
}

/// A target folder of its own: the page may need another compiler, and must not wait for the lock held by the cargo
/// that runs this program.
fn wasm_target_dir(root: &Path) -> PathBuf {
    let outer =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    if outer.is_absolute() {
        outer.join("wasm")
    } else {
        root.join(outer).join("wasm")
    }
}

/// Copies what changed, so that the shell is not compiled again for nothing, and removes what is gone.
fn publish(staged: &Path, dist: &Path) -> Result<Vec<(u64, PathBuf)>> {
    fs::create_dir_all(dist)?;
    let mut files = Vec::new();
    for entry in fs::read_dir(staged)? {
        let from = entry?.path();
        let to = dist.join(from.file_name().unwrap_or(OsStr::new("")));
        let bytes = fs::read(&from)?;
        if fs::read(&to).ok().as_deref() != Some(bytes.as_slice()) {
            fs::write(&to, &bytes).with_context(|| format!("{}", to.display()))?;
        }
        files.push((bytes.len() as u64, to));
    }
    for entry in fs::read_dir(dist)? {
        let old = entry?.path();
        if !files.iter().any(|(_, file)| *file == old) {
            fs::remove_file(&old).with_context(|| format!("{}", old.display()))?;
        }
    }
    files.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(files)
}
