//! Tests of `measurable`.

use super::*;

fn choices() -> BenchChoices {
    let choice = |system: &str, usual| BenchChoice {
        system: system.to_owned(),
        usual,
        exams_only: system == "run 1",
    };
    BenchChoices {
        systems: vec![
            choice("tfidf", true),
            choice("base minilm", true),
            choice("run 2", true),
            choice("eol qwen", false),
            choice("run 1", false),
        ],
        ..BenchChoices::default()
    }
}

#[test]
fn the_usual_systems_are_ticked_until_somebody_chooses() {
    let choices = choices();
    let ticked = |chosen| ticked(&choices, &BenchOn::Questions, chosen);
    assert_eq!(ticked(None), ["tfidf", "base minilm", "run 2"]);
    // Run 1 was trained on another snapshot, and run 9 is gone.
    let chosen = ["eol qwen", "run 1", "run 2", "run 9"];
    let chosen = chosen.map(str::to_owned).into();
    assert_eq!(ticked(Some(&chosen)), ["run 2", "eol qwen"]);
    assert!(ticked(Some(&BTreeSet::new())).is_empty());
}

#[test]
fn a_tick_stays_where_the_system_cannot_be_measured_on_what_is_shown() {
    let mut choices = choices();
    choices.systems.push(BenchChoice {
        system: "runs 3+4".to_owned(),
        usual: false,
        exams_only: false,
    });
    let chosen: BTreeSet<String> = ["run 2", "runs 3+4", "run 9"].map(str::to_owned).into();
    assert_eq!(
        ticked(&choices, &BenchOn::Attack, Some(&chosen)),
        ["run 2"],
        "runs together are not measured under attack"
    );
    let kept = kept_ticks(&choices, Some(&chosen));
    assert_eq!(kept, ["run 2", "runs 3+4"].map(str::to_owned).into());
    assert_eq!(
        ticked(&choices, &BenchOn::Questions, Some(&kept)),
        ["run 2", "runs 3+4"]
    );
    let usual = ["tfidf", "base minilm", "run 2"].map(str::to_owned);
    assert_eq!(kept_ticks(&choices, None), usual.into());
}

#[test]
fn a_table_is_asked_for_again_as_it_was_and_its_judge_is_quoted() {
    let figures = serde_json::json!({
        "n": 1, "clusters": 1, "accuracy": 0.5, "precision": 0.5, "recall": 0.5, "f1": 0.5, "ci95": [0.4, 0.6],
        "choice_cosine_gap": 0.1, "gap_ci95": [0.0, 0.2], "by_type": {}, "by_level": {},
    });
    let row = |system: &str, scorer: &str| {
        serde_json::json!({
            "system": system, "scorer": scorer, "figures": figures, "too_long": 0, "against": null, "confused": [],
        })
    };
    let table = serde_json::json!({
        "dataset": "d", "unit": "article", "n": 1, "clusters": 1, "baseline": "tfidf", "missing": [], "notes": [], "power": null,
        "systems": [row("tfidf", "embedding"), row("run 2", "likelihood"), row("run 2", "generation")],
        "judge": { "endpoint": "firm", "model": "m", "host": "h", "asked": {}, "pairs": [], "preferences": null, "verdicts": null },
    });
    let kept = |more: serde_json::Value| -> KeptBench {
        let mut kept = serde_json::json!({ "made": "2026-11-25T12:00:00Z", "table": table });
        if let (Some(kept), Some(more)) = (kept.as_object_mut(), more.as_object()) {
            kept.extend(more.clone());
        }
        serde_json::from_value(kept).unwrap()
    };
    // A table of an earlier version, which did not store the request.
    let older = kept(serde_json::json!({}));
    let baseline = Some("tfidf".to_owned());
    let of = |systems: &[&str]| systems.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        asked_for(&older),
        (of(&["tfidf", "run 2"]), baseline.clone())
    );
    let newer = kept(serde_json::json!({ "asked": ["tfidf", "run 2", "run 9"] }));
    assert_eq!(
        asked_for(&newer),
        (of(&["tfidf", "run 2", "run 9"]), baseline)
    );
    let judge = said_before(&newer).unwrap();
    assert_eq!((judge.endpoint.as_str(), judge.asks), ("firm", false));
    assert_eq!(judge.consent, None);
}

#[test]
fn the_baseline_is_one_of_the_ticked_systems() {
    let all = ["tfidf", "base minilm", "run 2"].map(str::to_owned);
    for (chosen, before, expected) in [
        (None, None, "base minilm"),
        (None, Some("tfidf"), "tfidf"),
        (Some("run 2"), Some("tfidf"), "run 2"),
        (Some("run 9"), Some("run 8"), "base minilm"),
    ] {
        assert_eq!(baseline(&all, chosen, before).as_deref(), Some(expected));
    }
    assert_eq!(baseline(&all[2..], None, None).as_deref(), Some("run 2"));
    assert_eq!(baseline(&[], Some("run 2"), None), None);
}
