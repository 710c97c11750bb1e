//! Files that a person names to be written are never written over a workspace.

use super::files::{file_failure, io_failure};
use super::result::Result;
use lexforge_domain::Failure;
use lexforge_files::Aside;
use std::path::Path;

/// The ending of the names of workspaces.
const ENDING: &str = "lexforge";

/// Refuses to write a file over the workspace that it comes from, or over any other workspace.
///
/// # Errors
/// When the target is that workspace, under whatever path, or a file that has the name of a workspace.
pub(crate) fn refuse_workspace(target: &Path, workspace: Option<&Path>) -> Result<()> {
    let Ok(found) = target.canonicalize() else {
        return Ok(());
    };
    let what = if workspace.is_some_and(|own| own.canonicalize().is_ok_and(|own| own == found)) {
        "The file would be written over the workspace.".to_owned()
    } else if found.extension().is_some_and(|end| end == ENDING) {
        let shown = target.display();
        format!("The file would be written over {shown}, which has the name of a workspace.")
    } else {
        return Ok(());
    };
    Err(Failure::invalid(what, "Name another file."))
}

/// Writes a file that a person named. If the disk is full, the earlier file stays. A pipe, a device or the target of a
/// link is written directly and not replaced by a new file.
///
/// # Errors
/// When the file is a workspace, or cannot be written.
pub fn write_named(target: &Path, workspace: Option<&Path>, bytes: &[u8]) -> Result<()> {
    refuse_workspace(target, workspace)?;
    match std::fs::symlink_metadata(target) {
        Ok(there) if !there.is_file() => {
            std::fs::write(target, bytes).map_err(|e| io_failure(&e, target))
        }
        _ => Aside::write_whole(target, bytes).map_err(file_failure),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn no_workspace_is_written_over_and_other_files_are() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let own = place("own.db");
        for name in ["own.db", "other.lexforge", "old.csv"] {
            std::fs::write(place(name), "kept").unwrap();
        }
        for (target, allowed) in [
            ("own.db", false),
            ("other.lexforge", false),
            ("old.csv", true),
            // A file that is not there yet may have any name.
            ("new.lexforge", true),
            ("new.csv", true),
        ] {
            let told = refuse_workspace(&place(target), Some(&own));
            assert_eq!(told.is_ok(), allowed, "{target}: {told:?}");
        }
        let around = folder.path().join(".").join("own.db");
        assert!(refuse_workspace(&around, Some(&own)).is_err());
        assert!(refuse_workspace(&own, None).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_takes_the_place_of_a_file_and_goes_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.csv"), folder.path().join("link"));
        std::fs::write(&file, "first").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let held = std::fs::File::open(&file).unwrap();
        write_named(&file, None, b"second").unwrap();
        // Whoever has the earlier file open still has all of it: nothing was cut away before the new one was whole.
        assert_eq!(std::io::read_to_string(&held).unwrap(), "first");
        write_named(&link, None, b"third").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "third");
        assert!(link.is_symlink());
    }
}
