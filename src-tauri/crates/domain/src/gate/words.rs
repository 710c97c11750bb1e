//! The words for a ground of a decision. They always say gain, loss or no difference, because a plain `+14.5` could be
//! read as any of these.

use super::ground::GateGround;
use super::rule::GateMeasure;
use crate::dataset::ClusterKind;
use crate::tags::all;
use std::fmt;
use strum::VariantArray;

/// The name of this many clusters.
pub fn units(unit: &str, n: u32) -> &'static str {
    let (one, several) =
        ClusterKind::from_tag(unit).map_or(("cluster", "clusters"), ClusterKind::words);
    if n == 1 { one } else { several }
}

/// The measure's name in words.
fn name(measure: GateMeasure) -> &'static str {
    match measure {
        GateMeasure::Accuracy => "accuracy",
        GateMeasure::F1 => "F1",
        GateMeasure::ChoiceCosineGap => "gap of the choices",
    }
}

/// The size of a difference in the form in which people read it: points of a share, or a plain number. The words beside
/// it say whether it is a gain or a loss.
fn size(measure: GateMeasure, value: f64) -> String {
    sized(measure, value, 0)
}

/// The size with so many decimals more than usual.
fn sized(measure: GateMeasure, value: f64, more: usize) -> String {
    if measure.is_share() {
        format!("{:.*} points", 1 + more, value.abs() * 100.0)
    } else {
        format!("{:.*}", 3 + more, value.abs())
    }
}

/// The most decimals that are added.
const MOST_MORE: usize = 3;

/// How many decimals more than usual tell a bound from the margin that it is held against. With a bound of 2.04 points
/// and a margin of 2 it is one: both rounded to 2.0, the verdict could not be understood.
pub fn decimals_more(measure: GateMeasure, bound: f64, margin: f64) -> usize {
    let same = |more: usize| sized(measure, bound, more) == sized(measure, margin, more);
    (0..=MOST_MORE).find(|more| !same(*more)).unwrap_or(0)
}

/// The meaning of the bounds of a measure that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Standing {
    /// The model is better.
    Gain,
    /// Both models have exactly the same result.
    Equal,
    /// Neither model is shown to be better.
    NoDifference,
    /// It is worse, by less than is tolerated.
    SmallLoss,
    /// It is not much worse. Whether it is better was not recorded.
    NotWorse,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);

    /// By the bounds of the difference.
    pub fn of(low: f64, high: Option<f64>) -> Self {
        match high {
            _ if low > 0.0 => Self::Gain,
            None => Self::NotWorse,
            Some(high) if low == 0.0 && high == 0.0 => Self::Equal,
            Some(high) if high < 0.0 => Self::SmallLoss,
            Some(_) => Self::NoDifference,
        }
    }
}

/// The sentence about a measure that passes.
fn within(measure: GateMeasure, low: f64, high: Option<f64>, margin: f64) -> String {
    let more = decimals_more(measure, low, margin);
    let (name, worse) = (name(measure), sized(measure, low, more));
    let margin = sized(measure, margin, more);
    match Standing::of(low, high) {
        Standing::Gain => format!("{name}: a gain of at least {worse}."),
        Standing::Equal => format!("{name}: no difference."),
        Standing::NoDifference => format!(
            "{name}: no difference shown; at most {worse} worse, at most {} better. A loss of up to {margin} is tolerated.",
            size(measure, high.unwrap_or_default())
        ),
        Standing::SmallLoss => {
            format!("{name}: a loss of at most {worse}. A loss of up to {margin} is tolerated.")
        }
        Standing::NotWorse => {
            format!("{name}: at most {worse} worse. A loss of up to {margin} is tolerated.")
        }
    }
}

/// The sentence about a loss that stops a model. It is not certain that such a loss is small enough to be tolerated. So
/// a model can be stopped even if the measured loss is smaller than the tolerated one.
fn larger(measure: GateMeasure, high: f64, margin: f64) -> String {
    let tolerated = sized(measure, margin, decimals_more(measure, high, margin));
    if high < -margin {
        format!("A loss of up to {tolerated} is tolerated; this one is larger.")
    } else {
        format!("A loss of up to {tolerated} is tolerated; this one may be larger.")
    }
}

