//! The files of killed programs are found and reported at the next start. A command that fails leaves no files behind.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::repository::sample;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The number of a process that has ended.
fn dead() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    pid
}

#[cfg(unix)]
#[test]
fn what_a_killed_program_left_is_removed_and_said() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let rules = lexforge.file(
        "rules.txt",
        b"The controller shall keep records of all processing activities.",
    );
    lexforge.json(&["import", "a.lexforge", rules.to_str().unwrap()]);
    let (dead, living) = (dead(), std::process::id());
    let folder = |name: String| {
        let path = lexforge.path(&name);
        fs::create_dir_all(path.join("out.part")).unwrap();
        fs::write(path.join("owner"), "").unwrap();
        fs::write(path.join("out.part/model.safetensors"), [0; 1000]).unwrap();
        path
    };
    let left = [
        folder(format!("lexforge-export-{dead}-0")),
        folder(format!(
            "a.lexforge.artifacts/bundles/lexforge-embed-{dead}-0"
        )),
        folder(format!(
            "a.lexforge.artifacts/adapters/lexforge-adopt-{dead}-0"
        )),
        lexforge.file(&format!("b.lexforge.{dead}.new"), b"half a workspace"),
        lexforge.file(
            &format!("a-report.html.lexforge.{dead}.new"),
            b"half a page",
        ),
    ];
    let stay = [
        folder(format!("lexforge-export-{living}-0")),
        folder("letters-export-1-0".to_owned()),
        lexforge.file(&format!("c.lexforge.{living}.new"), b"being made"),
        lexforge.file("notes.12.new", b"mine"),
    ];
    let done = lexforge.run(&["docs", "a.lexforge"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.contains("Removed 3 folders and 2 files"),
        "{}",
        done.err
    );
    for path in &left {
        assert!(!path.exists(), "{} is still there", path.display());
    }
    for path in &stay {
        assert!(path.exists(), "{} is gone", path.display());
    }
    let rows = lexforge.lines(&["audit", "list", "a.lexforge"]);
    let told = rows
        .iter()
        .find(|row| row["action"] == "leftovers.remove")
        .expect("the chain does not tell it");
    assert!(
        told["reason"]
            .as_str()
            .unwrap()
            .starts_with("3 folders and 2 files"),
        "{told}"
    );
    let again = lexforge.run(&["docs", "a.lexforge"]);
    assert_eq!(again.err, "", "nothing is left to be said");
}

#[test]
fn an_import_of_nothing_leaves_no_workspace() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let bad = lexforge.file("bad.pdf", b"no PDF at all");
    let done = lexforge.run(&["import", "new.lexforge", bad.to_str().unwrap(), "--json"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains("not_a_pdf"), "{}", done.out);
    let names: BTreeSet<_> = fs::read_dir(lexforge.path(""))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert_eq!(
        names,
        BTreeSet::from([bad.clone(), lexforge.state()]),
        "something was left"
    );
    assert_eq!(lexforge.kept(), ["logs"]);
    // An import into a new workspace of a folder that holds nothing leaves nothing either; the message says why.
    fs::create_dir(lexforge.path("empty")).unwrap();
    let done = lexforge.run(&["import", "new.lexforge", "empty"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.err.contains("hold no file that can be imported"),
        "{}",
        done.err
    );
    assert!(!lexforge.path("new.lexforge").exists());
    let done = lexforge.run(&["run", "new.lexforge", "empty", "--json"]);
    assert!(refused(&done, "step_missing").contains("hold no file"));
    // One that is made is told, since a misspelt name makes one, too; the next import has nothing to tell of it.
    let rule = lexforge.file("rule.txt", b"The controller shall keep records.");
    for made in [true, false] {
        let done = lexforge.run(&["import", "misspelt.lexforge", rule.to_str().unwrap()]);
        let told = done.err.contains("Made misspelt.lexforge; there was none.");
        assert_eq!((done.code, told), (0, made), "{}", done.err);
    }
    // One that was there before stays, and so does one in which something was found.
    lexforge.json(&["new", "old.lexforge"]);
    assert_eq!(
        lexforge
            .run(&["import", "old.lexforge", bad.to_str().unwrap()])
            .code,
        1
    );
    assert!(lexforge.path("old.lexforge").is_file());
    let rules = lexforge.file(
        "rules.txt",
        b"The controller shall keep records of all processing activities.",
    );
    lexforge.json(&[
        "import",
        "good.lexforge",
        bad.to_str().unwrap(),
        rules.to_str().unwrap(),
    ]);
    assert_eq!(lexforge.lines(&["docs", "good.lexforge"]).len(), 1);
}

#[test]
fn imports_that_begin_at_once_share_the_workspace_that_one_of_them_makes() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let names = ["one", "two", "three", "four"];
    let imports = names.map(|name| {
        let text = format!("The {name} committee shall keep records of its meetings.");
        let file = lexforge.file(&format!("{name}.txt"), text.as_bytes());
        lexforge.start(&["import", "shared.lexforge", file.to_str().unwrap()])
    });
    for mut import in imports {
        assert!(import.wait().unwrap().success());
    }
    assert_eq!(lexforge.lines(&["docs", "shared.lexforge"]).len(), 4);
    assert_eq!(
        lexforge.json(&["audit", "verify", "shared.lexforge"])["ok"],
        true
    );
}

