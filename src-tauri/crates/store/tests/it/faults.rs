//! Outside influences on a workspace: other programs, full disks, read-only folders, sudden ends.

use crate::common::{document, fill, rulebook};
use lexforge_domain::{Code, Failure};
use lexforge_store::verify::verify;
use lexforge_store::{Result, StoreError, Workspace};
use rusqlite::Connection;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn code<T>(result: Result<T>) -> Code {
    match result {
        Ok(_) => panic!("this should have failed"),
        Err(error) => {
            let failure = Failure::from(error);
            assert!(
                !failure.hint.is_empty() && failure.file.is_some(),
                "{failure:?}"
            );
            failure.code
        }
    }
}

fn integrity(path: &Path) -> String {
    Connection::open(path)
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn files_that_are_no_workspace_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert_eq!(
        code(Workspace::open(path("absent"))),
        Code::WorkspaceMissing
    );
    assert_eq!(code(Workspace::open(folder.path())), Code::WorkspaceInvalid);

    std::fs::write(path("empty"), b"").unwrap();
    std::fs::write(path("text"), "a letter, not a database ".repeat(100)).unwrap();
    Connection::open(path("foreign"))
        .unwrap()
        .execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
        .unwrap();
    // A file where a folder should be.
    let inside = path("text").join("inside");
    assert_eq!(code(Workspace::open(&inside)), Code::WorkspaceMissing);
    assert_eq!(code(Workspace::create(&inside)), Code::InvalidRequest);
    // A copy that is restored is opened as it is.
    for name in ["", "empty", "text"] {
        let unchanged = Workspace::open_unchanged(path(name));
        assert_eq!(code(unchanged), Code::WorkspaceInvalid, "{name}");
    }
    for name in ["empty", "text", "foreign"] {
        let before = std::fs::read(path(name)).unwrap();
        assert_eq!(
            code(Workspace::open(path(name))),
            Code::WorkspaceInvalid,
            "{name}"
        );
        assert_eq!(
            code(Workspace::create(path(name))),
            Code::WorkspaceExists,
            "{name}"
        );
        assert_eq!(std::fs::read(path(name)).unwrap(), before, "{name}");
    }
}

#[test]
fn a_cut_workspace_is_called_damaged_or_no_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    fill(&Workspace::create(&path).unwrap());
    let whole = std::fs::read(&path).unwrap();
    for keep in [50, 4096 * 3 + 7] {
        std::fs::write(&path, &whole[..keep]).unwrap();
        let result = Workspace::open(&path).and_then(|w| w.read(verify));
        assert_eq!(code(result), Code::WorkspaceInvalid, "{keep} bytes");
    }
}

#[test]
fn a_newer_workspace_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    drop(Workspace::create(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 9999)
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = Workspace::open(&path).unwrap_err();
    assert!(matches!(
        error.cause(),
        StoreError::Newer { found: 9999, .. }
    ));
    assert_eq!(code::<()>(Err(error)), Code::WorkspaceNewer);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn creating_leaves_nothing_but_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("deep/er/w.lexforge")).unwrap();
    assert_eq!(workspace.name(), "w");
    let artifacts = workspace.artifacts_dir().unwrap();
    assert_eq!(
        artifacts,
        folder.path().join("deep/er/w.lexforge.artifacts")
    );
    assert!(artifacts.is_dir());
    drop(workspace);
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("deep/er"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["w.lexforge", "w.lexforge.artifacts"]);
}

#[test]
fn a_full_disk_is_said_and_damages_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    let filled = fill(&workspace);
    let head = workspace.read(|r| r.audit_head()).unwrap();
    // The page limit of a connection gives the same error as a disk without space.
    let full = workspace.write("tester", |w| {
        w.limit_pages_to_present()?;
        w.insert_document(
            &document("Large", &["One sentence."]),
            "large.pdf",
            &vec![1; 8 << 20],
        )
    });
    assert_eq!(code(full), Code::DiskFull);
    workspace
        .read(|r| {
            assert_eq!(r.audit_head()?, head);
            assert_eq!(r.documents()?.len(), 1);
            assert_eq!(r.document_bytes(filled.document)?.len(), 2_500_000);
            assert!(verify(r)?.ok);
            Ok(())
        })
        .unwrap();
    drop(workspace);
    assert_eq!(integrity(&path), "ok");
    let workspace = Workspace::open(&path).unwrap();
    workspace
        .write("tester", |w| w.set_setting("theme", "light"))
        .unwrap();
}

