//! The gate on simulated models over clusters of uneven size.

use super::assumed::share;
use super::{
    Assumption, AttackChange, Decided, Evidence, GeneralChange, Paired, assumed, assumed_watched,
    characteristic, decide,
};
use crate::resample::Draws;
use lexforge_domain::QcaId;
use lexforge_domain::gate::{
    Characteristic, GateGround, GateMeasure, GatePolicy, GateVerdict, ItemOutcome, Margin,
};
use lexforge_domain::metrics::{Interval, ShortcutRow};

/// Questions of each cluster, as uneven as those of a snapshot of one regulation.
const CLUSTERS: &[usize] = &[
    2, 1, 4, 9, 3, 1, 6, 12, 2, 5, 7, 3, 1, 8, 4, 2, 10, 3, 5, 1, 6, 2, 4, 14, 3, 7, 2, 5, 1, 9, 4,
    3, 2, 6, 1,
];
const PAIRS: usize = 1_000;

/// A pair of models that differ as assumed, the second worse by `shift`.
fn pair(
    sizes: &[usize],
    assumption: Assumption,
    shift: f64,
    draws: &mut Draws,
) -> [Vec<ItemOutcome>; 2] {
    let mut pair = [Vec::new(), Vec::new()];
    for (cluster, &size) in sizes.iter().enumerate() {
        let differences: Vec<i8> = assumption.differences(size, shift, draws).collect();
        for difference in differences {
            let id = pair[0].len();
            let right = match difference {
                -1 => [true, false],
                1 => [false, true],
                _ => [share(draws) < 0.8; 2],
            };
            let answer = id % 4;
            for (items, right) in pair.iter_mut().zip(right) {
                items.push(ItemOutcome {
                    id: QcaId(id as i64),
                    cluster: cluster as i64,
                    answer,
                    chosen: Some(if right { answer } else { (answer + 1) % 4 }),
                    gap: None,
                });
            }
        }
    }
    pair
}

fn policy() -> GatePolicy {
    let margin = |measure| Margin {
        measure,
        margin: 0.02,
    };
    GatePolicy {
        measures: vec![margin(GateMeasure::Accuracy), margin(GateMeasure::F1)],
        ..GatePolicy::default()
    }
}

fn decided(pair: &[Vec<ItemOutcome>; 2]) -> Decided {
    let paired = Paired::new(&pair[0], &pair[1]).unwrap_or_else(|e| panic!("{e}"));
    decide(&paired, &policy(), &Evidence::default())
}

/// Shares of passed and stopped among simulated pairs that go through the whole decision.
fn counted(sizes: &[usize], assumption: Assumption, shift: f64, seed: u64) -> [f64; 2] {
    let mut draws = Draws::new(seed, 0);
    let mut counts = [0usize; 2];
    for _ in 0..PAIRS {
        match decided(&pair(sizes, assumption, shift, &mut draws)).verdict {
            GateVerdict::Pass => counts[0] += 1,
            GateVerdict::Stop => counts[1] += 1,
            GateVerdict::Undecided => {}
        }
    }
    counts.map(|c| c as f64 / PAIRS as f64)
}

/// The printed rates are those that were counted, within the errors of both.
fn agrees(printed: &Characteristic, points: &str, counted: [f64; 2]) {
    let rates = &printed.rates[points];
    for (printed, counted) in [(rates.passes, counted[0]), (rates.stopped, counted[1])] {
        let p = counted.clamp(0.001, 0.999);
        let error = rates.error.hypot((p * (1.0 - p) / PAIRS as f64).sqrt());
        println!(
            "{points} points worse: printed {printed:.3}, counted {counted:.3}, error {error:.3}"
        );
        assert!(
            (printed - counted).abs() <= 3.0 * error,
            "{points} points: printed {printed}, counted {counted}, error {error}"
        );
    }
}

