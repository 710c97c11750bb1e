//! The sentence graph through the command line: built, added to, described, calibrated, shown, exported.

use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const WS: &str = "a.lexforge";

/// Rules of one act as a corpus file.
fn act(number: usize, count: usize) -> String {
    let actors = [
        "harbour master",
        "ferry operator",
        "grain warehouse",
        "railway dispatcher",
        "bridge company",
    ];
    let things = [
        "safety record",
        "inspection report",
        "cargo register",
        "repair plan",
        "insurance certificate",
    ];
    (0..count)
        .map(|i| {
            let (actor, thing) = (actors[(i + number) % 5], things[(2 * i + number) % 5]);
            let text = match i % 2 {
                0 => {
                    format!("The {actor} shall send the {thing} to the inspector within {} days of each voyage.", i + 2)
                }
                _ => format!(
                    "Every {actor} keeps the {thing} in good order for {} years and shows it on demand.",
                    i + number
                ),
            };
            json!({"id": format!("a{number}r{i}"), "text": text, "section": format!("Part {}", i / 5)}).to_string()
                + "\n"
        })
        .collect()
}

pub(super) fn import(lexforge: &Product, number: usize, count: usize) {
    let file = lexforge.file(&format!("act{number}.jsonl"), act(number, count).as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    lexforge.json(&["terms", "extract", WS]);
}

pub(super) fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_graph_is_built_by_a_model_that_the_user_names_and_goes_on_with_it() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge, 1, 30);
    let absent = ["graph", "build", WS, "--encoder", "absent", "--json"];
    refused(&lexforge.run(&absent), "model_missing");
    let demo = ["graph", "build", WS, "--encoder", "lexforge-demo"];
    let built = lexforge.json(&demo);
    let encoder = |stats: &Value| stats["parts"][0]["encoder"].as_str().unwrap().to_owned();
    let name = encoder(&built);
    // No file of its folder says how it makes vectors, and it is a decoder.
    assert!(
        name.starts_with("lexforge-demo (last") && name.ends_with("(graph, last token)"),
        "{name}"
    );
    assert_eq!(number(&built["sentences"]), 30);
    // The same model, which also reads questions, adds vectors to those that exist.
    import(&lexforge, 2, 6);
    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(update["kind"], "update");
    assert_eq!(number(&update["stats"]["sentences"]), 36);
    assert_eq!(encoder(&update["stats"]), name);
    let asked = ["search", WS, "Who reports?", "--mode", "dense"];
    assert!(!lexforge.lines(&asked).is_empty());
    // Another choice replaces it.
    let counted = lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    assert!(encoder(&counted).starts_with("char-ngram LSA"));
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// The model that built the graph may be gone, because its folder was deleted or the workspace is on another machine.
/// The graph then stays as it is, commands that need the model name it in an error, and everything else works.
#[test]
fn a_graph_whose_encoder_was_deleted_stays_and_names_it() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let own = lexforge.path("own-encoder");
    copy(&lexforge_needs::root().join("models/demo"), &own);
    import(&lexforge, 1, 30);
    let folder = own.to_str().unwrap();
    let built = lexforge.json(&["graph", "build", WS, "--encoder", folder]);
    let encoder = |stats: &Value| stats["parts"][0]["encoder"].as_str().unwrap().to_owned();
    let name = encoder(&built);
    assert!(name.starts_with("own-encoder"), "{name}");
    std::fs::remove_dir_all(&own).unwrap();

    // It is still the graph, and what needs no vectors of new texts works on it.
    let stats = lexforge.json(&["graph", "stats", WS]);
    assert_eq!(number(&stats["sentences"]), 30, "{stats}");
    lexforge.json(&["augment", WS, "--offline"]);
    assert!(
        !lexforge
            .lines(&["search", WS, "inspection report", "--mode", "lexical"])
            .is_empty()
    );
    // New texts and questions need the model.
    import(&lexforge, 2, 6);
    for words in [
        &["graph", "update", WS, "--json"][..],
        &["search", WS, "Who reports?", "--mode", "dense", "--json"],
    ] {
        let told = refused(&lexforge.run(words), "model_missing");
        assert!(told.contains("own-encoder"), "{words:?}: {told}");
    }
    let after = lexforge.json(&["graph", "stats", WS]);
    assert_eq!(number(&after["sentences"]), 30, "{after}");
    // Another encoder takes its place, for old and new alike.
    let counted = lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    assert_eq!(number(&counted["sentences"]), 36);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// If a folder has no settings, its model makes vectors by the mean (for the graph a decoder by its last token), and a
