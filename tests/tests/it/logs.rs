//! Logs and support bundles contain no content, at any level. The tests put unmistakable strings wherever a user's or a
//! document's words can enter, run all steps, and then find none of the strings.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::product::{Product, refused};
use lexforge_tests::rules::{KEY, WS, add, corpus, prepared};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
#[cfg(unix)]
use std::time::{Duration, Instant};

const TITLE: &str = "quincewharf";
const TEXT: &str = "brackenmoor";
const TERM: &str = "zephyrquill";
const QUESTION: &str = "tansyfield";
const ANSWER: &str = "marlowespan";
const FILE: &str = "juniperledge";
/// The name of the account, which is also that of a folder outside of the home.
const ACCOUNT: &str = "quillonbury";
const PLANTED: [&str; 8] = [TITLE, TEXT, TERM, QUESTION, ANSWER, FILE, ACCOUNT, KEY];

/// All files of the logs, below the folders of workspaces, too.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(logs(&path));
        } else if path.extension().is_some_and(|ending| ending == "log") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn texts(lexforge: &Product) -> String {
    logs(&lexforge.state().join("logs"))
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[track_caller]
fn holds_nothing(what: &str, text: &str) {
    let folded = text.to_lowercase();
    for planted in PLANTED {
        let lines: Vec<&str> = folded.lines().filter(|l| l.contains(planted)).collect();
        assert!(lines.is_empty(), "{what} holds “{planted}”: {lines:#?}");
    }
}

/// A workspace whose every word could give a log away.
fn planted() -> Option<Product> {
    let lexforge = Product::find()?.with("LEXFORGE_LOG", "trace");
    let temporary = lexforge.path(ACCOUNT);
    std::fs::create_dir(&temporary).unwrap();
    let lexforge = lexforge.with("USER", ACCOUNT).with("TMPDIR", temporary);
    let rules = lexforge.file("rules.jsonl", corpus(300).as_bytes());
    let about = format!(
        "# Rules on the {TITLE}\n\n## Article 1\n\n“{TERM}” means a seal that a {TEXT} office puts on a letter.\n\n\
         ## Article 2\n\nThe {TEXT} office shall put the {TERM} on each letter within 12 days.\n\n\
         ## Article 3\n\nThe {TEXT} office shall keep a register of each {TERM} that it has given away.\n"
    );
    let about = lexforge.file(&format!("{FILE}.md"), about.as_bytes());
    let files = [rules.to_str().unwrap(), about.to_str().unwrap()];
    lexforge.json(&["import", WS, files[0], files[1]]);
    Some(lexforge)
}

fn whole_way(lexforge: &Product) {
    lexforge.json(&["terms", "extract", WS]);
    lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    lexforge.json(&["augment", WS]);
    lexforge.lines(&["search", WS, TEXT]);
    lexforge.json(&["dataset", "freeze", WS]);
    let question =
        format!("Within how many days shall the {TEXT} office put the {TERM} on a {QUESTION}?");
    lexforge.json(&["ask", WS, &question]);
    // An endpoint that gives everything back, and says more.
    let backend = |body: &Value| format!("{ANSWER} {} {body}", json!({ "statements": [] }));
    let proxy = FaultProxy::start(Backend::Own(Box::new(backend)), Weather::default());
    add(lexforge, &proxy.url(), &["--attempts", "2"]);
    for words in [
        vec!["endpoints", "check", WS, "firm", "--json"],
        vec![
            "augment",
            WS,
            "--endpoint",
            "firm",
            "--limit",
            "3",
            "--json",
        ],
        vec![
            "ask",
            WS,
            &question,
            "--with",
            "endpoint:firm",
            "--yes",
            "--json",
        ],
    ] {
        // Whether such answers are good for anything is not what is looked at.
        lexforge.run(&words);
    }
    assert!(!proxy.seen().answered.is_empty(), "nothing was asked");
    // Failures are logged, too: a damaged file, a missing file, a missing endpoint.
    let bad = lexforge.file(&format!("{FILE}.pdf"), TEXT.as_bytes());
    let done = lexforge.run(&["import", WS, bad.to_str().unwrap(), "--json"]);
    assert_ne!(done.code, 0, "{}", done.out);
    refused(
        &lexforge.run(&["ask", &format!("{FILE}.lexforge"), &question, "--json"]),
        "workspace_missing",
    );
    let nowhere = ["endpoints", "check", WS, QUESTION, "--json"];
    assert_ne!(lexforge.run(&nowhere).code, 0);
}

/// The parts of an archive, read by a library that did not write it.
fn parts(path: &Path) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|at| {
            let mut part = archive.by_index(at).unwrap();
            let mut text = String::new();
            part.read_to_string(&mut text).unwrap();
            let name = part.name().unwrap().into_owned();
            (name, text)
        })
        .collect()
}