#[test]
fn an_equal_model_passes_and_one_three_points_worse_is_stopped_where_the_clusters_can_decide() {
    let assumption = Assumption {
        discordant: 0.10,
        within: 0.10,
    };
    let policy = policy();
    let mut sizes = CLUSTERS.to_vec();
    let printed = loop {
        let printed = assumed(&sizes, assumption, &policy, PAIRS, 7);
        if printed.equal_passes >= 0.83 && printed.worse_stopped["3"] >= 0.965 {
            break printed;
        }
        sizes.extend_from_slice(CLUSTERS);
    };
    println!(
        "{} anchors, {} questions",
        sizes.len(),
        sizes.iter().sum::<usize>()
    );
    let equal = counted(&sizes, assumption, 0.0, 1);
    let worse = counted(&sizes, assumption, 0.03, 2);
    assert!(equal[0] >= 0.80, "an equal model passes {}", equal[0]);
    assert!(worse[1] >= 0.95, "a worse one is stopped {}", worse[1]);
    agrees(&printed, "0", equal);
    agrees(&printed, "1", counted(&sizes, assumption, 0.01, 3));
    agrees(&printed, "3", worse);
    // The same shares, computed from a single pair of models without knowing the true spread.
    let mut draws = Draws::new(4, 0);
    let [a, b] = pair(&sizes, assumption, 0.0, &mut draws);
    let paired = Paired::new(&a, &b).unwrap_or_else(|e| panic!("{e}"));
    let measured = characteristic(&paired, &policy, PAIRS, 7);
    agrees(&measured, "0", equal);
    agrees(&measured, "3", worse);
    for offer in &measured.offers {
        println!("{offer:?}");
    }
}

#[test]
fn the_snapshot_as_it_is_leaves_most_equal_models_undecided_and_says_how_many_anchors_would_decide()
{
    let assumption = Assumption::default();
    let printed = assumed(CLUSTERS, assumption, &policy(), PAIRS, 7);
    agrees(&printed, "0", counted(CLUSTERS, assumption, 0.0, 5));
    assert!(printed.rates["0"].undecided > 0.5, "{:?}", printed.rates);
    let mut draws = Draws::new(6, 0);
    let undecided = (0..50)
        .map(|_| decided(&pair(CLUSTERS, assumption, 0.0, &mut draws)))
        .find(|d| d.verdict == GateVerdict::Undecided);
    let needed = undecided.and_then(|d| d.needed).unwrap_or(0);
    assert!(needed > CLUSTERS.len() as u64, "{needed}");
}

#[test]
fn about_twelve_hundred_independent_questions_tell_three_points_from_none() {
    // The normal approximation of the number needed: (1.645 + 1.645)² · .10 / .03² = 1,203.
    let sizes = [1; 1_203];
    let assumption = Assumption {
        discordant: 0.10,
        within: 0.0,
    };
    let printed = assumed(&sizes, assumption, &policy(), 4_000, 3);
    let stopped = printed.worse_stopped["3"];
    assert!((stopped - 0.95).abs() < 0.02, "{stopped}");
    let offered: Vec<f64> = printed.offers.iter().map(|o| o.margins[0].margin).collect();
    assert!(
        (0.022..=0.024).contains(&offered[0]) && (0.029..=0.032).contains(&offered[1]),
        "{offered:?}"
    );
}

#[test]
fn a_simulation_tells_how_far_it_is_and_can_be_ended() {
    let (assumption, policy) = (Assumption::default(), policy());
    let mut heard = Vec::new();
    let watched = assumed_watched(CLUSTERS, assumption, &policy, 250, 3, |done, of| {
        heard.push((done, of));
        Ok::<(), ()>(())
    });
    // What is told changes nothing of the figures.
    assert_eq!(watched, Ok(assumed(CLUSTERS, assumption, &policy, 250, 3)));
    assert_eq!(heard[..3], [(100, 1000), (200, 1000), (250, 1000)]);
    assert_eq!(heard.last(), Some(&(1000, 1000)));
    let mut left = 2;
    let ended = assumed_watched(CLUSTERS, assumption, &policy, 250, 3, |done, _| {
        left -= 1;
        if left > 0 { Ok(()) } else { Err(done) }
    });
    assert_eq!(ended, Err(200));
}

#[test]
fn where_there_are_too_few_questions_for_the_rule_no_margin_is_offered() {
    let assumption = Assumption::default();
    for (least, offered) in [(CLUSTERS.len(), 2), (CLUSTERS.len() + 1, 0)] {
        let policy = GatePolicy {
            least_anchors: least as u32,
            ..policy()
        };
        let printed = assumed(CLUSTERS, assumption, &policy, 200, 7);
        assert_eq!(printed.offers.len(), offered, "at least {least}");
    }
}

