//! Other shares of training, development and test part than 6:1:3, and the card of the export that is made of them.

use lexforge_tests::rules::{WS, prepared};

#[test]
fn other_shares_hold_from_the_next_writing_on() {
    let Some(lexforge) = prepared(300) else {
        return;
    };
    lexforge.json(&["augment", WS, "--offline"]);
    let dataset = lexforge.json(&["dataset", "freeze", WS]);
    for wrong in ["7:0", "1:9", "7:0:3"] {
        let words = ["dataset", "split", WS, wrong];
        assert_eq!(lexforge.run(&words).code, 2, "{wrong}");
    }
    assert_eq!(lexforge.json(&["dataset", "split", WS])["dev"], 1);
    // As publications have it: the development part is taken from training.
    lexforge.json(&["dataset", "split", WS, "7:3"]);
    let two = lexforge.json(&["dataset", "split", WS]);
    let parts = ["train", "dev", "test"].map(|part| two[part].as_u64().unwrap());
    assert_eq!(parts, [6, 1, 3]);
    let shares = |dataset: &serde_json::Value| {
        ["train", "dev", "test"].map(|part| dataset["shares"][part].as_u64().unwrap())
    };
    assert_eq!(shares(&dataset), [6, 1, 3]);
    lexforge.json(&["dataset", "split", WS, "2:1:1"]);
    let same = lexforge.json(&["dataset", "freeze", WS]);
    assert_eq!(
        same["hash"], dataset["hash"],
        "what is written keeps its part"
    );
    lexforge.json(&["augment", WS, "--offline"]);
    let other = lexforge.json(&["dataset", "freeze", WS]);
    assert_eq!(shares(&other), [2, 1, 1]);
    let n = |part: &str| {
        (other[part]["sentence"].as_u64().unwrap() + other[part]["token"].as_u64().unwrap()) as f64
    };
    let all = n("train") + n("dev") + n("test");
    for (part, share) in [("train", 0.5), ("dev", 0.25), ("test", 0.25)] {
        let found = n(part) / all;
        assert!((found - share).abs() < 0.08, "{part}: {found} of {all}");
    }

    // The card of an export counts them by document.
    let out = lexforge.path("exported").display().to_string();
    lexforge.json(&[
        "dataset",
        "export",
        WS,
        "--out",
        &out,
        "--licence",
        "CC BY 4.0",
    ]);
    let card = std::fs::read_to_string(lexforge.path("exported/README.md")).unwrap();
    let documents = lexforge.lines(&["docs", WS]);
    let sha256 = documents[0]["sha256"].as_str().unwrap();
    assert!(card.contains(&format!("| {all} | {sha256} |")), "{card}");
    assert!(card.contains("CC BY 4.0"), "{card}");
    assert!(card.contains("in the shares 2:1:1"), "{card}");
    assert!(card.contains("## Data of persons"), "{card}");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
