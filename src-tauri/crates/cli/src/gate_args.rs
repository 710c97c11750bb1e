//! The grammar of `gate` and of what is made active.

use clap::{Args, ValueEnum};
use lexforge_domain::api::GateAgainst;
use lexforge_domain::gate::{GateMeasure, GatePolicy, Margin};
use lexforge_domain::{DatasetId, RunId};
use std::path::PathBuf;

/// `gate`
#[derive(Debug, Args)]
pub struct GateArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number. Default: the newest that has finished.
    #[arg(long, conflicts_with = "plan")]
    pub run: Option<RunId>,
    /// What the run is compared with: the number of another run, or `base`. Without this option it is compared with the
    /// active model, or with the base model if no model is active.
    #[arg(long, value_name = "RUN|base", value_parser = against, conflicts_with = "plan")]
    pub against: Option<GateAgainst>,
    /// Show how often the gate would decide rightly on the newest snapshot, before there is a model to decide about.
    #[arg(long)]
    pub plan: bool,
    /// With --plan: the snapshot's number.
    #[arg(long, requires = "plan")]
    pub dataset: Option<DatasetId>,
    /// With --plan: the share of questions, in percent, that one of two models answers rightly and the other wrongly.
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "plan",
        default_value_t = 10.0
    )]
    pub discordant: f64,
    /// With --plan: how strongly these differences go together for questions about the same anchor, as a correlation.
    #[arg(long, requires = "plan", default_value_t = 0.2)]
    pub within: f64,
    /// The rule.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Keep the rule for the workspace. From then on, a model has to pass by this rule to be made active.
    #[arg(long)]
    pub keep: bool,
    /// With --general-floor: pairs of general sentences that people scored. A table with the columns sentence1,
    /// sentence2 and score, or lines of JSON: {"a", "b", "score"}. With --keep the file is remembered: runs are
    /// measured on it wherever the workspace's rule limits the loss of general language. Default: the file that is
    /// remembered.
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    pub general: Option<PathBuf>,
}

/// The rule; what is not said here is as the workspace's.
#[derive(Debug, Default, Args)]
pub struct PolicyArgs {
    /// Begin with the usual rule instead of the workspace's, without a limit for general language or attacks. With
    /// --keep the workspace goes back to it.
    #[arg(long)]
    pub usual: bool,
    /// What is compared. May be given several times.
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub measure: Vec<MeasureArg>,
    /// The loss of accuracy or F1, in points, that is too large to be accepted.
    #[arg(long, value_name = "POINTS")]
    pub margin: Option<f64>,
    /// The loss in the gap between the choices' cosines that is too large to be accepted.
    #[arg(long, value_name = "COSINE")]
    pub gap_margin: Option<f64>,
    /// How certain each one-sided bound is, for example .95.
    #[arg(long)]
    pub level: Option<f64>,
    /// If there are fewer anchors than this, the gate does not decide.
    #[arg(long, value_name = "N")]
    pub least_anchors: Option<u32>,
    /// If there are fewer test questions than this, the gate does not decide.
    #[arg(long, value_name = "N")]
    pub least_questions: Option<u32>,
    /// How many points above chance a control that never reads the question may score.
    #[arg(long, value_name = "POINTS")]
    pub shortcut: Option<f64>,
    /// The largest loss of general language that is accepted, as a rank correlation.
    #[arg(long, value_name = "LOSS")]
    pub general_floor: Option<f64>,
    /// The largest loss of accuracy, in points, that is accepted under an attack that keeps the meaning (`bench
    /// --attack`).
    #[arg(long, value_name = "POINTS")]
    pub attack_floor: Option<f64>,
    /// Whether there must be an export that was proved to answer as the run does: yes or no.
    #[arg(long, value_name = "YES|NO", value_parser = clap::builder::BoolishValueParser::new())]
    pub export_parity: Option<bool>,
}

/// A measure.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MeasureArg {
    /// Share of right answers.
    Accuracy,
    /// Macro F1 over the position of the answer.
    F1,
    /// The gap between the choices' cosines.
    Gap,
}

