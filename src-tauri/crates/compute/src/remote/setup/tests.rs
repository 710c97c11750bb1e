//! Tests of `setup`, with the programs of a Linux machine.
#![cfg(target_os = "linux")]

use super::*;
use crate::remote::content::KnownHashes;
use std::path::Path;

fn shell(folder: &Path) -> Shell {
    Shell::open(&Place::Here, folder.to_str().unwrap()).unwrap()
}

fn files(folder: &Path) -> Vec<LocalFile> {
    let mut known = KnownHashes::of_file(&folder.join("hashes"));
    let large: Vec<u8> = (0..3_000_000u32).map(|n| n.to_le_bytes()[1]).collect();
    std::fs::write(
        folder.join("w"),
        "#!/bin/sh\necho '{\"no\": \"version\"}'\n",
    )
    .unwrap();
    std::fs::write(folder.join("l"), large).unwrap();
    std::fs::write(folder.join("empty"), "").unwrap();
    [
        ("w", WORKER_FILE),
        ("l", "libtorch/lib/large.so"),
        ("empty", "libtorch/lib/empty"),
    ]
    .map(|(from, to)| known.local_file(&folder.join(from), to).unwrap())
    .to_vec()
}

#[test]
fn a_version_is_put_there_and_goes_on_where_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("a folder's place");
    let files = files(folder.path());
    // As if the connection had been cut: half of the large file is there.
    let large = std::fs::read(&files[1].place).unwrap();
    let part = root.join("parts").join(files[1].file.sha256.as_str());
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, &large[..1_000_000]).unwrap();
    let mut seen = Vec::new();
    let Put { id, .. } = shell(&root)
        .install(&files, None, &mut |done, _| {
            seen.push(done);
            Ok(())
        })
        .unwrap();
    let sent = seen
        .iter()
        .filter(|done| (60..1_000_000).contains(*done))
        .count();
    assert_eq!(sent, 0, "what was there was sent again");
    let version = root.join("versions").join(&id);
    assert_eq!(
        std::fs::read(version.join("libtorch/lib/large.so")).unwrap(),
        large
    );
    let mut shell = shell(&root);
    assert_eq!(
        shell.version(&id).unwrap().unwrap_err(),
        "{\"no\": \"version\"}"
    );
    assert!(
        shell
            .look()
            .unwrap()
            .contains(&("version".into(), id.clone()))
    );
    // A second one: nothing is sent.
    let mut again = Vec::new();
    shell
        .install(&files, None, &mut |done, _| {
            again.push(done);
            Ok(())
        })
        .unwrap();
    assert_eq!(again.len(), 1 + files.len());
    // Another connection is just sending a model.
    let coming = root.join("blobs").join("0".repeat(64));
    std::fs::write(&coming, "x").unwrap();
    shell.erase(&id).unwrap();
    let left = std::fs::read_dir(root.join("blobs")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [coming]);
    shell.erase_everything().unwrap();
    assert!(!root.exists());
}

/// What is not ours is in no row, and a run's checkpoints are told apart from the rest of it.
#[test]
fn what_is_kept_there_is_told_by_kind_and_size() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("a folder's place");
    let files = files(folder.path());
    let Put { id, .. } = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap();
    let put = |path: String, kib: usize| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, vec![7; kib << 10]).unwrap();
    };
    let (model, jobs) = ("e".repeat(64), ["a".repeat(32), "b".repeat(32)]);
    put(format!("models/{model}/Qwen3 8B/weights"), 400);
    put("models/Qwen3/weights".to_owned(), 400);
    put(format!("jobs/{}/items.jsonl", jobs[0]), 300);
    put(format!("jobs/{}/fetched", jobs[0]), 0);
    put(format!("jobs/{}/items.jsonl", jobs[1]), 100);
    put(
        format!("jobs/{}/checkpoints/stage-1-step-4/weights", jobs[1]),
        800,
    );
    put(format!("parts/{}", "c".repeat(64)), 50);
    let rows = shell(&root).kept().unwrap();
    // Folders take some room of their own.
    let has = |kind: &str, least: u64, rest: &str| {
        rows.iter().any(|(name, value)| {
            let (kib, of) = value.split_once(' ').unwrap_or((value, ""));
            // The row of the folder has no size.
            let kib: u64 = kib.parse().unwrap_or(u64::MAX);
            name == kind && of == rest && (least..least + 60).contains(&kib)
        })
    };
    assert!(has("worker", 2_929, &id), "{rows:?}");
    assert!(has("model", 400, "Qwen3 8B"), "{rows:?}");
    assert!(has("bundle", 300, &format!("yes {}", jobs[0])), "{rows:?}");
    assert!(
        has("checkpoints", 0, &format!("yes {}", jobs[0])),
        "{rows:?}"
    );
    assert!(has("bundle", 100, &format!("no {}", jobs[1])), "{rows:?}");
    assert!(
        has("checkpoints", 800, &format!("no {}", jobs[1])),
        "{rows:?}"
    );
    assert!(has("coming", 50, ""), "{rows:?}");
    // The folder, and one row each.
    assert_eq!(rows.len(), 8, "{rows:?}");
}

