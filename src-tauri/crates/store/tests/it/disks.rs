//! What happens to a workspace's file from outside: full disks, copies beside another state's log, moved files, links.

use crate::common::{document, fill};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_store::verify::verify;
use lexforge_store::{Result, Workspace};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn code<T>(result: Result<T>) -> Option<Code> {
    result.err().map(|e| Failure::from(e).code)
}

fn put(workspace: &Workspace, name: &str) -> Result<()> {
    let bytes = format!("{name} ").into_bytes().repeat(20_000);
    workspace.write("tester", |w| {
        w.insert_document(&document(name, &["A bank shall report."; 40]), name, &bytes)
    })?;
    Ok(())
}

fn documents(path: &Path) -> usize {
    let workspace = Workspace::open(path).unwrap();
    let report = workspace.read(verify).unwrap();
    assert_eq!(report.first_break, None);
    let documents = workspace.read(|r| r.documents()).unwrap().len();
    drop(workspace);
    let integrity: String = Connection::open(path)
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(integrity, "ok");
    documents
}

fn log_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}-wal", path.display()))
}

/// The environment variable by which this program, started again, knows the workspace that it shall write to.
const WRITE: &str = "LEXFORGE_TEST_WRITE";

/// Another process that puts `DOCUMENTS` documents into the workspace and is ended before it can close it.
fn killed_writer(path: &Path) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "disks::write_and_wait",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(WRITE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.any(|line| line.unwrap().contains("written")));
    child.kill().unwrap();
    child.wait().unwrap();
}

const DOCUMENTS: usize = 3;

#[test]
fn write_and_wait() {
    let Some(path) = std::env::var_os(WRITE) else {
        return;
    };
    let workspace = Workspace::open(path).unwrap();
    for number in 0..DOCUMENTS {
        put(&workspace, &format!("last {number}")).unwrap();
    }
    println!("written");
    std::thread::sleep(std::time::Duration::from_secs(600));
}

/// Twelve copies from twelve moments are put over a file whose log still exists. SQLite alone would mix the two. This
/// program recognises each copy as foreign, unless the copy is the state that the log continues. Nothing is lost.
#[test]
fn a_copy_beside_the_log_of_another_state_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    drop(Workspace::create(&path).unwrap());
    let copies: Vec<PathBuf> = (0..12)
        .map(|i| folder.path().join(format!("copy-{i}")))
        .collect();
    for (number, copy) in copies.iter().enumerate() {
        let workspace = Workspace::open(&path).unwrap();
        put(&workspace, &format!("document {number}")).unwrap();
        if number % 2 == 0 {
            workspace.copy_to(copy).unwrap();
        }
        drop(workspace);
        if number % 2 == 1 {
            std::fs::copy(&path, copy).unwrap();
        }
    }
    killed_writer(&path);
    let original = std::fs::read(&path).unwrap();
    let log = std::fs::read(log_of(&path)).unwrap();
    assert!(log.len() > 100_000, "no log is left");

    let (mut mixed, mut recognised, mut sound) = (0, 0, 0);
    for (number, copy) in copies.iter().enumerate() {
        let bytes = std::fs::read(copy).unwrap();
        let place = |bytes: &[u8]| {
            let _ = std::fs::remove_file(format!("{}-shm", path.display()));
            std::fs::write(&path, bytes).unwrap();
            std::fs::write(log_of(&path), &log).unwrap();
        };
        place(&bytes);
        let said =
            Connection::open(&path)
                .unwrap()
                .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
        mixed += usize::from(said != Ok("ok".to_owned()));
        place(&bytes);
        match Workspace::open(&path) {
            Err(e) => {
                let failure = Failure::from(e);
                assert_eq!(failure.code, Code::LogForeign, "copy {number}: {failure:?}");
                assert!(
                    failure.message.contains("w.lexforge-wal")
                        && failure.remedy.as_deref() == Some(&Remedy::MoveLogAside),
                    "{failure:?}"
                );
                assert!(
                    std::fs::read(&path).unwrap() == bytes
                        && std::fs::read(log_of(&path)).unwrap() == log
                );
                // The remedy that is named: without the log the copy is whole.
                std::fs::remove_file(log_of(&path)).unwrap();
                assert_eq!(documents(&path), number + 1);
                recognised += 1;
            }
            Ok(workspace) => {
                drop(workspace);
                assert_eq!((number, documents(&path)), (11, 12 + DOCUMENTS));
                sound += 1;
            }
        }
    }
    println!("12 copies: {mixed} damaged by SQLite alone; {recognised} recognised, {sound} sound");
    assert!(mixed > 0, "the copies are harmless; nothing was tried");
    assert_eq!((recognised, sound), (11, 1));

    // The file itself beside its own log loses nothing.
    let _ = std::fs::remove_file(format!("{}-shm", path.display()));
    std::fs::write(&path, &original).unwrap();
    std::fs::write(log_of(&path), &log).unwrap();
    assert_eq!(documents(&path), 12 + DOCUMENTS);
}

