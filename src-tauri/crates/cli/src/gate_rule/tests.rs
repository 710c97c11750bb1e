//! Tests of `gate_rule`.

use super::*;
use lexforge_domain::DatasetId;
use lexforge_domain::gate::{
    Characteristic, CharacteristicSource, GateFigure, GateMeasure, GateReason,
};

fn decision(verdict: GateVerdict, policy: &GatePolicy) -> GateDecision {
    GateDecision {
        run: RunId(4),
        verdict,
        reasons: Vec::new(),
        against: "run 3".to_owned(),
        against_run: Some(RunId(3)),
        dataset: DatasetId(1),
        dataset_hash: String::new(),
        adapter: String::new(),
        scorer: "embedding".to_owned(),
        unit: "article".to_owned(),
        questions: 400,
        anchors: 40,
        needed: None,
        figures: vec![GateFigure {
            measure: GateMeasure::F1,
            reference: 0.5,
            candidate: 0.6,
            difference: 0.1,
            low: 0.05,
            high: 0.15,
            margin: 0.02,
            verdict,
        }],
        characteristic: Characteristic {
            from: CharacteristicSource::Assumed,
            simulations: 0,
            discordant: 0.0,
            within: 0.0,
            equal_passes: 0.0,
            worse_stopped: std::collections::BTreeMap::new(),
            rates: std::collections::BTreeMap::new(),
            offers: Vec::new(),
        },
        seeds: None,
        general: None,
        policy: policy.clone(),
    }
}

#[test]
fn a_rule_is_said_with_what_it_asks_for_and_what_it_does_not_look_at() {
    let usual = described(&GatePolicy::default());
    for words in [
        "The rule (the usual one): tolerated losses are F1 up to 2.0 points, gap of the choices up to .020; each bound holds at level .950.",
        "fewer than 30 clusters (articles or sections) or 100 test questions",
        "stopped by questions that nobody reviewed; leaks; choices that give the answer away, by more than 10.0 points",
        "It does not look at general language (--general-floor), attacks (--attack-floor), exports (--export-parity).",
    ] {
        assert!(usual.contains(words), "{usual}");
    }
    assert!(!usual.contains("It also asks"), "{usual}");
    let strict = described(&GatePolicy {
        general_floor: Some(0.02),
        attack_floor: Some(0.05),
        export_parity: true,
        reviewed: false,
        ..GatePolicy::default()
    });
    for words in [
        "The rule: ",
        "stopped by leaks; choices",
        "general language falls by at most .020 of rank correlation",
        "costs at most 5.0 points of accuracy",
        "an export was proved",
    ] {
        assert!(strict.contains(words), "{strict}");
    }
    assert!(!strict.contains("does not look at"), "{strict}");
}

#[test]
fn what_passes_by_the_workspaces_rule_is_told_how_to_go_live() {
    let kept = GatePolicy::default();
    let command = activating(
        Path::new("a b.lexforge"),
        RunId(4),
        Some(Path::new("sts.csv")),
    );
    assert_eq!(
        command,
        "lexforge models activate 'a b.lexforge' --run 4 --general sts.csv"
    );
    let after = |verdict, policy: &GatePolicy, against| {
        after(&decision(verdict, policy), &kept, against, &command).unwrap_or_default()
    };
    let passed = after(GateVerdict::Pass, &kept, GateAgainst::Active);
    assert_eq!(passed, format!("To make it active: {command}"));
    // Only the comparison with the active model counts for that.
    let other = after(GateVerdict::Pass, &kept, GateAgainst::Base);
    assert!(other.contains("without --against"), "{other}");
    for verdict in [GateVerdict::Stop, GateVerdict::Undecided] {
        assert_eq!(after(verdict, &kept, GateAgainst::Active), "");
    }
    let milder = GatePolicy {
        level: 0.8,
        ..GatePolicy::default()
    };
    let passed = after(GateVerdict::Pass, &milder, GateAgainst::Active);
    assert!(
        passed.contains("not the workspace's rule") && passed.contains("--keep"),
        "{passed}"
    );
}

#[test]
fn what_nobody_reviewed_is_told_with_the_way_out() {
    let kept = GatePolicy::default();
    let stopped = GateDecision {
        reasons: vec![GateReason::from(GateGround::Unreviewed)],
        ..decision(GateVerdict::Stop, &kept)
    };
    let told = after(&stopped, &kept, GateAgainst::Active, "").unwrap_or_default();
    assert!(
        told.contains("qca decide") && told.contains("--policy single"),
        "{told}"
    );
}
