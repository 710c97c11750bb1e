//! Faults around the product: killed processes, two processes at once, missing parts, altered and newer workspaces,
//! folders without write permission, full disks.

use lexforge_tests::product::{Finished, Product};
use lexforge_tests::repository::sample;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The sample `count` times over, each with other bytes: what follows the last `%%EOF` belongs to no page.
fn variants(lexforge: &Product, count: usize) -> Vec<PathBuf> {
    let whole = std::fs::read(sample()).unwrap();
    (0..count)
        .map(|i| {
            lexforge.file(
                &format!("copy-{i:02}.pdf"),
                &[&whole[..], format!("% copy {i}\n").as_bytes()].concat(),
            )
        })
        .collect()
}

fn import(workspace: &str, files: &[PathBuf]) -> Vec<String> {
    let mut words = vec![
        "import".to_owned(),
        workspace.to_owned(),
        "--json".to_owned(),
    ];
    words.extend(files.iter().map(|f| f.display().to_string()));
    words
}

fn count(database: &Path, sql: &str) -> i64 {
    let connection =
        Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A failure on standard output and in words on standard error, and exit code 1.
#[track_caller]
fn refused(done: &Finished, code: &str) -> String {
    assert_eq!(done.code, 1, "{}\n{}", done.out, done.err);
    let value: Value = serde_json::from_str(done.out.lines().last().unwrap_or_default())
        .unwrap_or_else(|problem| panic!("no JSON ({problem}): {}\n{}", done.out, done.err));
    let failure = if value["error"].is_object() {
        &value["error"]
    } else {
        &value["failed"][0]
    };
    assert_eq!(failure["code"], code, "{value:#}");
    let said = format!(
        "{} {}",
        failure["message"].as_str().unwrap(),
        failure["hint"].as_str().unwrap()
    );
    assert!(
        !failure["hint"].as_str().unwrap().is_empty(),
        "no remedy: {failure}"
    );
    said
}

/// `kill -9` at several moments of an import: the workspace opens, is whole, and the import can be done again.
#[test]
#[cfg(unix)]
fn a_killed_import_harms_nothing() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let files = variants(&lexforge, 8);
    let mut cut_short = 0;
    for (round, milliseconds) in [30, 120, 250, 500, 900].into_iter().enumerate() {
        let name = format!("killed-{round}.lexforge");
        let workspace = lexforge.path(&name);
        let mut child = lexforge.start(&import(&name, &files));
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        cut_short += usize::from(!child.wait().unwrap().success());

        let again = lexforge.json(&import(&name, &files));
        assert_eq!(again["failed"], Value::Array(vec![]), "{again:#}");
        let (new, kept) = (
            again["imported"].as_array().unwrap().len(),
            again["unchanged"].as_array().unwrap().len(),
        );
        assert_eq!(new + kept, files.len());
        assert_eq!(lexforge.lines(&["docs", name.as_str()]).len(), files.len());
        assert_eq!(
            lexforge.json(&["audit", "verify", name.as_str()])["ok"],
            true
        );
        let connection = Connection::open(&workspace).unwrap();
        let integrity: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(integrity, "ok");
    }
    assert!(
        cut_short > 0,
        "every import ended before it was killed; nothing was tried"
    );
}

#[test]
fn two_processes_work_on_one_workspace() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let files = variants(&lexforge, 6);
    lexforge.json(&["new", "a.lexforge"]);
    let mut first = lexforge.start(&import("a.lexforge", &files[..4]));
    let second = lexforge.json(&import("a.lexforge", &files[2..]));
    assert!(first.wait().unwrap().success());
    assert_eq!(second["failed"], Value::Array(vec![]), "{second:#}");
    assert_eq!(
        lexforge.lines(&["docs", "a.lexforge"]).len(),
        6,
        "each document once, whoever imported it"
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

/// One character of one sentence is altered by hand: verification names the row of the chain that covers it.
#[test]
fn an_altered_row_is_named() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&import("a.lexforge", &[sample()]));
    let before = lexforge.json(&["audit", "verify", "a.lexforge"]);
    assert_eq!(before["ok"], true);
    assert_eq!(before["first_break"], Value::Null);
    let connection = Connection::open(lexforge.path("a.lexforge")).unwrap();
    // The workspace refuses such a change; whoever alters it by hand takes that guard away first.
    let guards: Vec<(String, String)> = connection
        .prepare(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'sentence'",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let alter = "UPDATE sentence SET text = replace(text, '25 %', '26 %') WHERE text LIKE '%large exposure%25 %'";
    assert!(
        connection.execute(alter, []).is_err(),
        "a sentence can be changed in passing"
    );
    for (name, _) in &guards {
        connection
            .execute_batch(&format!("DROP TRIGGER {name}"))
            .unwrap();
    }
    let changed = connection.execute(alter, []).unwrap();
    for (_, sql) in &guards {
        connection.execute_batch(sql).unwrap();
    }
    assert!(changed > 0, "no sentence was altered");
    drop(connection);
    let done = lexforge.run(&["audit", "verify", "a.lexforge", "--json"]);
    assert_eq!(done.code, 1, "a broken chain is exit code 1");
    let after: Value = serde_json::from_str(done.out.lines().next().unwrap()).unwrap();
    assert_eq!(after["ok"], false);
    let found = &after["first_break"];
    assert!(
        found["subject"].as_str().unwrap().contains("document"),
        "{found}"
    );
    assert!(found["sequence"].as_i64().unwrap() > 0, "{found}");
    assert!(!found["message"].as_str().unwrap().is_empty());
}