/// A size that is not found out is not taken for nothing: `du` fails, or the time is over.
#[test]
fn what_is_not_measured_is_told_as_not_known() {
    let functions = SCRIPT.strip_suffix("serve\n").unwrap();
    for (before, all, part, expected) in [
        ("", "9", "4", "7\n5\n"),
        ("", "4", "9", "7\n?\n"),
        ("", "?", "4", "7\n?\n"),
        ("", "9", "?", "7\n?\n"),
        ("ends=1", "9", "4", "?\n5\n"),
        ("limited() { return 137; }", "9", "4", "?\n5\n"),
    ] {
        let asked = format!(
            "root=/tmp\n{functions}\nends=$(($(date +%s) + 100))\nlimited() {{ echo '7 x'; }}\n{before}\nsize /\nrest '{all}' '{part}'\n"
        );
        let done = std::process::Command::new("/bin/sh")
            .args(["-c", &asked])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert_eq!(said, expected, "{before} {all} {part}");
    }
}

#[test]
fn an_install_that_is_called_off_ends_at_once_and_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let files = files(folder.path());
    let all: u64 = files.iter().map(|f| f.file.bytes).sum();
    let mut last = 0;
    let failure = shell(&root)
        .install(&files, None, &mut |done, _| {
            last = done;
            match done > 1_000_000 {
                true => Err(Failure::new(Code::Cancelled, "Cancelled.", "")),
                false => Ok(()),
            }
        })
        .unwrap_err();
    assert_eq!(failure.code, Code::Cancelled);
    assert!(last < all / 2, "{last} bytes of {all} were sent");
    let Put { sent, .. } = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap();
    assert!(
        sent < all,
        "what was there was sent again: {sent} bytes of {all}"
    );
}

#[test]
fn a_content_that_two_files_have_is_sent_once_and_nothing_is_left_on_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let mut files = files(folder.path());
    let once: u64 = files.iter().map(|f| f.file.bytes).sum();
    let mut twin = files[1].clone();
    twin.file.path = "libtorch/lib/twin.so".to_owned();
    files.push(twin);
    let Put { id, sent, .. } = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap();
    assert_eq!(sent, once);
    let version = root.join("versions").join(id).join("libtorch/lib");
    for name in ["large.so", "twin.so"] {
        let there = std::fs::read(version.join(name)).unwrap();
        assert!(there == std::fs::read(&files[1].place).unwrap(), "{name}");
    }
    let parts = std::fs::read_dir(root.join("parts")).unwrap().count();
    assert_eq!(parts, 0, "files that were on their way");
}

/// The second of three files fills the disk: what is sent after it finds no reader, and the reason is told all the same.
#[test]
fn a_target_that_takes_no_more_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let files = files(folder.path());
    let full = root.join("parts").join(files[0].file.sha256.as_str());
    std::fs::create_dir_all(full.parent().unwrap()).unwrap();
    // A device that is full at every byte stands in the place of the part.
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let failure = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap_err();
    assert_eq!(failure.code, Code::DiskFull, "{failure}");
}

