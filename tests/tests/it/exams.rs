//! Exams of others and terms in contexts, with the built programs; the questions are our own.

use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const WS: &str = "a.lexforge";
const DEMO: &str = "base lexforge-demo";

/// A table as FinanceIQ has them, with what cannot be used.
const TABLE: &str = ",Question,A,B,C,D,Answer
0,Who keeps the register of ferries?,the harbour office,the ferry owner,the crew,the passengers,A
1,\"Who must be told of a collision?
Choose one.\",the harbour office,the bakery,the school,the theatre,A
2,谁负责保存渡船登记簿？,港务办公室,船主,船员,乘客,A
3,渡船发生碰撞后应当通知谁？,面包店,港务办公室,学校,剧院,B
4,Which ferry has no answer?,one,two,three,four,
5,Which choices are equal?,one,one,three,four,A
6,Which letter is beyond?,one,two,three,four,F
7,,one,two,three,four,A
8,Who keeps the register of ferries?,the harbour office,the ferry owner,the crew,the passengers,A
";

/// A table in Chinese, and the same in the encoding of older programs (GB18030).
const CHINESE: &str = "题目,A,B,答案\n谁应当负责保存渡船的登记簿，并在每年年底以前向港务办公室报告？,港务办公室的工作人员,船主或者其代理人,A\n渡船在航行中发生碰撞以后，船主应当在规定的时间内通知谁？,面包店的主人,港务办公室和保险机构,B\n";
const OLD: &[u8] = b"\xCC\xE2\xC4\xBF,A,B,\xB4\xF0\xB0\xB8\n\xCB\xAD\xD3\xA6\xB5\xB1\xB8\xBA\xD4\xF0\xB1\xA3\xB4\xE6\xB6\
    \xC9\xB4\xAC\xB5\xC4\xB5\xC7\xBC\xC7\xB2\xBE\xA3\xAC\xB2\xA2\xD4\xDA\xC3\xBF\xC4\xEA\xC4\xEA\xB5\xD7\
    \xD2\xD4\xC7\xB0\xCF\xF2\xB8\xDB\xCE\xF1\xB0\xEC\xB9\xAB\xCA\xD2\xB1\xA8\xB8\xE6\xA3\xBF,\xB8\xDB\
    \xCE\xF1\xB0\xEC\xB9\xAB\xCA\xD2\xB5\xC4\xB9\xA4\xD7\xF7\xC8\xCB\xD4\xB1,\xB4\xAC\xD6\xF7\xBB\xF2\
    \xD5\xDF\xC6\xE4\xB4\xFA\xC0\xED\xC8\xCB,A\n\xB6\xC9\xB4\xAC\xD4\xDA\xBA\xBD\xD0\xD0\xD6\xD0\xB7\xA2\
    \xC9\xFA\xC5\xF6\xD7\xB2\xD2\xD4\xBA\xF3\xA3\xAC\xB4\xAC\xD6\xF7\xD3\xA6\xB5\xB1\xD4\xDA\xB9\xE6\xB6\
    \xA8\xB5\xC4\xCA\xB1\xBC\xE4\xC4\xDA\xCD\xA8\xD6\xAA\xCB\xAD\xA3\xBF,\xC3\xE6\xB0\xFC\xB5\xEA\xB5\
    \xC4\xD6\xF7\xC8\xCB,\xB8\xDB\xCE\xF1\xB0\xEC\xB9\xAB\xCA\xD2\xBA\xCD\xB1\xA3\xCF\xD5\xBB\xFA\xB9\
    \xB9,B\n";

/// Lines as JEC-QA has them.
const LINES: &str = r#"{"id": "1", "statement": "Who may inspect a ferry?", "option_list": {"A": "the harbour office", "B": "the insurer", "C": "the bakery", "D": "the school"}, "answer": ["A", "B"], "subject": "inspection", "type": "0"}
{"id": "2", "statement": "哪些人可以检查渡船？", "option_list": {"A": "港务办公室", "B": "保险人", "C": "面包店", "D": "学校"}, "answer": ["A", "B"], "subject": "检查", "type": "1"}
{"id": "3", "statement": "Which fee is due?", "option_list": {"A": "the harbour fee", "B": "none"}, "answer": "A", "subject": "inspection", "type": "0"}
"#;

