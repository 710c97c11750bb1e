//! What is said of each ground.

use super::*;

#[test]
fn a_gain_a_loss_and_no_difference_are_called_so() {
    use GateMeasure::{ChoiceCosineGap, F1};
    let passes = |measure, low, high| GateGround::WithinMargin {
        measure,
        low,
        high,
        margin: 0.02,
    };
    let worse = |low| GateGround::Worse {
        measure: F1,
        difference: -0.05,
        low,
        high: -0.032,
        margin: 0.02,
    };
    for (ground, said) in [
        (
            passes(F1, 0.145, Some(0.2)),
            "F1: a gain of at least 14.5 points.",
        ),
        (
            passes(F1, 0.145, None),
            "F1: a gain of at least 14.5 points.",
        ),
        (passes(F1, 0.0, Some(0.0)), "F1: no difference."),
        (
            passes(F1, -0.012, Some(0.03)),
            "F1: no difference shown; at most 1.2 points worse, at most 3.0 points better. A loss of up to 2.0 points is tolerated.",
        ),
        (
            passes(ChoiceCosineGap, -0.012, Some(-0.003)),
            "gap of the choices: a loss of at most 0.012. A loss of up to 0.020 is tolerated.",
        ),
        (
            passes(F1, -0.012, None),
            "F1: at most 1.2 points worse. A loss of up to 2.0 points is tolerated.",
        ),
        (
            worse(Some(-0.07)),
            "F1: a loss of 5.0 points, at least 3.2 points and at most 7.0 points. A loss of up to 2.0 points is tolerated; this one is larger.",
        ),
        (
            worse(None),
            "F1: a loss of 5.0 points, at least 3.2 points. A loss of up to 2.0 points is tolerated; this one is larger.",
        ),
        (
            GateGround::Worse {
                measure: F1,
                difference: -0.015,
                low: Some(-0.028),
                high: -0.002,
                margin: 0.02,
            },
            "F1: a loss of 1.5 points, at least 0.2 points and at most 2.8 points. A loss of up to 2.0 points is tolerated; this one may be larger.",
        ),
        (
            GateGround::CannotTell {
                measure: F1,
                low: -0.041,
                high: 0.012,
                margin: 0.02,
            },
            "F1: these questions cannot tell; at most 4.1 points worse, at most 1.2 points better. A loss of up to 2.0 points is tolerated.",
        ),
        (
            GateGround::AttackLost {
                attack: "typo".to_owned(),
                change: -0.08,
                high: -0.04,
                floor: 0.05,
            },
            "Under the attack typo accuracy falls by 8.0 points, at least by 4.0 points. A loss of up to 5.0 points is tolerated; this one may be larger.",
        ),
    ] {
        assert_eq!(ground.to_string(), said);
    }
}

#[test]
fn general_language_is_said_with_the_bound_that_decides() {
    let kept = |change, low| GateGround::GeneralKept {
        change,
        low,
        floor: 0.02,
    };
    let lost = |change, high| GateGround::GeneralLost {
        change,
        high,
        floor: 0.02,
    };
    let open = |needed| GateGround::GeneralCannotTell {
        change: -0.015,
        low: -0.031,
        high: 0.002,
        floor: 0.02,
        pairs: 250,
        needed,
    };
    for (ground, said) in [
        (
            kept(0.03, Some(0.004)),
            "the rank correlation rose by at least 0.004.",
        ),
        (
            kept(0.0, Some(0.0)),
            "the rank correlation is the same as before.",
        ),
        (
            kept(0.0, Some(-0.012)),
            "the rank correlation is at most 0.012 lower than before. A fall of up to 0.020 is tolerated.",
        ),
        (
            kept(-0.0198, Some(-0.0198)),
            "the rank correlation is at most 0.0198 lower than before. A fall of up to 0.0200 is tolerated.",
        ),
        (
            lost(-0.04, Some(-0.0203)),
            "the rank correlation fell by 0.0400, at least by 0.0203. A loss of up to 0.0200 is tolerated; this one is larger.",
        ),
        (
            lost(-0.03, Some(-0.011)),
            "the rank correlation fell by 0.030, at least by 0.011. A loss of up to 0.020 is tolerated; this one may be larger.",
        ),
        (
            open(Some(600)),
            "these pairs cannot tell; the rank correlation may fall by 0.031 or rise by 0.002. A fall of up to 0.020 is tolerated. About 600 pairs would decide; there are 250.",
        ),
        (
            open(None),
            "these pairs cannot tell; the rank correlation may fall by 0.031 or rise by 0.002. A fall of up to 0.020 is tolerated.",
        ),
        (
            GateGround::GeneralTooFewGroups {
                groups: 3,
                least: 20,
                pairs: 250,
            },
            "there are too few groups of pairs to decide: 3, from 250 pairs; at least 20 are needed. Pairs that share a sentence are one group.",
        ),
        // Decisions of earlier versions have no bounds.
        (kept(0.004, None), "the rank correlation rose by 0.004."),
        (
            kept(-0.012, None),
            "the rank correlation fell by 0.012. A fall of up to 0.020 is tolerated.",
        ),
        (
            lost(-0.4, None),
            "the rank correlation fell by 0.400. A fall of up to 0.020 is tolerated.",
        ),
    ] {
        assert_eq!(ground.to_string(), format!("General language: {said}"));
        assert_eq!(
            ground.blocks(),
            matches!(ground, GateGround::GeneralLost { .. })
        );
    }
}

#[test]
fn a_bound_and_its_margin_are_told_apart() {
    use GateMeasure::{ChoiceCosineGap, F1};
    for (measure, bound, more) in [
        (F1, -0.041, 0),
        (F1, -0.0204, 1),
        (F1, -0.01996, 2),
        (F1, -0.02, 0),
        (ChoiceCosineGap, -0.0204, 1),
        (ChoiceCosineGap, -0.021, 0),
    ] {
        assert_eq!(decimals_more(measure, bound, 0.02), more, "{bound}");
    }
    let unclear = GateGround::CannotTell {
        measure: F1,
        low: -0.0204,
        high: 0.012,
        margin: 0.02,
    };
    assert_eq!(
        unclear.to_string(),
        "F1: these questions cannot tell; at most 2.04 points worse, at most 1.2 points better. A loss of up to 2.00 points is tolerated."
    );
}

#[test]
fn grounds_of_earlier_versions_are_still_read() {
    for old in [
        r#"{"code":"within_margin","measure":"f1","low":-0.01,"margin":0.02}"#,
        r#"{"code":"worse","measure":"f1","difference":-0.05,"high":-0.03,"margin":0.02}"#,
        r#"{"code":"general_lost","change":-0.05,"floor":0.02}"#,
        r#"{"code":"general_kept","change":-0.01,"floor":0.02}"#,
    ] {
        let read: Result<GateGround, _> = serde_json::from_str(old);
        assert!(read.is_ok_and(|ground| !ground.to_string().contains('-')));
    }
}
