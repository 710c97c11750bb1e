//! A mapping collection that the product wrote, checked against OSCAL's published schema by an independent program.

use lexforge_tests::product::Product;
use lexforge_tests::repository::{data, sample};
use lexforge_tests::rules::MATCH;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Prints a line for each place where a file breaks a schema. The schema writes classes of letters and figures in a
/// form that Python's regular expressions do not have.
const CHECK: &str = r#"
import json, sys
from jsonschema import Draft7Validator
text = open(sys.argv[1], encoding="utf-8").read()
text = text.replace("\\\\p{L}", "[^\\\\W\\\\d_]").replace("\\\\p{N}", "\\\\d")
document = json.load(open(sys.argv[2], encoding="utf-8"))
for breach in Draft7Validator(json.loads(text)).iter_errors(document):
    print("/".join(map(str, breach.absolute_path)), breach.message[:300])
"#;

const POLICY: &str = "# Operational policy

We record every operational incident in a register within one business day of its detection.

Operational incidents are classified within two business days of their detection.

Visitors wear a badge and sign in at the reception.
";

/// The folder with the schema, where it and the program that checks are there.
fn folder() -> Option<PathBuf> {
    let folder = data("oscal-mapping")?;
    let there = Command::new("python3")
        .args(["-c", "import jsonschema"])
        .output()
        .is_ok_and(|done| done.status.success());
    if !there {
        lexforge_needs::unavailable("python3 with the package jsonschema is not installed");
    }
    there.then_some(folder)
}

fn breaches(folder: &Path, file: &Path) -> Vec<String> {
    let done = Command::new("python3")
        .args(["-c", CHECK])
        .arg(folder.join("oscal_mapping_schema.json"))
        .arg(file)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}");
    let lines = String::from_utf8_lossy(&done.stdout);
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn a_mapping_of_our_own_keeps_to_the_published_schema() {
    let Some(folder) = folder() else {
        return;
    };
    // A file of another tool that is known to break it: what checks can find something.
    let other = breaches(&folder, &folder.join("pci_mapping.json"));
    assert_eq!(other.len(), 2, "{other:#?}");
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.json(&["import".into(), "a.lexforge".into(), sample()]);
    let policy = lexforge.file("policy.md", POLICY.as_bytes());
    lexforge.json(&["import".into(), "a.lexforge".into(), policy]);
    let rows = lexforge.lines(&MATCH);
    let check = |name: &str| {
        lexforge.json(&["match", "export", "a.lexforge", "--out", name]);
        let found = breaches(&folder, &lexforge.path(name));
        assert_eq!(found, Vec::<String>::new(), "{name}");
    };
    // As it was found: covered, contradicted, not covered.
    check("found.json");
    // As people decided: one accepted, one linked by hand with a note, one covered by what only its note names.
    let rule = |place: usize| rows[place]["rule"]["id"].to_string();
    let near = rows[0]["policies"][0]["id"].to_string();
    let decide = ["match", "decide", "a.lexforge", "--rule"];
    let (first, second, third) = (rule(0), rule(1), rule(2));
    let linked = [second.as_str(), "--verdict", "partly", "--policy", &near];
    let unnamed = [third.as_str(), "--verdict", "covered"];
    // Without a note nobody could follow it.
    let refused = lexforge.run(&[&decide[..], &unnamed[..], &["--json"][..]].concat());
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.out.contains("needs a statement"), "{}", refused.out);
    let unnamed = [&unnamed[..], &["--note", "It is in the captain's log."][..]].concat();
    for words in [&[first.as_str()][..], &linked[..], &unnamed[..]] {
        lexforge.lines(&[&decide[..], words].concat());
    }
    check("decided.json");
    // With a document that is not in force.
    lexforge.json(&[
        "docs",
        "a.lexforge",
        "--about",
        "2",
        "--repealed",
        "2020-01-01",
    ]);
    check("repealed.json");
    let file = std::fs::read_to_string(lexforge.path("repealed.json")).unwrap();
    assert!(file.contains("\"not-in-force\""), "{file}");
}
