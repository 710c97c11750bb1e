//! Disks and copies, with the built programs. The tests make backups and restore them, move a file during a long step,
//! copy a file over one in use, and follow a link to a workspace.

use lexforge_tests::killed::killed_after_a_transaction;
use lexforge_tests::product::{Finished, Product, refused};
use lexforge_tests::repository::sample;
use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) const WS: &str = "a.lexforge";

pub(crate) fn import(lexforge: &Product) {
    lexforge.json(&["import", WS, &sample().display().to_string()]);
}

fn documents(lexforge: &Product, workspace: &str) -> usize {
    assert_eq!(
        lexforge.json(&["audit", "verify", workspace])["ok"],
        true,
        "{workspace}"
    );
    lexforge.lines(&["docs", workspace]).len()
}

pub(crate) fn beside(lexforge: &Product, name: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(lexforge.path(name))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// An adapter as the workspace keeps it: a folder named by the hash of its weights.
pub(crate) fn adapter(lexforge: &Product, weights: &[u8], hash: Option<&str>) -> String {
    let name = hash.map_or_else(|| hex::encode(Sha256::digest(weights)), str::to_owned);
    let folder = lexforge.path(&format!("{WS}.artifacts/adapters/{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("adapter_model.safetensors"), weights).unwrap();
    name
}

#[test]
fn a_backup_is_restored_with_its_model_files() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    let whole = adapter(&lexforge, b"weights", None);
    let altered = adapter(&lexforge, b"other weights", Some(&"0".repeat(64)));
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        "/etc/hostname",
        lexforge.path(&format!("{WS}.artifacts/link")),
    )
    .unwrap();

    let made = lexforge.json(&["workspace", "backup", WS, "b/backup.lexforge"]);
    let bytes = std::fs::read(lexforge.path("b/backup.lexforge")).unwrap();
    assert_eq!(made["sha256"], hex::encode(Sha256::digest(&bytes)));
    assert_eq!(
        (&made["documents"], &made["audit_ok"]),
        (&Value::from(1), &Value::from(true))
    );
    assert_eq!(
        (&made["models"]["files"], &made["models"]["altered"][0]),
        (&Value::from(2), &Value::from(altered))
    );
    #[cfg(unix)]
    assert_eq!(made["models"]["left_out"], serde_json::json!(["link"]));
    assert_eq!(
        beside(&lexforge, "b"),
        ["backup.lexforge", "backup.lexforge.artifacts"]
    );
    let copied = lexforge.path(&format!(
        "b/backup.lexforge.artifacts/adapters/{whole}/adapter_model.safetensors"
    ));
    assert_eq!(std::fs::read(&copied).unwrap(), b"weights");
    refused(
        &lexforge.run(&["workspace", "backup", WS, "b/backup.lexforge", "--json"]),
        "workspace_exists",
    );

    // The workspace goes on; then the backup takes its place.
    let head = made["audit_head"].clone();
    lexforge.json(&["terms", "extract", WS]);
    let later = lexforge.json(&["audit", "verify", WS])["head"].clone();
    assert_ne!(later, head);
    let restore = ["workspace", "restore", "b/backup.lexforge", WS, "--json"];
    refused(&lexforge.run(&restore), "workspace_exists");
    let folder = ["workspace", "restore", "b", WS, "--json"];
    refused(&lexforge.run(&folder), "workspace_invalid");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["head"], later);
    let held = Connection::open(lexforge.path(WS)).unwrap();
    held.query_row("SELECT count(*) FROM document", [], |row| {
        row.get::<_, i64>(0)
    })
    .unwrap();
    let said = refused(
        &lexforge.run(&[&restore[..], &["--replace"]].concat()),
        "workspace_busy",
    );
    assert!(said.contains("has the workspace open"), "{said}");
    drop(held);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["head"], later);

    let done = lexforge.json(&[&restore[..], &["--replace"]].concat());
    assert_eq!(
        (&done["audit_head"], &done["audit_ok"]),
        (&head, &Value::from(true))
    );
    assert_eq!(done["models"]["files"], 2);
    let kept = done["kept"].as_str().unwrap();
    assert_eq!(
        lexforge.json(&["audit", "verify", kept])["head"],
        later,
        "the old state is not kept"
    );
    assert!(
        lexforge
            .path(&format!("{kept}.artifacts/adapters/{whole}"))
            .is_dir()
    );
    assert_eq!(documents(&lexforge, WS), 1);
    assert!(
        std::fs::read(lexforge.path("b/backup.lexforge")).unwrap() == bytes,
        "the backup was changed"
    );
    assert_eq!(
        beside(&lexforge, "b"),
        ["backup.lexforge", "backup.lexforge.artifacts"]
    );

    // To a new place, and without the model files.
    let done = lexforge.json(&[
        "workspace",
        "restore",
        "b/backup.lexforge",
        "c.lexforge",
        "--without-models",
    ]);
    assert_eq!(
        (&done["kept"], &done["models"]["included"]),
        (&Value::Null, &Value::from(false))
    );
    assert_eq!(documents(&lexforge, "c.lexforge"), 1);
}

