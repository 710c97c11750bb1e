//! The decision.

use super::general::GeneralChange;
use super::jackknife::Spread;
use super::paired::Paired;
use super::quantile::normal;
use lexforge_domain::DatasetId;
use lexforge_domain::gate::{
    GateFigure, GateGround, GateMeasure, GatePolicy, GateReason, GateVerdict, Margin,
};
use lexforge_domain::metrics::{Interval, ShortcutRow};

/// The number of anchors suffices for a decision if a model of equal quality passes this often.
const EQUAL_PASSES: f64 = 0.80;
/// The number also has to be large enough that a model that is worse by [`WORSE`] is stopped this often.
const WORSE_STOPPED: f64 = 0.95;
/// Three percentage points.
const WORSE: f64 = 0.03;

/// How accuracy changes from questions as they are to the same under an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackChange {
    /// The attack's tag.
    pub attack: String,
    /// The change with its bounds, one-sided at the policy's level.
    pub change: Interval,
}

/// Facts for the decision that do not come from the answers.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// What a cluster is: `anchor`, `article`, `section`.
    pub unit: String,
    /// Controls that see the choices alone.
    pub shortcuts: Vec<ShortcutRow>,
    /// Nobody reviewed the questions.
    pub unreviewed: bool,
    /// Leaks that were left in the snapshot.
    pub leaks: u32,
    /// Change of general language, where it was measured.
    pub general: Option<GeneralChange>,
    /// The change under each attack that keeps the sense; `None` if it was not measured.
    pub attacks: Option<Vec<AttackChange>>,
    /// An export was proved to answer as the run does.
    pub export_proved: bool,
    /// Both are the same model.
    pub same_model: bool,
    /// The other model was trained on this other snapshot.
    pub other_snapshot: Option<DatasetId>,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub verdict: GateVerdict,
    /// Why, what decides first.
    pub reasons: Vec<GateReason>,
    /// The measures.
    pub figures: Vec<GateFigure>,
    /// About so many anchors would decide; `None` if it is decided, or if more anchors would not decide.
    pub needed: Option<u64>,
}

/// The verdict of one measure by its bounds.
pub(super) fn judge(low: f64, high: f64, margin: f64) -> GateVerdict {
    if low > -margin {
        GateVerdict::Pass
    } else if high < 0.0 {
        GateVerdict::Stop
    } else {
        GateVerdict::Undecided
    }
}

/// The verdict of all measures together.
pub(super) fn together(verdicts: impl Iterator<Item = GateVerdict>) -> GateVerdict {
    let mut all = GateVerdict::Pass;
    for verdict in verdicts {
        match verdict {
            GateVerdict::Stop => return GateVerdict::Stop,
            GateVerdict::Undecided => all = GateVerdict::Undecided,
            GateVerdict::Pass => {}
        }
    }
    all
}

/// The measures of the policy that these answers have: answers without vectors have no gap.
pub(super) fn measured<'p>(
    paired: &Paired,
    policy: &'p GatePolicy,
) -> impl Iterator<Item = &'p Margin> {
    let gaps = paired
        .clusters
        .iter()
        .any(|pair| pair.iter().all(|side| side.with_gap > 0));
    policy
        .measures
        .iter()
        .filter(move |m| gaps || m.measure != GateMeasure::ChoiceCosineGap)
}

/// There are enough questions and anchors to decide anything.
pub(super) fn enough(paired: &Paired, policy: &GatePolicy) -> bool {
    paired.anchors() >= policy.least_anchors as usize
        && paired.questions() >= policy.least_questions as usize
}

/// Decides whether the candidate may take the place of the reference.
pub fn decide(paired: &Paired, policy: &GatePolicy, evidence: &Evidence) -> Decided {
    let mut grounds = blocking(policy, evidence);
    let mut open = too_few(paired, policy, &evidence.unit);
    let (lost, unclear) = under_attack(policy, evidence);
    grounds.extend(lost);
    open.extend(unclear);
    // More test questions decide nothing about general language.
    let by_questions = open.iter().any(|g| *g != GateGround::AttackNotMeasured);
    let mut kept = None;
    match general(policy, evidence) {
        Some((GateVerdict::Stop, ground)) => grounds.push(ground),
        Some((GateVerdict::Undecided, ground)) => open.push(ground),
        Some((GateVerdict::Pass, ground)) => kept = Some(ground),
        None => {}
    }
    if evidence.same_model {
        open.clear();
    }
    let spreads: Vec<(Margin, Spread)> = measured(paired, policy)
        .map(|margin| (*margin, Spread::of(paired, margin.measure)))
        .collect();
    let figures: Vec<GateFigure> = spreads
        .iter()
        .map(|(margin, spread)| figure(margin, spread, policy.level, evidence.same_model))
        .collect();
    let measures = together(figures.iter().map(|f| f.verdict));
    let verdict = if !grounds.is_empty() {
        GateVerdict::Stop
    } else if !open.is_empty() || figures.is_empty() {
        GateVerdict::Undecided
    } else {
        measures
    };
    for wanted in [GateVerdict::Stop, GateVerdict::Undecided, GateVerdict::Pass] {
        if wanted == GateVerdict::Undecided {
            grounds.append(&mut open);
        }
        let of = figures.iter().filter(|f| f.verdict == wanted);
        grounds.extend(of.map(ground));
    }
    grounds.extend(kept);
    if evidence.same_model {
        grounds.push(GateGround::SameModel);
    }
    if let Some(dataset) = evidence.other_snapshot {
        grounds.push(GateGround::OtherSnapshot { dataset });
    }
    Decided {
        verdict,
        needed: (verdict == GateVerdict::Undecided
            && (by_questions || measures != GateVerdict::Pass))
            .then(|| needed(paired, policy, &spreads)),
        reasons: grounds.into_iter().map(GateReason::from).collect(),
        figures,
    }
}

