//! A decision in one line: what may go live, and why.

use super::decision::GateDecision;
use super::ground::{GateGround, GateReason};
use super::rule::GateVerdict;
use crate::tags::all;
use strum::{IntoStaticStr, VariantArray};

/// Why a run may go live or not, before any figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum GateWhy {
    /// It is better by every measure of the rule.
    Better,
    /// By no measure does it lose more than is tolerated.
    NotWorse,
    /// It is the same model that it is compared with.
    Same,
    /// Something stops it whatever the measures say.
    Blocked,
    /// It is worse.
    Worse,
    /// There are too few test questions, or they come from too few places.
    TooFew,
    /// The rule asks for something that was not measured.
    NotMeasured,
    /// It is open whether it is worse by more than is tolerated.
    CannotTell,
}

impl GateWhy {
    /// All of them.
    pub const ALL: [Self; 8] = all(Self::VARIANTS);

    /// The name by which a window finds its words.
    pub fn tag(self) -> &'static str {
        self.into()
    }
}

impl GateDecision {
    /// Why it is decided so.
    pub fn why(&self) -> GateWhy {
        let any = |is: fn(&GateGround) -> bool| self.reasons.iter().any(|r| is(&r.ground));
        match self.verdict {
            GateVerdict::Pass if any(|g| matches!(g, GateGround::SameModel)) => GateWhy::Same,
            GateVerdict::Pass if self.figures.iter().all(|f| f.low > 0.0) => GateWhy::Better,
            GateVerdict::Pass => GateWhy::NotWorse,
            GateVerdict::Stop if self.blocking().is_some() => GateWhy::Blocked,
            GateVerdict::Stop => GateWhy::Worse,
            GateVerdict::Undecided if any(is_too_few) => GateWhy::TooFew,
            GateVerdict::Undecided if any(is_not_measured) => GateWhy::NotMeasured,
            GateVerdict::Undecided => GateWhy::CannotTell,
        }
    }

    /// The first reason that stops it whatever the measures say.
    pub fn blocking(&self) -> Option<&GateReason> {
        self.reasons.iter().find(|reason| reason.blocking)
    }

    /// What may go live and why, in one line.
    pub fn in_a_line(&self) -> String {
        let (run, against) = (self.run, &self.against);
        match self.why() {
            GateWhy::Better => format!(
                "Run {run} may go live: by every measure of the rule it is better than {against}."
            ),
            GateWhy::NotWorse => format!(
                "Run {run} may go live: compared with {against} it loses by no measure more than the rule tolerates."
            ),
            GateWhy::Same => {
                format!("Run {run} may go live: it is the same model as {against}.")
            }
            GateWhy::Blocked => {
                let why = self.blocking().map_or("", |reason| reason.text.as_str());
                format!("Run {run} may not go live, whatever the measures say. {why}")
            }
            GateWhy::Worse => format!("Run {run} may not go live: it is worse than {against}."),
            GateWhy::TooFew => format!(
                "Whether run {run} may go live cannot be told: the test questions are too few, or come from too few places."
            ),
            GateWhy::NotMeasured => format!(
                "Whether run {run} may go live cannot be told: something that the rule asks for was not measured."
            ),
            GateWhy::CannotTell => format!(
                "Whether run {run} may go live cannot be told: compared with {against} it may lose more than the rule tolerates, or nothing."
            ),
        }
    }
}

fn is_too_few(ground: &GateGround) -> bool {
    matches!(
        ground,
        GateGround::TooFewAnchors { .. } | GateGround::TooFewQuestions { .. }
    )
}

fn is_not_measured(ground: &GateGround) -> bool {
    matches!(
        ground,
        GateGround::GeneralNotMeasured | GateGround::AttackNotMeasured
    )
}

#[cfg(test)]
mod tests {
    use super::super::decision::{Characteristic, CharacteristicSource, GateFigure};
    use super::super::rule::{GateMeasure, GatePolicy};
    use super::*;
    use crate::id::{DatasetId, RunId};
    use std::collections::BTreeMap;

    fn decision(verdict: GateVerdict, grounds: Vec<GateGround>) -> GateDecision {
        GateDecision {
            run: RunId(4),
            verdict,
            reasons: grounds.into_iter().map(GateReason::from).collect(),
            against: "run 3".to_owned(),
            against_run: Some(RunId(3)),
            dataset: DatasetId(1),
            dataset_hash: String::new(),
            adapter: String::new(),
            scorer: "embedding".to_owned(),
            unit: "anchor".to_owned(),
            questions: 400,
            anchors: 40,
            needed: None,
            figures: Vec::new(),
            characteristic: Characteristic {
                from: CharacteristicSource::Assumed,
                simulations: 0,
                discordant: 0.0,
                within: 0.0,
                equal_passes: 0.0,
                worse_stopped: BTreeMap::new(),
                rates: BTreeMap::new(),
                offers: Vec::new(),
            },
            seeds: None,
            general: None,
            policy: GatePolicy::default(),
        }
    }

    #[test]
    fn one_line_says_what_may_go_live_and_why() {
        let few = GateGround::TooFewQuestions {
            questions: 12,
            least: 100,
        };
        let worse = GateGround::Worse {
            measure: GateMeasure::F1,
            difference: -0.05,
            low: Some(-0.07),
            high: -0.03,
            margin: 0.02,
        };
        for (verdict, grounds, why, said) in [
            (
                GateVerdict::Pass,
                vec![GateGround::SameModel],
                GateWhy::Same,
                "may go live: it is the same model as run 3",
            ),
            (
                GateVerdict::Stop,
                vec![worse.clone(), GateGround::Unreviewed],
                GateWhy::Blocked,
                "whatever the measures say. The snapshot is unreviewed",
            ),
            (
                GateVerdict::Stop,
                vec![worse],
                GateWhy::Worse,
                "may not go live: it is worse than run 3",
            ),
            (
                GateVerdict::Undecided,
                vec![few, GateGround::AttackNotMeasured],
                GateWhy::TooFew,
                "cannot be told: the test questions are too few",
            ),
            (
                GateVerdict::Undecided,
                vec![GateGround::AttackNotMeasured],
                GateWhy::NotMeasured,
                "was not measured",
            ),
            (
                GateVerdict::Undecided,
                Vec::new(),
                GateWhy::CannotTell,
                "may lose more than the rule tolerates, or nothing",
            ),
        ] {
            let decision = decision(verdict, grounds);
            assert_eq!(decision.why(), why);
            assert!(
                decision.in_a_line().contains(said),
                "{}",
                decision.in_a_line()
            );
        }
    }

    #[test]
    fn a_pass_is_a_gain_only_where_every_measure_gained() {
        let figure = |low| GateFigure {
            measure: GateMeasure::F1,
            reference: 0.5,
            candidate: 0.6,
            difference: 0.1,
            low,
            high: 0.2,
            margin: 0.02,
            verdict: GateVerdict::Pass,
        };
        let mut of = decision(GateVerdict::Pass, Vec::new());
        of.figures = vec![figure(0.145), figure(0.001)];
        assert_eq!(of.why(), GateWhy::Better);
        of.figures.push(figure(-0.001));
        assert_eq!(of.why(), GateWhy::NotWorse);
    }
}
