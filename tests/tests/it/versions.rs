//! Folders, formats and versions: which files an import takes or skips, which document is the new version of which
//! other one, and what changed between them.

use lexforge_tests::product::Product;
use lexforge_tests::repository::data;
use serde_json::Value;
use std::path::PathBuf;

fn words(first: &[&str], files: &[PathBuf]) -> Vec<String> {
    let mut out: Vec<String> = first.iter().map(|w| (*w).to_owned()).collect();
    out.extend(files.iter().map(|f| f.display().to_string()));
    out
}

/// A policy of some articles; `limit` and `extra` make its versions.
fn policy(version: &str, limit: &str, extra: &str) -> String {
    let mut text = format!("# Outsourcing policy {version}\n\n");
    for (i, duty) in [
        "The board shall approve the outsourcing policy at least once a year and record its reasons.",
        "Each business unit shall keep a register of its providers and of the functions that they perform.",
        "A provider shall grant the bank and its supervisor unrestricted rights of access and audit.",
        "The bank shall test its exit plan for every critical function before the contract begins.",
    ]
    .iter()
    .enumerate()
    {
        text.push_str(&format!("## Article {}\n\n{duty}\n\n", i + 1));
    }
    text.push_str(&format!(
        "## Article 5\n\nThe share of one provider shall not exceed {limit} of all outsourced functions.\n{extra}"
    ));
    text
}

#[test]
fn a_new_version_is_linked_and_its_changes_are_shown() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let first = lexforge.file("policy-v1.md", policy("v1", "25 %", "").as_bytes());
    let second = lexforge.file(
        "policy-v2.md",
        policy(
            "v2",
            "20 %",
            "\n## Article 6\n\nThis policy applies to branches abroad.\n",
        )
        .as_bytes(),
    );
    let other = lexforge.file(
        "other.md",
        b"# Travel policy\n\n## Article 1\n\nTickets are booked by the travel desk alone.\n",
    );
    let report = lexforge.json(&words(&["import", "a.lexforge"], &[first, other, second]));
    assert_eq!(
        report["imported"][1]["predecessor"],
        Value::Null,
        "{report:#}"
    );
    assert_eq!(report["imported"][2]["predecessor"], 1, "{report:#}");
    let diff = lexforge.json(&["docs", "diff", "a.lexforge", "3"]);
    let text = |row: &Value| row["text"].as_str().unwrap().to_owned();
    let added: Vec<String> = diff["added"].as_array().unwrap().iter().map(text).collect();
    assert_eq!(
        added,
        ["Article 6", "This policy applies to branches abroad."],
        "{diff:#}"
    );
    assert_eq!(diff["removed"], Value::Array(vec![]), "{diff:#}");
    let changed = diff["changed"].as_array().unwrap();
    assert!(
        changed
            .iter()
            .any(|c| text(&c["before"]).contains("25 %") && text(&c["after"]).contains("20 %")),
        "{diff:#}"
    );
    let unlinked = lexforge.json(&["docs", "a.lexforge", "--unlink", "3"]);
    assert_eq!(unlinked["predecessor"], Value::Null);
    assert_eq!(lexforge.run(&["docs", "diff", "a.lexforge", "3"]).code, 1);
    let linked = lexforge.json(&["docs", "a.lexforge", "--link", "3", "--replaces", "1"]);
    assert_eq!(linked["predecessor"], 1);
    assert_eq!(
        lexforge
            .run(&["docs", "a.lexforge", "--link", "1", "--replaces", "3"])
            .code,
        1,
        "a circle"
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

/// Real acts of one field share much wording, and none of them is a version of another.
#[test]
fn different_acts_are_never_linked() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let folders: Vec<PathBuf> = ["pdf-core-en", "pdf-zh-nfra"]
        .into_iter()
        .filter_map(data)
        .collect();
    if folders.is_empty() {
        return;
    }
    let report = lexforge.json(&words(
        &["import", "a.lexforge", "--no-second-reader"],
        &folders,
    ));
    let imported = report["imported"].as_array().unwrap();
    assert!(imported.len() >= 36, "{} imported", imported.len());
    // Some acts lie there twice, in another printing: these are the only ones that may follow each other.
    let stem = |d: &Value| {
        d["file"]
            .as_str()
            .unwrap()
            .rsplit_once('.')
            .unwrap()
            .0
            .to_owned()
    };
    let named = |id: &Value| imported.iter().find(|d| d["id"] == *id).map(stem);
    for document in imported {
        for other in [&document["predecessor"], &document["successor"]] {
            assert!(
                other.is_null() || named(other) == Some(stem(document)),
                "{document:#}"
            );
        }
    }
}

#[test]
fn folders_are_imported_once_and_what_is_left_out_is_counted() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let folder = lexforge.path("rules");
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "b.html",
        "<h1>Notice</h1><p>A bank shall report every incident.</p>",
    );
    write("a.txt", "Article 1\nA bank shall keep a register.\n");
    write(
        "deep/c.markdown",
        "# Note\n\nA fund shall publish its prices.\n",
    );
    write("picture.png", "x");
    write(".hidden.txt", "x");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, folder.join("deep/loop")).unwrap();
    let report = lexforge.json(&words(
        &["import", "a.lexforge"],
        &[folder.clone(), folder.join("a.txt")],
    ));
    let files: Vec<&str> = report["imported"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["a.txt", "b.html", "c.markdown"], "{report:#}");
    assert_eq!(report["skipped"]["counts"]["unknown_format"], 1);
    assert_eq!(report["skipped"]["counts"]["hidden"], 1);
    assert_eq!(report["failed"], Value::Array(vec![]));
}

/// Files that would hold an import up or fill its memory cost one failure each, at once.
#[test]
#[cfg(unix)]
fn files_that_are_none_cost_one_failure() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let huge = lexforge.path("huge.pdf");
    std::fs::File::create(&huge)
        .unwrap()
        .set_len(2 << 30)
        .unwrap();
    let pipe = lexforge.path("pipe.txt");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let device = PathBuf::from("/dev/zero");
    let good = lexforge.file("good.txt", b"Article 1\nA bank shall keep a register.\n");
    let report = lexforge.json(&words(
        &["import", "a.lexforge"],
        &[huge, pipe, device, good],
    ));
    let codes: Vec<&str> = report["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        ["too_large", "file_unreadable", "file_unreadable"],
        "{report:#}"
    );
    assert_eq!(report["imported"].as_array().unwrap().len(), 1);
}
