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
    /// The run's number; none = the newest that has finished.
    #[arg(long, conflicts_with = "plan")]
    pub run: Option<RunId>,
    /// What the run is compared with: the number of another run, or `base`. Without this option it is compared with the
    /// active model, or with the base model if no model is active.
    #[arg(long, value_name = "RUN|base", value_parser = against, conflicts_with = "plan")]
    pub against: Option<GateAgainst>,
    /// Show how often the gate would be right on the newest snapshot, before there is a model to decide about.
    #[arg(long)]
    pub plan: bool,
    /// With --plan: the snapshot.
    #[arg(long, requires = "plan")]
    pub dataset: Option<DatasetId>,
    /// With --plan: share of questions, in percent, that one of two models answers right and the other wrong.
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "plan",
        default_value_t = 10.0
    )]
    pub discordant: f64,
    /// With --plan: correlation of these differences within an anchor.
    #[arg(long, requires = "plan", default_value_t = 0.2)]
    pub within: f64,
    /// The rule.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Keep the rule as the workspace's: what is activated has to pass by it.
    #[arg(long)]
    pub keep: bool,
    /// Pairs of general language, a line each: {"a", "b", "score"}; for --general-floor.
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    pub general: Option<PathBuf>,
}

/// The rule; what is not said here is as the workspace's.
#[derive(Debug, Args)]
pub struct PolicyArgs {
    /// What is compared; may be given several times.
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub measure: Vec<MeasureArg>,
    /// Loss of accuracy or F1 that is not tolerated, in points.
    #[arg(long, value_name = "POINTS")]
    pub margin: Option<f64>,
    /// Loss of the gap of the choices that is not tolerated, as a cosine.
    #[arg(long, value_name = "COSINE")]
    pub gap_margin: Option<f64>,
    /// How sure each bound is, one-sided: .95.
    #[arg(long)]
    pub level: Option<f64>,
    /// With fewer anchors nothing is decided.
    #[arg(long, value_name = "N")]
    pub least_anchors: Option<u32>,
    /// With fewer test questions nothing is decided.
    #[arg(long, value_name = "N")]
    pub least_questions: Option<u32>,
    /// A control that never reads the question may exceed chance by so many points.
    #[arg(long, value_name = "POINTS")]
    pub shortcut: Option<f64>,
    /// Largest loss of general language, as a rank correlation, that is tolerated.
    #[arg(long, value_name = "LOSS")]
    pub general_floor: Option<f64>,
    /// Largest loss of accuracy under an attack that keeps the sense (bench --attack) that is tolerated, in points.
    #[arg(long, value_name = "POINTS")]
    pub attack_floor: Option<f64>,
    /// An export must stand that was proved to answer as the run does: yes or no.
    #[arg(long, value_name = "YES|NO", value_parser = clap::builder::BoolishValueParser::new())]
    pub export_parity: Option<bool>,
}

/// A measure.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MeasureArg {
    /// Share of right answers.
    Accuracy,
    /// Macro F1 over the place of the answer.
    F1,
    /// The gap of the choices' cosines.
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
    /// The workspace's rule with what was said here.
    pub fn on(&self, kept: GatePolicy) -> GatePolicy {
        let mut policy = kept;
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
    /// Make it active though the gate does not let it pass.
    #[arg(
        long = "override",
        requires = "reason",
        requires = "by",
        requires = "accept"
    )]
    pub against_the_gate: bool,
    /// What the gate found against it is accepted.
    #[arg(long, requires = "against_the_gate")]
    pub accept: bool,
    /// Why, in at least 40 characters; it is in the audit chain and in every later answer.
    #[arg(long, value_name = "TEXT", requires = "against_the_gate")]
    pub reason: Option<String>,
    /// Who stands for it.
    #[arg(long, value_name = "NAME", requires = "against_the_gate")]
    pub by: Option<String>,
    /// Pairs of general language, a line each: {"a", "b", "score"}; where the workspace's rule has a floor for it.
    #[arg(long, value_name = "FILE")]
    pub general: Option<PathBuf>,
}
