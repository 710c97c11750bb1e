//! Who may use a new workspace: its owner alone, unless its folder or a file that was there before says otherwise.
#![cfg(unix)]

use lexforge_store::Workspace;
use std::fs::{Permissions, metadata, set_permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    metadata(path).unwrap().mode() & 0o777
}

#[test]
fn a_new_workspace_its_log_its_model_files_and_its_copies_are_its_owner_s_alone() {
    let folder = tempfile::tempdir().unwrap();
    set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let at = |name: &str| folder.path().join(name);
    let workspace = Workspace::create(at("w.lexforge")).unwrap();
    workspace
        .write("tester", |w| w.note("test", "workspace", None))
        .unwrap();
    let models = workspace.artifacts_dir().unwrap();
    workspace.copy_to(at("copy.lexforge")).unwrap();
    for name in ["w.lexforge", "w.lexforge-wal", "copy.lexforge"] {
        assert_eq!(mode(&at(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&models), 0o700);

    // What was put in place of a shared one is shared, as its model files are.
    drop(workspace);
    set_permissions(at("w.lexforge"), Permissions::from_mode(0o664)).unwrap();
    set_permissions(&models, Permissions::from_mode(0o775)).unwrap();
    std::fs::create_dir(at("models")).unwrap();
    let copy = Workspace::open(at("copy.lexforge")).unwrap();
    let (target, aside) = (at("w.lexforge"), at("before.lexforge"));
    copy.restore_to(&target, Some(&at("models")), Some(&aside))
        .unwrap();
    assert_eq!((mode(&target), mode(&models)), (0o664, 0o775));
}

#[test]
fn a_workspace_in_a_shared_folder_and_one_of_before_have_the_rights_that_the_system_gives() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("file"), "").unwrap();
    std::fs::create_dir(at("folder")).unwrap();
    let by_system = (mode(&at("file")), mode(&at("folder")));

    set_permissions(folder.path(), Permissions::from_mode(0o2770)).unwrap();
    let shared = Workspace::create(at("shared.lexforge")).unwrap();
    let models = shared.artifacts_dir().unwrap();
    assert_eq!((mode(&at("shared.lexforge")), mode(&models)), by_system);

    // One that others could read already when its first model file came.
    set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
    let before = Workspace::create(at("before.lexforge")).unwrap();
    set_permissions(before.path(), Permissions::from_mode(by_system.0)).unwrap();
    assert_eq!(mode(&before.artifacts_dir().unwrap()), by_system.1);
}