#[test]
fn a_newer_workspace_is_refused_untouched() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&import("a.lexforge", &[sample()]));
    let workspace = lexforge.path("a.lexforge");
    Connection::open(&workspace)
        .unwrap()
        .pragma_update(None, "user_version", 9999)
        .unwrap();
    let bytes = std::fs::read(&workspace).unwrap();
    let said = refused(
        &lexforge.run(&["docs", "a.lexforge", "--json"]),
        "workspace_newer",
    );
    assert!(said.contains("newer"), "{said}");
    refused(
        &lexforge.run(&import("a.lexforge", &[sample()])),
        "workspace_newer",
    );
    assert!(
        std::fs::read(&workspace).unwrap() == bytes,
        "the newer workspace was changed"
    );
}

#[test]
fn what_is_no_workspace_is_refused() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.file("notes.lexforge", b"These are my notes and no database.");
    refused(
        &lexforge.run(&["docs", "notes.lexforge", "--json"]),
        "workspace_invalid",
    );
    refused(
        &lexforge.run(&["docs", "absent.lexforge", "--json"]),
        "workspace_missing",
    );
    let other = Connection::open(lexforge.path("other.lexforge")).unwrap();
    other
        .execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1);")
        .unwrap();
    drop(other);
    refused(
        &lexforge.run(&import("other.lexforge", &[sample()])),
        "workspace_invalid",
    );
    assert_eq!(
        count(
            &lexforge.path("other.lexforge"),
            "SELECT count(*) FROM sqlite_schema"
        ),
        1,
        "a table was added"
    );
}

#[test]
fn wrong_usage_is_exit_code_two() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    assert_eq!(lexforge.run(&["frobnicate"]).code, 2);
    assert_eq!(lexforge.run(&["import"]).code, 2);
    assert_eq!(
        lexforge.run(&["docs", "a.lexforge", "--text", "many"]).code,
        2
    );
}

#[test]
fn a_missing_part_is_named_with_its_remedy() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let nowhere = lexforge.path("nowhere");
    std::fs::create_dir(&nowhere).unwrap();
    let all = |verb: &str| {
        vec![
            verb.to_owned(),
            "a.lexforge".to_owned(),
            "--json".to_owned(),
            sample().display().to_string(),
        ]
    };

    let parserless = Product::find()
        .unwrap()
        .with("LEXFORGE_PARSE", nowhere.join("lexforge-parse"));
    let done = parserless.run(&all("import"));
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.err.contains("hint:") || done.out.contains("\"hint\""),
        "{}{}",
        done.out,
        done.err
    );

    let workerless = Product::find()
        .unwrap()
        .with("LEXFORGE_WORKER", nowhere.join("lexforge-worker"));
    refused(&workerless.run(&all("run")), "worker_missing");
    assert_eq!(
        workerless.lines(&["docs", "a.lexforge"]).len(),
        1,
        "what was read before is kept"
    );

    let modelless = Product::find()
        .unwrap()
        .with("LEXFORGE_MODELS", &nowhere)
        .with("XDG_CACHE_HOME", &nowhere)
        .with("HOME", &nowhere);
    if lexforge_tests::product::program("LEXFORGE_WORKER", "lexforge-worker").is_some() {
        let said = refused(&modelless.run(&all("run")), "model_missing");
        assert!(said.contains("all-MiniLM-L6-v2"), "{said}");
        let doctor = modelless.run(&["doctor", "--json"]);
        assert_eq!(
            doctor.code, 1,
            "doctor finds nothing missing: {}",
            doctor.out
        );
        let missing: Vec<Value> = doctor
            .out
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        let encoder = missing.iter().find(|c| c["ok"] == false).unwrap();
        assert!(!encoder["remedy"].as_str().unwrap().is_empty(), "{encoder}");
    }
}

