//! The papers that leave a matching: what an auditor who was not there has to find in them.

use lexforge_tests::product::Product;
use lexforge_tests::rules::MATCH;
use serde_json::Value;
use std::fs;

const RULES: &str = "Article 1\nRafts\n\n1. The ferry operator shall inspect its life rafts every six months.\n\n\
    2. The ferry operator shall replace a damaged life raft within seven days.\n\n\
    Article 2\nCrew\n\n1. The ferry operator shall weigh each vehicle before it is loaded on the deck.\n";
const POLICY: &str = "# Ferry handbook\n\n## Rafts\n\nLife rafts are inspected every six months.\n\n\
    A damaged life raft is replaced within thirty days.\n\n## Office\n\nVisitors wear a badge and sign in at the reception.\n";

/// A matching by words in which nothing was decided yet.
fn matched() -> Option<(Product, Vec<Value>)> {
    let lexforge = Product::find()?;
    for (name, text) in [("ferries.txt", RULES), ("handbook.md", POLICY)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let rows = lexforge.lines(&MATCH);
    Some((lexforge, rows))
}

fn id(rows: &[Value], rule: &str) -> String {
    let found = rows.iter().find(|row| {
        let text = row["rule"]["text"].as_str().unwrap();
        text.contains(rule)
    });
    let row = found.unwrap_or_else(|| panic!("no rule says {rule}"));
    row["rule"]["id"].to_string()
}

/// A paper as text; the parts of packages are not packed.
fn paper(lexforge: &Product, name: &str) -> String {
    lexforge.json(&["match", "export", "a.lexforge", "--out", name]);
    let bytes = fs::read(lexforge.path(name)).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_paper_says_whose_verdicts_it_holds_and_why_nothing_covers_a_rule() {
    let Some((lexforge, rows)) = matched() else {
        return;
    };
    for name in ["gaps.docx", "gaps.html", "gaps.xlsx"] {
        let paper = paper(&lexforge, name);
        for words in [
            "No person has decided about any of these rules",
            "Matched on 20",
            "SHA-256",
            "Head of the audit chain",
            "It is about something else",
            "the policy demands less",
            "fitted on public contracts, not learned from decisions",
        ] {
            assert!(paper.contains(words), "{name}: {words}");
        }
    }
    // After a person corrects one rule, the paper says who did it and what has to be done. It lists no nearest
    // statements for a rule that is linked now.
    let (rule, near) = (
        id(&rows, "weigh each vehicle"),
        id_of_statement(&rows, "Visitors wear a badge"),
    );
    lexforge.lines(&[
        "match",
        "decide",
        "a.lexforge",
        "--rule",
        &rule,
        "--verdict",
        "partly",
        "--policy",
        &near,
        "--as",
        "Li Na",
        "--note",
        "The guard weighs them.",
        "--owner",
        "Deck",
        "--due",
        "2027-01-31",
    ]);
    for name in ["gaps.docx", "gaps.html"] {
        let paper = paper(&lexforge, name);
        for words in [
            "No person has decided about 2 of the 3 rules",
            "Li Na corrected it on 20",
            "Note: The guard weighs them.",
            "To be done by Deck, at the latest on 2027-01-31.",
        ] {
            assert!(paper.contains(words), "{name}: {words}");
        }
        assert!(!paper.contains("It is about something else"), "{name}");
    }
    let table = paper(&lexforge, "gaps.csv");
    let row = table
        .lines()
        .find(|line| line.contains("weigh each vehicle"));
    let row = row.unwrap_or_else(|| panic!("{table}"));
    assert!(row.contains("Li Na") && row.contains("medium"), "{row}");
    assert!(table.contains("\"probability rests on\""), "{table}");
    // What the program found was not learned from the decision that somebody made about it.
    let rests = "fitted on public contracts, not learned from decisions";
    assert!(row.contains(rests), "{row}");
}

fn id_of_statement(rows: &[Value], says: &str) -> String {
    let all = rows
        .iter()
        .flat_map(|row| row["policies"].as_array().unwrap());
    let mut all = all.filter(|policy| policy["text"].as_str().unwrap().contains(says));
    all.next()
        .unwrap_or_else(|| panic!("no statement says {says}"))["id"]
        .to_string()
}
