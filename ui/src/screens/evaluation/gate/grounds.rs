//! The grounds of a decision, in words.

use crate::format;
use crate::i18n::{t, tag, tf, tn, tnf};
use lexforge_domain::dataset::ClusterKind;
use lexforge_domain::gate::{
    GateDecision, GateGround, GateMeasure, GateWhy, Standing, decimals_more,
};

fn name(measure: GateMeasure) -> String {
    tag("measure", measure.tag())
}

/// The size of a difference: points of a share, or a plain number. The words beside it say whether it is a gain or a
/// loss.
fn size(measure: GateMeasure, value: f64) -> String {
    sized(measure, value, 0)
}

/// The size with so many decimals more than usual.
fn sized(measure: GateMeasure, value: f64, more: usize) -> String {
    if measure.is_share() {
        let points = format!("{:.*}", 1 + more, value.abs() * 100.0);
        tf("gate.points", &[("n", &points)])
    } else if more == 0 {
        format::share(value.abs())
    } else {
        let text = format!("{:.*}", 3 + more, value.abs());
        text.strip_prefix('0').unwrap_or(&text).to_owned()
    }
}

/// Says that the loss for which a model is stopped is larger than tolerated, or may be.
fn larger(measure: GateMeasure, high: f64, margin: f64) -> String {
    let tolerated = sized(measure, margin, decimals_more(measure, high, margin));
    let values = [("margin", tolerated.as_str())];
    if high < -margin {
        tf("gate.larger", &values)
    } else {
        tf("gate.perhaps_larger", &values)
    }
}

/// What may go live and why, in one line.
pub fn line(decision: &GateDecision) -> String {
    let against = match decision.against_run {
        Some(run) => tf("gate.run", &[("n", &run.to_string())]),
        None => t("gate.base"),
    };
    let blocking = decision.blocking();
    let why = blocking.map(|reason| words(&reason.ground));
    tf(
        &key_of(decision.why()),
        &[
            ("n", &decision.run.to_string()),
            ("against", &against),
            ("why", &why.unwrap_or_default()),
        ],
    )
}

fn key_of(why: GateWhy) -> String {
    format!("gate_why.{}", why.tag())
}

/// The number of clusters with their name: `12 sections`.
pub fn units(unit: &str, n: u64) -> String {
    let known = ClusterKind::from_tag(unit).map_or("cluster", ClusterKind::tag);
    tn(&format!("units.{known}"), n)
}

/// The key of the words for a measure that passes.
fn key_of_standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Gain => "gate.gain",
        Standing::Equal => "gate.equal",
        Standing::NoDifference => "gate.no_difference",
        Standing::SmallLoss => "gate.small_loss",
        Standing::NotWorse => "gate.within",
    }
}

/// The keys of all units, of all reasons in a line, and of what measures say.
#[cfg(test)]
pub fn keys() -> Vec<String> {
    let known = ClusterKind::ALL.map(ClusterKind::tag);
    let units = known.into_iter().chain(["cluster"]);
    units
        .flat_map(|unit| ["one", "other"].map(|form| format!("units.{unit}.{form}")))
        .chain(GateWhy::ALL.map(key_of))
        .chain(Standing::ALL.map(|standing| key_of_standing(standing).to_owned()))
        .chain(["gate.general_lost", "gate.general_within"].map(str::to_owned))
        .collect()
}

/// What the rank correlation in general language did. Decisions of earlier versions have no bounds.
fn general(ground: &GateGround) -> String {
    // A plain number, as a correlation is.
    let plain = GateMeasure::ChoiceCosineGap;
    let said = |key: &str, name: &str, value: f64, bound: f64, floor: f64| {
        let more = decimals_more(plain, bound, floor);
        let (value, floor) = (sized(plain, value, more), sized(plain, floor, more));
        tf(key, &[(name, &value), ("floor", &floor)])
    };
    match *ground {
        GateGround::GeneralKept { change, low, .. }
            if change == 0.0 && low.is_none_or(|low| low == 0.0) =>
        {
            t("gate.general_same")
        }
        GateGround::GeneralKept {
            change, low: None, ..
        } if change > 0.0 => tf("gate.general_rose", &[("change", &format::share(change))]),
        GateGround::GeneralLost {
            change,
            high: None,
            floor,
        }
        | GateGround::GeneralKept {
            change,
            low: None,
            floor,
        } => said("gate.general_lost", "change", change, change, floor),
        GateGround::GeneralKept { low: Some(low), .. } if low > 0.0 => {
            tf("gate.general_gain", &[("low", &format::share(low))])
        }
        GateGround::GeneralKept {
            low: Some(low),
            floor,
            ..
        } => said("gate.general_within", "low", low, low, floor),
        GateGround::GeneralLost {
            change,
            high: Some(high),
            floor,
        } => {
            let more = decimals_more(plain, high, floor);
            tf(
                "gate.general_fell",
                &[
                    ("change", &sized(plain, change, more)),
                    ("high", &sized(plain, high, more)),
                    ("beside", &larger(plain, high, floor)),
                ],
            )
        }
        GateGround::GeneralCannotTell {
            low,
            high,
            floor,
            pairs,
            needed,
            ..
        } => {
            let more = decimals_more(plain, low, floor);
            let unclear = tf(
                "gate.general_unclear",
                &[
                    ("low", &sized(plain, low, more)),
                    ("high", &size(plain, high)),
                    ("floor", &sized(plain, floor, more)),
                ],
            );
            let Some(needed) = needed else {
                return unclear;
            };
            let needed = tf(
                "gate.general_needed",
                &[
                    ("n", &format::count(needed)),
                    ("now", &format::count(pairs.into())),
                ],
            );
            format::sentences(&[unclear, needed])
        }
        GateGround::GeneralTooFewGroups {
            groups,
            least,
            pairs,
        } => tf(
            "gate.general_few",
            &[
                ("n", &format::count(groups.into())),
                ("pairs", &tn("gate.general_pairs", pairs.into())),
                ("least", &format::count(least.into())),
            ],
        ),
        _ => String::new(),
    }
}