const CONTEXTS: &str = r#"{"term": "operator", "shown_in": "The operator shall moor the ferry before the passengers leave it.", "context_pos": "operator: whoever runs a ferry between two harbours", "context_neg": "operator: whoever bakes bread for sale", "act": "Ferry Act"}
{"term": "operator", "shown_in": "The operator shall clean the oven after each batch of bread.", "context_pos": "operator: whoever bakes bread for sale", "context_neg": "operator: whoever runs a ferry between two harbours", "act": "Bread Act"}
{"term": "vessel", "shown_in": "A vessel that carries passengers between harbours needs a licence.", "context_pos": "vessel: a ferry or a boat that carries passengers", "context_neg": "vessel: a bowl in which dough is kept", "act": "Ferry Act"}
{"term": "经营者", "shown_in": "经营者应当在乘客离船前系泊渡船。", "context_pos": "经营者：在两个港口之间运营渡船的人", "context_neg": "经营者：制作并出售面包的人", "act": "Ferry Act"}
{"term": "vessel", "context_pos": "a ferry", "context_neg": "vessel: a bowl"}
"#;

fn workspace() -> Option<Product> {
    let lexforge = Product::with_decoder()?;
    lexforge.json(&["new", WS]);
    Some(lexforge)
}

fn verified(lexforge: &Product) {
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], json!(true));
}

fn row<'a>(table: &'a Value, system: &str, scorer: &str) -> &'a Value {
    let mut rows = table["systems"].as_array().unwrap().iter();
    let found = rows.find(|row| row["system"] == system && row["scorer"] == scorer);
    found.unwrap_or_else(|| panic!("no {system} by {scorer}: {table:#}"))
}

