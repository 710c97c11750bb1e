//! A folder that the worker fills for a user. It gets its final name only when it is complete. It replaces an existing
//! folder only if the user agreed to that.

use crate::workspace::{Result, Scratch, io_failure};
use lexforge_domain::protocol::EXPORT_FILE;
use lexforge_domain::{Failure, Remedy};
use std::path::Path;

/// The folder that the worker makes in its bundle.
pub(crate) const OUTPUT: &str = "out";

/// What a new folder may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivesWay {
    /// Nothing is replaced, and the user cannot ask for it.
    Never,
    /// Nothing is replaced, because the user did not ask for it.
    Unasked,
    /// An export, and an empty folder.
    Export,
}

/// Refuses a place where something stands that does not give way.
pub(crate) fn refuse_what_stands(target: &Path, gives_way: GivesWay) -> Result<()> {
    let Ok(kind) = std::fs::symlink_metadata(target) else {
        return Ok(());
    };
    let exists = |remedy: Remedy| {
        let message = format!("{} exists already.", target.display());
        Err(Failure::invalid(message, remedy))
    };
    match gives_way {
        GivesWay::Never => return exists(Remedy::OtherFolder),
        GivesWay::Unasked => return exists(Remedy::OtherFolderOrReplace),
        GivesWay::Export => {}
    }
    let empty = kind.is_dir()
        && std::fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    if empty || (kind.is_dir() && target.join(EXPORT_FILE).is_file()) {
        return Ok(());
    }
    Err(Failure::invalid(
        format!(
            "{} is no export of Lexforge's and is not replaced.",
            target.display()
        ),
        Remedy::OtherFolder,
    ))
}

/// Gives the worker's result its name. What was there before is removed with the scratch folder.
pub(crate) fn put_in_place(scratch: &Scratch, target: &Path, gives_way: GivesWay) -> Result<()> {
    // Something may have come there while the worker was at work.
    refuse_what_stands(target, gives_way)?;
    let aside = scratch.path().join("replaced");
    let stood = target.exists();
    if stood {
        std::fs::rename(target, &aside).map_err(|e| io_failure(&e, target))?;
    }
    if let Err(e) = std::fs::rename(scratch.path().join(OUTPUT), target) {
        if stood {
            // Put the old folder back. If even that fails, it stays in the folder that the message names.
            std::fs::rename(&aside, target).map_err(|e| io_failure(&e, &aside))?;
        }
        return Err(io_failure(&e, target));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_an_export_gives_way() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let remedy = |place: &Path, gives_way| {
            let refused = refuse_what_stands(place, gives_way).err();
            refused.map(|failure| *failure.remedy.unwrap())
        };
        assert_eq!(remedy(&target, GivesWay::Never), None);
        std::fs::create_dir(&target).unwrap();
        assert_eq!(
            remedy(&target, GivesWay::Unasked),
            Some(Remedy::OtherFolderOrReplace)
        );
        assert_eq!(remedy(&target, GivesWay::Never), Some(Remedy::OtherFolder));
        assert_eq!(remedy(&target, GivesWay::Export), None);
        std::fs::write(target.join("mine.txt"), "mine").unwrap();
        assert_eq!(remedy(&target, GivesWay::Export), Some(Remedy::OtherFolder));
        std::fs::write(target.join(EXPORT_FILE), "{}").unwrap();
        assert_eq!(remedy(&target, GivesWay::Export), None);
        let file = folder.path().join("file");
        std::fs::write(&file, "mine").unwrap();
        assert!(remedy(&file, GivesWay::Export).is_some());

        let scratch = Scratch::new(folder.path(), "export").unwrap();
        std::fs::create_dir(scratch.path().join(OUTPUT)).unwrap();
        std::fs::write(scratch.path().join(OUTPUT).join("new.txt"), "new").unwrap();
        // A file that was put there meanwhile stays.
        assert!(put_in_place(&scratch, &target, GivesWay::Never).is_err());
        put_in_place(&scratch, &target, GivesWay::Export).unwrap();
        drop(scratch);
        assert!(target.join("new.txt").is_file() && !target.join("mine.txt").exists());
        let names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .flatten()
            .map(|e| e.file_name())
            .collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}
