//! Evaluations and exports of runs.

use crate::api::{
    Activation, ActiveModels as Active, Deployment, EvaluationView, ExportRequest, ExportRow,
};
use crate::gate::GateDecision;
use crate::id::RunId;

commands! {
    EvaluationRequest;

    /// Evaluates a run in the background; the answer is the job's number.
    Evaluate { run: RunId } -> u64;

    /// The recorded evaluation of a run.
    Evaluation { run: RunId } -> Option<EvaluationView>;

    /// Opens a run's report in the system's browser; neither the page nor the workspace names its path.
    OpenReport { run: RunId } -> ();

    /// Exports a run in the background; the answer is the job's number.
    ExportRun { request: ExportRequest } -> u64;

    /// What the gate says of a run that was evaluated; none where something would have to be computed first.
    Gate { run: RunId } -> Option<GateDecision>;

    /// What is active.
    ActiveModels {} -> Active;

    /// Makes the adapter of a run active.
    Activate { activation: Activation } -> Deployment;

    /// Takes the last activation back.
    RollBack {} -> Deployment;

    /// The exports of a run that the workspace remembers.
    Exports { run: RunId } -> Vec<ExportRow>;
}