/// message says so. The settings that a user makes are used everywhere, and an impossible setting leaves the folder
/// unchanged.
#[test]
fn a_user_says_how_a_folder_is_read() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let own = lexforge.path("own-encoder");
    copy(&lexforge_needs::root().join("models/demo"), &own);
    let folder = own.to_str().unwrap();
    let before = lexforge.json(&["models", "inspect", folder]);
    assert_eq!(
        (&before["reading_assumed"], &before["reading"]["pooling"]),
        (&Value::from(true), &Value::from("mean")),
        "{before:#}"
    );
    let said = ["models", "reading", folder, "--pooling", "last"];
    let said = [&said[..], &["--question", "Question: "]].concat();
    let after = lexforge.json(&said);
    assert_eq!(after["reading"]["pooling"], "last", "{after:#}");
    assert_eq!(after["reading"]["question"], "Question: ");
    assert_eq!(after["reading_assumed"], false);
    import(&lexforge, 1, 30);
    let built = lexforge.json(&["graph", "build", WS, "--encoder", folder]);
    let name = built["parts"][0]["encoder"].as_str().unwrap();
    assert!(name.starts_with("own-encoder (last"), "{name}");
    assert!(name.ends_with("(graph)"), "{name}");

    // A file that cannot be read is named, and nothing else is written beside it.
    let prompts = own.join("config_sentence_transformers.json");
    std::fs::write(&prompts, "{").unwrap();
    let broken = ["models", "reading", folder, "--question", "Q: ", "--json"];
    refused(&lexforge.run(&broken), "model_missing");
    assert_eq!(std::fs::read_to_string(&prompts).unwrap(), "{");
    let shipped = [
        "models",
        "reading",
        "lexforge-demo",
        "--pooling",
        "cls",
        "--json",
    ];
    refused(&lexforge.run(&shipped), "invalid_request");
}

pub(super) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn whoever_looked_for_terms_and_found_none_is_not_told_to_look_again() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let file = lexforge.file("short.txt", b"It is so, and it was so before.");
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    let build = ["graph", "build", WS, "--encoder", "lsa", "--json"];
    assert!(refused(&lexforge.run(&build), "step_missing").contains("no terms yet"));
    assert_eq!(lexforge.json(&["terms", "extract", WS])["terms"], 0);
    let told = refused(&lexforge.run(&build), "too_little_data");
    assert!(told.contains("No term was found"), "{told}");
}

#[test]
fn a_graph_grows_with_its_corpus() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge, 1, 60);
    refused(
        &lexforge.run(&["graph", "update", WS, "--json"]),
        "step_missing",
    );
    // A bound that no pair can meet is refused and not silently lowered. A document that does not exist has no
    // sentences.
    let build = [
        "graph",
        "build",
        WS,
        "--encoder",
        "lsa",
        "--sentence-threshold",
        "5",
        "--json",
    ];
    assert!(refused(&lexforge.run(&build), "invalid_request").contains("5 is no cosine"));
    let none = lexforge.run(&["docs", WS, "--sentences", "99", "--json"]);
    refused(&none, "not_found");
    lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    let stats = lexforge.json(&["graph", "stats", WS]);
    assert_eq!(
        (number(&stats["sentences"]), &stats["exact"]),
        (60, &json!(true))
    );
    assert_eq!(stats["state"]["reasons"], json!([]));
    assert!(number(&stats["census"]["sentence_degrees"]["most"]) > 3);

    import(&lexforge, 2, 12);
    let stats = lexforge.json(&["graph", "stats", WS]);
    assert_eq!(
        (
            number(&stats["sentences"]),
            number(&stats["state"]["sentences"]["added"])
        ),
        (60, 12)
    );
    assert_eq!(stats["state"]["reasons"][0]["reason"], "grown");
    let text = String::from_utf8_lossy(
        &lexforge
            .command(&["graph", "stats", WS])
            .output()
            .unwrap()
            .stdout,
    )
    .into_owned();
    assert!(
        text.contains("! stale: sentences, documents or terms grew by")
            && text.contains("lexforge graph update"),
        "{text}"
    );

    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(
        (&update["kind"], number(&update["parent"])),
        (&json!("update"), 1)
    );
    assert_eq!(number(&update["stats"]["sentences"]), 72);
    let builds = lexforge.lines(&["graph", "list", WS]);
    assert_eq!(
        builds.iter().map(|b| number(&b["id"])).collect::<Vec<_>>(),
        [2, 1]
    );

    let asked = [
        "graph",
        "calibrate",
        WS,
        "--quantiles",
        "--entity-low",
        "0.5",
        "--entity-high",
        "1",
        "--sentence-threshold",
        "0.5",
    ];
    let view = lexforge.json(&asked);
    let part = &view["parts"][0];
    assert_eq!(view["scale"], "quantile");
    assert!(
        number(&part["sentences_with_candidate"][0]) > 20
            && number(&part["entity_nearest"]["total"]) > 3
    );
    assert_eq!(
        lexforge.lines(&["graph", "list", WS]).len(),
        2,
        "nothing was built"
    );

    let shown = lexforge.json(&["graph", "show", WS, "--term", "harbour master"]);
    assert!(number(&shown["counts"]["shared_entity"]) > 5, "{shown}");
    refused(
        &lexforge.run(&["graph", "show", WS, "--term", "no such thing", "--json"]),
        "not_found",
    );
    let misspelt = ["graph", "show", WS, "--term", "harbor master", "--json"];
    let told = refused(&lexforge.run(&misspelt), "not_found");
    assert!(told.contains("Perhaps “harbour master”"), "{told}");

    let lines = lexforge.lines(&["graph", "export", WS]);
    let nodes = lines.iter().filter(|l| !l["node"].is_null()).count() as u64;
    assert_eq!(
        nodes,
        number(&update["stats"]["sentences"]) + number(&update["stats"]["entities"])
    );
    let file = lexforge.path("graph.graphml");
    let report = lexforge.json(&[
        "graph",
        "export",
        WS,
        "--format",
        "graphml",
        "--out",
        file.to_str().unwrap(),
    ]);
    assert_eq!(number(&report["nodes"]), nodes);
    let xml = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        xml.matches("<edge ").count() as u64,
        number(&report["edges"])
    );
    assert!(xml.ends_with("</graphml>\n"));

    lexforge.json(&["graph", "classify", WS, "1", "transport safety"]);
    lexforge.json(&["graph", "update", WS]);
    let stats = lexforge.json(&["graph", "stats", WS]);
    assert_eq!(number(&stats["types"]["user_class"]), 60);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// The lexical graph of the article compares sub-words of a tokenizer instead of words. Later updates keep this