#[test]
fn a_model_does_not_differ_from_itself() {
    let mut draws = Draws::new(1, 0);
    let [a, _] = pair(CLUSTERS, Assumption::default(), 0.0, &mut draws);
    let paired = Paired::new(&a, &a).unwrap_or_else(|e| panic!("{e}"));
    let same = Evidence {
        same_model: true,
        ..Evidence::default()
    };
    let found = decide(&paired, &policy(), &same);
    assert_eq!(found.verdict, GateVerdict::Pass);
    for figure in &found.figures {
        assert_eq!(
            (figure.difference, figure.low, figure.high),
            (0.0, 0.0, 0.0)
        );
    }
    // Two models that happen to agree everywhere: the difference is zero, and as sure as the questions are many.
    let alike = decide(&paired, &policy(), &Evidence::default());
    for figure in &alike.figures {
        assert_eq!(figure.difference, 0.0);
        assert!(figure.low < 0.0 && figure.low > -0.02, "{figure:?}");
    }
}

#[test]
fn where_nothing_is_measured_no_model_passes() {
    // Answers without vectors, under a rule that asks for the gap of vectors alone.
    let mut draws = Draws::new(1, 0);
    let [a, b] = pair(CLUSTERS, Assumption::default(), 0.0, &mut draws);
    let paired = Paired::new(&a, &b).unwrap_or_else(|e| panic!("{e}"));
    let policy = GatePolicy {
        measures: vec![Margin {
            measure: GateMeasure::ChoiceCosineGap,
            margin: 0.02,
        }],
        ..GatePolicy::default()
    };
    let found = decide(&paired, &policy, &Evidence::default());
    assert_eq!(found.verdict, GateVerdict::Undecided);
    let printed = characteristic(&paired, &policy, 10, 7);
    assert_eq!(printed.rates["0"].undecided, 1.0);
    assert_eq!(printed.equal_passes, 0.0);
}

#[test]
fn a_model_that_is_worse_by_points_is_not_told_to_be_found_by_a_gap_that_has_none() {
    let mut draws = Draws::new(4, 0);
    let [mut a, mut b] = pair(CLUSTERS, Assumption::default(), 0.0, &mut draws);
    // The gaps of two models that hardly differ: .03 of cosine is more than all of a gap.
    for (place, (one, other)) in a.iter_mut().zip(&mut b).enumerate() {
        one.gap = Some(0.010);
        other.gap = Some(0.010 + 0.001 * (place % 3) as f64);
    }
    let paired = Paired::new(&a, &b).unwrap_or_else(|e| panic!("{e}"));
    let gap = Margin {
        measure: GateMeasure::ChoiceCosineGap,
        margin: 0.02,
    };
    let stopped = |measures: &[Margin]| {
        let policy = GatePolicy {
            measures: measures.to_vec(),
            ..GatePolicy::default()
        };
        characteristic(&paired, &policy, 1_000, 7).worse_stopped["3"]
    };
    let shares = policy().measures;
    let (alone, both) = (stopped(&shares), stopped(&[&shares[..], &[gap]].concat()));
    // The gap by itself stops an equal model in 5 of 100 cases.
    assert!(both >= alone && both < alone + 0.08, "{both} and {alone}");
    assert!(alone < 0.6, "{alone}");
    // Under a rule of the gap alone, a model is worse in nothing else.
    assert!(stopped(&[gap]) > 0.99);
}