/// A copy that was worked on elsewhere has as many commits and documents, and is another state all the same.
#[test]
fn a_copy_with_a_life_of_its_own_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("w.lexforge"),
        folder.path().join("elsewhere.lexforge"),
    );
    let workspace = Workspace::create(&path).unwrap();
    put(&workspace, "both").unwrap();
    workspace.copy_to(&copy).unwrap();
    drop(workspace);
    let elsewhere = Workspace::open(&copy).unwrap();
    for number in 0..DOCUMENTS {
        put(&elsewhere, &format!("else {number}")).unwrap();
    }
    drop(elsewhere);
    killed_writer(&path);
    std::fs::copy(&copy, &path).unwrap();
    assert_eq!(code(Workspace::open(&path)), Some(Code::LogForeign));
}

/// Other programs and older versions leave a log without marks. Such a log is read completely, together with the file,
/// before it is applied.
#[test]
fn a_log_without_marks_is_read_before_it_is_applied() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (
        folder.path().join("w.lexforge"),
        folder.path().join("copy.lexforge"),
    );
    let workspace = Workspace::create(&path).unwrap();
    workspace.copy_to(&copy).unwrap();
    put(&workspace, "a document").unwrap();
    drop(workspace);
    let other = Connection::open(&path).unwrap();
    other
        .set_db_config(
            rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
            true,
        )
        .unwrap();
    let format: i64 = other
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    other.pragma_update(None, "user_version", format).unwrap();
    drop(other);
    let (file, log) = (
        std::fs::read(&path).unwrap(),
        std::fs::read(log_of(&path)).unwrap(),
    );
    assert!(log.len() > 4096);
    assert_eq!(documents(&path), 1);

    std::fs::copy(&copy, &path).unwrap();
    std::fs::write(log_of(&path), &log).unwrap();
    assert_eq!(code(Workspace::open(&path)), Some(Code::LogForeign));
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&copy).unwrap());
    std::fs::write(&path, &file).unwrap();
    assert_eq!(documents(&path), 1);
}

#[test]
fn a_new_workspace_is_not_made_beside_an_old_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    drop(Workspace::create(&path).unwrap());
    killed_writer(&path);
    std::fs::remove_file(&path).unwrap();
    let log = std::fs::read(log_of(&path)).unwrap();
    assert_eq!(code(Workspace::create(&path)), Some(Code::LogForeign));
    assert!(!path.exists() && std::fs::read(log_of(&path)).unwrap() == log);
}

/// In the middle of a step the file or its log is moved, deleted or replaced. The step must fail with a message, and
/// the earlier content must be intact.
#[cfg(unix)]
#[test]
fn a_file_that_moves_fails_the_step() {
    type Move = fn(&Path, &Path);
    let moves: [(&str, Move); 5] = [
        ("moved", |path, aside| std::fs::rename(path, aside).unwrap()),
        ("deleted", |path, _| std::fs::remove_file(path).unwrap()),
        ("replaced", |path, aside| {
            std::fs::rename(path, aside).unwrap();
            std::fs::copy(aside, path).unwrap();
        }),
        ("another workspace put over it", |path, aside| {
            drop(Workspace::create(aside).unwrap());
            std::fs::rename(aside, path).unwrap();
        }),
        ("log deleted", |path, _| {
            std::fs::remove_file(log_of(path)).unwrap()
        }),
    ];
    for (name, happen) in moves {
        for during in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (path, aside) = (
                folder.path().join("w.lexforge"),
                folder.path().join("aside.lexforge"),
            );
            let workspace = Workspace::create(&path).unwrap();
            put(&workspace, "before").unwrap();
            if !during {
                happen(&path, &aside);
            }
            let result = workspace.write("tester", |w| {
                if during {
                    happen(&path, &aside);
                }
                w.set_setting("theme", "light")
            });
            let failure = Failure::from(result.expect_err(name));
            assert_eq!(failure.code, Code::WorkspaceMoved, "{name}");
            assert!(
                failure.message.contains("nothing of this step was written"),
                "{failure:?}"
            );
            assert_eq!(
                code(workspace.read(|r| r.documents())),
                Some(Code::WorkspaceMoved),
                "{name}"
            );
            drop(workspace);
            if name == "moved" {
                assert_eq!(documents(&aside), 1);
                assert_eq!(
                    Workspace::open(&aside)
                        .unwrap()
                        .read(|r| r.setting("theme"))
                        .unwrap(),
                    None
                );
            }
        }
    }
}