/// Everything that reading needs works without any network: in a namespace that has none.
#[test]
#[cfg(target_os = "linux")]
fn reading_needs_no_network() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let program = lexforge_tests::product::program("LEXFORGE_BIN", "lexforge").unwrap();
    let offline = |words: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args(["--map-root-user", "--net"])
            .arg(&program)
            .args(words)
            .current_dir(lexforge.path(""));
        command.output()
    };
    match offline(&["--version"]) {
        Ok(output) if output.status.success() => {}
        _ => return lexforge_needs::unavailable("no network namespace can be made here"),
    }
    let pdf = sample().display().to_string();
    let text = crate::prepared::short_file(&lexforge).display().to_string();
    for words in [
        &["import", "pdf.lexforge", pdf.as_str()][..],
        &["import", "a.lexforge", text.as_str()],
        &["terms", "extract", "a.lexforge"],
        &["graph", "build", "a.lexforge", "--encoder", "lsa"],
        &["augment", "a.lexforge", "--offline"],
        &["dataset", "freeze", "a.lexforge"],
    ] {
        let output = offline(words).unwrap();
        assert!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// A folder that may not be written. The superuser may write everywhere, so this right is given up first.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_folder_is_said_to_be_one() {
    use std::os::unix::fs::PermissionsExt;
    let Some(lexforge) = Product::find() else {
        return;
    };
    let program = lexforge_tests::product::program("LEXFORGE_BIN", "lexforge").unwrap();
    let folder = lexforge.path("locked");
    std::fs::create_dir(&folder).unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args([
            "--bounding-set=-dac_override,-dac_read_search",
            "--inh-caps=-dac_override,-dac_read_search",
        ]);
        command
            .arg(&program)
            .args(words)
            .arg("--json")
            .current_dir(lexforge.path(""));
        command.output()
    };
    let pdf = sample().display().to_string();
    let readable = run(&["import", "locked/a.lexforge", &pdf]);
    if !readable.is_ok_and(|output| output.status.success()) {
        return lexforge_needs::unavailable("setpriv does not work here");
    }
    for entry in std::fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .filter(|e| e.path().is_file())
    {
        std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    let finished = |words: &[&str]| {
        let output = run(words).unwrap();
        Finished {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    };
    refused(&finished(&["new", "locked/b.lexforge"]), "read_only");
    refused(
        &finished(&["terms", "extract", "locked/a.lexforge"]),
        "read_only",
    );
    // What a system answers is kept, so nothing is measured first.
    refused(&finished(&["bench", "locked/a.lexforge"]), "read_only");
    // Nobody may even read it: that is said, and nothing of writing.
    let unreadable = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(folder.join("a.lexforge"), unreadable).unwrap();
    let said = refused(&finished(&["docs", "locked/a.lexforge"]), "read_only");
    assert!(said.contains("may not read"), "{said}");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A disk of two megabytes: the import stops with a clear message, and what was there before is whole.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_to_be_full() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let program = lexforge_tests::product::program("LEXFORGE_BIN", "lexforge").unwrap();
    let disk = lexforge.path("disk");
    std::fs::create_dir(&disk).unwrap();
    // The mount lives in a namespace of its own and goes with it.
    let script = "mount -t tmpfs -o size=2m none disk && \"$0\" new disk/a.lexforge >&2 || exit 77; \
                  \"$0\" import disk/a.lexforge --json \"$@\"; code=$?; \
                  \"$0\" audit verify disk/a.lexforge >&2 || exit 78; exit $code";
    let files = variants(&lexforge, 12);
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script])
        .arg(&program)
        .args(&files)
        .current_dir(lexforge.path(""))
        .output();
    match output {
        Ok(output) if output.status.code() != Some(77) && !output.stdout.is_empty() => {
            let done = Finished {
                code: output.status.code().unwrap_or(-1),
                out: String::from_utf8_lossy(&output.stdout).into_owned(),
                err: String::from_utf8_lossy(&output.stderr).into_owned(),
            };
            refused(&done, "disk_full");
            // What came in before is told.
            let told = done
                .err
                .lines()
                .find(|line| line.ends_with(" imported, 0 already there, 0 failed"));
            assert!(
                told.is_some_and(|line| !line.starts_with('0')),
                "{}",
                done.err
            );
        }
        _ => lexforge_needs::unavailable("no file system can be mounted here"),
    }
}

/// A reader must not wait for a long import, nor the import for a reader.
#[test]
fn a_reader_is_served_during_an_import() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let files = variants(&lexforge, 6);
    lexforge.json(&import("a.lexforge", &files[..1]));
    let mut child = lexforge.start(&import("a.lexforge", &files));
    let started = Instant::now();
    let mut looks = 0;
    while child.try_wait().unwrap().is_none() {
        assert!(
            started.elapsed() < Duration::from_secs(300),
            "the import does not end"
        );
        assert!(!lexforge.lines(&["docs", "a.lexforge"]).is_empty());
        looks += 1;
    }
    assert!(child.wait().unwrap().success());
    assert!(looks > 0);
    assert_eq!(lexforge.lines(&["docs", "a.lexforge"]).len(), 6);
}