/// setting, and the graph gives triplets.
#[test]
fn lexical_edges_stand_on_the_sub_words_of_a_model_that_is_named() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let rules = |number: usize| -> String {
        let pairs = [
            ["harbour master", "safety record", "inspector"],
            ["grain warehouse", "cargo register", "port authority"],
            ["railway dispatcher", "repair plan", "bridge company"],
        ];
        let rule = |[actor, thing, to]: [&str; 3], when: &str| {
            let text = format!(
                "The {actor} of port {number} shall send the {thing} to the {to} {when} each voyage."
            );
            json!({ "id": format!("{number} {actor} {when}"), "text": text }).to_string() + "\n"
        };
        pairs
            .iter()
            .flat_map(|pair| [rule(*pair, "right after"), rule(*pair, "soon after")])
            .collect()
    };
    let import = |number: usize| {
        let name = format!("port{number}.jsonl");
        let file = lexforge.file(&name, rules(number).as_bytes());
        lexforge.json(&["import", WS, file.to_str().unwrap()]);
        lexforge.json(&["terms", "extract", WS]);
    };
    (0..10).for_each(import);
    let by = |model: &'static str| {
        let words = [
            "graph",
            "build",
            WS,
            "--encoder",
            "lsa",
            "--lexical-tokenizer",
        ];
        words.into_iter().chain([model]).collect::<Vec<_>>()
    };
    let absent: Vec<&str> = by("absent").into_iter().chain(["--json"]).collect();
    refused(&lexforge.run(&absent), "model_missing");
    let built = lexforge.json(&by("lexforge-demo"));
    assert_eq!(built["lexical_tokenizer"], "lexforge-demo");
    let alike = number(&built["edges"]["lexical"]);
    assert!(alike >= 30, "{built}");

    let made = lexforge.json(&["triplets", "make", WS, "--from-graph"]);
    assert!(number(&made["kept"]) > 0, "{made}");
    let rows = lexforge.lines(&["triplets", "list", WS]);
    assert_eq!(rows.len() as u64, number(&made["kept"]));
    for row in &rows {
        let text = |name: &str| row["triplet"][name].as_str().unwrap().to_owned();
        assert_eq!(row["triplet"]["origin"]["by"], "graph");
        assert_ne!(text("source"), text("positive"));
        assert!(text("negative") != text("source") && text("negative") != text("positive"));
    }
    let again = lexforge.json(&["triplets", "make", WS, "--from-graph"]);
    assert_eq!(made, again);
    assert_eq!(lexforge.lines(&["triplets", "list", WS]).len(), rows.len());

    import(10);
    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(update["stats"]["lexical_tokenizer"], "lexforge-demo");
    assert!(
        number(&update["stats"]["edges"]["lexical"]) > alike,
        "{update}"
    );
}

/// A graph that is built again marks the questions whose candidates are others now, until they are written again.
#[test]
fn questions_of_other_candidates_are_marked_until_they_are_written_again() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    (1..5).for_each(|act| import(&lexforge, act, 30));
    let build = |encoder: &str| lexforge.json(&["graph", "build", WS, "--encoder", encoder]);
    let changed = || number(&lexforge.json(&["graph", "stats", WS])["state"]["questions_changed"]);
    build("lsa");
    lexforge.json(&["augment", WS, "--offline"]);
    assert_eq!(changed(), 0);
    build("lsa");
    assert_eq!(changed(), 0, "the same graph");
    // To another encoder other sentences are near.
    build("all-MiniLM-L6-v2");
    let marked = changed();
    assert!(marked > 0);
    let rows = lexforge.lines(&["qca", "export", WS]);
    let of_rows = rows
        .iter()
        .filter(|row| row["candidates_changed"] == true)
        .count();
    assert_eq!(of_rows as u64, marked);
    lexforge.json(&["augment", WS, "--offline"]);
    assert_eq!(changed(), 0);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