#[test]
fn an_exam_is_brought_in_listed_and_removed() {
    let Some(lexforge) = workspace() else {
        return;
    };
    lexforge.file("ferries.csv", TABLE.as_bytes());
    // A look says what the import then says, and keeps nothing.
    let look = lexforge.json(&["exam", "import", WS, "ferries.csv", "--plan"]);
    assert!(lexforge.lines(&["exam", "list", WS]).is_empty());
    let mut report = lexforge.json(&["exam", "import", WS, "ferries.csv"]);
    let made = std::mem::replace(&mut report["made"], json!(""));
    assert!(made.as_str().is_some_and(|made| !made.is_empty()), "{made}");
    assert_eq!(look, report);
    assert_eq!(report["languages"], json!({ "en": 2, "zh": 2 }));
    assert_eq!(
        (
            &report["name"],
            &report["questions"],
            &report["read"],
            &report["left_out"]
        ),
        (&json!("ferries"), &json!(4), &json!(9), &json!(5)),
        "{report:#}"
    );
    let lines: Vec<&Value> = report["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["line"])
        .collect();
    assert_eq!(lines, [7, 8, 9, 10, 11]);
    let again = lexforge.json(&["exam", "import", WS, "ferries.csv"]);
    assert_eq!(again["unchanged"], json!(true));
    verified(&lexforge);

    // Whatever the encoding, the questions are the same.
    lexforge.file("new.csv", CHINESE.as_bytes());
    let new = lexforge.json(&["exam", "import", WS, "new.csv", "--subject", "ferries"]);
    lexforge.file("old.csv", OLD);
    let old = lexforge.json(&["exam", "import", WS, "old.csv", "--subject", "ferries"]);
    assert_eq!(old["questions"], 2, "{old:#}");
    assert_eq!(old["hash"], new["hash"], "{old:#}");
    assert!(old["warnings"][0].as_str().unwrap().contains("gb18030"));

    // A file that is no exam is not kept, and other questions cannot take the name of an existing exam.
    for (name, text, part) in [
        ("none.csv", "id,question,A,B\n1,Who?,a,b\n", "right answer"),
        (
            "all.jsonl",
            "{\"question\": \"Who?\", \"choices\": [\"a\", \"a\"], \"answer\": 0}\n",
            "line 1",
        ),
        ("empty.csv", "", "empty"),
    ] {
        lexforge.file(name, text.as_bytes());
        let done = lexforge.run(&["exam", "import", WS, name, "--json"]);
        assert_eq!(done.code, 1, "{name}: {}", done.out);
        let failure: Value = serde_json::from_str(done.out.lines().last().unwrap()).unwrap();
        let message = failure["error"]["message"].as_str().unwrap().to_lowercase();
        assert!(message.contains(part), "{name}: {message}");
    }
    lexforge.file("lines.jsonl", LINES.as_bytes());
    let taken = [
        "exam",
        "import",
        WS,
        "lines.jsonl",
        "--name",
        "ferries",
        "--json",
    ];
    refused(&lexforge.run(&taken), "invalid_request");
    assert_eq!(lexforge.lines(&["exam", "list", WS]).len(), 3);

    lexforge.json(&["exam", "remove", WS, "old"]);
    refused(
        &lexforge.run(&["exam", "remove", WS, "old", "--json"]),
        "not_found",
    );
    assert_eq!(lexforge.lines(&["exam", "list", WS]).len(), 2);
    verified(&lexforge);
}

#[test]
fn systems_sit_an_exam_by_subject() {
    let Some(lexforge) = workspace() else {
        return;
    };
    std::fs::create_dir(lexforge.path("exam")).unwrap();
    lexforge.file("exam/register.csv", TABLE.as_bytes());
    lexforge.file("exam/lines.jsonl", LINES.as_bytes());
    lexforge.json(&["exam", "import", WS, "exam", "--name", "harbour"]);
    let systems = format!("tfidf,lsa,bm25,{DEMO}");
    let bench = |more: &[&str]| {
        let mut args = vec!["bench", WS, "--exam", "harbour", "--systems", &systems];
        args.extend(more);
        lexforge.json(&args)
    };
    let table = bench(&["--baseline", "tfidf"]);
    assert_eq!(
        (&table["n"], &table["unit"]),
        (&json!(7), &json!("question"))
    );
    for (system, scorer) in [
        ("tfidf", "embedding"),
        ("lsa", "embedding"),
        ("bm25", "embedding"),
        (DEMO, "likelihood"),
        (DEMO, "generation"),
        (DEMO, "embedding"),
    ] {
        let found = row(&table, system, scorer);
        assert_eq!(found["figures"]["n"], 7, "{found:#}");
        let subjects = found["by_subject"].as_object().unwrap();
        assert_eq!(subjects["register"]["n"], 4);
        assert_eq!(subjects["inspection"]["n"], 2);
        assert_eq!(found["several"]["n"], 2);
        // One of the six sets of two among four.
        let chance = found["several"]["chance"].as_f64().unwrap();
        assert!((chance - 1.0 / 6.0).abs() < 1e-9);
        let kinds = found["by_kind"].as_object().unwrap();
        assert_eq!(
            kinds.keys().collect::<Vec<_>>(),
            ["case analysis", "knowledge"]
        );
        // Two scorers are never compared.
        let compared = !found["against"].is_null();
        assert_eq!(
            compared,
            scorer == "embedding" && system != "tfidf",
            "{found:#}"
        );
    }
    // So few questions are told to be few.
    let notes = table["notes"].to_string();
    assert!(notes.contains("7 questions only"), "{notes}");
    // Earlier answers are used again: the table is the same, and the chain gets no further row.
    let rows = lexforge.json(&["audit", "verify", WS])["rows"].clone();
    assert_eq!(bench(&["--baseline", "tfidf"])["systems"], table["systems"]);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["rows"], rows);

    let sample = bench(&["--sample", "1", "--seed", "3"]);
    assert_eq!((&sample["n"], &sample["of"]), (&json!(3), &json!(7)));
    assert_eq!(bench(&["--sample", "1", "--seed", "3"]), sample);
    let missing = lexforge.run(&["bench", WS, "--exam", "planet 9", "--json"]);
    refused(&missing, "not_found");
    let empty = ["bench", WS, "--exam", "harbour", "--sample", "0", "--json"];
    refused(&lexforge.run(&empty), "invalid_request");
}

