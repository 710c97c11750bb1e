//! Files that a person names to be written are never written over a workspace.

use super::result::Result;
use lexforge_domain::Failure;
use std::path::Path;

/// The ending of the names of workspaces.
const ENDING: &str = "lexforge";

/// Refuses to write a file over the workspace that it comes from, and over another one.
///
/// # Errors
/// When the target is that workspace, under whatever path, or a file that has the name of a workspace.
pub fn refuse_workspace(target: &Path, workspace: Option<&Path>) -> Result<()> {
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
}