/// Through a link a workspace is the one that the link points to: one log, one folder of model files.
#[cfg(unix)]
#[test]
fn a_link_is_the_workspace_that_it_points_to() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (
        folder.path().join("real/w.lexforge"),
        folder.path().join("link.lexforge"),
    );
    let workspace = Workspace::create(&path).unwrap();
    std::os::unix::fs::symlink("real/w.lexforge", &link).unwrap();
    let linked = Workspace::open(&link).unwrap();
    assert_eq!(
        linked.path().canonicalize().unwrap(),
        path.canonicalize().unwrap()
    );
    assert_eq!(
        linked.artifacts_dir().unwrap().canonicalize().unwrap(),
        workspace.artifacts_dir().unwrap()
    );
    put(&linked, "through the link").unwrap();
    put(&workspace, "by its name").unwrap();
    assert_eq!(linked.read(|r| r.documents()).unwrap().len(), 2);
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(code(Workspace::create(&link)), Some(Code::WorkspaceExists));
}

/// An environment variable with the folder to mount on. This program is started again in a namespace of its own and
/// reads it there.
#[cfg(target_os = "linux")]
const DISKS: &str = "LEXFORGE_TEST_DISKS";

/// A hundred disks, from almost no free space to enough. On each a workspace is made, filled and copied. Every file
/// with a workspace's name must be complete, every failure must say that the disk is full, and nothing else may be left
/// behind.
#[cfg(target_os = "linux")]
#[test]
fn a_hundred_nearly_full_disks_hold_no_broken_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let source = Workspace::create(folder.path().join("source.lexforge")).unwrap();
    fill(&source);
    drop(source);
    std::fs::create_dir(folder.path().join("disk")).unwrap();
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount"])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "disks::try_the_disks",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(DISKS, folder.path())
        .output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            if said.contains("no mount") || said.is_empty() {
                return lexforge_needs::unavailable("no file system can be mounted here");
            }
            assert!(
                output.status.success(),
                "{said}{}",
                String::from_utf8_lossy(&output.stderr)
            );
            let figures = said
                .lines()
                .find_map(|line| line.split_once("disks: "))
                .unwrap();
            println!("disks: {}", figures.1);
        }
        Err(_) => lexforge_needs::unavailable("there is no unshare here"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn try_the_disks() {
    let Some(folder) = std::env::var_os(DISKS).map(PathBuf::from) else {
        return;
    };
    let disk = folder.join("disk");
    let mount = |options: &str| {
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "none"])
            .arg(&disk)
            .status();
        done.is_ok_and(|status| status.success())
    };
    if !mount("size=64k") {
        return println!("no mount");
    }
    let umount = || {
        assert!(
            Command::new("umount")
                .arg(&disk)
                .status()
                .unwrap()
                .success()
        )
    };
    umount();
    // The file is complete. This is checked from outside, without using space on that disk.
    let look = |name: &str| -> Option<usize> {
        let there = disk.join(name);
        if !there.exists() {
            return None;
        }
        let inspected = folder.join("inspected.lexforge");
        for ending in ["", "-wal"] {
            let _ = std::fs::remove_file(format!("{}{ending}", inspected.display()));
            let _ = std::fs::copy(
                format!("{}{ending}", there.display()),
                format!("{}{ending}", inspected.display()),
            );
        }
        Some(documents(&inspected))
    };
    let (mut made, mut filled, mut copied) = (0, 0, 0);
    for step in 1..=100 {
        assert!(mount(&format!("size={}k", 24 * step)));
        let path = disk.join("w.lexforge");
        match Workspace::create(&path) {
            Err(e) => {
                assert_eq!(code::<()>(Err(e)), Some(Code::DiskFull), "new, {step}");
                // Either nothing, or the whole workspace if only opening it needed more space than there was.
                assert!(
                    look("w.lexforge").is_none_or(|documents| documents == 0),
                    "{step}"
                );
            }
            Ok(workspace) => {
                made += 1;
                match put(&workspace, "one more") {
                    Ok(()) => filled += 1,
                    Err(e) => {
                        assert_eq!(code::<()>(Err(e)), Some(Code::DiskFull), "import, {step}")
                    }
                }
                drop(workspace);
                assert!(
                    look("w.lexforge").is_some_and(|documents| documents < 2),
                    "{step}"
                );
            }
        }
        let names: Vec<String> = std::fs::read_dir(&disk)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.contains(".new"))
            .collect();
        assert_eq!(names, [""; 0], "{step}");
        umount();

        assert!(mount(&format!("size={}k", 60 * step)));
        let source = Workspace::open(folder.join("source.lexforge")).unwrap();
        match source.copy_to(disk.join("copy.lexforge")) {
            Ok(()) => {
                copied += 1;
                assert_eq!(look("copy.lexforge"), Some(1));
            }
            Err(e) => {
                assert_eq!(code::<()>(Err(e)), Some(Code::DiskFull), "copy, {step}");
                assert_eq!(std::fs::read_dir(&disk).unwrap().count(), 0, "{step}");
            }
        }
        umount();
    }
    println!("disks: of 100, new succeeded on {made}, import on {filled}, copy on {copied}");
    for count in [made, filled, copied] {
        assert!((1..100).contains(&count), "{made} {filled} {copied}");
    }
}
