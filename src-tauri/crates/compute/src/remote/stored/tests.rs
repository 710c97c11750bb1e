//! Tests of `stored`.

use super::*;

fn stored() -> (tempfile::TempDir, Stored) {
    let folder = tempfile::tempdir().unwrap();
    let stored = Stored::open(&folder.path().join("root")).unwrap();
    (folder, stored)
}

fn file(path: &str, bytes: &[u8]) -> TreeFile {
    let (sha256, length) = content::hash(bytes).unwrap();
    TreeFile {
        path: path.into(),
        sha256,
        bytes: length,
    }
}

fn put(stored: &Stored, bytes: &[u8], pieces: &[usize]) -> Result<(), Failure> {
    let named = file("x", bytes);
    let mut at = 0;
    for end in pieces {
        // Each time a new connection, which asks how much is there.
        let offset = stored.have(&named.sha256).unwrap();
        assert_eq!(offset, at as u64);
        let mut taking = stored.take(named.sha256.clone(), named.bytes, offset)?;
        let whole = stored.piece(&mut taking, &bytes[at..*end])?;
        at = *end;
        if whole {
            stored.taken(taking)?;
        }
    }
    Ok(())
}

#[test]
fn a_content_comes_in_parts_and_is_whole_or_not_there() {
    let (_folder, stored) = stored();
    let bytes = b"what is sent in several goes";
    put(&stored, bytes, &[5, 11, bytes.len()]).unwrap();
    assert_eq!(stored.have(&file("x", bytes).sha256), None);
    // Another content under this name is not kept.
    let named = file("x", b"right");
    let mut taking = stored.take(named.sha256.clone(), 5, 0).unwrap();
    assert!(stored.piece(&mut taking, b"wrong").unwrap());
    assert_eq!(stored.taken(taking).unwrap_err().code, Code::BundleInvalid);
    assert_eq!(stored.have(&named.sha256), Some(0));
    assert!(stored.take(named.sha256, 5, 3).is_err());
}

#[test]
fn folders_are_made_of_what_is_there_and_removed_with_it() {
    let (_folder, stored) = stored();
    put(&stored, b"one", &[3]).unwrap();
    put(&stored, b"two", &[3]).unwrap();
    let job = JobId::of_bytes([1; 16]);
    let tree = Tree::Job { job: job.clone() };
    let missing = [file("job.json", b"one"), file("inputs/a", b"three")];
    assert!(stored.place(&tree, &missing).is_err());
    assert!(stored.jobs().unwrap().is_empty());
    for path in ["../out", "/etc/x", "a/../../b"] {
        assert!(
            stored.place(&tree, &[file(path, b"one")]).is_err(),
            "{path}"
        );
    }
    let files = [file("job.json", b"one"), file("inputs/a", b"two")];
    stored.place(&tree, &files).unwrap();
    stored.place(&tree, &files).unwrap();
    assert_eq!(stored.jobs().unwrap(), std::slice::from_ref(&job));
    // Contents that a folder is made of stay. Of the other contents, those that arrived lately stay.
    put(&stored, b"four", &[4]).unwrap();
    let four = file("x", b"four").sha256;
    let lately = stored.on_its_way();
    assert_eq!(lately, HashSet::from([four.to_string()]));
    assert_eq!(stored.remove_unused(true, &lately), 0);
    made_days_ago(&stored.blob(&four));
    assert!(stored.on_its_way().is_empty());
    assert_eq!(stored.remove_unused(true, &HashSet::new()), 4);
    assert_eq!(stored.have(&four), Some(0));
    assert_eq!(stored.have(&file("x", b"one").sha256), None);
    assert!(stored.remove_job(&job).unwrap() > 0);
    stored.remove_unused(true, &HashSet::new());
    assert_eq!(stored.have(&file("x", b"one").sha256), Some(0));
}