/// A disk that is too small is told before it is filled, and what is there already needs no room.
#[test]
fn what_a_target_has_no_room_for_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let files = files(folder.path());
    let all: u64 = files.iter().map(|f| f.file.bytes).sum();
    let install = |room: u64| shell(&root).install(&files, Some(room), &mut |_, _| Ok(()));
    let failure = install(all - 1).unwrap_err();
    assert_eq!(failure.code, Code::DiskFull, "{failure}");
    assert!(
        failure.message.contains("MiB are still to be sent"),
        "{failure}"
    );
    assert!(!root.join("parts").exists(), "something was sent");
    let large = &files[1].file;
    let part = root.join("parts").join(large.sha256.as_str());
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    let bytes = std::fs::read(&files[1].place).unwrap();
    std::fs::write(&part, &bytes[..1_000_000]).unwrap();
    assert_eq!(install(all - 1_000_001).unwrap_err().code, Code::DiskFull);
    assert_eq!(install(all - 1_000_000).unwrap().sent, all - 1_000_000);
    assert_eq!(install(0).unwrap().sent, 0);
}

#[test]
fn a_damaged_part_is_sent_anew() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let files = files(folder.path());
    let part = root.join("parts").join(files[1].file.sha256.as_str());
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, vec![0; 10]).unwrap();
    let Put { id, .. } = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap();
    let there = std::fs::read(root.join("versions").join(id).join("libtorch/lib/large.so"));
    assert_eq!(there.unwrap(), std::fs::read(&files[1].place).unwrap());
}

/// The worker is started while the target still hashes its files. If it describes itself, this description counts. If
/// it says nothing of use, it is started once more in its final folder, so that its error message names that folder.
#[test]
fn the_worker_is_started_before_its_version_gets_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let mut files = files(folder.path());
    let starts = folder.path().join("starts");
    let mut put = |says: &str| {
        let script = format!(
            "#!/bin/sh\necho \"${{0%/*}}\" >>{}\n{says}\n",
            quoted(starts.to_str().unwrap())
        );
        std::fs::write(folder.path().join("w"), script).unwrap();
        let mut known = KnownHashes::of_file(&folder.path().join("hashes"));
        files[0] = known
            .local_file(&folder.path().join("w"), WORKER_FILE)
            .unwrap();
        let put = shell(&root)
            .install(&files, None, &mut |_, _| Ok(()))
            .unwrap();
        let said = std::fs::read_to_string(&starts).unwrap();
        std::fs::remove_file(&starts).unwrap();
        let places: Vec<String> = said
            .lines()
            .map(|line| line.rsplit('/').next().unwrap().to_owned())
            .collect();
        (put, places)
    };
    let says = r#"echo '{"version":"9","protocol_version":3,"libtorch":"x","libtorch_at":null,"devices":[],"cuda_note":null}'"#;
    let (good, places) = put(says);
    assert_eq!(good.worker.unwrap().version, "9");
    assert_eq!(places, [format!("{}.new", good.id)]);
    let (bad, places) = put("echo 'GLIBC_9.9 not found' >&2; exit 1");
    assert_eq!(bad.worker.unwrap_err(), "GLIBC_9.9 not found");
    assert_eq!(places, [format!("{}.new", bad.id), bad.id]);
    let left = std::fs::read_dir(root.join("versions")).unwrap();
    assert!(left.flatten().all(|entry| entry.path().is_dir()));
}

fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What a command of the script says with the programs of a folder in the place of the system's.
fn with_programs(programs: &Path, root: &Path, command: &str) -> String {
    let functions = SCRIPT.trim_end().strip_suffix("serve").unwrap();
    let (programs, root) = (programs.display(), root.display());
    let text = format!(
        "PATH={}:$PATH\nroot={}\n{functions}\n{command}\n",
        quoted(&programs.to_string()),
        quoted(&root.to_string())
    );
    let said = std::process::Command::new("sh")
        .args(["-c", &text])
        .output()
        .unwrap();
    String::from_utf8_lossy(&said.stdout).into_owned()
}

/// A disk of the network that is away keeps `df` for ever.
#[test]
fn a_program_that_hangs_leaves_its_row_empty() {
    let folder = tempfile::tempdir().unwrap();
    executable(&folder.path().join("df"), "#!/bin/sh\nexec sleep 3600\n");
    let said = with_programs(
        folder.path(),
        &folder.path().join("root"),
        "patience=1\nlook",
    );
    for row in ["disk\t", "filesystem\t", "end\t"] {
        assert!(said.lines().any(|line| line == row), "{row:?}\n{said}");
    }
}

#[test]
fn a_target_that_falls_silent_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = shell(folder.path());
    // The shell was asked nothing, so it says nothing.
    let silent = shell.in_time(Duration::from_millis(300), Shell::heard);
    let failure = silent.unwrap_err();
    assert_eq!(failure.code, Code::TargetUnready);
    assert!(failure.message.contains("hangs"), "{failure}");
}

