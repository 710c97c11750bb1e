//! What a person has ticked and typed for the gate's rule, and the rule that it makes.

use lexforge_domain::gate::{GateMeasure, GatePolicy, Margin};
use std::collections::{BTreeMap, BTreeSet};

/// A figure of the rule that can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// The loss of a measure that is not tolerated: points, or a cosine.
    Margin(GateMeasure),
    /// How sure each bound is, in per cent.
    Level,
    /// Least clusters.
    Anchors,
    /// Least test questions.
    Questions,
    /// What a control may exceed chance by, in points.
    Shortcut,
    /// The tolerated loss of general language, as a rank correlation.
    General,
    /// The tolerated loss under attack, in points.
    Attack,
}

/// Figures that are shown beside a box that is not ticked.
const USUAL_SHARE: f64 = 0.02;
const USUAL_ATTACK: f64 = 0.05;

impl Figure {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 9] = [
        Self::Margin(GateMeasure::Accuracy),
        Self::Margin(GateMeasure::F1),
        Self::Margin(GateMeasure::ChoiceCosineGap),
        Self::Level,
        Self::Anchors,
        Self::Questions,
        Self::Shortcut,
        Self::General,
        Self::Attack,
    ];

    /// Its value in a rule, as it is kept there. `None` if the rule does not ask for it.
    fn in_rule(self, policy: &GatePolicy) -> Option<f64> {
        match self {
            Self::Margin(measure) => {
                let mut of = policy.measures.iter();
                of.find(|m| m.measure == measure).map(|m| m.margin)
            }
            Self::Level => Some(policy.level),
            Self::Anchors => Some(policy.least_anchors.into()),
            Self::Questions => Some(policy.least_questions.into()),
            Self::Shortcut => Some(policy.shortcut),
            Self::General => policy.general_floor,
            Self::Attack => policy.attack_floor,
        }
    }

    /// It is typed as a hundred times its value: in points, or in per cent.
    pub fn is_hundredfold(self) -> bool {
        match self {
            Self::Margin(measure) => measure.is_share(),
            Self::Level | Self::Shortcut | Self::Attack => true,
            Self::Anchors | Self::Questions | Self::General => false,
        }
    }

    /// Its value as it is typed.
    fn written(self, value: f64) -> String {
        plain(if self.is_hundredfold() {
            value * 100.0
        } else {
            value
        })
    }

    /// The value that was typed.
    fn read(self, text: &str) -> Option<f64> {
        let typed = text.trim().parse::<f64>().ok().filter(|n| n.is_finite())?;
        // Rounded before it is divided: 2.9 points are kept as .029 and not as .028999….
        Some(if self.is_hundredfold() {
            (typed * 1e4).round() / 1e6
        } else {
            typed
        })
    }
}

/// A number without zeros at its end: `2`, `2.5`, `.02`.
pub fn plain(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.to_owned(),
    }
}

/// What was ticked and typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    typed: BTreeMap<Figure, String>,
    ticked: BTreeSet<Figure>,
    /// A proved export is asked for.
    pub export_parity: bool,
}

impl Written {
    /// A rule as it is written.
    pub fn of(policy: &GatePolicy) -> Self {
        let (mut typed, mut ticked) = (BTreeMap::new(), BTreeSet::new());
        for figure in Figure::ALL {
            let in_rule = figure.in_rule(policy);
            if in_rule.is_some() {
                ticked.insert(figure);
            }
            let usual = match figure {
                Figure::Attack => USUAL_ATTACK,
                _ => USUAL_SHARE,
            };
            typed.insert(figure, figure.written(in_rule.unwrap_or(usual)));
        }
        Self {
            typed,
            ticked,
            export_parity: policy.export_parity,
        }
    }

    /// What was typed for a figure.
    pub fn text(&self, figure: Figure) -> String {
        self.typed.get(&figure).cloned().unwrap_or_default()
    }

    /// Whether the rule asks for it.
    pub fn asks_for(&self, figure: Figure) -> bool {
        self.ticked.contains(&figure)
    }

    /// A figure was typed.
    pub fn put(&mut self, figure: Figure, text: String) {
        self.typed.insert(figure, text);
    }

    /// A box was ticked or unticked.
    pub fn tick(&mut self, figure: Figure, on: bool) {
        if on {
            self.ticked.insert(figure);
        } else {
            self.ticked.remove(&figure);
        }
    }

    /// Takes an offered margin for each ticked measure that is a share: the narrowest of them decides.
    pub fn take(&mut self, margin: f64) {
        for figure in Figure::ALL {
            if let Figure::Margin(measure) = figure
                && measure.is_share()
                && self.asks_for(figure)
            {
                self.put(figure, figure.written(margin));
            }
        }
    }

    /// Whether a figure that the rule asks for is no number of its kind.
    pub fn is_wrong(&self, figure: Figure) -> bool {
        let counted = matches!(figure, Figure::Anchors | Figure::Questions);
        self.asks_for(figure)
            && match counted {
                true => self.count(figure).is_none(),
                false => self.value(figure).is_none(),
            }
    }