#[test]
fn what_was_planted_is_in_no_log_and_in_no_request_for_support() {
    let Some(lexforge) = planted() else { return };
    whole_way(&lexforge);

    let text = texts(&lexforge);
    for expected in [
        "begins use_case=import",
        "done use_case=terms.extract",
        "failed use_case=ask ms=",
        "code=workspace_missing",
        "a workspace is opened workspace=",
        "a parser begins",
        "a row of the audit chain action=",
        "begins a stage stage=",
        "an endpoint is asked endpoint=firm host=127.0.0.1:",
    ] {
        assert!(text.contains(expected), "no “{expected}” in\n{text}");
    }
    holds_nothing("a log", &text);
    let folder = lexforge.path("").display().to_string();
    assert!(
        !text.contains(folder.trim_end_matches('/')),
        "a path is in a log"
    );
    #[cfg(unix)]
    for path in logs(&lexforge.state().join("logs")) {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }

    let bundle = lexforge.path("support.zip");
    let told = lexforge.json(&["doctor", "--bundle", bundle.to_str().unwrap()]);
    let parts = parts(&bundle);
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let told: Vec<&str> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, told);
    assert_eq!(
        names[..6],
        [
            "README.txt",
            "versions.json",
            "checks.txt",
            "settings.json",
            "models.json",
            "workspaces.json"
        ]
    );
    assert_eq!(names.last(), Some(&"SHA256SUMS"));
    assert!(names.contains(&"logs/lexforge.log"), "{names:?}");
    for (name, text) in &parts {
        holds_nothing(name, text);
        assert!(!text.contains(folder.trim_end_matches('/')), "{name}");
    }
    assert!(parts[2].1.contains("temporary folder\t<"), "{}", parts[2].1);
    let sums: BTreeSet<&str> = parts.last().unwrap().1.lines().collect();
    let hashes: Vec<String> = parts[..parts.len() - 1]
        .iter()
        .map(|(name, text)| format!("{}  {name}", hex::encode(Sha256::digest(text))))
        .collect();
    assert_eq!(sums, hashes.iter().map(String::as_str).collect());
    let about: Value = serde_json::from_str(&parts[5].1).unwrap();
    let documents = lexforge.lines(&["docs", WS]).len();
    assert_eq!(about[0]["documents"], documents, "{about:#}");
    assert!(about[0]["format"].as_u64().unwrap() > 80, "{about:#}");
    let hosts = about[0]["endpoint_hosts"][0].as_str().unwrap();
    assert!(hosts.starts_with("127.0.0.1:"), "{hosts}");
    // An existing file is not overwritten.
    let again = lexforge.run(&["doctor", "--bundle", bundle.to_str().unwrap(), "--json"]);
    let told = refused(&again, "invalid_request");
    assert!(told.contains("is there already"), "{told}");
}

/// The runs of a workspace by their last events, without the words in them.
#[test]
fn events_of_runs_go_along_without_their_messages() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    crate::prepared::short(&lexforge.path(WS)).unwrap();
    lexforge.run(&[
        "train",
        WS,
        "--base",
        "lexforge-demo",
        "--max-steps",
        "2",
        "--batch-size",
        "4",
        "--json",
    ]);
    let bundle = lexforge.path("support.zip");
    lexforge.json(&["doctor", "--bundle", bundle.to_str().unwrap()]);
    let parts = parts(&bundle);
    let runs: Vec<&(String, String)> = parts
        .iter()
        .filter(|(name, _)| name.starts_with("runs/"))
        .collect();
    assert_eq!(runs.len(), 1, "{parts:#?}");
    for line in runs[0].1.lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    assert!(runs[0].1.contains("\"started\""), "{}", runs[0].1);
    let logs: Vec<&str> = parts
        .iter()
        .filter(|(name, _)| name.ends_with("/lexforge-worker.log"))
        .map(|(_, text)| text.as_str())
        .collect();
    assert!(
        logs.concat().contains("takes a job kind=train"),
        "{logs:#?}"
    );
}

/// Where no log can be written everything works as before, and nothing comes between the lines of an answer.
#[test]
fn without_a_place_for_logs_everything_works() {
    let Some(lexforge) = prepared(20) else { return };
    let before = lexforge.lines(&["docs", WS]);
    let logs = lexforge.state().join("logs");
    std::fs::remove_dir_all(&logs).unwrap();
    std::fs::write(&logs, b"a file in the place of the folder").unwrap();
    let done = lexforge.run(&["docs", WS, "--json"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(lexforge.lines(&["docs", WS]), before);
}

/// Whether a command ends within a minute: one that waits for a disk never does.
#[cfg(unix)]
fn ends(lexforge: &Product, words: &[&str]) -> bool {
    let mut child = lexforge.start(words);
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}

/// A pipe that nobody writes to keeps its reader waiting for ever, as a share does that does not answer.
#[cfg(unix)]
#[test]
fn a_folder_of_logs_that_does_not_answer_holds_nothing_up() {
    let Some(lexforge) = prepared(20) else { return };
    let logs = lexforge.state().join("logs");
    for name in ["level", "key", "lexforge.log"] {
        let file = logs.join(name);
        if file.exists() {
            std::fs::remove_file(&file).unwrap();
        }
        let made = Command::new("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
        assert!(ends(&lexforge, &["docs", WS]), "it waits for “{name}”");
    }
}

/// Earlier versions wrote a file a day, and called the folder of a workspace by a hash that anybody can make.
#[test]
fn logs_of_earlier_versions_go_and_are_in_no_request_for_support() {
    let Some(lexforge) = prepared(20) else { return };
    let logs = lexforge.state().join("logs");
    let path = lexforge.path(WS).canonicalize().unwrap();
    let path = path.to_str().unwrap();
    let guessed = logs.join(&hex::encode(Sha256::digest(path))[..12]);
    assert!(!guessed.exists(), "the name of the folder can be guessed");
    std::fs::create_dir(&guessed).unwrap();
    std::fs::write(guessed.join("workspace"), path).unwrap();
    let daily = logs.join("lexforge.2026-11-24.log");
    for file in [&daily, &guessed.join("lexforge.log")] {
        std::fs::write(file, format!("import of {TITLE}\n")).unwrap();
    }
    let bundle = lexforge.path("support.zip");
    let told = lexforge.json(&["doctor", "--bundle", bundle.to_str().unwrap()]);
    assert!(!told.to_string().contains("2026-11-24"), "{told}");
    for (name, text) in parts(&bundle) {
        holds_nothing(&name, &text);
    }
    lexforge.lines(&["docs", WS]);
    assert!(!daily.exists() && !guessed.exists());
}