#[test]
fn a_copy_is_a_workspace_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    fill(&workspace);
    let target = folder.path().join("copy.lexforge");
    workspace.copy_to(&target).unwrap();
    assert_eq!(code(workspace.copy_to(&target)), Code::WorkspaceExists);
    let head = workspace.read(|r| r.audit_head()).unwrap();
    workspace
        .write("tester", |w| w.set_setting("theme", "light"))
        .unwrap();
    let copy = Workspace::open(&target).unwrap();
    let report = copy.read(verify).unwrap();
    assert_eq!((report.ok, report.head), (true, head));
    copy.write("tester", |w| w.set_setting("theme", "blue"))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.setting("theme")).unwrap().as_deref(),
        Some("light")
    );
}

#[test]
fn a_reader_keeps_its_view_while_another_writes() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    workspace
        .read(|r| {
            assert!(r.documents()?.is_empty());
            std::thread::scope(|s| {
                s.spawn(|| {
                    workspace
                        .write("tester", |w| w.insert_document(&rulebook(), "x.pdf", b"x"))
                        .unwrap()
                });
            });
            assert!(r.documents()?.is_empty());
            Ok(())
        })
        .unwrap();
    assert_eq!(workspace.read(|r| r.documents()).unwrap().len(), 1);
}

/// The environment variable by which this program, started again, knows the workspace that it shall fill.
const FILL: &str = "LEXFORGE_TEST_FILL";