fn blocking(policy: &GatePolicy, evidence: &Evidence) -> Vec<GateGround> {
    let mut grounds = Vec::new();
    if policy.reviewed && evidence.unreviewed {
        grounds.push(GateGround::Unreviewed);
    }
    let over = |row: &&ShortcutRow| row.n > 0 && row.accuracy > row.chance + policy.shortcut;
    grounds.extend(
        evidence
            .shortcuts
            .iter()
            .filter(over)
            .map(|row| GateGround::Shortcut {
                control: row.name.clone(),
                accuracy: row.accuracy,
                chance: row.chance,
            }),
    );
    if policy.leaks && evidence.leaks > 0 {
        grounds.push(GateGround::Leaks {
            leaks: evidence.leaks,
        });
    }
    if policy.export_parity && !evidence.export_proved {
        grounds.push(GateGround::ExportNotProved);
    }
    grounds
}

/// The verdict on general language, where the policy asks for it.
fn general(policy: &GatePolicy, evidence: &Evidence) -> Option<(GateVerdict, GateGround)> {
    let floor = policy.general_floor?;
    Some(evidence.general.map_or(
        (GateVerdict::Undecided, GateGround::GeneralNotMeasured),
        |change| change.judged(floor, policy.level),
    ))
}

/// Attacks under which the model certainly falls by more than is tolerated, and attacks under which this is uncertain.
fn under_attack(policy: &GatePolicy, evidence: &Evidence) -> (Vec<GateGround>, Vec<GateGround>) {
    let (mut lost, mut unclear) = (Vec::new(), Vec::new());
    let Some(floor) = policy.attack_floor else {
        return (lost, unclear);
    };
    let Some(attacks) = &evidence.attacks else {
        return (lost, vec![GateGround::AttackNotMeasured]);
    };
    for AttackChange { attack, change } in attacks {
        let attack = attack.clone();
        match judge(change.low, change.high, floor) {
            GateVerdict::Pass => {}
            GateVerdict::Stop => lost.push(GateGround::AttackLost {
                attack,
                change: change.value,
                high: change.high,
                floor,
            }),
            GateVerdict::Undecided => unclear.push(GateGround::AttackCannotTell {
                attack,
                low: change.low,
                high: change.high,
                floor,
            }),
        }
    }
    (lost, unclear)
}

fn too_few(paired: &Paired, policy: &GatePolicy, unit: &str) -> Vec<GateGround> {
    let (anchors, questions) = (paired.anchors() as u32, paired.questions() as u32);
    let mut grounds = Vec::new();
    if anchors < policy.least_anchors {
        grounds.push(GateGround::TooFewAnchors {
            anchors,
            least: policy.least_anchors,
            unit: unit.to_owned(),
        });
    }
    if questions < policy.least_questions {
        grounds.push(GateGround::TooFewQuestions {
            questions,
            least: policy.least_questions,
        });
    }
    grounds
}

fn figure(margin: &Margin, spread: &Spread, level: f64, same: bool) -> GateFigure {
    // A model does not differ from itself, and that needs no test.
    let [low, high] = if same {
        [0.0, 0.0]
    } else {
        spread.bounds(margin.measure, level)
    };
    GateFigure {
        measure: margin.measure,
        reference: spread.reference,
        candidate: spread.candidate,
        difference: spread.difference(),
        low,
        high,
        margin: margin.margin,
        verdict: judge(low, high, margin.margin),
    }
}

fn ground(figure: &GateFigure) -> GateGround {
    let GateFigure {
        measure,
        difference,
        low,
        high,
        margin,
        ..
    } = *figure;
    match figure.verdict {
        GateVerdict::Pass => GateGround::WithinMargin {
            measure,
            low,
            high: Some(high),
            margin,
        },
        GateVerdict::Stop => GateGround::Worse {
            measure,
            difference,
            low: Some(low),
            high,
            margin,
        },
        GateVerdict::Undecided => GateGround::CannotTell {
            measure,
            low,
            high,
            margin,
        },
    }
}

/// The number of anchors that is needed so that three things hold:
/// - An equal model passes each measure in 80 of 100 cases.
/// - A model that is three points worse is stopped in 95 of 100 cases. If the margin is more than two points, this
///   model is one point worse than the margin.
/// - A difference as large as the present one would be decided.
fn needed(paired: &Paired, policy: &GatePolicy, spreads: &[(Margin, Spread)]) -> u64 {
    let anchors = paired.anchors() as f64;
    let per_anchor = paired.questions() as f64 / anchors.max(1.0);
    let mut needed = f64::from(policy.least_anchors)
        .max(f64::from(policy.least_questions) / per_anchor)
        .max(anchors + 1.0);
    let sure = normal(policy.level);
    for (margin, spread) in spreads {
        let Some(error) = spread.error() else {
            continue;
        };
        let (spread_of_one, margin) = (error * anchors.sqrt(), margin.margin);
        let at = |deviates: f64, reach: f64| (deviates * spread_of_one / reach).powi(2);
        let worse = WORSE.max(margin + 0.01);
        let difference = spread.difference();
        let passes = if difference > -margin {
            at(sure, difference + margin)
        } else {
            f64::INFINITY
        };
        let stops = if difference < 0.0 {
            at(sure, -difference)
        } else {
            f64::INFINITY
        };
        needed = needed
            .max(at(sure + normal(EQUAL_PASSES), margin))
            .max(at(sure + normal(WORSE_STOPPED), worse))
            .max(passes.min(stops));
    }
    needed.ceil() as u64
}
