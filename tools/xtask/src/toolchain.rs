//! The compiler for WebAssembly. It is the usual compiler if its `wasm32-unknown-unknown` standard library is
//! installed. Otherwise it is Debian's `rustc-web`, with the standard library that the set-up built into the cache.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target triple of the page.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's compiler; the one on `PATH` may be another version.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// A switch of Leptos that boxes the parts of a view. Without it a whole screen is one type, and compiling that type
/// takes many minutes.
const BOXED_VIEWS: [&str; 2] = ["--cfg", "erase_components"];
/// The variable from which cargo takes the flags for the page, separated by [`BETWEEN`]. They apply only to the page's
/// target.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
/// Further flags, parted in the same way: with those of `tools/optimised` the page names no folder of this machine.
const FURTHER: &str = "LEXFORGE_PAGE_FLAGS";
/// The separator of flags, because paths may contain blanks.
const BETWEEN: &str = "\u{1f}";

/// A `cargo` that can compile for [`TARGET`].
pub fn wasm_cargo() -> Result<Command> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for inherited in [
        "RUSTC",
        "RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "LD_LIBRARY_PATH",
    ] {
        cargo.env_remove(inherited);
    }
    let own = output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if has_std(Path::new(&own)) {
        cargo.env(FLAGS, flags(None));
        return Ok(cargo);
    }
    let version = debian_version().context(
        "no wasm32 standard library: run `rustup target add wasm32-unknown-unknown`, or the set-up in tools/",
    )?;
    let sysroot = cache()?.join("lexforge/wasm-std").join(&version);
    ensure!(
        has_std(&sysroot.join("lib/rustlib").join(TARGET).join("lib")),
        "no wasm32 standard library for rustc {version} in {}: run the set-up in tools/",
        sysroot.display()
    );
    let host = PathBuf::from(output(
        Command::new("rustc").args(["--print", "target-libdir"]),
    )?);
    let linker = host
        .parent()
        .map(|target| target.join("bin/rust-lld"))
        .unwrap_or_default();
    ensure!(
        linker.is_file(),
        "{} is missing: it links the page",
        linker.display()
    );
    cargo
        .env("RUSTC", DEBIAN_RUSTC)
        .env(FLAGS, flags(Some(&sysroot)))
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    Ok(cargo)
}

/// The flags for the page.
fn flags(sysroot: Option<&Path>) -> String {
    let sysroot = sysroot.map(|folder| format!("--sysroot={}", folder.display()));
    let further = std::env::var(FURTHER)
        .ok()
        .filter(|flags| !flags.is_empty());
    let views = BOXED_VIEWS.map(str::to_owned);
    let all: Vec<String> = sysroot.into_iter().chain(views).chain(further).collect();
    all.join(BETWEEN)
}

/// `1.96.0` where Debian's compiler is installed.
fn debian_version() -> Option<String> {
    let line = output(Command::new(DEBIAN_RUSTC).arg("-V")).ok()?;
    line.split(' ').nth(1).map(str::to_owned)
}

fn cache() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("XDG_CACHE_HOME") {
        return Ok(PathBuf::from(folder));
    }
    std::env::var_os("HOME")
        .map(|home| PathBuf::from(home).join(".cache"))
        .context("HOME is not set")
}

fn has_std(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|files| {
        files
            .flatten()
            .any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

fn output(command: &mut Command) -> Result<String> {
    let done = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(
        done.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    Ok(String::from_utf8(done.stdout)?.trim().to_owned())
}
