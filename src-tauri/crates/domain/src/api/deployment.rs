//! Active adapters: activating, overriding, taking back.

use super::RunRow;
use crate::gate::{GateDecision, GatePolicy, GateVerdict};
use crate::id::RunId;
use crate::tags::tagged;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

tagged!(ModelKind, DeploymentAction);

/// The kinds of models; at most one adapter of each kind is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ModelKind {
    /// It writes answers.
    Decoder,
    /// It makes vectors.
    Encoder,
}

impl ModelKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Decoder, Self::Encoder];

    /// The kind of model that a run's adapter belongs to.
    pub fn of(run: &RunRow) -> Self {
        if run.is_of_encoder() {
            Self::Encoder
        } else {
            Self::Decoder
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeploymentAction {
    /// The gate let an adapter pass, and it was made active.
    Activate,
    /// An adapter was made active against the gate.
    Override,
    /// The last change was taken back.
    RollBack,
}

/// A reason for an activation against the gate has at least so many characters.
pub const LEAST_REASON: usize = 40;

/// Who put themselves above the gate, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateOverride {
    /// Their name.
    pub by: String,
    /// Their reason.
    pub reason: String,
    /// Whether the person accepts the gate's findings against the model. Earlier versions did not ask.
    #[serde(default)]
    pub accepts: bool,
}

impl GateOverride {
    /// Characters of the reason without the blanks around it.
    pub fn reason_length(&self) -> usize {
        self.reason.trim().chars().count()
    }

    /// Whether there is a name and a reason that is long enough, and the person accepts what the gate found.
    pub fn is_complete(&self) -> bool {
        !self.by.trim().is_empty() && self.reason_length() >= LEAST_REASON && self.accepts
    }
}

/// A change of the active adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deployment {
    /// Its number.
    #[serde(default)]
    pub id: i64,
    /// When, RFC 3339, UTC.
    pub made: String,
    /// What was done.
    pub action: DeploymentAction,
    /// The kind of model.
    pub kind: ModelKind,
    /// The run whose adapter is active from now on; `None` = none is.
    pub run: Option<RunId>,
    /// SHA-256 of the adapter, hexadecimal.
    pub adapter: Option<String>,
    /// The base model's name.
    pub base: Option<String>,
    /// The person who activated this adapter although the gate advised against it. If a later activation is undone and
    /// this adapter becomes active again, this record is copied to the new row.
    pub overridden: Option<GateOverride>,
    /// The gate's decision.
    pub decision: Option<GateDecision>,
    /// The deployment that taking this one back leads to.
    pub back: Option<i64>,
}

/// The models that are active, and how this changed over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActiveModels {
    /// What writes answers.
    pub decoder: Option<Deployment>,
    /// What makes vectors.
    pub encoder: Option<Deployment>,
    /// All changes, newest first.
    pub history: Vec<DeploymentRow>,
}

impl ActiveModels {
    /// The active deployment of a kind.
    pub fn of(&self, kind: ModelKind) -> Option<&Deployment> {
        match kind {
            ModelKind::Decoder => self.decoder.as_ref(),
            ModelKind::Encoder => self.encoder.as_ref(),
        }
    }
}

/// A change of the active adapter, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeploymentRow {
    /// Its number.
    pub id: i64,
    /// When, RFC 3339, UTC.
    pub made: String,
    /// What was done.
    pub action: DeploymentAction,
    /// The kind of model.
    pub kind: ModelKind,
    /// The run that was active from then on.
    pub run: Option<RunId>,
    /// The gate's verdict on it.
    pub verdict: Option<GateVerdict>,
    /// The person who took responsibility against the gate.
    pub overridden: Option<GateOverride>,
}

impl From<&Deployment> for DeploymentRow {
    fn from(of: &Deployment) -> Self {
        Self {
            id: of.id,
            made: of.made.clone(),
            action: of.action,
            kind: of.kind,
            run: of.run,
            verdict: of.decision.as_ref().map(|d| d.verdict),
            overridden: of.overridden.clone(),
        }
    }
}

/// The model that the gate compares with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateAgainst {
    /// The active adapter of the same kind, and the base where none is active.
    #[default]
    Active,
    /// The base as it is.
    Base,
    /// The adapter of another run.
    Run(RunId),
}

/// Two texts and how alike people find them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoredPair {
    /// One text.
    pub a: String,
    /// The other.
    pub b: String,
    /// How alike they are.
    pub score: f64,
}

/// A request to the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateRequest {
    /// The run.
    pub run: RunId,
    /// The model that it is compared with.
    pub against: GateAgainst,
    /// The rule; `None` = the workspace's.
    pub policy: Option<GatePolicy>,
    /// Pairs of general language, where the rule has a floor for it.
    #[serde(default)]
    pub general: Vec<ScoredPair>,
}

/// A request to make a model active.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Activation {
    /// The run.
    pub run: RunId,
    /// The person who takes responsibility if the gate did not let it pass.
    pub against_the_gate: Option<GateOverride>,
    /// Pairs of general language, where the rule has a floor for it.
    #[serde(default)]
    pub general: Vec<ScoredPair>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_stands_against_the_gate_without_name_reason_and_acceptance() {
        let long = "The branch tries it until May, with a daily look.";
        let (blanks, short, enough) = (" ".repeat(60), "试".repeat(39), "试".repeat(40));
        for (by, reason, accepts, expected) in [
            ("Ada", long, true, true),
            (" ", long, true, false),
            ("Ada", long, false, false),
            ("Ada", "a trial", true, false),
            ("Ada", blanks.as_str(), true, false),
            // Characters count, not bytes.
            ("Ada", short.as_str(), true, false),
            ("Ada", enough.as_str(), true, true),
        ] {
            let stands = GateOverride {
                by: by.to_owned(),
                reason: reason.to_owned(),
                accepts,
            };
            assert_eq!(stands.is_complete(), expected, "{stands:?}");
        }
    }
}