#[test]
fn an_empty_query_is_refused_and_a_search_without_hits_says_so() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&["import", "a.lexforge", sample().to_str().unwrap()]);
    for query in ["", "  ", "\t"] {
        for mode in ["lexical", "hybrid"] {
            let done = lexforge.run(&["search", "a.lexforge", query, "--mode", mode, "--json"]);
            assert!(refused(&done, "invalid_request").contains("empty"));
        }
    }
    let none = lexforge.run(&["search", "a.lexforge", "xylophone"]);
    assert_eq!(
        (none.code, none.out.as_str(), none.err.trim()),
        (0, "", "No sentence fits.")
    );
}

/// If the text says "and more", the place that it names has the full list.
#[test]
fn every_warning_of_a_document_is_listed() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let mut lines = vec!["no passage".to_owned(); 300];
    lines[0] = "{\"id\":\"a\",\"text\":\"The controller shall keep records of all processing activities.\"}".to_owned();
    let corpus = lexforge.file("corpus.jsonl", lines.join("\n").as_bytes());
    let done = lexforge.run(&["import", "a.lexforge", corpus.to_str().unwrap()]);
    assert!(
        done.out
            .contains("… and 96 more: lexforge docs WORKSPACE --json lists them all"),
        "{}",
        done.out
    );
    let rows = lexforge.lines(&["docs", "a.lexforge"]);
    let warnings: Vec<&Value> = rows[0]["warnings"].as_array().unwrap().iter().collect();
    assert_eq!(warnings.len(), 101);
    assert!(
        warnings[100]["message"]
            .as_str()
            .unwrap()
            .contains(": 102–300."),
        "{}",
        warnings[100]
    );
}

#[test]
fn what_nobody_looked_at_is_not_called_clean_and_a_misspelt_target_is_told() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    // This command makes no connection, so the host need not exist.
    lexforge.json(&["compute", "add", "cluster-1", "--ssh", "nobody.invalid"]);
    let clean = lexforge.run(&["compute", "clean", "cluster-1", "--json"]);
    assert!(refused(&clean, "target_unready").contains("No worker was put on cluster-1"));
    let misspelt = lexforge.run(&["compute", "check", "cluster1", "--json"]);
    refused(&misspelt, "not_found");
    assert!(
        misspelt.err.contains("Perhaps cluster-1 is meant"),
        "{}",
        misspelt.err
    );
    // A file that is damaged hides no other, is told with what to do, and is removed by its name.
    let file = |name: &str| {
        lexforge
            .state()
            .join("targets")
            .join(format!("{name}.json"))
    };
    fs::write(file("cluster-2"), "{ \"name\": ").unwrap();
    let listed = lexforge.run(&["compute", "list", "--json"]);
    assert_eq!(listed.code, 1, "{}", listed.err);
    assert!(listed.out.contains("\"cluster-1\""), "{}", listed.out);
    for said in [
        "The target cluster-2 cannot be read.",
        "lexforge compute remove cluster-2",
    ] {
        assert!(listed.err.contains(said), "{}", listed.err);
    }
    for name in ["cluster-1", "cluster-2"] {
        lexforge.json(&["compute", "remove", name]);
        assert!(!file(name).exists(), "{name}");
    }
    assert!(lexforge.lines(&["compute", "list"]).is_empty());
    refused(
        &lexforge.run(&["compute", "remove", "cluster-2", "--json"]),
        "not_found",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_finds_no_room_is_a_failure() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&["new", "a.lexforge"]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = lexforge.command(&["audit", "verify", "a.lexforge"]);
    let output = command.stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in ["cannot be written", "hint: "] {
        assert!(said.contains(part), "{said}");
    }
}
