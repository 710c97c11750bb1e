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

    let wasm = target
        .join(toolchain::TARGET)
        .join(profile)
        .join("lexforge-ui.wasm");
    let bound = target.join("bound");
    bind(&wasm, release, &bound)?;

    let staged = target.join("dist");
    empty(&staged)?;
    for entry in fs::read_dir(&bound)? {
        let from = entry?.path();
        let to = staged.join(from.file_name().unwrap_or(OsStr::new("")));
        fs::copy(&from, to).with_context(|| format!("{}", from.display()))?;
    }
    for file in ["main.js", "look.js"] {
        fs::copy(root.join("ui").join(file), staged.join(file))
            .with_context(|| format!("ui/{file}"))?;
    }
    for page in ["index.html", "stopped.html"] {
        fs::write(staged.join(page), text::fill(&root.join("ui"), page)?)?;
    }
    fs::write(
        staged.join("style.css"),
        style::gather(&root.join("ui/style"))?,
    )?;
    publish(&staged, &root.join("ui/dist"))
}

/// Generates the page's JavaScript, and the WebAssembly that goes with it, into a folder. This takes half a minute. It
/// is skipped if the folder already contains the result for the same file.
fn bind(wasm: &Path, release: bool, into: &Path) -> Result<()> {
    let noted = into.with_extension("origin");
    let made_of = origin(wasm, release).ok();
    if into.is_dir() && made_of.is_some() && fs::read_to_string(&noted).ok() == made_of {
        return Ok(());
    }
    if noted.exists() {
        fs::remove_file(&noted).with_context(|| format!("{}", noted.display()))?;
    }
    empty(into)?;
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .debug(!release)
        // The names of all functions are two fifths of the page's bytes, and each start of a window reads them.
        .remove_name_section(true)
        .remove_producers_section(release)
        .generate(into)?;
    if let Some(made_of) = made_of {
        fs::write(&noted, made_of).with_context(|| format!("{}", noted.display()))?;
    }
    Ok(())
}

/// What the generated files depend on: the compiled page, and this program.
fn origin(wasm: &Path, release: bool) -> std::io::Result<String> {
    let mut told = format!("release: {release}");
    for path in [wasm.to_path_buf(), std::env::current_exe()?] {
        let about = fs::metadata(path)?;
        told += &format!(", {} bytes of {:?}", about.len(), about.modified()?);
    }
    Ok(told)
}

/// Makes a folder that is empty.
fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))
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
