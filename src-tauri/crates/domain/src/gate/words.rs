//! The words for the grounds of a decision. They always say "gain", "loss" or "no difference", because a reader could
//! take a plain `+14.5` for any of these.

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

impl GateMeasure {
    /// The name in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::F1 => "F1",
            Self::ChoiceCosineGap => "gap of the choices",
        }
    }
}

/// The size of a difference without its sign: in points if the measure is a share, otherwise as a plain number. The
/// words beside it say whether it is a gain or a loss.
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

/// How many additional decimals are needed so that a bound and its margin look different. For a bound of 2.04 points
/// and a margin of 2 one more is needed: if both were shown as 2.0, nobody could understand the verdict.
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
    let (name, worse) = (measure.words(), sized(measure, low, more));
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

/// The sentence about a loss that stops a model. `high` is the upper bound of the change. If even this bound is below
/// −`margin`, the loss is certainly larger than the tolerated one. Otherwise it only may be larger.
fn larger(measure: GateMeasure, high: f64, margin: f64) -> String {
    let tolerated = sized(measure, margin, decimals_more(measure, high, margin));
    if high < -margin {
        format!("A loss of up to {tolerated} is tolerated; this one is larger.")
    } else {
        format!("A loss of up to {tolerated} is tolerated; this one may be larger.")
    }
}

/// The size of a change of a rank correlation, with as many decimals as tell it from what is tolerated.
fn correlation(value: f64, bound: f64, floor: f64) -> String {
    let plain = GateMeasure::ChoiceCosineGap;
    sized(plain, value, decimals_more(plain, bound, floor))
}

impl GateGround {
    /// What the rank correlation in general language did.
    fn general(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GeneralKept { change, low, .. }
                if *change == 0.0 && low.is_none_or(|l| l == 0.0) =>
            {
                f.write_str("General language: the rank correlation is the same as before.")
            }
            // Decided by an earlier version, without bounds.
            Self::GeneralKept {
                change, low: None, ..
            } if *change > 0.0 => write!(
                f,
                "General language: the rank correlation rose by {change:.3}."
            ),
            Self::GeneralLost {
                change,
                high: None,
                floor,
            }
            | Self::GeneralKept {
                change,
                low: None,
                floor,
            } => write!(
                f,
                "General language: the rank correlation fell by {}. A fall of up to {} is tolerated.",
                correlation(*change, *change, *floor),
                correlation(*floor, *change, *floor)
            ),
            Self::GeneralKept { low: Some(low), .. } if *low > 0.0 => write!(
                f,
                "General language: the rank correlation rose by at least {low:.3}."
            ),
            Self::GeneralKept {
                low: Some(low),
                floor,
                ..
            } => write!(
                f,
                "General language: the rank correlation is at most {} lower than before. A fall of up to {} is tolerated.",
                correlation(*low, *low, *floor),
                correlation(*floor, *low, *floor)
            ),
            Self::GeneralLost {
                change,
                high: Some(high),
                floor,
            } => write!(
                f,
                "General language: the rank correlation fell by {}, at least by {}. {}",
                correlation(*change, *high, *floor),
                correlation(*high, *high, *floor),
                larger(GateMeasure::ChoiceCosineGap, *high, *floor)
            ),
            Self::GeneralCannotTell {
                low,
                high,
                floor,
                pairs,
                needed,
                ..
            } => {
                write!(
                    f,
                    "General language: these pairs cannot tell; the rank correlation may fall by {} or rise by {}. A fall of up to {} is tolerated.",
                    correlation(*low, *low, *floor),
                    correlation(*high, *high, *floor),
                    correlation(*floor, *low, *floor)
                )?;
                let Some(needed) = needed else {
                    return Ok(());
                };
                f.write_str(" ")?;
                write!(f, "About {needed} pairs would decide; there are {pairs}.")
            }
            Self::GeneralTooFewGroups {
                groups,
                least,
                pairs,
            } => write!(
                f,
                "General language: there are too few groups of pairs to decide: {groups}, from {pairs} pairs; at least {least} are needed. Pairs that share a sentence are one group."
            ),
            _ => Ok(()),
        }
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
                let (name, loss) = (measure.words(), of(*difference));
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
                    measure.words(),
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
            Self::GeneralLost { .. }
            | Self::GeneralKept { .. }
            | Self::GeneralCannotTell { .. }
            | Self::GeneralTooFewGroups { .. } => self.general(f),
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
mod tests;
