//! Names of files, as they are told to people.

use std::path::Path;

/// The last part of a path; empty if it has none.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