/// What waits in a queue starts the worker by its path: it is there while the same version is installed once more.
#[test]
fn a_version_that_is_installed_again_is_whole_before_the_old_one_goes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let files = files(folder.path());
    let install = || {
        shell(&root)
            .install(&files, None, &mut |_, _| Ok(()))
            .unwrap()
            .id
    };
    let id = install();
    let (version, own) = (root.join("versions").join(&id), "a file of before");
    std::fs::write(version.join(own), "").unwrap();
    // The folder that is to take its place cannot be made whole.
    let new = root.join("versions").join(format!("{id}.new"));
    let mut asked = shell(&root);
    assert!(asked.ask(&format!("name {id}")).is_err());
    assert!(version.join(own).exists() && version.join("whole").exists());
    assert_eq!(install(), id);
    assert!(!version.join(own).exists() && version.join("whole").exists());
    // The files that a cut connection leaves do not count as a version.
    std::fs::create_dir(&new).unwrap();
    std::fs::write(new.join("whole"), "").unwrap();
    let rows = asked.look().unwrap();
    let versions: Vec<&String> = rows
        .iter()
        .filter(|r| r.0 == "version")
        .map(|r| &r.1)
        .collect();
    assert_eq!(versions, [&id]);
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("file");
    std::fs::write(&root, "").unwrap();
    // A folder that exists but accepts no file, like a home that is read-only. In `/proc/self`, not even the system's
    // administrator may write.
    for root in [root.as_path(), Path::new("/proc/self")] {
        let rows = shell(root).look().unwrap();
        assert!(
            rows.iter().any(|(name, _)| name == "unwritable"),
            "{rows:?}"
        );
    }
    let files = files(folder.path());
    let failure = shell(&root)
        .install(&files, None, &mut |_, _| Ok(()))
        .unwrap_err();
    assert!(failure.message.contains("On the target"), "{failure}");
}

/// On a full disk a folder can be as little made as where nothing may be written. Programs say which of the two it is.
#[test]
fn a_full_disk_is_no_folder_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    for (program, said, expected) in [
        ("touch", "No space left on device", "full"),
        ("mkdir", "No space left on device", "full"),
        ("mkdir", "Disk quota exceeded", "full"),
        ("touch", "Read-only file system", "unwritable"),
        ("mkdir", "Permission denied", "unwritable"),
    ] {
        let programs = folder.path().join("programs");
        std::fs::create_dir_all(&programs).unwrap();
        executable(
            &programs.join(program),
            &format!("#!/bin/sh\necho \"{program}: cannot write '$1': {said}\" >&2\nexit 1\n"),
        );
        let rows = with_programs(&programs, &root, "suited");
        let expected = format!("{expected}\t{}", root.display());
        assert!(rows.lines().any(|row| row == expected), "{said}\n{rows}");
        std::fs::remove_dir_all(&programs).unwrap();
    }
}

#[test]
fn a_hash_is_the_same_whichever_program_of_the_target_counts_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "content").unwrap();
    let (expected, _) = crate::remote::content::hash("content".as_bytes()).unwrap();
    let functions = SCRIPT.trim_end().strip_suffix("serve").unwrap();
    let named = quoted(file.to_str().unwrap());
    let path = std::env::var("PATH").unwrap();
    // As the target has it, and one that fails before or after it has read, or says something else.
    for (n, openssl) in [
        None,
        Some("exit 1"),
        Some("cat >/dev/null; exit 1"),
        Some("echo sorry"),
    ]
    .into_iter()
    .enumerate()
    {
        let programs = folder.path().join(n.to_string());
        std::fs::create_dir(&programs).unwrap();
        if let Some(openssl) = openssl {
            use std::os::unix::fs::PermissionsExt;
            let place = programs.join("openssl");
            std::fs::write(&place, format!("#!/bin/sh\n{openssl}\n")).unwrap();
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let said = std::process::Command::new("sh")
            .arg("-c")
            .arg(format!("root=/nowhere\n{functions}\nhashed {named}"))
            .env("PATH", format!("{}:{path}", programs.display()))
            .output()
            .unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert_eq!(said.trim_end(), expected.as_str(), "{openssl:?}");
    }
}