impl From<MeasureArg> for GateMeasure {
    fn from(measure: MeasureArg) -> Self {
        match measure {
            MeasureArg::Accuracy => Self::Accuracy,
            MeasureArg::F1 => Self::F1,
            MeasureArg::Gap => Self::ChoiceCosineGap,
        }
    }
}

/// The number of a run, or `base`.
pub fn against(text: &str) -> Result<GateAgainst, String> {
    if text == "base" {
        return Ok(GateAgainst::Base);
    }
    text.parse()
        .map(|run| GateAgainst::Run(RunId(run)))
        .map_err(|_| "the number of a run, or `base`".to_owned())
}

impl PolicyArgs {
    /// The workspace's rule, or the usual one, with what was said here.
    pub fn on(&self, kept: &GatePolicy) -> GatePolicy {
        let mut policy = match self.usual {
            true => GatePolicy::default(),
            false => kept.clone(),
        };
        if !self.measure.is_empty() {
            let usual = |measure| {
                let kept = policy.measures.iter().find(|m| m.measure == measure);
                kept.map_or(0.02, |m| m.margin)
            };
            policy.measures = self
                .measure
                .iter()
                .map(|&measure| GateMeasure::from(measure))
                .map(|measure| Margin {
                    measure,
                    margin: usual(measure),
                })
                .collect();
        }
        for m in &mut policy.measures {
            let said = if m.measure.is_share() {
                self.margin.map(|points| points / 100.0)
            } else {
                self.gap_margin
            };
            m.margin = said.unwrap_or(m.margin);
        }
        policy.level = self.level.unwrap_or(policy.level);
        policy.least_anchors = self.least_anchors.unwrap_or(policy.least_anchors);
        policy.least_questions = self.least_questions.unwrap_or(policy.least_questions);
        policy.shortcut = self.shortcut.map_or(policy.shortcut, |p| p / 100.0);
        policy.general_floor = self.general_floor.or(policy.general_floor);
        policy.attack_floor = self
            .attack_floor
            .map(|points| points / 100.0)
            .or(policy.attack_floor);
        policy.export_parity = self.export_parity.unwrap_or(policy.export_parity);
        policy
    }
}

/// `models activate`
#[derive(Debug, Args)]
pub struct ActivateArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number.
    #[arg(long)]
    pub run: RunId,
    /// Make the adapter active although the gate does not let it pass.
    #[arg(
        long = "override",
        requires = "reason",
        requires = "by",
        requires = "accept"
    )]
    pub against_the_gate: bool,
    /// Accept what the gate found against the adapter.
    #[arg(long, requires = "against_the_gate")]
    pub accept: bool,
    /// The reason, in at least 40 characters. It is recorded in the audit chain and in every later answer.
    #[arg(long, value_name = "TEXT", requires = "against_the_gate")]
    pub reason: Option<String>,
    /// The name of the person who is responsible for this.
    #[arg(long, value_name = "NAME", requires = "against_the_gate")]
    pub by: Option<String>,
    /// Pairs of general sentences, as with `gate`. They are needed if the workspace's rule limits the loss of general
    /// language and `gate` has not measured it on the remembered file.
    #[arg(long, value_name = "FILE")]
    pub general: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_rule_has_none_of_the_workspaces_limits() {
        let kept = GatePolicy {
            level: 0.9,
            general_floor: Some(0.02),
            attack_floor: Some(0.05),
            export_parity: true,
            ..GatePolicy::default()
        };
        let said = PolicyArgs {
            least_anchors: Some(12),
            ..PolicyArgs::default()
        };
        let on_kept = GatePolicy {
            least_anchors: 12,
            ..kept.clone()
        };
        assert_eq!(said.on(&kept), on_kept);
        // What is said beside it still counts.
        let usual = PolicyArgs {
            usual: true,
            ..said
        };
        let on_usual = GatePolicy {
            least_anchors: 12,
            ..GatePolicy::default()
        };
        assert_eq!(usual.on(&kept), on_usual);
    }
}
