//! What may go live: the gate on trained runs, making one active by it and against it, and taking back.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::Value;

const WS: &str = "gate.lexforge";

fn trained() -> Option<Product> {
    let lexforge = Product::find()?;
    prepared::trained(&lexforge.path(WS))?;
    Some(lexforge)
}

/// The decision, and the exit code of the verb.
fn gate(lexforge: &Product, arguments: &[&str]) -> (Value, i32) {
    let done = lexforge.run(&[&["gate", WS, "--json"][..], arguments].concat());
    let decision = serde_json::from_str(done.out.trim())
        .unwrap_or_else(|e| panic!("{e}: {}\n{}", done.out, done.err));
    (decision, done.code)
}

fn codes(decision: &Value) -> Vec<&str> {
    let reasons = decision["reasons"].as_array().unwrap();
    reasons.iter().filter_map(|r| r["code"].as_str()).collect()
}

fn notes(lexforge: &Product) -> Value {
    lexforge.json(&["ask", WS, "What must a firm keep a record of?"])["notes"].clone()
}

#[test]
fn only_what_passes_goes_live_and_an_override_stands_in_the_chain_and_in_answers() {
    let Some(lexforge) = trained() else { return };
    // Nobody reviewed the sample's questions: that stops any model.
    let (decision, code) = gate(&lexforge, &["--run", "1", "--against", "base"]);
    assert_eq!((decision["verdict"].as_str(), code), (Some("stop"), 3));
    assert!(codes(&decision).contains(&"unreviewed"), "{decision:#}");
    let against = decision["against"].as_str().unwrap();
    assert!(against.starts_with("base "), "{against}");
    let characteristic = &decision["characteristic"];
    for share in [
        &characteristic["equal_passes"],
        &characteristic["worse_stopped"]["1"],
        &characteristic["worse_stopped"]["3"],
    ] {
        assert!((0.0..=1.0).contains(&share.as_f64().unwrap()));
    }
    // Attacks are measured where the rule asks for them, and the rule says so.
    let (attacked, _) = gate(&lexforge, &["--run", "1", "--attack-floor", "0.1"]);
    assert_eq!(attacked["policy"]["attack_floor"].as_f64(), Some(0.001));
    let of_attacks = codes(&attacked);
    let measured = ["attack_lost", "attack_cannot_tell"];
    assert!(
        of_attacks.iter().any(|code| measured.contains(code)),
        "{attacked:#}"
    );
    assert!(!of_attacks.contains(&"attack_not_measured"));
    let impossible = ["gate", WS, "--run", "1", "--attack-floor", "0", "--json"];
    refused(&lexforge.run(&impossible), "invalid_request");
    // A few pairs of general language decide nothing.
    let pairs = "{\"a\": \"one\", \"b\": \"two\", \"score\": 1}\n{\"a\": \"one\", \"b\": \"three\", \"score\": 2}\n";
    lexforge.file("general.jsonl", pairs.as_bytes());
    let few = [
        "gate",
        WS,
        "--run",
        "1",
        "--general",
        "general.jsonl",
        "--general-floor",
        "0.02",
        "--json",
    ];
    let message = refused(&lexforge.run(&few), "invalid_request");
    assert!(message.contains("there are 2 of them"), "{message}");
    // A file without a pair is not taken for no file.
    lexforge.file("general.jsonl", b"");
    refused(&lexforge.run(&few), "too_little_data");
    general_language_is_measured_once(&lexforge);
    // A model does not differ from itself.
    let (same, _) = gate(&lexforge, &["--run", "1", "--against", "1"]);
    for figure in same["figures"].as_array().unwrap() {
        assert_eq!(figure["difference"].as_f64(), Some(0.0));
        assert_eq!(figure["low"].as_f64(), Some(0.0));
    }

    let activate = ["models", "activate", WS, "--run", "1", "--json"];
    let stopped = lexforge.run(&activate);
    let message = refused(&stopped, "invalid_request");
    assert!(
        stopped.err.contains("--run 1 --override --by NAME"),
        "{}",
        stopped.err
    );
    assert!(message.contains("unreviewed"), "{message}");
    let against = |words: &[&'static str]| [&activate[..], &["--override"], words].concat();
    let why = "a trial in one branch until May, looked at each week";
    let (reason, by) = (["--reason", why], ["--by", "Ada Example"]);
    for missing in [
        [&reason[..], &["--accept"]].concat(),
        [&reason[..], &by[..]].concat(),
    ] {
        assert_eq!(lexforge.run(&against(&missing)).code, 2, "{missing:?}");
    }
    let short = against(&["--reason", "a trial", "--by", "Ada Example", "--accept"]);
    refused(&lexforge.run(&short), "invalid_request");
    let stands = [&reason[..], &by[..], &["--accept"]].concat();
    let done = lexforge.json(&against(&stands));
    assert_eq!(done["action"], "override");
    let active = lexforge.json(&["models", "active", WS]);
    assert_eq!(active["encoder"]["run"], 1);
    assert_eq!(active["encoder"]["overridden"]["by"], "Ada Example");
    assert_eq!(active["decoder"], Value::Null);
    let said = notes(&lexforge).to_string();
    assert!(
        said.contains("against_the_gate") && said.contains("Ada Example"),
        "{said}"
    );
    let rows = lexforge.lines(&["audit", "list", WS]);
    let row = rows
        .iter()
        .find(|r| r["action"] == "deployment.override")
        .unwrap_or_else(|| panic!("no row of the override among {}", rows.len()));
    assert!(row["reason"].as_str().unwrap().contains("a trial"));
    papers_say_it(&lexforge);

    let back = lexforge.json(&["models", "rollback", WS]);
    assert_eq!(
        (&back["action"], &back["run"]),
        (&"roll_back".into(), &Value::Null)
    );
    assert!(!notes(&lexforge).to_string().contains("against_the_gate"));
    refused(
        &lexforge.run(&["models", "rollback", WS, "--json"]),
        "step_missing",
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

#[test]
fn how_often_a_rule_is_right_is_told_for_a_snapshot_that_exists() {
    let Some(lexforge) = trained() else { return };
    let plan = lexforge.json(&["gate", WS, "--plan", "--level", "0.9"]);
    assert_eq!(plan["policy"]["level"], 0.9);
    let (questions, anchors) = (&plan["questions"], &plan["anchors"]);
    assert!(questions.as_u64() >= anchors.as_u64() && anchors.as_u64() > Some(0));
    let rates = plan["characteristic"]["rates"].as_object().unwrap();
    assert_eq!(rates.len(), 4, "{plan:#}");
    // With fewer questions than the rule asks for no margin can help.
    let offers = |more: &[&str]| {
        let asked = [&["gate", WS, "--plan"][..], more].concat();
        let offers = &lexforge.json(&asked)["characteristic"]["offers"];
        offers.as_array().unwrap().len()
    };
    let few = ["--least-anchors", "1", "--least-questions", "1"];
    assert_eq!(offers(&few), 2);
    assert_eq!(offers(&["--least-questions", "1000000"]), 0);
    let unknown = lexforge.run(&["gate", WS, "--plan", "--dataset", "999", "--json"]);
    assert_ne!(unknown.code, 0, "{}", unknown.out);
    // Nothing of this is kept.
    assert_eq!(
        lexforge.json(&["gate", WS, "--plan"])["policy"]["level"],
        0.95
    );
    for impossible in [["--discordant", "300"], ["--within", "nan"]] {
        let done = lexforge.run(&[&["gate", WS, "--plan", "--json"][..], &impossible].concat());
        refused(&done, "invalid_request");
    }
    a_kept_rule_is_told_and_goes_back_to_the_usual_one(&lexforge);
}

fn a_kept_rule_is_told_and_goes_back_to_the_usual_one(lexforge: &Product) {
    let plan = ["gate", WS, "--plan"];
    let other = ["--level", "0.9", "--attack-floor", "5", "--keep"];
    let kept = lexforge.run(&[&plan[..], &other].concat());
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(kept.err.contains("The rule is kept."), "{}", kept.err);
    for words in [
        "each bound holds at level .900",
        "costs at most 5.0 points of accuracy",
        "It does not look at general language (--general-floor), exports (--export-parity).",
    ] {
        assert!(kept.out.contains(words), "{}", kept.out);
    }
    let policy = |more: &[&str]| lexforge.json(&[&plan[..], more].concat())["policy"].clone();
    assert_eq!(policy(&[])["attack_floor"], 0.05);
    // Once, or from now on.
    assert_eq!(policy(&["--usual"])["attack_floor"], Value::Null);
    assert_eq!(policy(&[])["attack_floor"], 0.05);
    policy(&["--usual", "--keep"]);
    let usual = policy(&[]);
    assert_eq!(
        (&usual["attack_floor"], &usual["level"]),
        (&Value::Null, &0.95.into())
    );
}

/// Pairs of everyday sentences with scores, as a table.
fn general_pairs() -> String {
    let mut table = "sentence1,sentence2,score\n".to_owned();
    for (n, animal) in ["dog", "cat", "horse", "goat", "hen", "duck"]
        .iter()
        .enumerate()
    {
        let at = n + 2;
        // No sentence stands in two pairs: pairs that share one are drawn together.
        for (score, place, other) in [
            (
                5.0,
                "garden",
                format!("The {animal} is running in the garden"),
            ),
            (3.5, "yard", format!("The {animal} is asleep")),
            (1.5, "field", format!("Bus {at} leaves at noon")),
            (0.0, "street", format!("{at} musicians tune their guitars")),
        ] {
            let score = score + 0.01 * n as f64;
            table += &format!("A {animal} runs through the {place},{other},{score}\n");
        }
    }
    table
}

/// The file is remembered with the rule, and what was measured on it stands in every later decision.
fn general_language_is_measured_once(lexforge: &Product) {
    let file = lexforge.file("pairs.csv", general_pairs().as_bytes());
    let file = file.to_str().unwrap();
    let floor = ["--general-floor", "0.5"];
    let (unknown, _) = gate(lexforge, &[&["--run", "1"][..], &floor].concat());
    assert!(codes(&unknown).contains(&"general_not_measured"));
    assert_eq!(unknown["general"], Value::Null);

    let keep = [&["--run", "1", "--general", file, "--keep"][..], &floor].concat();
    let (measured, _) = gate(lexforge, &keep);
    assert!(codes(&measured).contains(&"general_kept"), "{measured:#}");
    let general = &measured["general"];
    assert_eq!(
        (&general["file"], &general["pairs"]),
        (&"pairs.csv".into(), &24.into())
    );
    for side in ["before", "after"] {
        let correlation = general[side].as_f64().unwrap();
        assert!((0.2..=1.0).contains(&correlation), "{general:#}");
    }
    // The file is not needed again for this run, and a rule without a floor does not look at it.
    std::fs::remove_file(file).unwrap();
    let (again, _) = gate(lexforge, &["--run", "1"]);
    assert_eq!(&again["general"], general);
    // The bounds decide, at the level of the rule.
    let bound = |decision: &Value, side: &str| decision["general"]["bounds"][side].as_f64();
    let (low, high) = (
        bound(&again, "low").unwrap(),
        bound(&again, "high").unwrap(),
    );
    let change = general["after"].as_f64().unwrap() - general["before"].as_f64().unwrap();
    assert!(low <= change && change <= high, "{again:#}");
    let (strict, code) = gate(lexforge, &["--run", "1", "--general-floor", "0"]);
    let ground = match (low, high) {
        (low, _) if low >= 0.0 => "general_kept",
        (_, high) if high < 0.0 => "general_lost",
        _ => "general_cannot_tell",
    };
    assert!(codes(&strict).contains(&ground), "{ground}: {strict:#}");
    assert_eq!(code, 3);
    let (surer, _) = gate(lexforge, &["--run", "1", "--level", "0.99"]);
    assert!(bound(&surer, "low").unwrap() <= low, "{surer:#}");
}

/// The page of a paper, and what stands beside it as data.
fn paper(lexforge: &Product, arguments: &[&str]) -> (String, Value) {
    let written = lexforge.json(&[&["report", WS][..], arguments].concat());
    let text = |path: &Value| {
        let path = path.as_str().unwrap_or_else(|| panic!("{written}"));
        std::fs::read_to_string(lexforge.path(path)).unwrap()
    };
    let (page, data) = (text(&written["page"]), text(&written["data"]));
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for fetched in ["<script", "http://", "https://", "url(", "src="] {
        assert!(!page.contains(fetched), "{arguments:?}: {fetched}");
    }
    (page, serde_json::from_str(&data).unwrap())
}

/// Comparison, decision and card of a run that is active against the gate.
fn papers_say_it(lexforge: &Product) {
    let head = lexforge.json(&["audit", "verify", WS])["head"].clone();
    let compared = ["--compare", "tfidf,1", "--baseline", "tfidf"];
    let (page, data) = paper(lexforge, &compared);
    let (chinese, same) = paper(lexforge, &[&compared[..], &["--language", "zh"]].concat());
    assert!(chinese.contains("<html lang=\"zh-CN\">") && chinese.contains("与基线相比"));
    assert_eq!(same["systems"], data["systems"]);
    let systems = data["systems"]["systems"].as_array().unwrap();
    let names: Vec<&str> = systems
        .iter()
        .filter_map(|s| s["system"].as_str())
        .collect();
    assert_eq!(names, ["tfidf", "run 1"]);
    assert_eq!(data["systems"]["baseline"], "tfidf");
    assert_eq!(
        (&data["head"]["audit_head"], &data["attack"]),
        (&head, &Value::Null)
    );
    assert!(page.contains(head.as_str().unwrap()) && page.contains("Against the baseline"));

    let (page, data) = paper(lexforge, &["--gate", "1", "--against", "base"]);
    assert_eq!(data["decision"]["verdict"], "stop");
    assert_eq!(data["decision"]["general"]["pairs"], 24);
    assert!(page.contains("pairs.csv") && page.contains("Rank correlation before"));
    assert!(page.contains("<strong>Stop.</strong>") && page.contains("nobody has looked at"));

    let (page, data) = paper(lexforge, &["--card", "1", "--attack"]);
    assert_eq!(data["run"]["id"], 1);
    assert_eq!(data["active"]["overridden"]["by"], "Ada Example");
    for hash in [
        &data["evaluation"]["hashes"]["dataset"],
        &data["result"]["adapter_sha256"],
        &head,
    ] {
        assert!(page.contains(hash.as_str().unwrap()), "{hash}");
    }
    for words in [
        "Active against the gate.",
        "Ada Example",
        "a trial",
        "Under attack",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let attacks = data["attack"]["rows"].as_array().unwrap();
    assert!(!attacks.is_empty() && attacks.iter().all(|row| row["system"] == "run 1"));

    let report = lexforge.json(&["report", WS, "--run", "1"]);
    assert!(
        report["page"]
            .as_str()
            .unwrap()
            .ends_with("gate-report-run-1.html")
    );
    let gone = lexforge.run(&["report", WS, "--card", "7", "--json"]);
    assert_ne!(gone.code, 0);
    assert_eq!(lexforge.run(&["report", WS, "--card", "--gate"]).code, 2);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["head"], head);
}

#[test]
fn the_panel_is_constant_and_a_small_corpus_is_too_little_to_tell() {
    let Some(lexforge) = trained() else { return };
    lexforge.json(&["drift", WS]);
    let report = lexforge.json(&["drift", WS]);
    assert_eq!(report["alarm"], false, "{report:#}");
    assert_eq!(report["panel"]["panel"], "constant");
    assert_eq!(report["panel"]["readings"], 2);
    for test in report["tests"].as_array().unwrap() {
        assert_eq!(test["state"], "too_few", "{test:#}");
    }
    let watched = lexforge.lines(&["watch", WS, "--looks", "1", "--rule", "article"]);
    assert_eq!(watched.len(), 1);
    assert_eq!(watched[0]["panel"]["readings"], 3);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
