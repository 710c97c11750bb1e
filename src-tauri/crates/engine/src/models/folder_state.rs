//! Marks by which a change in a model's folder is noticed.

use std::fs::{DirEntry, metadata, read_dir};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A mark that changes with whatever a model depends on: the names, lengths and times of change of the files in its
/// folder and in the folders of its modules. `None` if the folder cannot be read.
pub(super) fn folder_state(folder: &Path) -> Option<String> {
    let mut files = Vec::new();
    for entry in read_dir(folder).ok()?.flatten() {
        match read_dir(entry.path()) {
            // Pooling and dense layers have a folder each.
            Ok(inside) => {
                let module = entry.file_name();
                let inside = inside.flatten().filter_map(|file| line(&file));
                files.extend(inside.map(|line| format!("{}/{line}", module.to_string_lossy())));
            }
            Err(_) => files.extend(line(&entry)),
        }
    }
    files.sort();
    Some(files.concat())
}

/// A mark that changes with the weights of a model alone. A copy of the same weights gets another mark. A hash of the
/// content is not used, because many gigabytes would have to be read each time.
pub(crate) fn weights_of(folder: &Path) -> String {
    let is_weights = |entry: &DirEntry| {
        let path = entry.path();
        path.extension().is_some_and(|end| end == "safetensors")
    };
    let entries = read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<String> = entries
        .filter(is_weights)
        .filter_map(|entry| line(&entry))
        .collect();
    files.sort();
    files.concat()
}

/// Name, length and time of change of a file.
fn line(entry: &DirEntry) -> Option<String> {
    // A link is followed: a store of models keeps files under other names.
    let meta = metadata(entry.path()).ok()?;
    let changed = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let name = entry.file_name().to_string_lossy().into_owned();
    Some(format!("{name} {} {}\n", meta.len(), changed.as_nanos()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_model_is_read_from_counts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("config.json", "{}");
        write("model.safetensors", "weights");
        write("1_Pooling/config.json", "{}");
        let mut states = vec![folder_state(folder.path()).unwrap()];
        assert_eq!(states[0], folder_state(folder.path()).unwrap());
        for (name, text) in [
            (
                "1_Pooling/config.json",
                r#"{"pooling_mode_cls_token": true}"#,
            ),
            ("config_sentence_transformers.json", "{}"),
            ("model.safetensors", "other weights"),
        ] {
            let before = weights_of(folder.path());
            write(name, text);
            let now = folder_state(folder.path()).unwrap();
            assert!(!states.contains(&now), "{name}");
            let of_weights = name.ends_with("safetensors");
            assert_eq!(weights_of(folder.path()) != before, of_weights, "{name}");
            states.push(now);
        }
        assert!(folder_state(&folder.path().join("absent")).is_none());
    }
}