impl fmt::Display for GateGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithinMargin {
                measure,
                low,
                high,
                margin,
            } => f.write_str(&within(*measure, *low, *high, *margin)),
            Self::Worse {
                measure,
                difference,
                low,
                high,
                margin,
            } => {
                let of = |value: f64| size(*measure, value);
                let more = decimals_more(*measure, *high, *margin);
                let least = sized(*measure, *high, more);
                let (name, loss) = (name(*measure), of(*difference));
                let beside = larger(*measure, *high, *margin);
                match low.map(of) {
                    Some(most) => write!(
                        f,
                        "{name}: a loss of {loss}, at least {least} and at most {most}. {beside}"
                    ),
                    None => write!(f, "{name}: a loss of {loss}, at least {least}. {beside}"),
                }
            }
            Self::CannotTell {
                measure,
                low,
                high,
                margin,
            } => {
                let more = decimals_more(*measure, *low, *margin);
                write!(
                    f,
                    "{}: these questions cannot tell; at most {} worse, at most {} better. A loss of up to {} is tolerated.",
                    name(*measure),
                    sized(*measure, *low, more),
                    size(*measure, *high),
                    sized(*measure, *margin, more)
                )
            }
            Self::SameModel => f.write_str("Both are the same model."),
            Self::TooFewAnchors {
                anchors,
                least,
                unit,
            } => {
                let units = units(unit, *anchors);
                write!(
                    f,
                    "The test questions come from {anchors} {units}; at least {least} are asked for."
                )
            }
            Self::TooFewQuestions { questions, least } => write!(
                f,
                "There are {questions} test questions; at least {least} are asked for."
            ),
            Self::Shortcut {
                control,
                accuracy,
                chance,
            } => write!(
                f,
                "The questions can be answered without being read: the control {control} scores {:.1} % where guessing scores {:.1} %.",
                accuracy * 100.0,
                chance * 100.0
            ),
            Self::Unreviewed => f.write_str(
                "The snapshot is unreviewed (automatic): nobody has looked at its questions.",
            ),
            Self::Leaks { leaks } => write!(
                f,
                "{leaks} sentences of the test part stand, or nearly stand, in the training part."
            ),
            Self::GeneralKept { change, .. } if *change == 0.0 => {
                f.write_str("General language: the rank correlation is the same as before.")
            }
            Self::GeneralKept { change, .. } if *change > 0.0 => {
                write!(
                    f,
                    "General language: the rank correlation rose by {change:.3}."
                )
            }
            Self::GeneralLost { change, floor } | Self::GeneralKept { change, floor } => {
                let more = decimals_more(GateMeasure::ChoiceCosineGap, *change, *floor);
                let of = |value| sized(GateMeasure::ChoiceCosineGap, value, more);
                let (fall, floor) = (of(*change), of(*floor));
                write!(
                    f,
                    "General language: the rank correlation fell by {fall}. A fall of up to {floor} is tolerated."
                )
            }
            Self::GeneralNotMeasured => f.write_str("General language was not measured."),
            Self::AttackLost {
                attack,
                change,
                high,
                floor,
            } => write!(
                f,
                "Under the attack {attack} accuracy falls by {}, at least by {}. {}",
                size(GateMeasure::Accuracy, *change),
                sized(
                    GateMeasure::Accuracy,
                    *high,
                    decimals_more(GateMeasure::Accuracy, *high, *floor)
                ),
                larger(GateMeasure::Accuracy, *high, *floor)
            ),
            Self::AttackCannotTell {
                attack,
                low,
                high,
                floor,
            } => {
                let accuracy = GateMeasure::Accuracy;
                let more = decimals_more(accuracy, *low, *floor);
                write!(
                    f,
                    "Under the attack {attack} these questions cannot tell: accuracy may fall by {} or rise by {}. A fall of up to {} is tolerated.",
                    sized(accuracy, *low, more),
                    size(accuracy, *high),
                    sized(accuracy, *floor, more)
                )
            }
            Self::AttackNotMeasured => f.write_str("Attacks were not measured."),
            Self::ExportNotProved => {
                f.write_str("No export of this run was proved to answer as the run does.")
            }
            Self::OtherSnapshot { dataset } => write!(
                f,
                "The model that it is compared with was trained on snapshot {dataset}; it may know some of these questions, which can only help it."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn general_language_is_said_to_rise_to_fall_or_to_stay() {
        let kept = |change| GateGround::GeneralKept {
            change,
            floor: 0.02,
        };
        let lost = |change| GateGround::GeneralLost {
            change,
            floor: 0.02,
        };
        for (ground, said) in [
            (kept(0.004), "the rank correlation rose by 0.004."),
            (kept(0.0), "the rank correlation is the same as before."),
            (
                kept(-0.012),
                "the rank correlation fell by 0.012. A fall of up to 0.020 is tolerated.",
            ),
            (
                kept(-0.0198),
                "the rank correlation fell by 0.0198. A fall of up to 0.0200 is tolerated.",
            ),
            (
                lost(-0.0203),
                "the rank correlation fell by 0.0203. A fall of up to 0.0200 is tolerated.",
            ),
            (
                lost(-0.4),
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
        ] {
            let read: Result<GateGround, _> = serde_json::from_str(old);
            assert!(read.is_ok_and(|ground| !ground.to_string().contains('-')));
        }
    }
}
