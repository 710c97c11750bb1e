//! Whether the worker of this machine can run on a target, and whether it has room there, before anything is sent.

use super::files::InstallFiles;
use super::rows::{Row, value};
use crate::workspace::Result;
use lexforge_domain::api::Target;
use lexforge_domain::{Code, Failure};

/// The oldest glibc that libtorch's own builds run on.
const LIBTORCH_GLIBC: (u32, u32) = (2, 28);

/// The system that the worker of this machine is built for.
pub(super) fn wanted_system() -> String {
    format!("Linux {}", std::env::consts::ARCH)
}

/// The oldest glibc that worker and libtorch run on; without files, what libtorch needs.
pub(super) fn wanted_glibc(files: Option<&InstallFiles>) -> (u32, u32) {
    files.map_or(LIBTORCH_GLIBC, |files| files.glibc.max(LIBTORCH_GLIBC))
}

/// A version in a text: `glibc 2.36`.
pub(super) fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|n| !n.is_empty());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// KiB used and allowed. A figure beyond its quota has a star.
pub(super) fn quota_of(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text
        .split_whitespace()
        .map(|n| n.trim_end_matches('*').parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// The bytes that this user can still write on a target, limited by disk and quota. `None` if this is not known. Some
/// file systems do not count their free space and report 0. So 0 counts as not known. If the disk really is full, the
/// user learns it when a file is written.
pub(super) fn room_in(rows: &[Row]) -> Option<u64> {
    let disk = value(rows, "disk").and_then(|kib| kib.parse::<u64>().ok());
    let disk = disk.filter(|kib| *kib > 0);
    let quota = value(rows, "quota").and_then(quota_of);
    let quota = quota.map(|(used, allowed)| allowed.saturating_sub(used));
    let least = disk.into_iter().chain(quota).min();
    least.and_then(|kib| kib.checked_mul(1024))
}

/// Refuses a target on which the worker cannot run. A fact that is not known is no reason to refuse.
///
/// # Errors
/// [`Code::TargetUnready`] for another processor or an older system, [`Code::ReadOnly`] for a folder that cannot be
/// written, [`Code::DiskFull`] for one whose disk takes nothing more.
pub(super) fn suits(target: &Target, rows: &[Row], files: &InstallFiles) -> Result<()> {
    let (name, wanted) = (&target.name, wanted_system());
    if let Some(found) = value(rows, "system").filter(|found| *found != wanted) {
        return Err(Failure::new(
            Code::TargetUnready,
            format!("The worker of this machine is built for {wanted}, and {name} is {found}."),
            "Nothing was sent. Choose another target.",
        ));
    }
    let (major, minor) = wanted_glibc(Some(files));
    let found = value(rows, "glibc").and_then(version);
    if let Some((has, has_minor)) = found.filter(|found| *found < (major, minor)) {
        return Err(Failure::new(
            Code::TargetUnready,
            format!(
                "The worker needs glibc {major}.{minor} or newer, and {name} has glibc {has}.{has_minor}."
            ),
            "Nothing was sent. Choose a target with a newer system.",
        ));
    }
    if let Some(folder) = value(rows, "full") {
        return Err(Failure::new(
            Code::DiskFull,
            format!("The disk or the quota of the folder {folder} on {name} is full."),
            "Nothing was sent. Free some space on the target, or change it to a folder where there is more room.",
        ));
    }
    if let Some(folder) = value(rows, "unwritable") {
        return Err(Failure::new(
            Code::ReadOnly,
            format!("The folder {folder} on {name} cannot be written."),
            "Nothing was sent. Change the target: name a folder that this user may write to there.",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
