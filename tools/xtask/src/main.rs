//! Builds the page: `cargo xtask ui [--release]` compiles `lexforge-ui` to WebAssembly, generates its
//! JavaScript bindings, gathers the style sheets, and writes `ui/dist`, which the window shell embeds.
#![forbid(unsafe_code)]

mod page;
mod style;
mod text;
mod toolchain;

use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let release = match words.as_slice() {
        ["ui"] => false,
        ["ui", "--release"] => true,
        _ => {
            eprintln!("usage: cargo xtask ui [--release]");
            std::process::exit(2);
        }
    };
    let root = root()?;
    for (bytes, file) in page::build(&root, release)? {
        eprintln!(
            "{bytes:>9}  {}",
            file.strip_prefix(&root).unwrap_or(&file).display()
        );
    }
    Ok(())
}

/// The repository's root: two folders above this package.
fn root() -> Result<PathBuf> {
    // Asked when it runs: one target folder may serve several checkouts, and this program may come from another one.
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&here).ancestors().nth(2).map(Path::to_path_buf);
    let root = root.unwrap_or_default();
    ensure!(
        root.join("ui/index.html").is_file(),
        "{} is not the repository's root",
        root.display()
    );
    Ok(root)
}
