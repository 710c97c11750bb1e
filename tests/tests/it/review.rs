//! The review from the command line: several programs at once, packets over files, a kill in the middle of a batch.

use lexforge_tests::product::{Product, refused};
use serde_json::Value;

/// Rules of our own writing that define some terms.
fn rules() -> String {
    let mut text = "# Rules on duties\n\n## Article 1\n\n".to_owned();
    for (term, meaning) in [
        (
            "reporting officer",
            "a person whom the board has named to report events",
        ),
        (
            "material event",
            "an event that the board would have to know of",
        ),
        (
            "holding company",
            "a company that holds the shares of another",
        ),
        ("client account", "an account that is kept for a client"),
    ] {
        text.push_str(&format!("‘{term}’ means {meaning}.\n\n"));
    }
    for i in 2..30 {
        text.push_str(&format!(
            "## Article {i}\n\nThe reporting officer shall report each material event of a holding company within {i} days, and \
             close no client account before that.\n\n"
        ));
    }
    text
}

/// A workspace with terms: their ids.
fn with_terms(lexforge: &Product) -> Vec<String> {
    let file = lexforge.file("rules.md", rules().as_bytes());
    lexforge.json(&[
        "import".to_owned(),
        "a.lexforge".to_owned(),
        file.display().to_string(),
    ]);
    lexforge.json(&["terms", "extract", "a.lexforge"]);
    let ids: Vec<String> = lexforge
        .lines(&["terms", "list", "a.lexforge"])
        .iter()
        .map(|t| t["id"].to_string())
        .collect();
    assert!(ids.len() >= 4, "{ids:?}");
    ids
}

fn of_status(lexforge: &Product, status: &str) -> Vec<Value> {
    lexforge.lines(&["terms", "list", "a.lexforge", "--status", status])
}

#[test]
fn terms_are_decided_about_joined_and_taken_back() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let ids = with_terms(&lexforge);
    let (a, b, c) = (ids[0].as_str(), ids[1].as_str(), ids[2].as_str());
    let decide =
        |words: &[&str]| lexforge.json(&[&["terms", "decide", "a.lexforge"], words].concat());
    assert_eq!(decide(&[a, "--accept", "--class", "actor"])["items"], 1);
    decide(&[
        b,
        "--merge-into",
        a,
        "--reason",
        "both names stand in Article 1",
    ]);
    decide(&["--pair", a, c, "--confusable"]);
    let merged = of_status(&lexforge, "merged");
    assert_eq!(
        (merged.len(), merged[0]["merged_into"].to_string().as_str()),
        (1, a)
    );
    assert_eq!(
        lexforge
            .lines(&["terms", "list", "a.lexforge", "--class", "actor"])
            .len(),
        1
    );
    let circle = lexforge.run(&[
        "terms",
        "decide",
        "a.lexforge",
        a,
        "--merge-into",
        b,
        "--json",
    ]);
    refused(&circle, "invalid_request");
    decide(&[a, "--reject", "--as", "Reviewer 2"]);
    let conflicts = lexforge.lines(&["terms", "conflicts", "a.lexforge"]);
    assert_eq!(
        conflicts[0]["said"],
        serde_json::json!([["accept", 1], ["reject", 1]])
    );
    refused(
        &lexforge.run(&[
            "terms",
            "decide",
            "a.lexforge",
            a,
            "--accept",
            "--adjudicate",
            "--json",
        ]),
        "invalid_request",
    );
    decide(&[
        a,
        "--accept",
        "--adjudicate",
        "--reason",
        "the rules define it",
    ]);
    assert_eq!(of_status(&lexforge, "conflict").len(), 0);
    // Extracted again, everything that was decided stays.
    lexforge.json(&["terms", "extract", "a.lexforge"]);
    assert_eq!(
        (
            of_status(&lexforge, "accepted").len(),
            of_status(&lexforge, "merged").len()
        ),
        (1, 1)
    );
    let shown = lexforge.json(&["terms", "show", "a.lexforge", a]);
    assert_eq!(shown["verdict"]["adjudicated"], true, "{shown:#}");
    for expected in ["accept", "confusable", "merge", "accept"] {
        assert_eq!(
            lexforge.json(&["terms", "undo", "a.lexforge"])["choice"],
            expected
        );
    }
    assert_eq!(lexforge.json(&["terms", "undo", "a.lexforge"]), Value::Null);
    let rejected = of_status(&lexforge, "rejected");
    assert_eq!(rejected.len(), 1, "the other person's decision stays");
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn two_programs_decide_at_once() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let ids = with_terms(&lexforge);
    let mut children = Vec::new();
    for (i, id) in ids.iter().enumerate().take(8) {
        let name = format!("Reviewer {}", i % 2 + 1);
        children.push(lexforge.start(&[
            "terms",
            "decide",
            "a.lexforge",
            id,
            "--accept",
            "--as",
            &name,
        ]));
    }
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(of_status(&lexforge, "accepted").len(), ids.len().min(8));
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn a_batch_that_is_killed_is_done_or_not_done() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let ids = with_terms(&lexforge);
    for wait in [0, 5, 20, 40, 60, 80, 120, 200] {
        let mut words = vec!["terms", "decide", "a.lexforge", "--accept"];
        words.extend(ids.iter().map(String::as_str));
        let mut child = lexforge.start(&words);
        std::thread::sleep(std::time::Duration::from_millis(wait));
        // It may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
        let accepted = of_status(&lexforge, "accepted").len();
        assert!(
            accepted == 0 || accepted == ids.len(),
            "{accepted} of {} after {wait} ms",
            ids.len()
        );
        assert_eq!(
            lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
            true
        );
        lexforge.json(&["terms", "undo", "a.lexforge"]);
    }
}