/// What a backup is for: the file is damaged, or a killed writer left its log behind.
#[test]
#[cfg(unix)]
fn a_backup_takes_the_place_of_a_damaged_workspace() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    lexforge.json(&["workspace", "backup", WS, "backup.lexforge"]);
    killed_import(&lexforge);
    let log = lexforge.path(&format!("{WS}-wal"));
    assert!(
        std::fs::metadata(&log).unwrap().len() > 32,
        "no log is left"
    );
    // The backup is copied over the file and is then beside the log of another state. This is reported, and nothing is
    // mixed.
    let backup = std::fs::read(lexforge.path("backup.lexforge")).unwrap();
    let (file, writing) = (lexforge.path(WS), std::fs::read(&log).unwrap());
    let ours = std::fs::read(&file).unwrap();
    lexforge.json(&["terms", "extract", "backup.lexforge"]);
    std::fs::copy(lexforge.path("backup.lexforge"), &file).unwrap();
    let done = lexforge.run(&["docs", WS, "--json"]);
    let said = refused(&done, "log_foreign");
    assert!(
        said.contains("a.lexforge-wal") && done.out.contains("workspace restore"),
        "{}",
        done.out
    );
    assert!(std::fs::read(&log).unwrap() == writing);
    // The file itself is opened beside its log as ever.
    std::fs::write(&file, &ours).unwrap();
    assert!(documents(&lexforge, WS) >= 1);

    std::fs::write(lexforge.path("backup.lexforge"), &backup).unwrap();
    for (damage, bytes) in [
        ("cut", &ours[..ours.len() / 2]),
        ("no database", b"noise"),
        ("empty", b""),
    ] {
        std::fs::write(&file, bytes).unwrap();
        std::fs::write(&log, &writing).unwrap();
        let done = lexforge.json(&["workspace", "restore", "backup.lexforge", WS, "--replace"]);
        let kept = done["kept"].as_str().unwrap();
        assert!(
            std::fs::read(lexforge.path(kept)).unwrap() == bytes,
            "{damage}"
        );
        assert!(
            std::fs::read(lexforge.path(&format!("{kept}-wal"))).unwrap() == writing,
            "{damage}"
        );
        assert_eq!(documents(&lexforge, WS), 1, "{damage}");
    }
    // A backup that is damaged itself changes nothing.
    std::fs::write(
        lexforge.path("backup.lexforge"),
        &backup[..backup.len() / 2],
    )
    .unwrap();
    refused(
        &lexforge.run(&[
            "workspace",
            "restore",
            "backup.lexforge",
            WS,
            "--replace",
            "--json",
        ]),
        "workspace_invalid",
    );
    assert_eq!(documents(&lexforge, WS), 1);
}

