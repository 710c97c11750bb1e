//! Encrypted workspaces. Nothing of them can be read without the key. Their logs are checked as those of other
//! workspaces are. If a workspace is written anew, either the old file or the new one is there afterwards.

use crate::common::document;
use lexforge_domain::{Code, Failure};
use lexforge_store::verify::verify;
use lexforge_store::{Key, Result, StoreError, Workspace};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PASSPHRASE: &str = "correct horse 电池";
/// A word that stands in no file of SQLite's own.
const WORD: &str = "Zwischenverwahrstelle";

/// A way to open a workspace.
type Open = fn(&Path, Option<&Key>) -> Result<Workspace>;

fn code<T>(result: Result<T>) -> Option<Code> {
    result.err().map(|e| Failure::from(e).code)
}

fn put(workspace: &Workspace, name: &str) {
    let sentence = format!("A {WORD} shall report {name}.");
    let sentences = vec![sentence.as_str(); 40];
    let bytes = format!("{name} {WORD} ").into_bytes().repeat(2_000);
    workspace
        .write("tester", |w| {
            w.insert_document(&document(name, &sentences), name, &bytes)
        })
        .unwrap();
}

fn encrypted(path: &Path) -> Key {
    let key = Key::fresh(PASSPHRASE).unwrap();
    drop(Workspace::create_with(path, Some(&key)).unwrap());
    key
}

fn documents(path: &Path, key: Option<&Key>) -> usize {
    let workspace = Workspace::open_with(path, key).unwrap();
    assert_eq!(workspace.read(verify).unwrap().first_break, None);
    workspace.read(|r| r.documents()).unwrap().len()
}

fn ending(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

/// All bytes of the files in a folder.
fn bytes_of(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect()
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes
        .windows(word.len())
        .any(|part| part == word.as_bytes())
}

#[test]
fn nothing_is_read_without_the_key_neither_in_the_file_nor_in_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let key = encrypted(&path);
    let workspace = Workspace::open_with(&path, Some(&key)).unwrap();
    put(&workspace, "one");
    // While it is open, the newest changes are in the log.
    assert!(std::fs::metadata(ending(&path, "-wal")).unwrap().len() > 0);
    for (file, bytes) in bytes_of(folder.path()) {
        assert!(!holds(&bytes, WORD), "{}", file.display());
        assert!(!holds(&bytes, "SQLite format 3"), "{}", file.display());
    }
    // Several connections, and a second program's.
    let other = Workspace::open_with(&path, Some(&key)).unwrap();
    put(&other, "two");
    assert_eq!(workspace.read(|r| r.documents()).unwrap().len(), 2);
    let copy = folder.path().join("copy.lexforge");
    workspace.copy_to(&copy).unwrap();
    drop((workspace, other));
    assert_eq!(documents(&copy, Some(&key)), 2);
    assert!(!holds(&std::fs::read(&copy).unwrap(), WORD));

    let restored = folder.path().join("restored.lexforge");
    let source = Workspace::open_unchanged_with(&copy, Some(&key)).unwrap();
    source.restore_to(&restored, None, None).unwrap();
    assert_eq!(documents(&restored, Some(&key)), 2);
    assert!(!holds(&std::fs::read(&restored).unwrap(), WORD));
}

