//! Tests of `inside`.

use super::*;
use std::io::Write;
use std::os::unix::fs::symlink;

fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let all = tempfile::tempdir().unwrap();
    let (root, outside) = (all.path().join("root"), all.path().join("outside"));
    std::fs::create_dir_all(root.join("a")).unwrap();
    std::fs::create_dir_all(outside.join("a")).unwrap();
    std::fs::write(root.join("a/plain"), "here").unwrap();
    std::fs::write(outside.join("secret"), "secret").unwrap();
    symlink(outside.join("secret"), root.join("a/link")).unwrap();
    symlink(outside.join("absent"), root.join("a/dangling")).unwrap();
    symlink(&outside, root.join("b")).unwrap();
    symlink("/dev/zero", root.join("a/zero")).unwrap();
    (all, root, outside)
}

#[test]
fn what_is_inside_is_read_and_written() {
    let (_all, root, _) = folders();
    assert_eq!(read(&root, "a/plain", 4).unwrap(), b"here");
    assert!(matches!(
        read(&root, "a/plain", 3),
        Err(Error::TooLarge { most: 3, .. })
    ));
    assert!(open(&root, "a/absent").unwrap_err().is_absent());
    create(&root, "a/plain").unwrap().write_all(b"new").unwrap();
    assert_eq!(read(&root, "a/plain", 9).unwrap(), b"new");
    assert_eq!(make_folder(&root, "a/c/d").unwrap(), root.join("a/c/d"));
    assert_eq!(folder(&root, "a/c/d").unwrap(), root.join("a/c/d"));
    assert!(folder(&root, "a/e").unwrap_err().is_absent());
    assert!(
        open_to_lock(&root, "a/lock", false)
            .unwrap_err()
            .is_absent()
    );
    open_to_lock(&root, "a/lock", true).unwrap();
    assert_eq!(
        open_to_lock(&root, "a/plain", true)
            .unwrap()
            .metadata()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn nothing_outside_is_read_written_or_made() {
    let (all, root, outside) = folders();
    let before = listing(all.path());
    for bad in [
        "../outside/secret",
        "/etc/passwd",
        "a/../../outside/secret",
        "a\\..\\x",
        "",
        "a/",
        "./a/plain",
    ] {
        assert!(
            matches!(open(&root, bad), Err(Error::NotInside { .. })),
            "{bad}"
        );
        assert!(
            matches!(create(&root, bad), Err(Error::NotInside { .. })),
            "{bad}"
        );
        assert!(
            matches!(make_folder(&root, bad), Err(Error::NotInside { .. })),
            "{bad}"
        );
    }
    for link in ["a/link", "a/dangling", "a/zero", "b/secret", "b/new"] {
        assert!(matches!(open(&root, link), Err(Error::Link(_))), "{link}");
        assert!(matches!(create(&root, link), Err(Error::Link(_))), "{link}");
        assert!(
            matches!(open_to_lock(&root, link, true), Err(Error::Link(_))),
            "{link}"
        );
    }
    assert!(matches!(make_folder(&root, "b/new"), Err(Error::Link(_))));
    assert!(matches!(folder(&root, "b"), Err(Error::Link(_))));
    assert!(matches!(open(&root, "a"), Err(Error::NotAFile(_))));
    assert!(matches!(
        folder(&root, "a/plain"),
        Err(Error::NotAFolder(_))
    ));
    assert!(matches!(files(&root.join("a")), Err(Error::Link(_))));
    assert!(matches!(check(&root), Err(Error::Link(_))));
    // A root that is itself a link is not accepted.
    assert!(matches!(
        open(&root.join("b"), "secret"),
        Err(Error::Link(_))
    ));
    assert_eq!(listing(all.path()), before);
    assert_eq!(std::fs::read(outside.join("secret")).unwrap(), b"secret");
}

#[test]
fn a_pipe_is_neither_waited_for_nor_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "mkfifo is part of every POSIX system"
    );
    assert!(matches!(
        open(folder.path(), "pipe"),
        Err(Error::NotAFile(_))
    ));
    assert!(matches!(
        create(folder.path(), "pipe"),
        Err(Error::NotAFile(_))
    ));
    assert!(matches!(check(folder.path()), Err(Error::NotAFile(_))));
}

#[test]
fn plain_folders_pass_whatever_lies_in_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("x/y")).unwrap();
    std::fs::write(folder.path().join("x/y/b"), "").unwrap();
    std::fs::write(folder.path().join("x/a"), "").unwrap();
    std::fs::write(folder.path().join("x/B"), "").unwrap();
    check(folder.path()).unwrap();
    assert_eq!(files(&folder.path().join("x")).unwrap(), ["B", "a"]);
    assert!(files(&folder.path().join("absent")).unwrap().is_empty());
    let mut deep = folder.path().to_owned();
    (0..20).for_each(|_| deep.push("d"));
    std::fs::create_dir_all(&deep).unwrap();
    assert!(check(folder.path()).is_err());
}

fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().flatten() {
            all.push(entry.path());
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    all.sort();
    all
}