/// An exam becomes a corpus by the way of every corpus, and its own questions are told to be known from then on.
#[test]
fn an_exam_is_a_corpus_and_is_then_told_to_be_known() {
    let Some(lexforge) = workspace() else {
        return;
    };
    lexforge.file("ferries.csv", TABLE.as_bytes());
    lexforge.json(&["exam", "import", WS, "ferries.csv"]);
    let notes = || {
        let asked = ["bench", WS, "--exam", "ferries", "--systems", "tfidf"];
        lexforge.json(&asked)["notes"].to_string()
    };
    assert!(!notes().contains("stand in the documents"));
    let written = lexforge.json(&["exam", "passages", WS, "ferries", "passages.jsonl"]);
    assert_eq!(written["passages"], 4, "{written:#}");
    let text = std::fs::read_to_string(lexforge.path("passages.jsonl")).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        first["text"],
        "Who keeps the register of ferries? the harbour office"
    );
    // Wrong choices are in no passage.
    assert!(!text.contains("bakery"), "{text}");
    lexforge.json(&["import", WS, "passages.jsonl"]);
    let notes = notes();
    assert!(
        notes.contains("of 4 questions stand in the documents"),
        "{notes}"
    );
    // Pairs of contexts are no questions.
    lexforge.file("contexts.jsonl", CONTEXTS.as_bytes());
    lexforge.json(&["terms", "apart", "import", WS, "contexts.jsonl"]);
    let pairs = ["exam", "passages", WS, "contexts", "pairs.jsonl", "--json"];
    refused(&lexforge.run(&pairs), "invalid_request");
    verified(&lexforge);
}

#[test]
fn terms_are_told_apart_in_their_contexts() {
    let Some(lexforge) = workspace() else {
        return;
    };
    lexforge.file("pairs.jsonl", CONTEXTS.as_bytes());
    let report = lexforge.json(&["terms", "apart", "import", WS, "pairs.jsonl"]);
    assert_eq!(
        (&report["kind"], &report["questions"], &report["left_out"]),
        (&json!("terms"), &json!(4), &json!(1))
    );
    let systems = format!("tfidf,lsa,bm25,{DEMO}");
    let table = lexforge.json(&["bench", WS, "--terms", "pairs", "--systems", &systems]);
    assert_eq!(
        (&table["n"], &table["clusters"], &table["unit"]),
        (&json!(4), &json!(3), &json!("term"))
    );
    assert_eq!(table["systems"].as_array().unwrap().len(), 4, "{table:#}");
    let notes = table["notes"].to_string();
    assert!(notes.contains("3 terms only"), "{notes}");
    let counted = &table["systems"][0];
    assert_eq!(counted["system"], "tfidf");
    // The words that use and meaning share tell three of the four.
    assert!(
        counted["figures"]["pairwise_accuracy"].as_f64().unwrap() >= 0.75,
        "{counted:#}"
    );
    assert!(counted["figures"]["mean_cosine_gap"].as_f64().unwrap() > 0.0);
    assert_eq!(counted["by_act"]["Bread Act"]["n"], 1);

    // Out and in again it is the same set.
    lexforge.json(&[
        "terms",
        "apart",
        "export",
        WS,
        "out.jsonl",
        "--set",
        "pairs",
    ]);
    let again = lexforge.json(&[
        "terms",
        "apart",
        "import",
        WS,
        "out.jsonl",
        "--name",
        "pairs",
    ]);
    assert_eq!(again["unchanged"], json!(true), "{again:#}");
    let wrong = ["bench", WS, "--exam", "pairs", "--json"];
    refused(&lexforge.run(&wrong), "invalid_request");
    refused(
        &lexforge.run(&["bench", WS, "--terms", "--json"]),
        "step_missing",
    );
    verified(&lexforge);
}

/// Things that a ferry carries or needs. Each gives one question.
const THINGS: [&str; 12] = [
    "anchor",
    "ledger",
    "lantern",
    "rudder",
    "whistle",
    "compass",
    "ladder",
    "mooring",
    "gangway",
    "lifeboat",
    "licence",
    "timetable",
];

fn lines_of(all: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let lines: Vec<String> = all.into_iter().map(|line| format!("{line}\n")).collect();
    lines.concat().into_bytes()
}

