//! Pairs of sentences, from a corpus to figures: they are drawn, scored by two people and exported, and an encoder is
//! measured on them.

use crate::triplets::corpus;
use lexforge_tests::product::{Product, refused};
use serde_json::Value;

const WS: &str = "a.lexforge";

/// The pairs as somebody sees them.
fn listed(lexforge: &Product, who: &str, more: &[&str]) -> Vec<Value> {
    lexforge.lines(&[&["similarity", "list", WS, "--as", who], more].concat())
}

fn score(lexforge: &Product, who: &str, id: &str, points: f64) -> Value {
    let points = points.to_string();
    lexforge.json(&[
        "similarity",
        "score",
        WS,
        id,
        "--score",
        &points,
        "--as",
        who,
    ])
}

/// Half points that follow the cosine, so that the figures of the encoder are known to be high.
fn points(row: &Value) -> f64 {
    let cosine = row["cosine"].as_f64().unwrap();
    (cosine.clamp(0.0, 1.0) * 10.0).round() / 2.0
}

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}

#[test]
fn experts_score_pairs_and_an_encoder_is_measured_on_them() {
    let Some(lexforge) = corpus() else {
        return;
    };
    let refuse = |words: &[&str], code: &str| refused(&lexforge.run(words), code);
    refuse(&["similarity", "measure", WS, "--json"], "step_missing");
    refuse(
        &["similarity", "export", WS, "out.csv", "--json"],
        "step_missing",
    );
    refuse(
        &["similarity", "draw", WS, "--pairs", "0", "--json"],
        "invalid_request",
    );
    let zh = ["similarity", "draw", WS, "--language", "zh", "--json"];
    refuse(&zh, "too_little_data");

    let draw = ["similarity", "draw", WS, "--pairs", "40", "--seed", "3"];
    let drawn = lexforge.json(&draw);
    assert_eq!(drawn["drawn"], 40, "{drawn:#}");
    let strata = drawn["strata"].as_array().unwrap();
    assert_eq!(strata.len(), 6);
    assert!(
        strata.iter().all(|s| s["drawn"].as_u64().unwrap() > 0),
        "{drawn:#}"
    );
    let within = drawn["within"].as_u64().unwrap();
    assert!(within > 0 && within < 40, "{within} within one document");
    let rows = listed(&lexforge, "Reviewer 1", &[]);
    assert_eq!(rows.len(), 40);
    for side in ["one", "other"] {
        for row in &rows {
            let same = rows.iter().flat_map(|r| [text(r, "one"), text(r, "other")]);
            let often = same.filter(|t| *t == text(row, side)).count();
            assert!(often <= 2, "{row:#}");
        }
    }
    assert_eq!(listed(&lexforge, "Reviewer 1", &["--unscored"]).len(), 40);

    // The expert's view does not show the cosine of the encoder.
    let queue = lexforge.json(&["similarity", "queue", WS, "--as", "Reviewer 1"]);
    assert_eq!(queue["item"]["kind"], "similarity", "{queue:#}");
    assert!(queue["item"].get("cosine").is_none() && queue["item"].get("stratum").is_none());

    // A batch that is killed is done or not done.
    let ids: Vec<String> = rows.iter().map(|row| row["id"].to_string()).collect();
    for wait in [0, 10, 40, 90] {
        let start = [
            "similarity",
            "score",
            WS,
            "--score",
            "3",
            "--as",
            "Reviewer 3",
        ];
        let all: Vec<&str> = start
            .into_iter()
            .chain(ids.iter().map(String::as_str))
            .collect();
        let mut child = lexforge.start(&all);
        std::thread::sleep(std::time::Duration::from_millis(wait));
        // It may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
        let left = listed(&lexforge, "Reviewer 3", &["--unscored"]).len();
        assert!(left == 40 || left == 0, "{left} left after {wait} ms");
        assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
        lexforge.json(&["similarity", "undo", WS, "--as", "Reviewer 3"]);
    }

    for (number, row) in rows.iter().enumerate() {
        let (id, points) = (&ids[number], points(row));
        score(&lexforge, "Reviewer 1", id, points);
        // Nearly the same, and once quite another.
        let other = match number {
            0 if points < 2.5 => points + 2.5,
            0 => points - 2.5,
            n if n % 4 == 1 => (points + 0.5).min(5.0),
            _ => points,
        };
        let apart: f64 = other - points;
        assert!(
            number > 0 || apart.abs() > 2.0,
            "the first pair is disputed"
        );
        score(&lexforge, "Reviewer 2", id, other);
    }
    let bad = ["similarity", "score", WS, &ids[0], "--score", "5.5"];
    assert_eq!(lexforge.run(&bad).code, 2);
    lexforge.json(&["people", "plan", WS, "--blind", "true"]);
    // In a blind review a third sees no score before having given one, but for what must be settled.
    let third = listed(&lexforge, "Reviewer 3", &[]);
    assert_eq!(
        third.iter().filter(|row| !row["score"].is_null()).count(),
        0
    );
    // All pairs go out to be scored in a spreadsheet; read in as it is, nothing is scored.
    let sheet = ["similarity", "sheet", WS, "mine.csv", "--as", "Reviewer 3"];
    assert_eq!(lexforge.json(&sheet)["pairs"], 40);
    let read = ["similarity", "import", WS, "mine.csv", "--as", "Reviewer 3"];
    let read = lexforge.json(&read);
    assert_eq!((&read["blank"], &read["scored"]), (&40.into(), &0.into()));
    let disputed = listed(&lexforge, "Reviewer 3", &["--disputed"]);
    assert_eq!(disputed.len(), 1);
    assert_eq!(disputed[0]["id"].to_string(), ids[0]);

    let agreement = lexforge.json(&["similarity", "agreement", WS]);
    let alpha = &agreement["overall"]["alpha"];
    let value = alpha["value"].as_f64().unwrap();
    assert!(value > 0.6 && value < 1.0, "{agreement:#}");
    assert!(alpha["low"].as_f64().unwrap() < value, "{agreement:#}");
    assert_eq!(agreement["overall"]["items"], 40);
    assert_eq!(
        agreement["pairs"][0]["alpha"]["value"].as_f64(),
        Some(value)
    );

    let exported = lexforge.json(&["similarity", "export", WS, "own.csv"]);
    assert_eq!(
        (&exported["pairs"], &exported["disputed"]),
        (&39.into(), &1.into())
    );
    let table = std::fs::read_to_string(lexforge.path("own.csv")).unwrap();
    assert!(
        table.contains("\"sentence1\",\"sentence2\",\"score\",\"scores\""),
        "{table}"
    );
    let card = std::fs::read_to_string(lexforge.path("own.csv.md")).unwrap();
    assert!(card.contains("39 pairs, scored by 2 people"), "{card}");
    let settle = [
        "similarity",
        "score",
        WS,
        &ids[0],
        "--score",
        "2",
        "--adjudicate",
    ];
    refuse(&[&settle[..], &["--json"]].concat(), "invalid_request");
    lexforge.json(&[&settle[..], &["--reason", "they share the deadline alone"]].concat());
    assert_eq!(
        lexforge.json(&["similarity", "export", WS, "own.csv"])["pairs"],
        40
    );

    let general = "sentence1,sentence2,score\nA man sings.,A man is singing.,5\nA dog runs.,A dog is running fast.,4\n\
                   A cat sleeps.,Two planes land.,0\nShe cooks rice.,He plays the flute.,0.5\n";
    lexforge.file("general.csv", general.as_bytes());
    let base = lexforge.json(&["similarity", "measure", WS, "--sts", "general.csv"]);
    let rho = &base["points"][0]["similarity"];
    assert_eq!(
        (base["triplets"].as_u64(), rho.as_array().map(Vec::len)),
        (Some(0), Some(2))
    );
    assert!(rho[0]["value"].as_f64().unwrap() > 0.9, "{base:#}");
    assert!(rho[0]["interval"][0].is_number(), "{base:#}");
    assert!(
        base["remarks"][0]
            .as_str()
            .unwrap()
            .contains("40 scored pairs only"),
        "{base:#}"
    );
    // The table that was given out is read as the workspace's own set is.
    let again = lexforge.json(&["similarity", "measure", WS, "--sts", "own.csv"]);
    let [own, read] = [0, 1].map(|set| again["points"][0]["similarity"][set]["value"].clone());
    assert_eq!(own, read);

    lexforge.json(&["triplets", "make", WS, "--offline"]);
    let train = [
        "train",
        WS,
        "--task",
        "triplets",
        "--epochs",
        "2",
        "--learning-rate",
        "1e-3",
        "--json",
    ];
    let done = lexforge.run(&train);
    assert_eq!(done.code, 0, "{}", done.err);
    let measure = [
        "similarity",
        "measure",
        WS,
        "--run",
        "1",
        "--sts",
        "general.csv",
    ];
    let tuned = lexforge.json(&measure);
    let point = &tuned["points"][1];
    assert!(point["gained"][0]["value"].is_number(), "{tuned:#}");
    let p = point["gained_p"][0].as_f64().unwrap();
    assert!(p > 0.0 && p <= 1.0, "{tuned:#}");
    let human = lexforge.run(&measure);
    assert!(
        human.out.contains("Spearman") && human.out.contains("gained"),
        "{}",
        human.out
    );

    // Another draw adds pairs; those that are there stay with their scores.
    let more = lexforge.json(&["similarity", "draw", WS, "--pairs", "10", "--seed", "4"]);
    let n = more["drawn"].as_u64().unwrap() as usize;
    let all = listed(&lexforge, "Reviewer 1", &[]);
    assert!(n > 0 && all.len() == 40 + n);
    assert_eq!(all.iter().filter(|row| row["scores"] == 2).count(), 40);
    // A packet cannot contain these pairs, and the message says so.
    let packet = [
        "packet",
        "write",
        WS,
        "p.json",
        "--for",
        "Reviewer 4",
        "--kind",
        "similarity",
        "--json",
    ];
    refuse(&packet, "invalid_request");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
