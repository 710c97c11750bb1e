//! Policies that could mislead a matching: one has the whole regulation in an annex, one has empty sections, one has
//! tables of controls.

use lexforge_tests::product::{Finished, Product, refused};
use lexforge_tests::rules::{MATCH, row_of};
use serde_json::Value;

/// A regulation that never was.
const RULES: &str = "Article 1\nRafts\n\n1. The ferry operator shall inspect its life rafts every six months.\n\n\
    2. The ferry operator shall replace a damaged life raft within seven days.\n\n\
    Article 2\nCrew\n\n1. The ferry operator shall train each member of the crew before the first voyage.\n\n\
    2. The ferry operator shall record the hours of rest of the crew in a register.\n\n\
    Article 3\nCargo\n\n1. The ferry operator shall weigh each vehicle before it is loaded on the deck.\n\n\
    2. The ferry operator shall refuse dangerous goods without a certificate of the harbour.\n\n\
    Article 4\nPassengers\n\n1. The ferry operator shall count the passengers before each departure.\n\n\
    2. The ferry operator shall keep the list of passengers for thirty days.\n";

/// The regulation (1) and a policy (2), matched by words.
fn matched(policy: &str) -> Option<(Product, Finished)> {
    let lexforge = Product::find()?;
    for (name, text) in [("ferries.txt", RULES), ("policy.md", policy)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let done = lexforge.run(&[&MATCH[..], &["--json"]].concat());
    Some((lexforge, done))
}

fn rows(done: &Finished) -> Vec<Value> {
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = done
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    rows.collect()
}

#[test]
fn a_regulation_that_a_policy_copies_whole_covers_nothing_of_itself() {
    let policy = format!(
        "# Ferry handbook\n\nOur mates count the passengers before each departure.\n\n# Annex: the law\n\n{RULES}"
    );
    let Some((_lexforge, done)) = matched(&policy) else {
        return;
    };
    let warned =
        "8 statements of the policies are copied word for word from the documents with the rules.";
    assert!(done.err.contains(warned), "{}", done.err);
    let rows = rows(&done);
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let covering = row["policies"].as_array().unwrap().iter();
        let covering: Vec<&str> = covering
            .filter(|policy| policy["covers"] == true)
            .map(|policy| policy["text"].as_str().unwrap())
            .collect();
        assert!(
            covering.iter().all(|text| text.contains("Our mates")),
            "{row:#}"
        );
    }
    let own = row_of(&rows, "count the passengers");
    assert_ne!(own["verdict"], "not_covered", "{own:#}");
    let copied = row_of(&rows, "weigh each vehicle");
    assert_eq!(copied["verdict"], "not_covered", "{copied:#}");
    let why = &copied["nearest"][0]["why_not"];
    assert_eq!(why["reason"], "quotes", "{copied:#}");
}

#[test]
fn a_firm_may_say_a_few_rules_in_the_words_of_the_law() {
    let policy = "# Ferry handbook\n\nThe ferry operator shall inspect its life rafts every six months.\n\n\
                  The ferry operator shall replace a damaged life raft within seven days.\n";
    let Some((_lexforge, done)) = matched(policy) else {
        return;
    };
    assert!(!done.err.contains("copied word for word"), "{}", done.err);
    let rows = rows(&done);
    for rule in ["inspect its life rafts", "replace a damaged"] {
        assert_eq!(row_of(&rows, rule)["verdict"], "covered", "{rule}");
    }
}

#[test]
fn sections_with_nothing_in_them_are_no_statements() {
    let policy = "# Ferry handbook\n\n## Rafts\n\n## Crew\n\n### Rest\n\n## Passengers\n\n\
                  The passengers are counted before each departure.\n\n## Cargo\n";
    let Some((lexforge, done)) = matched(policy) else {
        return;
    };
    let rows = rows(&done);
    for row in &rows {
        for policy in row["policies"].as_array().unwrap() {
            let text = policy["text"].as_str().unwrap();
            assert!(text.contains("are counted"), "{row:#}");
        }
    }
    assert_ne!(
        row_of(&rows, "count the passengers")["verdict"],
        "not_covered"
    );
    // Headings alone say nothing that could cover a rule.
    let file = lexforge.file("empty.md", b"# Handbook\n\n## Rafts\n\n## Crew\n");
    let import = lexforge.run(&[
        std::path::Path::new("import"),
        std::path::Path::new("a.lexforge"),
        &file,
    ]);
    assert_eq!(import.code, 0, "{}", import.err);
    let words = [
        "match",
        "a.lexforge",
        "--rules",
        "1",
        "--policies",
        "3",
        "--words",
        "--json",
    ];
    let told = refused(&lexforge.run(&words), "too_little_data");
    assert!(told.contains("hold no statement"), "{told}");
}

#[test]
fn the_rows_of_a_table_of_controls_are_statements() {
    let policy = "# Register of controls\n\n| Control | What is done | Owner |\n|---|---|---|\n\
                  | R-1 | Life rafts are inspected every six months. | Deck |\n\
                  | R-2 | Each vehicle is weighed before it is loaded on the deck. | Loading |\n\
                  | R-3 | A damaged life raft is replaced within thirty days. | Deck |\n";
    let Some((_lexforge, done)) = matched(policy) else {
        return;
    };
    let rows = rows(&done);
    // The head of the table is none.
    for row in &rows {
        for policy in row["policies"].as_array().unwrap() {
            let text = policy["text"].as_str().unwrap();
            assert!(text.contains("is done:"), "{row:#}");
        }
    }
    let verdict = |rule: &str| row_of(&rows, rule)["verdict"].as_str().unwrap().to_owned();
    assert_ne!(
        verdict("inspect its life rafts"),
        "not_covered",
        "{rows:#?}"
    );
    assert_ne!(verdict("weigh each vehicle"), "not_covered", "{rows:#?}");
    // Thirty days for seven.
    assert_eq!(verdict("replace a damaged"), "contradicted", "{rows:#?}");
    assert_eq!(verdict("train each member"), "not_covered", "{rows:#?}");
}
