//! Taking a newer version in, and going back to the one before.

use super::home::{BEFORE, Home, finish_folders};
use super::release::of_folder;
use super::signature::{KEY, key, places};
use super::unpack::{release, unpack};
use crate::workspace::{Result, Watcher, io_failure};
use lexforge_domain::api::{Installation, Updated};
use lexforge_domain::{Code, Failure};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Space needed beyond the files themselves: for names, and what a file system reserves.
const SPARE: u64 = 32 << 20;

/// Describes the versions in the folder of this installation.
///
/// # Errors
/// Where the program was installed in another way.
pub fn installation() -> Result<Installation> {
    describe(&Home::here()?)
}

/// Installs the version of a signed package. The package is checked, unpacked beside the running version, read back and
/// compared, and put in place by one rename. The present version stays on the disk.
///
/// # Errors
/// Where the package is unsigned, signed by somebody else, not complete, for another system or not newer. Also where
/// the disk is too full. The running version stays in use then.
pub fn update_from(file: &Path, watcher: &dyn Watcher) -> Result<Updated> {
    let home = Home::here()?;
    let places = places(home.root(), &home.folder_of(&home.current()?));
    update(&home, &places, file, watcher)
}

/// Goes back to the older version: the next start runs the version that was installed before the current one. This
/// takes one rename. The newer version stays on the disk.
///
/// # Errors
/// Where there is no older version, or it is no longer complete.
pub fn go_back(watcher: &dyn Watcher) -> Result<Updated> {
    back(&Home::here()?, watcher)
}

pub(super) fn describe(home: &Home) -> Result<Installation> {
    let current = home.current()?;
    let text = |version: &semver::Version| version.to_string();
    let places = places(home.root(), &home.folder_of(&current));
    Ok(Installation {
        folder: home.root().display().to_string(),
        before: home.before(&current).as_ref().map(text),
        current: current.to_string(),
        versions: home.versions().iter().map(text).collect(),
        key: places
            .iter()
            .find(|place| place.symlink_metadata().is_ok())
            .map(|place| place.display().to_string()),
    })
}

pub(super) fn update(
    home: &Home,
    places: &[PathBuf],
    path: &Path,
    watcher: &dyn Watcher,
) -> Result<Updated> {
    let began = Instant::now();
    let held = home.hold()?;
    let current = home.current()?;
    let key = key(places)?;
    let mut file = open(path)?;
    let signed = key.verify(&mut file, path, watcher)?;
    let (release, version, head) = release(&file, path)?;
    if version == current {
        return Err(Failure::invalid(
            format!("The package holds version {version}, which is the one that is installed."),
            "There is nothing to do. If its files were damaged, unpack the archive anew beside this folder.",
        ));
    }
    if version < current {
        return Err(Failure::invalid(
            format!("The package holds version {version}, which is older than {current}."),
            "An older version is not put over a newer one: what mended security would be lost, and workspaces that the newer \
             one changed would not open. To undo the last update, go back to the version before; to have an older one all the \
             same, unpack it beside this folder.",
        ));
    }
    let wanted = release.bytes().saturating_add(SPARE);
    let free = fs4::available_space(home.root()).map_err(|e| io_failure(&e, home.root()))?;
    if free < wanted {
        return Err(Failure::new(
            Code::DiskFull,
            format!(
                "Version {version} needs {} MiB beside the one that runs, and {} MiB are free in {}.",
                wanted.div_ceil(1 << 20),
                free >> 20,
                home.root().display()
            ),
            "Free some space, for example by removing folders of versions that nobody uses any more, then try again.",
        ));
    }
    let beside = home.beside(&version, &held)?;
    unpack(
        &file,
        path,
        &signed,
        (&release, &version, &head),
        beside.path(),
        watcher,
    )?;
    let before = beside.path().join(BEFORE);
    File::create_new(&before)
        .and_then(|mut file| {
            file.write_all(format!("{current}\n").as_bytes())?;
            file.sync_all()
        })
        .map_err(|e| io_failure(&e, &before))?;
    finish_folders(beside.path())?;
    release.compare(beside.path(), watcher)?;
    release.nothing_else(beside.path())?;
    home.put_in_place(beside, &version)?;
    home.switch(&version, &held)?;
    Ok(Updated {
        from: current.to_string(),
        to: version.to_string(),
        folder: home.root().display().to_string(),
        bytes: release.bytes(),
        signed: Some(signed.words),
        key: release.files.contains_key(KEY),
        seconds: began.elapsed().as_secs_f64(),
    })
}

pub(super) fn back(home: &Home, watcher: &dyn Watcher) -> Result<Updated> {
    let began = Instant::now();
    let held = home.hold()?;
    let current = home.current()?;
    let before = home
        .before(&current)
        .filter(|before| home.folder_of(before).is_dir())
        .ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("There is no version before {current}: no update brought it, or the folder of the older one is gone."),
                "Unpack the archive of the older version beside this folder.",
            )
        })?;
    let folder = home.folder_of(&before);
    let release = of_folder(&folder)?;
    release.compare(&folder, watcher)?;
    home.switch(&before, &held)?;
    Ok(Updated {
        from: current.to_string(),
        to: before.to_string(),
        folder: home.root().display().to_string(),
        bytes: release.bytes(),
        signed: None,
        key: release.files.contains_key(KEY),
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// A package, which is a file and nothing that waits or never ends.
fn open(path: &Path) -> Result<File> {
    let kind = std::fs::metadata(path).map_err(|e| io_failure(&e, path))?;
    if !kind.is_file() {
        return Err(Failure::invalid(
            format!("{} is not a regular file.", path.display()),
            "Name the archive as you received it: lexforge-VERSION-linux-x86_64.tar.zst.",
        ));
    }
    File::open(path).map_err(|e| io_failure(&e, path))
}