/// Starts this test program again as another process. That process writes one document after the other into the
/// workspace until it is killed. Each document is named by its number and the process.
fn filler(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "faults::fill_until_ended",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FILL, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn fill_until_ended() {
    let Some(path) = std::env::var_os(FILL) else {
        return;
    };
    let workspace = Workspace::open(path).unwrap();
    let me = std::process::id();
    let text = "A bank shall report each exposure of this kind to the authority without delay.";
    for number in 0_u32.. {
        let parsed = document(&format!("{me} {number}"), &[text; 60]);
        let bytes: Vec<u8> = format!("{me} {number} ").into_bytes().repeat(20_000);
        workspace
            .write("filler", |w| {
                w.insert_document(&parsed, &format!("{me}-{number}.pdf"), &bytes)
            })
            .unwrap();
        // A line says that this document is committed.
        println!("committed {me}-{number}.pdf");
    }
}

/// Reads the names of committed documents from a filler until there are `n`.
fn committed(child: &mut Child, n: usize) -> Vec<String> {
    use std::io::{BufRead, BufReader};
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    lines
        .map_while(|l| l.ok())
        .filter_map(|l| Some(l.split_once("committed ")?.1.to_owned()))
        .take(n)
        .collect()
}

#[test]
fn nothing_committed_is_lost_when_the_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    drop(Workspace::create(&path).unwrap());
    let mut expected = Vec::new();
    for round in 1..=4_u64 {
        let mut child = filler(&path);
        expected.extend(committed(&mut child, 3));
        // Somewhere in the middle of the documents that follow.
        std::thread::sleep(Duration::from_millis(7 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(integrity(&path), "ok");
        let workspace = Workspace::open(&path).unwrap();
        let files: Vec<String> = workspace
            .read(|r| r.documents())
            .unwrap()
            .into_iter()
            .map(|d| d.file)
            .collect();
        for file in &expected {
            assert!(files.contains(file), "{file} was committed and is gone");
        }
        let report = workspace.read(verify).unwrap();
        assert_eq!(report.first_break, None);
        assert_eq!(report.rows as usize, files.len() + 1);
    }
    assert_eq!(expected.len(), 12);
}

#[test]
fn two_processes_work_on_one_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    let (mut one, mut two) = (filler(&path), filler(&path));
    let mut expected = committed(&mut one, 5);
    // This process writes too.
    for i in 0..20 {
        workspace
            .write("tester", |w| w.set_setting("turn", &i.to_string()))
            .unwrap();
    }
    expected.extend(committed(&mut two, 5));
    for child in [&mut one, &mut two] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let files: Vec<String> = workspace
        .read(|r| r.documents())
        .unwrap()
        .into_iter()
        .map(|d| d.file)
        .collect();
    assert_eq!(expected.len(), 10);
    assert!(expected.iter().all(|f| files.contains(f)));
    let report = workspace.read(verify).unwrap();
    assert_eq!(report.first_break, None);
    assert_eq!(report.rows as usize, files.len() + 1 + 20);
}

/// The environment variable by which this program, started again as another user, knows the folder to try.
#[cfg(unix)]
const LOCKED: &str = "LEXFORGE_TEST_LOCKED";

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_said() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    fill(&Workspace::create(&path).unwrap());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again
        .args(["--exact", "faults::try_the_locked_folder", "--nocapture"])
        .env(LOCKED, folder.path());
    if std::fs::write(folder.path().join("probe"), b"").is_ok() {
        std::fs::remove_file(folder.path().join("probe")).unwrap();
        // The superuser may write anywhere: let nobody try.
        again.uid(65534).gid(65534);
    }
    let output = again.output();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let Ok(output) = output else {
        lexforge_needs::unavailable("no other user can be tried");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("tried"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(integrity(&path), "ok");
}

/// What could not be stored is told before a long step begins, and the look leaves nothing behind.
#[test]
fn a_workspace_says_beforehand_whether_it_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let before = files();
    workspace.require_writable().unwrap();
    assert_eq!(files(), before);
    drop(workspace);
    let looked_into = Workspace::open_unchanged(&path).unwrap();
    assert_eq!(code(looked_into.require_writable()), Code::ReadOnly);
}

/// A training would find only at its end that its model cannot be stored.
#[cfg(unix)]
#[test]
fn the_folder_of_model_files_is_looked_at_beforehand_too() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    workspace.require_models_writable().unwrap();
    let models = workspace.artifacts_dir().unwrap();
    for mode in [0o755, 0o555] {
        std::fs::set_permissions(&models, std::fs::Permissions::from_mode(mode)).unwrap();
        // The superuser may write anywhere.
        let barred = std::fs::create_dir(models.join("probe")).is_err();
        if !barred {
            std::fs::remove_dir(models.join("probe")).unwrap();
        }
        let asked = workspace.require_models_writable();
        workspace.require_writable().unwrap();
        if barred {
            assert_eq!(code(asked), Code::ReadOnly);
        } else {
            asked.unwrap();
        }
        assert_eq!(std::fs::read_dir(&models).unwrap().count(), 0, "{mode:o}");
    }
    std::fs::set_permissions(&models, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn try_the_locked_folder() {
    let Some(folder) = std::env::var_os(LOCKED) else {
        return;
    };
    let folder = Path::new(&folder);
    // A file that must not be written can be read and verified, and no other file is made beside it.
    let workspace = Workspace::open(folder.join("w.lexforge")).unwrap();
    assert!(workspace.read_only().is_some());
    let report = workspace.read(verify).unwrap();
    assert_eq!(report.first_break, None);
    assert_eq!(workspace.read(|r| r.documents()).unwrap().len(), 1);
    assert_eq!(
        code(workspace.write("tester", |w| w.set_setting("theme", "light"))),
        Code::ReadOnly
    );
    assert_eq!(code(workspace.require_writable()), Code::ReadOnly);
    drop(workspace);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    assert_eq!(
        code(Workspace::create(folder.join("new.lexforge"))),
        Code::ReadOnly
    );
    println!("tried");
}