    /// The rule; what cannot be changed here stays as it is in `kept`. `None` if a figure is no number.
    pub fn policy(&self, kept: &GatePolicy) -> Option<GatePolicy> {
        if Figure::ALL.iter().any(|&figure| self.is_wrong(figure)) {
            return None;
        }
        let measures = GateMeasure::ALL
            .into_iter()
            .filter_map(|measure| {
                let margin = self.value(Figure::Margin(measure))?;
                Some(Margin { measure, margin })
            })
            .collect();
        Some(GatePolicy {
            measures,
            level: self.value(Figure::Level)?,
            least_anchors: self.count(Figure::Anchors)?,
            least_questions: self.count(Figure::Questions)?,
            shortcut: self.value(Figure::Shortcut)?,
            general_floor: self.value(Figure::General),
            attack_floor: self.value(Figure::Attack),
            export_parity: self.export_parity,
            ..kept.clone()
        })
    }

    /// The value of a figure that the rule asks for.
    fn value(&self, figure: Figure) -> Option<f64> {
        let text = self.typed.get(&figure).filter(|_| self.asks_for(figure))?;
        figure.read(text)
    }

    fn count(&self, figure: Figure) -> Option<u32> {
        self.typed.get(&figure)?.trim().parse().ok()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test that cannot go on has failed.
mod tests {
    use super::*;

    const F1: Figure = Figure::Margin(GateMeasure::F1);
    const ACCURACY: Figure = Figure::Margin(GateMeasure::Accuracy);

    #[test]
    fn a_rule_that_nobody_changed_is_the_same_rule() {
        let mut other = GatePolicy::default();
        other.measures[0].margin = 0.029;
        other.measures[1].margin = 0.035;
        other.level = 0.975;
        other.general_floor = Some(0.02);
        other.attack_floor = Some(0.055);
        other.export_parity = true;
        other.leaks = false;
        for rule in [GatePolicy::default(), other] {
            assert_eq!(Written::of(&rule).policy(&rule), Some(rule));
        }
    }

    #[test]
    fn figures_stand_as_people_type_them() {
        let written = Written::of(&GatePolicy::default());
        for (figure, text, asked) in [
            (ACCURACY, "2", false),
            (F1, "2", true),
            (Figure::Margin(GateMeasure::ChoiceCosineGap), ".02", true),
            (Figure::Level, "95", true),
            (Figure::Anchors, "30", true),
            (Figure::Questions, "100", true),
            (Figure::Shortcut, "10", true),
            (Figure::General, ".02", false),
            (Figure::Attack, "5", false),
        ] {
            assert_eq!(written.text(figure), text, "{figure:?}");
            assert_eq!(written.asks_for(figure), asked, "{figure:?}");
        }
    }

    #[test]
    fn only_what_is_ticked_becomes_a_part_of_the_rule() {
        let usual = GatePolicy::default();
        let mut written = Written::of(&usual);
        written.put(ACCURACY, "3.4".to_owned());
        written.put(Figure::Attack, "4".to_owned());
        assert_eq!(written.policy(&usual), Some(usual.clone()));
        written.tick(ACCURACY, true);
        written.tick(F1, false);
        written.tick(Figure::Attack, true);
        let rule = written.policy(&usual).unwrap();
        let first = Margin {
            measure: GateMeasure::Accuracy,
            margin: 0.034,
        };
        assert_eq!(rule.measures, [first, usual.measures[1]]);
        assert_eq!(rule.attack_floor, Some(0.04));
    }

    #[test]
    fn what_is_no_number_makes_no_rule_and_is_named() {
        let usual = GatePolicy::default();
        for (figure, text) in [
            (F1, ""),
            (F1, "2,5"),
            (F1, "inf"),
            (Figure::Level, "high"),
            (Figure::Anchors, "30.5"),
            (Figure::Questions, "-1"),
        ] {
            let mut written = Written::of(&usual);
            written.put(figure, text.to_owned());
            assert_eq!(written.policy(&usual), None, "{figure:?} {text}");
            let wrong: Vec<_> = Figure::ALL
                .into_iter()
                .filter(|&figure| written.is_wrong(figure))
                .collect();
            assert_eq!(wrong, [figure]);
            // Beside a box that is not ticked it does not matter.
            if figure == F1 {
                written.tick(F1, false);
                assert!(written.policy(&usual).is_some());
            }
        }
    }

    #[test]
    fn an_offered_margin_is_taken_for_each_measure_in_points() {
        let usual = GatePolicy::default();
        let mut written = Written::of(&usual);
        written.tick(ACCURACY, true);
        written.take(0.037);
        let margins: Vec<f64> = written
            .policy(&usual)
            .unwrap()
            .measures
            .iter()
            .map(|m| m.margin)
            .collect();
        assert_eq!(margins, [0.037, 0.037, 0.02]);
    }
}