#[test]
fn tasks_that_nobody_trained_on_are_measured_by_cosines() {
    let Some(lexforge) = workspace() else {
        return;
    };
    let pairs = THINGS.iter().enumerate().flat_map(|(i, thing)| {
        let question = format!("Who looks after the {thing} of a ferry?");
        let right = format!("The harbour office looks after the {thing}.");
        let wrong = format!("Loaf number {i} was baked at night.");
        [(right, 1), (wrong, 0)].map(
            |(passage, label)| json!({"question": question, "passage": passage, "label": label}),
        )
    });
    // So many words of four are shared.
    let words = ["harbour", "insurer", "captain", "engineer"];
    let similarity = THINGS.iter().enumerate().flat_map(|(i, thing)| {
        [i % 5, (i + 2) % 5].map(|shared| {
            let other = format!("The {thing} is kept by the crew at night {}", words[..shared].join(" "));
            json!({"a": format!("The {thing} is kept for the {} at quay {shared}", words.join(" ")), "b": other, "score": shared})
        })
    });
    let classes = THINGS.iter().flat_map(|thing| {
        [
            (
                "ferries",
                format!("The ferry sails with its {thing} in the morning."),
            ),
            (
                "bread",
                format!("Bread is baked in an oven beside the {thing}."),
            ),
        ]
        .map(|(class, text)| json!({"text": text, "class": class}))
    });
    lexforge.file("pairs.jsonl", &lines_of(pairs));
    lexforge.file("similarity.jsonl", &lines_of(similarity));
    lexforge.file("classes.jsonl", &lines_of(classes));
    let systems = format!("tfidf,lsa,bm25,{DEMO}");
    for (exam, measures, n) in [
        ("pairs", ["auc", "average_precision"], 24),
        ("similarity", ["spearman", "pearson"], 24),
        ("classes", ["accuracy", "macro_f1"], 24),
    ] {
        let report = lexforge.json(&["exam", "import", WS, &format!("{exam}.jsonl")]);
        assert_eq!(
            (&report["kind"], &report["questions"]),
            (&json!(exam), &json!(n)),
            "{report:#}"
        );
        let bench = ["bench", WS, "--exam", exam, "--systems", &systems];
        let table = lexforge.json(&bench);
        assert_eq!(table["baseline"], json!(DEMO), "{table:#}");
        let rows = table["systems"].as_array().unwrap();
        let missing = table["missing"].as_array().unwrap();
        let without = usize::from(exam == "classes");
        assert_eq!(
            (rows.len(), missing.len()),
            (4 - without, without),
            "{table:#}"
        );
        for row in rows {
            for (figure, measure) in row["figures"].as_array().unwrap().iter().zip(measures) {
                assert_eq!(figure["measure"], measure);
                let [low, high] = [0usize, 1].map(|at| figure["interval"][at].as_f64().unwrap());
                let value = figure["value"].as_f64().unwrap();
                assert!(low <= high && (-1.0..=1.0).contains(&value), "{figure:#}");
            }
            assert_eq!(row["against"].is_null(), row["system"] == DEMO);
        }
        assert_eq!(rows[0]["system"], "tfidf");
        assert!(
            rows[0]["figures"][0]["value"].as_f64().unwrap() > 0.6,
            "{table:#}"
        );
        // Earlier answers are used again: the table is the same, and the chain gets no further row.
        let chain = lexforge.json(&["audit", "verify", WS])["rows"].clone();
        assert_eq!(lexforge.json(&bench)["systems"], table["systems"]);
        assert_eq!(lexforge.json(&["audit", "verify", WS])["rows"], chain);
        let sample = ["bench", WS, "--exam", exam, "--sample", "3", "--json"];
        refused(&lexforge.run(&sample), "invalid_request");
    }

    // The chain says what was brought in.
    let rows = lexforge.lines(&["audit", "list", WS]);
    for what in [
        "24 pairs of texts of pairs.jsonl",
        "24 scored pairs of texts of similarity.jsonl",
        "24 texts with a class of classes.jsonl",
    ] {
        let told = |row: &Value| row["reason"].as_str().is_some_and(|r| r.starts_with(what));
        assert!(rows.iter().any(told), "{what}: {rows:#?}");
    }

    // A file that can measure nothing is refused, and no part of it is kept.
    let one = THINGS.map(|thing| json!({"a": thing, "b": format!("{thing} crew"), "label": 1}));
    lexforge.file("one.jsonl", &lines_of(one));
    let import = ["exam", "import", WS, "one.jsonl", "--json"];
    refused(&lexforge.run(&import), "too_little_data");
    let few = [
        json!({"a": "one ferry", "b": "a ferry", "score": 4}),
        json!({"a": "one ferry", "b": "a loaf", "score": 1}),
        json!({"a": "a loaf", "b": "one ferry", "score": 2}),
    ];
    lexforge.file("few.jsonl", &lines_of(few));
    let report = lexforge.json(&["exam", "import", WS, "few.jsonl"]);
    assert_eq!(report["questions"], 2);
    let told = report["warnings"].to_string();
    assert!(told.contains("another label, score or class: 1."), "{told}");
    let few = ["bench", WS, "--exam", "few", "--json"];
    refused(&lexforge.run(&few), "too_little_data");
    verified(&lexforge);
}