#[test]
fn a_wrong_key_is_told_from_none_and_from_a_file_that_is_no_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let key = encrypted(&path);
    assert_eq!(Workspace::salt_of(&path).unwrap(), Some(key.salt()));
    let wrong = Key::of("another", key.salt());
    let foreign = Key::fresh(PASSPHRASE).unwrap();
    let opens: [Open; 2] = [
        |path, key| Workspace::open_with(path, key),
        |path, key| Workspace::open_unchanged_with(path, key),
    ];
    for open in opens {
        let without = open(&path, None).unwrap_err();
        assert!(
            matches!(without.cause(), StoreError::Encrypted),
            "{without}"
        );
        for key in [&wrong, &foreign] {
            let error = open(&path, Some(key)).unwrap_err();
            assert!(matches!(error.cause(), StoreError::WrongKey), "{error}");
            assert_eq!(Failure::from(error).code, Code::WorkspaceLocked);
        }
        open(&path, Some(&key)).unwrap();
    }
    let text = folder.path().join("text");
    std::fs::write(
        &text,
        "no workspace at all, whatever key is tried".repeat(200),
    )
    .unwrap();
    for key in [None, Some(&key)] {
        let error = Workspace::open_with(&text, key).unwrap_err();
        assert!(
            matches!(error.cause(), StoreError::NotAWorkspace(_)),
            "{error}"
        );
    }
    // What is damaged in the middle is damaged, and no question of the passphrase.
    let workspace = Workspace::open_with(&path, Some(&key)).unwrap();
    for number in 0..10 {
        put(&workspace, &format!("{number}"));
    }
    drop(workspace);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 40_960] {
        *byte ^= 1;
    }
    std::fs::write(&path, bytes).unwrap();
    let found = Workspace::open_with(&path, Some(&key))
        .and_then(|workspace| workspace.read(verify))
        .map(|report| report.ok);
    assert!(!found.as_ref().is_ok_and(|ok| *ok), "{found:?}");
    assert_ne!(code(found), Some(Code::WorkspaceLocked));
}

#[test]
fn a_workspace_is_written_anew_with_every_row_and_its_chain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    put(&workspace, "one");
    let head = workspace.read(|r| r.audit_head()).unwrap();
    let busy = Workspace::rewrite(&path, None, None, "tester");
    assert_eq!(code(busy), Some(Code::WorkspaceBusy), "it is open here");
    drop(workspace);
    let (one, two) = (Key::fresh(PASSPHRASE).unwrap(), Key::fresh("next").unwrap());
    let (mut earlier, mut there) = (None, 1);
    for (old, new) in [
        (None, Some(&one)),
        (Some(&one), Some(&two)),
        (Some(&two), None),
    ] {
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640))
            .unwrap();
        Workspace::rewrite(&path, old, new, "tester").unwrap();
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&path).unwrap()) & 0o777,
            0o640
        );
        assert_eq!(documents(&path, new), there);
        assert_eq!(holds(&std::fs::read(&path).unwrap(), WORD), new.is_none());
        let workspace = Workspace::open_with(&path, new).unwrap();
        let rows = workspace.read(|r| r.audit_rows(100, None)).unwrap();
        assert!(
            rows[0].action.starts_with("workspace."),
            "{}",
            rows[0].action
        );
        let now = workspace.read(|r| r.audit_head()).unwrap();
        assert_ne!(Some(&now), earlier.as_ref());
        earlier = Some(now);
        assert_ne!(earlier.as_ref(), Some(&head));
        // The way on is as before: the next change is taken, and the old key opens nothing.
        put(&workspace, &format!("after {}", rows.len()));
        there += 1;
        drop(workspace);
        if let (Some(old), Some(_)) = (old, new) {
            assert_eq!(
                code(Workspace::open_with(&path, Some(old))),
                Some(Code::WorkspaceLocked)
            );
        }
        let left: Vec<_> = bytes_of(folder.path())
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        assert_eq!(
            left,
            std::slice::from_ref(&path),
            "nothing is left beside it"
        );
    }
}

/// A chain that was altered is not carried on.
#[test]
fn what_was_altered_is_not_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let workspace = Workspace::create(&path).unwrap();
    put(&workspace, "one");
    drop(workspace);
    let connection = rusqlite::Connection::open(&path).unwrap();
    crate::laundering::alter(&connection, "UPDATE document SET title = 'another'");
    drop(connection);
    let before = std::fs::read(&path).unwrap();
    let key = Key::fresh(PASSPHRASE).unwrap();
    let refused = Workspace::rewrite(&path, None, Some(&key), "tester");
    assert_eq!(code(refused), Some(Code::AuditBroken));
    assert_eq!(Workspace::salt_of(&path).unwrap(), None);
    assert_eq!(std::fs::read(&path).unwrap().len(), before.len());
}

