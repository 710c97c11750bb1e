//! Tests of `bases`.

use super::*;

#[test]
fn models_beside_the_worker_are_listed() {
    let root = tempfile::tempdir().unwrap();
    let model = root.path().join("models").join("m");
    std::fs::create_dir_all(&model).unwrap();
    std::fs::write(model.join(CONFIG_FILE), "{}").unwrap();
    let program = root.path().join("lexforge-worker");
    std::fs::write(&program, "").unwrap();
    let found: Vec<PathBuf> = beside(&WorkerProgram::at(&program))
        .iter()
        .flat_map(|folder| models_in(folder))
        .collect();
    assert_eq!(found, [model.canonicalize().unwrap()]);
    assert!(beside(&WorkerProgram::at(root.path().join("absent"))).is_empty());
}

#[test]
fn a_folder_that_is_being_examined_holds_up_no_other_and_is_not_examined_twice() {
    let root = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let path = root.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join(CONFIG_FILE), "{}").unwrap();
        path
    };
    let (hangs, other) = (folder("hangs"), folder("other"));
    let inspected = Inspected::default();
    let row = |path: &Path, said: &str| row_of(said, Some(path), Err(being_examined(said)));
    let now = Duration::ZERO;
    let examined = inspected.row(&hangs, folder_state(&hangs), now, || {
        // Meanwhile another one asks for both.
        let found = std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                let twice = || row(&hangs, "twice");
                (
                    inspected.row(&other, folder_state(&other), now, || row(&other, "other")),
                    inspected.row(&hangs, folder_state(&hangs), now, twice),
                )
            });
            asked.join().unwrap()
        });
        assert_eq!(found.0.map(|row| row.name).as_deref(), Some("other"));
        assert!(found.1.is_none());
        row(&hangs, "first")
    });
    let name = |row: Option<BaseRow>| row.unwrap().name;
    assert_eq!(name(examined), "first");
    // What is known is not examined again, and what has changed is.
    let again = || inspected.row(&hangs, folder_state(&hangs), now, || row(&hangs, "second"));
    assert_eq!(name(again()), "first");
    std::fs::write(hangs.join("weights"), "").unwrap();
    assert_eq!(name(again()), "second");
}
