//! Documents that are repealed: proposed from what another one says, set by a person, and heeded by questions, searches
//! and tables.

use lexforge_tests::product::{Product, refused};
use lexforge_tests::rules::MATCH;
use serde_json::{Value, json};

const OLD: &str = "# Harbour Dues Act 1987

## Article 1

The master shall pay the harbour dues within five days after the ship has left the port.

## Article 2

The harbour office keeps a register of all ships that have paid.
";
const NEW: &str = "# Port Act 2020

## Article 1

The pilot shall keep a log of each voyage and show it to the harbour office.

## Article 2

The Harbour Dues Act 1987 is repealed with effect from 1 July 2020.
";
const DUES: &str =
    "Within how many days shall the master pay the harbour dues after the ship has left the port?";

#[test]
fn a_repealed_document_is_proposed_set_and_never_cited_without_saying_so() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.file("old.md", OLD.as_bytes());
    lexforge.file("new.md", NEW.as_bytes());
    lexforge.json(&["import", "a.lexforge", "old.md", "new.md"]);
    let about = |options: &[&str]| -> Value {
        let mut words = vec!["docs", "a.lexforge", "--about", "1"];
        words.extend(options);
        lexforge.json(&words)
    };
    // It is proposed, and counts only once it is set.
    let told = about(&[]);
    let proposal = &told["proposals"][0];
    assert_eq!(
        proposal["validity"],
        json!({ "repealed": "2020-07-01" }),
        "{told:#}"
    );
    assert_eq!(proposal["said_by"], 2);
    let before = lexforge.json(&["ask", "a.lexforge", DUES]);
    assert_eq!(before["found"], true, "{before:#}");
    assert_eq!(before["citations"][0]["out_of_force"], Value::Null);
    for wrong in [
        &["--until", "2020-02-30"][..],
        &["--until", "2020-01-01", "--repealed", "2020-01-01"],
        &["--from", "2021-01-01", "--until", "2020-01-01"],
    ] {
        let mut words = vec!["docs", "a.lexforge", "--about", "1"];
        words.extend(wrong);
        assert_ne!(lexforge.run(&words).code, 0, "{wrong:?}");
    }
    let set = about(&["--repealed", "2020-07-01"]);
    assert_eq!(
        set["document"]["validity"],
        json!({ "repealed": "2020-07-01" })
    );
    assert_eq!(set["proposals"], json!([]));

    // The answer that was given before stays, and what happened since stands beside it.
    let number = before["id"].to_string();
    let again = lexforge.json(&["ask", "a.lexforge", "--again", &number]);
    assert_eq!(again["since"][0]["change"], "out_of_force", "{again:#}");
    assert_eq!(again["answer"], before["answer"]);
    assert_eq!(again["citations"][0]["out_of_force"], Value::Null);
    let printed = lexforge.run(&["ask", "a.lexforge", "--again", &number]);
    let told =
        "Since this answer was given:\n  [1] “Harbour Dues Act 1987” is repealed from 2020-07-01.";
    assert!(printed.out.starts_with(told), "{}", printed.out);

    // Nothing in force answers: the answer begins with that, and each citation says it.
    let answer = lexforge.json(&["ask", "a.lexforge", DUES]);
    assert_eq!(answer["answer"], before["answer"], "{answer:#}");
    let out = json!({ "why": "repealed", "since": "2020-07-01" });
    assert_eq!(answer["citations"][0]["out_of_force"], out);
    let printed = lexforge.run(&["ask", "a.lexforge", DUES]);
    assert!(
        printed
            .out
            .starts_with("No document that is in force on that day answers this."),
        "{}",
        printed.out
    );
    assert!(
        printed.out.contains("(repealed from 2020-07-01)"),
        "{}",
        printed.out
    );
    let then = lexforge.json(&["ask", "a.lexforge", DUES, "--as-of", "2020-06-30"]);
    assert_eq!(then["found"], true, "{then:#}");
    assert_eq!(then["citations"][0]["out_of_force"], Value::Null);

    // A search finds it and says so, and so does the list of documents.
    let hits = lexforge.lines(&["search", "a.lexforge", "harbour dues"]);
    let of_old = hits.iter().find(|hit| hit["document"] == 1).unwrap();
    assert_eq!(of_old["out_of_force"], out);
    let list = lexforge.run(&["docs", "a.lexforge"]);
    assert!(
        list.out.contains("repealed from 2020-07-01"),
        "{}",
        list.out
    );

    // A table of answers says it in its notes.
    lexforge.file("q.csv", format!("question\n{DUES}\n").as_bytes());
    lexforge.json(&["ask", "a.lexforge", "--batch", "q.csv", "--out", "a.csv"]);
    let table = std::fs::read_to_string(lexforge.path("a.csv")).unwrap();
    assert!(table.contains("repealed from 2020-07-01"), "{table}");

    // Taken back: as before, proposed no more, and the chain holds.
    let back = about(&["--as-stated"]);
    let set = &back["document"]["validity"];
    assert_eq!(set["repealed"], Value::Null, "{set}");
    assert_eq!(set["refused"], json!([proposal["sentence"]]));
    assert_eq!(back["proposals"], json!([]));
    let after = lexforge.json(&["ask", "a.lexforge", DUES]);
    assert_eq!(after["citations"][0]["out_of_force"], Value::Null);
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
    let unknown = lexforge.run(&["docs", "a.lexforge", "--about", "9", "--json"]);
    refused(&unknown, "not_found");
}