#[test]
fn what_blocks_stops_a_model_that_would_pass() {
    let mut draws = Draws::new(1, 0);
    let [a, _] = pair(CLUSTERS, Assumption::default(), 0.0, &mut draws);
    let paired = Paired::new(&a, &a).unwrap_or_else(|e| panic!("{e}"));
    let check =
        |policy: &GatePolicy, evidence: Evidence, verdict, ground: fn(&GateGround) -> bool| {
            let found = decide(&paired, policy, &evidence);
            assert_eq!(found.verdict, verdict, "{found:?}");
            assert!(
                found.reasons.first().is_some_and(|r| ground(&r.ground)),
                "{found:?}"
            );
        };
    let row = |accuracy| ShortcutRow {
        name: "choices_only".to_owned(),
        accuracy,
        chance: 0.25,
        n: 100,
        flagged: false,
    };
    let usual = policy();
    let none = Evidence::default;
    let unreviewed = Evidence {
        unreviewed: true,
        ..none()
    };
    let stop = GateVerdict::Stop;
    check(&usual, unreviewed.clone(), stop, |g| {
        *g == GateGround::Unreviewed
    });
    let shortcut = |accuracy| Evidence {
        shortcuts: vec![row(accuracy)],
        ..none()
    };
    check(&usual, shortcut(0.36), stop, |g| {
        matches!(g, GateGround::Shortcut { .. })
    });
    check(&usual, shortcut(0.35), GateVerdict::Pass, |g| {
        matches!(g, GateGround::WithinMargin { .. })
    });
    let leaks = Evidence { leaks: 2, ..none() };
    check(&usual, leaks, stop, |g| {
        *g == GateGround::Leaks { leaks: 2 }
    });
    let general = GatePolicy {
        general_floor: Some(0.02),
        ..policy()
    };
    let changed = |value, low, high| Evidence {
        general: Some(GeneralChange {
            change: Interval { value, low, high },
            error: Some(0.005),
            pairs: 300,
            units: 300,
        }),
        ..none()
    };
    check(&general, changed(-0.03, -0.04, -0.02), stop, |g| {
        matches!(g, GateGround::GeneralLost { .. })
    });
    check(&general, none(), GateVerdict::Undecided, |g| {
        *g == GateGround::GeneralNotMeasured
    });
    // The fall is smaller than the floor, and may be larger: these pairs cannot tell, nor would more questions.
    let unclear = changed(-0.015, -0.03, 0.001);
    check(&general, unclear.clone(), GateVerdict::Undecided, |g| {
        matches!(g, GateGround::GeneralCannotTell { pairs: 300, .. })
    });
    assert_eq!(decide(&paired, &general, &unclear).needed, None);
    // A fall as large as the floor is tolerated, and the figure stands among the reasons.
    for (low, rule, said) in [
        (-0.02, &general, true),
        (0.01, &general, true),
        (0.01, &usual, false),
    ] {
        let found = decide(&paired, rule, &changed(0.02, low, 0.03));
        assert_eq!(found.verdict, GateVerdict::Pass, "{found:?}");
        let kept = |g: &GateGround| matches!(g, GateGround::GeneralKept { low: of, .. } if *of == Some(low));
        let is_said = found.reasons.iter().any(|reason| kept(&reason.ground));
        assert_eq!(is_said, said, "{found:?}");
    }
    let attacked = GatePolicy {
        attack_floor: Some(0.05),
        ..policy()
    };
    let under = |low, value, high| Evidence {
        attacks: Some(vec![AttackChange {
            attack: "typo".to_owned(),
            change: Interval { value, low, high },
        }]),
        ..none()
    };
    check(
        &attacked,
        under(-0.12, -0.08, -0.04),
        stop,
        |g| matches!(g, GateGround::AttackLost { attack, .. } if attack == "typo"),
    );
    check(
        &attacked,
        under(-0.12, -0.04, 0.04),
        GateVerdict::Undecided,
        |g| matches!(g, GateGround::AttackCannotTell { .. }),
    );
    check(
        &attacked,
        under(-0.04, -0.02, 0.0),
        GateVerdict::Pass,
        |g| matches!(g, GateGround::WithinMargin { .. }),
    );
    check(&attacked, none(), GateVerdict::Undecided, |g| {
        *g == GateGround::AttackNotMeasured
    });
    check(&usual, under(-0.12, -0.08, -0.04), GateVerdict::Pass, |g| {
        matches!(g, GateGround::WithinMargin { .. })
    });
    let exported = GatePolicy {
        export_parity: true,
        ..policy()
    };
    check(&exported, none(), stop, |g| {
        *g == GateGround::ExportNotProved
    });
    let more = GatePolicy {
        least_anchors: 100,
        ..policy()
    };
    check(&more, none(), GateVerdict::Undecided, |g| {
        matches!(g, GateGround::TooFewAnchors { least: 100, .. })
    });
    // The unit is said as what it is.
    let by_section = Evidence {
        unit: "section".to_owned(),
        ..none()
    };
    check(&more, by_section, GateVerdict::Undecided, |g| {
        g.to_string().contains(" sections; at least 100")
    });
    // A policy that does not ask lets the same pass.
    let lenient = GatePolicy {
        reviewed: false,
        ..policy()
    };
    check(&lenient, unreviewed, GateVerdict::Pass, |g| {
        matches!(g, GateGround::WithinMargin { .. })
    });
}

#[test]
fn pairs_that_are_none_are_refused() {
    let mut draws = Draws::new(1, 0);
    let [a, _] = pair(CLUSTERS, Assumption::default(), 0.0, &mut draws);
    assert!(Paired::new(&a, &a[1..]).is_err());
    assert!(Paired::new(&[], &[]).is_err());
    let mut moved = a.clone();
    moved[3].cluster += 1;
    assert!(Paired::new(&a, &moved).is_err());
}
