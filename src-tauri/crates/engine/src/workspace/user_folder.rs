//! The folder of what belongs to a user and to no workspace. Others can neither read nor write what stands there.

use super::files::io_failure;
use super::result::Result;
use lexforge_domain::{Code, Failure, Remedy};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Variable that names the folder.
const STATE_ENV: &str = "LEXFORGE_STATE";

/// That of the user who runs the program: `LEXFORGE_STATE`, else `$XDG_STATE_HOME/lexforge`, else `~/.local/state/lexforge`.
pub(crate) fn user_folder() -> PathBuf {
    let named = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    named(STATE_ENV)
        .or_else(|| Some(named("XDG_STATE_HOME")?.join("lexforge")))
        .or_else(|| {
            Some(
                std::env::home_dir()?
                    .join(".local")
                    .join("state")
                    .join("lexforge"),
            )
        })
        // Without a home nothing can be kept: each use is then refused with the reason.
        .unwrap_or_default()
}

/// Makes a folder of the user's own.
///
/// # Errors
/// Where it cannot be made, or others can write there.
pub(crate) fn own_folder(folder: &Path) -> Result<()> {
    make_private(folder).map_err(|e| io_failure(&e, folder))?;
    if writable_by_others(folder) {
        return Err(Failure::new(
            Code::ReadOnly,
            format!(
                "{} can be written by others; what is confirmed there would count for nothing.",
                folder.display()
            ),
            Remedy::KeepToYourself {
                path: folder.display().to_string(),
                mode: "700".to_owned(),
            },
        ));
    }
    Ok(())
}

/// Writes a file of the user's own, whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn write_own(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, File::sync_all).map_err(|e| io_failure(&e, path))
}

/// The same for what may be lost with the power: nobody waits until the disk has it.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn write_own_at_leisure(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes, |_| Ok(())).map_err(|e| io_failure(&e, path))
}

fn write(path: &Path, bytes: &[u8], kept: fn(&File) -> io::Result<()>) -> io::Result<()> {
    let beside = path.parent().filter(|p| !p.as_os_str().is_empty());
    // A name that nobody could have laid out before, for the owner alone; what is not whole goes with the value.
    let mut file = tempfile::Builder::new()
        .prefix(".")
        .suffix(".new")
        .tempfile_in(beside.unwrap_or(Path::new(".")))?;
    io::Write::write_all(&mut file, bytes)?;
    kept(file.as_file())?;
    file.persist(path).map(drop).map_err(|e| e.error)
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
pub(crate) fn writable_by_others(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|meta| std::os::unix::fs::MetadataExt::mode(&meta) & 0o022 != 0)
}

/// Other systems have no such bits; their folders of a user are closed to others by default.
#[cfg(not(unix))]
pub(crate) fn writable_by_others(_: &Path) -> bool {
    false
}