#[test]
fn a_packet_goes_to_a_colleague_and_comes_back() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let ids = with_terms(&lexforge);
    let written = lexforge.json(&[
        "packet",
        "write",
        "a.lexforge",
        "share.json",
        "--for",
        "Reviewer 2",
        "--most",
        "3",
    ]);
    assert_eq!(written["items"], 3);
    let people = lexforge.json(&["packet", "open", "share.json", "mine.lexforge"]);
    assert_eq!(people["me"]["name"], "Reviewer 2");
    let queue = lexforge.json(&["terms", "queue", "mine.lexforge"]);
    let id = queue["item"]["term"]["id"].to_string();
    assert!(ids.contains(&id), "a term has the same number there");
    lexforge.json(&[
        "terms",
        "decide",
        "mine.lexforge",
        &id,
        "--reject",
        "--reason",
        "an everyday word",
    ]);
    lexforge.json(&["packet", "answer", "mine.lexforge", "answer.json"]);
    let merged = lexforge.json(&["packet", "merge", "a.lexforge", "answer.json"]);
    assert_eq!(
        (&merged["merged"], &merged["person"]),
        (&Value::from(1), &Value::from("Reviewer 2"))
    );
    assert_eq!(
        lexforge.json(&["packet", "merge", "a.lexforge", "answer.json"])["known"],
        1
    );
    assert_eq!(of_status(&lexforge, "rejected").len(), 1);
    let text = std::fs::read_to_string(lexforge.path("answer.json")).unwrap();
    lexforge.file("answer.json", text.replace("reject", "accept").as_bytes());
    refused(
        &lexforge.run(&["packet", "merge", "a.lexforge", "answer.json", "--json"]),
        "packet_invalid",
    );
    lexforge.json(&["new", "other.lexforge"]);
    lexforge.file("answer.json", text.as_bytes());
    refused(
        &lexforge.run(&["packet", "merge", "other.lexforge", "answer.json", "--json"]),
        "packet_foreign",
    );
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

#[test]
fn agreement_is_told_with_its_interval_or_why_it_is_not() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let ids = with_terms(&lexforge);
    let none = lexforge.json(&["terms", "agreement", "a.lexforge"]);
    assert_eq!(none["overall"]["items"], 0, "{none:#}");
    for (i, id) in ids.iter().enumerate() {
        let second = if i == 0 { "--reject" } else { "--accept" };
        let first = if i % 2 == 0 { "--accept" } else { "--reject" };
        let second = if i % 2 == 0 { second } else { "--reject" };
        lexforge.json(&[
            "terms",
            "decide",
            "a.lexforge",
            id,
            first,
            "--as",
            "Reviewer 1",
        ]);
        lexforge.json(&[
            "terms",
            "decide",
            "a.lexforge",
            id,
            second,
            "--as",
            "Reviewer 2",
        ]);
    }
    let n = ids.len() as f64;
    let found = lexforge.json(&["terms", "agreement", "a.lexforge"]);
    let overall = &found["overall"];
    assert_eq!(overall["items"], ids.len(), "{found:#}");
    let percent = overall["percent"]["value"]
        .as_f64()
        .or(overall["percent"].as_f64())
        .unwrap();
    assert!((percent - (n - 1.0) / n).abs() < 1e-9, "{found:#}");
    let human = lexforge.run(&["terms", "agreement", "a.lexforge"]);
    assert!(
        human.out.contains("α") && human.out.contains('['),
        "no interval: {}",
        human.out
    );
}

#[test]
fn the_plan_says_which_terms_graph_and_questions_are_made_of() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let ids = with_terms(&lexforge);
    lexforge.json(&["people", "plan", "a.lexforge", "--terms", "single"]);
    let said = refused(
        &lexforge.run(&["graph", "build", "a.lexforge", "--encoder", "lsa", "--json"]),
        "too_little_data",
    );
    assert!(said.contains("single reviewer"), "{said}");
    for id in &ids[..2] {
        lexforge.json(&["terms", "decide", "a.lexforge", id, "--accept"]);
    }
    let entities = |lexforge: &Product| {
        lexforge.json(&["graph", "build", "a.lexforge", "--encoder", "lsa"]);
        lexforge.json(&["graph", "stats", "a.lexforge"])["entities"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(entities(&lexforge), 2);
    lexforge.json(&["people", "plan", "a.lexforge", "--terms", "unreviewed"]);
    assert_eq!(entities(&lexforge), ids.len() as u64);
}