/// An import that is killed with its work still in the log.
#[cfg(unix)]
fn killed_import(lexforge: &Product) {
    let whole = std::fs::read(sample()).unwrap();
    let mut words = vec!["import".to_owned(), WS.to_owned()];
    for i in 0..6 {
        let path = lexforge.file(
            &format!("more-{i}.pdf"),
            &[&whole[..], format!("% {i}\n").as_bytes()].concat(),
        );
        words.push(path.display().to_string());
    }
    let log = lexforge.path(&format!("{WS}-wal"));
    killed_after_a_transaction(lexforge.start(&words), &log);
}

/// The file is moved, deleted or replaced while the graph is built. Either the command fails with a message, or the
/// graph is in the file at the end.
#[test]
#[cfg(unix)]
fn a_file_that_moves_during_a_long_step_is_said() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    lexforge.json(&["terms", "extract", WS]);
    let (path, aside, copy) = (
        lexforge.path(WS),
        lexforge.path("aside.lexforge"),
        lexforge.path("copy.lexforge"),
    );
    lexforge.json(&["workspace", "backup", WS, "copy.lexforge"]);
    let original = std::fs::read(&copy).unwrap();
    // A little later each time, until it is in the middle.
    let moments = [40, 100, 250, 600, 1500];
    let tries = [("moved", false), ("replaced", true)]
        .into_iter()
        .flat_map(|way| moments.map(|moment| (way, moment)));
    let mut said = std::collections::BTreeSet::new();
    for ((what, replaced), moment) in tries {
        if said.contains(what) {
            continue;
        }
        for stale in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{stale}", path.display()));
        }
        std::fs::write(&path, &original).unwrap();
        let child = lexforge
            .command(&["graph", "build", WS, "--encoder", "lsa", "--json"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The log is there as soon as the workspace is open.
        let started = Instant::now();
        while !lexforge.path(&format!("{WS}-wal")).exists() {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "the workspace is never opened"
            );
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_millis(moment));
        std::fs::rename(&path, &aside).unwrap();
        if replaced {
            std::fs::write(&path, &original).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let done = Finished {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        // Before it was open it is not there at all, and after the build the graph is in it.
        if done.code != 0 && !done.out.contains("workspace_missing") {
            let message = refused(&done, "workspace_moved");
            assert!(
                message.contains("nothing of this step was written"),
                "{what}: {message}"
            );
            assert_eq!(done.err.matches("error[").count(), 1, "{}", done.err);
            said.insert(what);
        }
        if !replaced {
            assert_eq!(documents(&lexforge, "aside.lexforge"), 1, "{what}");
        }
        let _ = std::fs::remove_file(&aside);
    }
    assert_eq!(
        said.len(),
        2,
        "no build was under way when the file was moved; nothing was tried"
    );
}

/// Through a link the command line works on the workspace that the link points to.
#[test]
#[cfg(unix)]
fn a_link_leads_to_the_workspace() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    std::fs::create_dir(lexforge.path("real")).unwrap();
    lexforge.json(&["new", "real/a.lexforge"]);
    std::os::unix::fs::symlink("real/a.lexforge", lexforge.path("link.lexforge")).unwrap();
    lexforge.json(&["import", "link.lexforge", &sample().display().to_string()]);
    assert_eq!(documents(&lexforge, "real/a.lexforge"), 1);
    lexforge.json(&["workspace", "backup", "real/a.lexforge", "b.lexforge"]);
    let done = lexforge.json(&[
        "workspace",
        "restore",
        "b.lexforge",
        "link.lexforge",
        "--replace",
    ]);
    assert!(
        Path::new(done["kept"].as_str().unwrap())
            .parent()
            .unwrap()
            .ends_with("real"),
        "{done}"
    );
    assert!(
        std::fs::symlink_metadata(lexforge.path("link.lexforge"))
            .unwrap()
            .is_symlink()
    );
    let links: Vec<PathBuf> = beside(&lexforge, "")
        .iter()
        .map(|name| lexforge.path(name))
        .collect();
    assert!(
        links
            .iter()
            .all(|path| !path.to_string_lossy().contains("link.lexforge.artifacts")),
        "{links:?}"
    );
}