/// A folder that is made of contents holds them under other names: writing to one would spoil the content itself.
#[test]
fn no_content_is_spoilt_by_what_is_made_of_it() {
    let (_folder, stored) = stored();
    put(&stored, b"one", &[3]).unwrap();
    put(&stored, b"two", &[3]).unwrap();
    let job = JobId::of_bytes([1; 16]);
    let tree = Tree::Job { job: job.clone() };
    let one = file("job.json", b"one");
    // The files of a killed process that had the same number as this one.
    let left = stored
        .root()
        .join(format!("jobs/{job}.{}", std::process::id()));
    std::fs::create_dir(&left).unwrap();
    std::fs::hard_link(stored.blob(&one.sha256), left.join("job.json")).unwrap();
    for (files, expected) in [
        (vec![one.clone(), file("job.json", b"two")], false),
        (vec![one.clone()], true),
    ] {
        assert_eq!(stored.place(&tree, &files).is_ok(), expected);
        for content in [b"one", b"two"] {
            let blob = stored.blob(&file("x", content).sha256);
            assert_eq!(std::fs::read(blob).unwrap(), content);
        }
    }
    // Once it is old, it goes when the folder is cleaned, and the job stays.
    assert!(left.exists());
    made_days_ago(&left);
    stored.remove_unused(false, &HashSet::new());
    assert!(!left.exists());
    assert_eq!(stored.jobs().unwrap(), [job]);
}

#[test]
fn a_part_that_is_longer_than_its_content_leaves_nothing_behind_it() {
    let (_folder, stored) = stored();
    let bytes = b"right";
    let named = file("x", bytes);
    let part = stored.root().join(PARTS).join(named.sha256.as_str());
    std::fs::write(part, b"wrong and more").unwrap();
    let mut taking = stored.take(named.sha256.clone(), named.bytes, 0).unwrap();
    assert!(stored.piece(&mut taking, bytes).unwrap());
    stored.taken(taking).unwrap();
    assert_eq!(std::fs::read(stored.blob(&named.sha256)).unwrap(), bytes);
}

#[test]
fn a_sender_whose_file_has_changed_spoils_nothing_of_another() {
    let bytes = b"right";
    // How much came before, and whether the other one is still sending when the content gets its name.
    for (before, ends_last) in [(0, true), (0, false), (2, true), (2, false)] {
        let (_folder, stored) = stored();
        let named = file("x", bytes);
        let part = stored.root().join(PARTS).join(named.sha256.as_str());
        std::fs::write(part, &bytes[..before]).unwrap();
        let take = || stored.take(named.sha256.clone(), named.bytes, before as u64);
        let (mut first, mut second) = (take().unwrap(), take().unwrap());
        let (wrong, right) = (&b"wrong"[before..], &bytes[before..]);
        if !ends_last {
            assert!(stored.piece(&mut second, wrong).unwrap());
        }
        assert!(stored.piece(&mut first, right).unwrap());
        stored.taken(first).unwrap();
        if ends_last {
            assert!(stored.piece(&mut second, wrong).unwrap());
        }
        assert_eq!(stored.taken(second).unwrap_err().code, Code::BundleInvalid);
        let blob = stored.blob(&named.sha256);
        assert_eq!(std::fs::read(&blob).unwrap(), bytes, "{before} {ends_last}");
    }
}