/// The variables by which this program, started again, knows the workspace that it shall work on, and how.
const WRITE: &str = "LEXFORGE_TEST_WRITE_ENCRYPTED";
const REWRITE: &str = "LEXFORGE_TEST_REWRITE";
const LINE: &str = "LEXFORGE_TEST_KEY";

#[test]
fn write_and_wait() {
    let (Some(path), Ok(line)) = (std::env::var_os(WRITE), std::env::var(LINE)) else {
        return;
    };
    let workspace = Workspace::open_with(path, Key::from_line(&line).as_ref()).unwrap();
    for number in 0..3 {
        put(&workspace, &format!("last {number}"));
    }
    println!("written");
    std::thread::sleep(std::time::Duration::from_secs(600));
}

#[test]
fn write_anew() {
    let (Some(path), Ok(line)) = (std::env::var_os(REWRITE), std::env::var(LINE)) else {
        return;
    };
    println!("begins");
    Workspace::rewrite(path, None, Key::from_line(&line).as_ref(), "tester").unwrap();
}

#[test]
fn take_away() {
    let (Some(path), Ok(line)) = (std::env::var_os(REWRITE), std::env::var(LINE)) else {
        return;
    };
    println!("begins");
    Workspace::rewrite(path, Key::from_line(&line).as_ref(), None, "tester").unwrap();
}

/// This program, started again for one of the three above.
fn another(test: &str, name: &str, path: &Path, key: &Key) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(name, path)
        .env(LINE, key.to_line().as_str())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_for(child: &mut std::process::Child, word: &str) {
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.any(|line| line.unwrap().contains(word)));
}

/// As for a workspace that is not encrypted: a surviving log is applied to the file that it continues, and to no other
/// state of it.
#[test]
fn a_log_of_another_state_is_recognised_in_an_encrypted_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let key = encrypted(&path);
    let mut copies = Vec::new();
    for number in 0..4 {
        let workspace = Workspace::open_with(&path, Some(&key)).unwrap();
        put(&workspace, &format!("{number}"));
        drop(workspace);
        copies.push(std::fs::read(&path).unwrap());
    }
    let mut child = another("encryption::write_and_wait", WRITE, &path, &key);
    wait_for(&mut child, "written");
    child.kill().unwrap();
    child.wait().unwrap();
    let log = std::fs::read(ending(&path, "-wal")).unwrap();
    assert!(log.len() > 100_000, "no log is left");
    let place = |bytes: &[u8]| {
        let _ = std::fs::remove_file(ending(&path, "-shm"));
        std::fs::write(&path, bytes).unwrap();
        std::fs::write(ending(&path, "-wal"), &log).unwrap();
    };
    for (number, bytes) in copies.iter().enumerate() {
        place(bytes);
        if number == 3 {
            assert_eq!(documents(&path, Some(&key)), 7, "its own log is applied");
            continue;
        }
        let opened = Workspace::open_with(&path, Some(&key));
        assert_eq!(code(opened), Some(Code::LogForeign), "copy {number}");
        assert!(
            std::fs::read(&path).unwrap() == *bytes
                && std::fs::read(ending(&path, "-wal")).unwrap() == log,
            "neither was changed"
        );
    }
    // The log is not one of this key: a copy with another passphrase was put over the file.
    let other = folder.path().join("other.lexforge");
    let foreign = encrypted(&other);
    place(&std::fs::read(&other).unwrap());
    let opened = Workspace::open_with(&path, Some(&foreign));
    assert_eq!(code(opened), Some(Code::LogForeign));
    // A wrong passphrase is said to be one, with the log beside the file, too.
    place(&copies[3]);
    let wrong = Key::of("another", key.salt());
    assert_eq!(
        code(Workspace::open_with(&path, Some(&wrong))),
        Some(Code::WorkspaceLocked)
    );
    assert_eq!(documents(&path, Some(&key)), 7);
}