/// A ground as a sentence.
pub fn words(ground: &GateGround) -> String {
    let count = |n: u32| format::count(n.into());
    match ground {
        GateGround::WithinMargin {
            measure,
            low,
            high,
            margin,
        } => {
            let more = decimals_more(*measure, *low, *margin);
            tf(
                key_of_standing(Standing::of(*low, *high)),
                &[
                    ("measure", &name(*measure)),
                    ("low", &sized(*measure, *low, more)),
                    ("high", &size(*measure, high.unwrap_or_default())),
                    ("margin", &sized(*measure, *margin, more)),
                ],
            )
        }
        GateGround::Worse {
            measure,
            difference,
            low,
            high,
            margin,
        } => {
            let (measured, change) = (name(*measure), size(*measure, *difference));
            let least = sized(*measure, *high, decimals_more(*measure, *high, *margin));
            let beside = larger(*measure, *high, *margin);
            let most = low.map(|low| size(*measure, low));
            let mut values = vec![
                ("measure", measured.as_str()),
                ("change", change.as_str()),
                ("high", least.as_str()),
                ("beside", beside.as_str()),
            ];
            match &most {
                Some(most) => {
                    values.push(("low", most.as_str()));
                    tf("gate.worse", &values)
                }
                None => tf("gate.worse_at_least", &values),
            }
        }
        GateGround::CannotTell {
            measure,
            low,
            high,
            margin,
        } => {
            let more = decimals_more(*measure, *low, *margin);
            tf(
                "gate.cannot_tell",
                &[
                    ("measure", &name(*measure)),
                    ("low", &sized(*measure, *low, more)),
                    ("high", &size(*measure, *high)),
                    ("margin", &sized(*measure, *margin, more)),
                ],
            )
        }
        GateGround::SameModel => t("gate.same"),
        GateGround::TooFewAnchors {
            anchors,
            least,
            unit,
        } => tf(
            "gate.few_anchors",
            &[
                ("n", &units(unit, (*anchors).into())),
                ("least", &count(*least)),
            ],
        ),
        GateGround::TooFewQuestions { questions, least } => tnf(
            "gate.few_questions",
            (*questions).into(),
            &[("least", &count(*least))],
        ),
        GateGround::Shortcut {
            control,
            accuracy,
            chance,
        } => tf(
            "gate.shortcut",
            &[
                ("control", &tag("shortcut", control)),
                ("accuracy", &format::share(*accuracy)),
                ("chance", &format::share(*chance)),
            ],
        ),
        GateGround::Unreviewed => t("gate.unreviewed"),
        GateGround::Leaks { leaks } => tn("gate.leaks", (*leaks).into()),
        GateGround::GeneralLost { .. }
        | GateGround::GeneralKept { .. }
        | GateGround::GeneralCannotTell { .. }
        | GateGround::GeneralTooFewGroups { .. } => general(ground),
        GateGround::GeneralNotMeasured => t("gate.general_missing"),
        GateGround::AttackLost {
            attack,
            change,
            high,
            floor,
        } => {
            let accuracy = GateMeasure::Accuracy;
            let more = decimals_more(accuracy, *high, *floor);
            tf(
                "gate.attack_lost",
                &[
                    ("attack", &tag("attack", attack)),
                    ("change", &size(accuracy, *change)),
                    ("high", &sized(accuracy, *high, more)),
                    ("beside", &larger(accuracy, *high, *floor)),
                ],
            )
        }
        GateGround::AttackCannotTell {
            attack,
            low,
            high,
            floor,
        } => {
            let accuracy = GateMeasure::Accuracy;
            let more = decimals_more(accuracy, *low, *floor);
            tf(
                "gate.attack_unclear",
                &[
                    ("attack", &tag("attack", attack)),
                    ("low", &sized(accuracy, *low, more)),
                    ("high", &size(accuracy, *high)),
                    ("floor", &sized(accuracy, *floor, more)),
                ],
            )
        }
        GateGround::AttackNotMeasured => t("gate.attack_missing"),
        GateGround::ExportNotProved => t("gate.no_export"),
        GateGround::OtherSnapshot { dataset } => {
            tf("gate.other_snapshot", &[("n", &dataset.to_string())])
        }
    }
}

#[cfg(test)]
mod tests;