fn made_days_ago(path: &Path) {
    let then = SystemTime::now() - 2 * DAY;
    File::open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn what_is_not_ours_stays_and_so_does_what_is_about_to_be_used() {
    let (_folder, stored) = stored();
    let root = stored.root().to_owned();
    for own in [
        "models/Qwen3/config.json",
        "jobs/mine.txt",
        "parts/x",
        "blobs/notes",
    ] {
        let path = root.join(own);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "theirs").unwrap();
        made_days_ago(&path);
    }
    made_days_ago(&root.join("models/Qwen3"));
    put(&stored, b"weights", &[7]).unwrap();
    let files = [file("model.safetensors", b"weights")];
    let content = content::tree_hash(&files);
    let tree = Tree::Model {
        content: content.clone(),
        name: "tiny".into(),
    };
    stored.place(&tree, &files).unwrap();
    assert_eq!(stored.remove_unused(true, &HashSet::new()), 0);
    made_days_ago(&stored.model_folder(&content));
    // The content is requested again, so it stays.
    stored.place(&tree, &files).unwrap();
    assert_eq!(stored.remove_unused(true, &HashSet::new()), 0);
    made_days_ago(&stored.model_folder(&content));
    assert!(stored.remove_unused(true, &HashSet::new()) >= 7);
    assert!(!stored.model_folder(&content).exists());
    for own in [
        "models/Qwen3/config.json",
        "jobs/mine.txt",
        "parts/x",
        "blobs/notes",
    ] {
        assert!(root.join(own).exists(), "{own}");
    }
}

/// A model that somebody fetched there with another program is not sent once more. But it is sent if the content of
/// that file does not match the hash in its name.
#[test]
fn a_content_in_the_cache_of_another_program_is_taken_from_there() {
    let (folder, mut stored) = stored();
    let hub = folder.path().join("hub");
    let blobs = hub.join("models--some--model/blobs");
    std::fs::create_dir_all(&blobs).unwrap();
    std::fs::write(hub.join("version.txt"), "1").unwrap();
    stored.hubs = vec![folder.path().join("absent"), hub];
    let (good, bad) = (file("weights", b"weights"), file("other", b"other"));
    let there = blobs.join(good.sha256.as_str());
    std::fs::write(&there, b"weights").unwrap();
    std::fs::write(blobs.join(bad.sha256.as_str()), b"damaged").unwrap();
    assert_eq!(stored.have(&good.sha256), None);
    assert_eq!(stored.have(&bad.sha256), Some(0));
    // The damaged one is sent instead. After a cut it goes on, and is not looked for in the cache once more.
    let part = stored.root().join(PARTS).join(bad.sha256.as_str());
    std::fs::write(&part, b"ot").unwrap();
    std::fs::write(blobs.join(bad.sha256.as_str()), b"other").unwrap();
    assert_eq!(stored.have(&bad.sha256), Some(2));
    std::fs::remove_file(part).unwrap();
    // Beside a damaged file a whole one of the same name is found.
    std::fs::write(blobs.join(bad.sha256.as_str()), b"damaged").unwrap();
    let second = folder.path().join("hub/models--another/blobs");
    std::fs::create_dir_all(&second).unwrap();
    assert_eq!(stored.have(&bad.sha256), Some(0));
    std::fs::write(second.join(bad.sha256.as_str()), b"other").unwrap();
    assert_eq!(stored.have(&bad.sha256), None);
    assert_eq!(std::fs::read(stored.blob(&bad.sha256)).unwrap(), b"other");
    assert_eq!(stored.have(&file("x", b"nowhere").sha256), Some(0));
    // It is a copy: what the other program does with its own changes nothing.
    std::fs::write(&there, b"changed").unwrap();
    let kept = stored.blob(&good.sha256);
    assert_eq!(std::fs::read(kept).unwrap(), b"weights");
    let parts = std::fs::read_dir(stored.root().join(PARTS)).unwrap();
    assert_eq!(parts.count(), 0, "files that were on their way");
}

#[test]
fn caches_are_where_the_variables_say() {
    let hubs = |set: &[(&str, &str)]| {
        elsewhere::hubs(|name| {
            let found = set.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).into())
        })
    };
    let expected: [PathBuf; 2] = [
        "/scratch/hf/hub".into(),
        "/me/.cache/huggingface/hub".into(),
    ];
    let set = [
        ("HF_HOME", "/scratch/hf"),
        ("HOME", "/me"),
        ("HF_HUB_CACHE", ""),
    ];
    assert_eq!(hubs(&set), expected);
    assert_eq!(hubs(&[]), [] as [PathBuf; 0]);
}