/// The program is ended at twenty moments of an encryption. What is there afterwards opens, and holds everything.
#[test]
fn an_encryption_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.lexforge");
    let workspace = Workspace::create(&whole).unwrap();
    for number in 0..5 {
        put(&workspace, &format!("{number}"));
    }
    drop(workspace);
    let (mut old, mut new) = (0, 0);
    for moment in 0..20_u64 {
        let path = folder.path().join(format!("w{moment}.lexforge"));
        std::fs::copy(&whole, &path).unwrap();
        let key = Key::fresh(PASSPHRASE).unwrap();
        let mut child = another("encryption::write_anew", REWRITE, &path, &key);
        wait_for(&mut child, "begins");
        std::thread::sleep(std::time::Duration::from_millis(moment * moment * 5));
        let _ = child.kill();
        child.wait().unwrap();
        let is_new = Workspace::salt_of(&path).unwrap().is_some();
        assert_eq!(documents(&path, is_new.then_some(&key)), 5, "{moment}");
        if is_new {
            new += 1;
        } else {
            old += 1;
        }
    }
    println!("20 kills: {old} old files, {new} new ones");
    assert!(old > 0, "no encryption was ended before its end");
}

/// If the passphrase of a workspace was lost, a backup can be restored over it. This is refused while any program has
/// the workspace open. Files that a killed program left beside it do not prevent it.
#[test]
fn a_restore_needs_no_key_of_what_it_replaces_and_refuses_while_it_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (
        folder.path().join("w.lexforge"),
        folder.path().join("b.lexforge"),
    );
    let key = encrypted(&path);
    let source = Workspace::create(&backup).unwrap();
    put(&source, "of the backup");
    let restore = |aside: &str| {
        let aside = folder.path().join(aside);
        source.restore_to(&path, None, Some(&aside))
    };
    let here = Workspace::open_with(&path, Some(&key)).unwrap();
    assert_eq!(
        code(restore("one")),
        Some(Code::WorkspaceBusy),
        "open in this program"
    );
    drop(here);
    let mut child = another("encryption::write_and_wait", WRITE, &path, &key);
    wait_for(&mut child, "written");
    assert_eq!(
        code(restore("two")),
        Some(Code::WorkspaceBusy),
        "open in another"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(ending(&path, "-shm").exists(), "it left what it shared");
    assert!(restore("three").unwrap());
    assert_eq!(documents(&path, None), 1);
    // What was put aside has its log, and opens with its key.
    assert_eq!(documents(&folder.path().join("three"), Some(&key)), 3);
}

/// While it is written anew it is nobody else's, also not for a restore that does not know its key.
#[test]
fn a_restore_waits_for_no_rewrite() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (
        folder.path().join("w.lexforge"),
        folder.path().join("b.lexforge"),
    );
    let key = encrypted(&path);
    let workspace = Workspace::open_with(&path, Some(&key)).unwrap();
    for number in 0..20 {
        put(&workspace, &format!("{number}"));
    }
    drop(workspace);
    let source = Workspace::create(&backup).unwrap();
    let mut child = another("encryption::take_away", REWRITE, &path, &key);
    wait_for(&mut child, "begins");
    let (mut refused, mut number) = (0, 0);
    while child.try_wait().unwrap().is_none() && number < 10_000 {
        // A file of its own is written beside the workspace meanwhile.
        let writing = std::fs::read_dir(folder.path())
            .unwrap()
            .any(|entry| entry.unwrap().path().extension() == Some("new".as_ref()));
        let aside = folder.path().join("aside");
        if writing && Workspace::salt_of(&path).is_ok_and(|salt| salt.is_some()) {
            match source.restore_to(&path, None, Some(&aside)) {
                Err(e) => {
                    assert_eq!(Failure::from(e).code, Code::WorkspaceBusy);
                    refused += 1;
                }
                Ok(_) => break,
            }
        }
        number += 1;
    }
    let ended = child.wait().unwrap();
    // Either the rewrite was first, and the restore was refused all the while, or it came after it.
    assert!(refused > 0, "nobody was at work when it was tried");
    if ended.success() && !folder.path().join("aside").exists() {
        assert_eq!(documents(&path, None), 20);
    }
}