#[test]
fn one_proposal_is_turned_down_alone() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.file("old.md", OLD.as_bytes());
    lexforge.file("new.md", NEW.as_bytes());
    lexforge.json(&["import", "a.lexforge", "old.md", "new.md"]);
    let about = ["docs", "a.lexforge", "--about", "1"];
    let told = lexforge.json(&about);
    let sentence = told["proposals"][0]["sentence"].to_string();
    let turn_down = [&about[..], &["--turn-down", &sentence]].concat();
    let printed = lexforge.run(&about);
    let how = format!("Or not: docs WORKSPACE --about 1 --turn-down {sentence}.");
    assert!(printed.out.contains(&how), "{}", printed.out);
    let left = lexforge.json(&turn_down);
    assert_eq!(left["proposals"], json!([]), "{left:#}");
    assert_eq!(
        left["document"]["validity"],
        json!({ "refused": [told["proposals"][0]["sentence"]] })
    );
    // It waits no more, so that it cannot be turned down again.
    let again = [&turn_down[..], &["--json"]].concat();
    refused(&lexforge.run(&again), "not_found");
    let both = [&turn_down[..], &["--as-stated"]].concat();
    assert_ne!(lexforge.run(&both).code, 0);
}

#[test]
fn a_matching_says_which_of_its_documents_are_not_in_force() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.file("old.md", OLD.as_bytes());
    lexforge.file("new.md", NEW.as_bytes());
    lexforge.json(&["import", "a.lexforge", "old.md", "new.md"]);
    let list = ["match", "list", "a.lexforge"];
    for row in lexforge.lines(&MATCH) {
        assert_eq!(row["out_of_force"], Value::Null, "{row:#}");
    }
    let printed = lexforge.run(&list);
    assert!(!printed.out.contains("repealed from"), "{}", printed.out);
    lexforge.json(&[
        "docs",
        "a.lexforge",
        "--about",
        "1",
        "--repealed",
        "2020-07-01",
    ]);

    let rows = lexforge.lines(&list);
    assert!(!rows.is_empty());
    for row in &rows {
        let out = json!({ "1": { "why": "repealed", "since": "2020-07-01" } });
        assert_eq!(row["out_of_force"], out, "{row:#}");
    }
    let rule = rows[0]["rule"]["id"].to_string();
    let show = ["match", "show", "a.lexforge", &rule];
    assert_eq!(lexforge.json(&show)["out_of_force"]["1"]["why"], "repealed");
    for words in [&list[..], &show[..]] {
        let printed = lexforge.run(words);
        let told = format!("  {rule}  page 1 (repealed from 2020-07-01): ");
        assert!(printed.out.contains(&told), "{}", printed.out);
    }
    let matched =
        "Not in force today, and matched all the same: document 1 (repealed from 2020-07-01).";
    for words in [&list[..], &MATCH[..]] {
        let printed = lexforge.run(words);
        assert!(printed.err.contains(matched), "{}", printed.err);
    }
    // What leaves the workspace says it as well.
    let table = |name: &str| {
        lexforge.json(&["match", "export", "a.lexforge", "--out", name]);
        std::fs::read_to_string(lexforge.path(name)).unwrap()
    };
    let csv = table("a.csv");
    assert!(csv.contains("\"rule not in force\""), "{csv}");
    assert!(csv.contains("\"repealed from 2020-07-01\""), "{csv}");
    let page = table("a.html");
    assert!(page.contains("page 1 (repealed from 2020-07-01)"), "{page}");
}
