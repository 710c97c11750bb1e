//! Evaluations and exports of runs.

use crate::api::{
    Activation, ActiveModels as Active, BenchAsked, BenchChoices, BenchOn, BenchPlan, Deployment,
    EvaluationView, ExportRequest, ExportRow, KeptBench, KeptOutcome, PaperLanguage,
};
use crate::drift::{DriftRule, DriftView};
use crate::endpoint::AskPlan;
use crate::gate::{GateDecision, GatePolicy as Policy, GeneralSet};
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

    /// The gate's decision on an evaluated run; `None` if something would have to be computed first.
    Gate { run: RunId } -> Option<GateDecision>;

    /// The rule of the gate: the workspace's own, or the usual one.
    GatePolicy {} -> Policy;

    /// Works out how often a rule of the gate would be right on the newest snapshot, in the background; the answer is
    /// the job's number. The rule is not kept.
    PlanGate { policy: Policy } -> u64;

    /// Keeps a rule of the gate as the workspace's own.
    KeepGatePolicy { policy: Policy } -> ();

    /// The file of pairs of general language that was chosen for the gate.
    GateGeneral {} -> Option<GeneralSet>;

    /// Remembers a file of pairs of general language for the gate.
    KeepGateGeneral { path: String } -> GeneralSet;

    /// Measures general language before and after a run on the chosen file, in the background; the answer is the job's
    /// number. The gate uses the stored result.
    MeasureGeneral { run: RunId } -> u64;

    /// What is active.
    ActiveModels {} -> Active;

    /// Makes the adapter of a run active, in the background; the answer is the job's number. It is a job because a rule
    /// of the gate may need attacks that must be measured first.
    Activate { activation: Activation } -> u64;

    /// Takes the last activation back.
    RollBack {} -> Deployment;

    /// The exports of a run that the workspace remembers.
    Exports { run: RunId } -> Vec<ExportRow>;

    /// Which systems can be measured on the newest snapshot and on exams.
    BenchSystems {} -> BenchChoices;

    /// Checks which questions of a file an import as an exam would keep and which it would leave out, in the
    /// background; the answer is the job's number. Nothing is stored.
    LookAtExam { file: String } -> u64;

    /// Imports the exam of a file under this name in the background; the answer is the job's number. `hash` is the hash
    /// of the content that the user looked at; if the content of the file has changed since, nothing is stored.
    ImportExam { file: String, name: String, hash: String } -> u64;

    /// Compares systems in the background, and keeps the table; the answer is the job's number.
    MeasureBench { asked: BenchAsked } -> u64;

    /// What is still to be scored, and about how long that takes; nothing is scored for this.
    PlanBench { asked: BenchAsked } -> BenchPlan;

    /// The prompts that the endpoints among the systems would get, one plan for each; nothing is sent for this.
    PlanBenchAsking { asked: BenchAsked } -> Vec<AskPlan>;

    /// The prompts that a judge of these systems' texts would get, and where they would go; nothing is measured for
    /// this.
    PlanBenchJudging { systems: Vec<String>, baseline: Option<String>, endpoint: String } -> AskPlan;

    /// Measures how the accepted terms lie in the space of a run's model and of its base, in the background; the answer
    /// is the job's number. Nothing is kept. `layer` = after how many layers the vectors are taken: 0 = at the input,
    /// `None` = after all.
    MeasureTermSpace { run: RunId, layer: Option<usize> } -> u64;

    /// The last table of systems side by side; nothing is measured for it.
    LastBench {} -> Option<KeptBench>;

    /// The last table on something else than test questions; nothing is measured for it.
    LastBenchOn { on: BenchOn } -> Option<KeptOutcome>;

    /// The last findings about drift; nothing is measured for this.
    Drift {} -> DriftView;

    /// Takes a sample of drift and reports what has changed, in the background; the answer is the job's number. `rule`
    /// says when an alarm is raised from now on; `None` = the rule of the last sample.
    TakeDriftSample { rule: Option<DriftRule> } -> u64;

    /// Writes the last table of systems into a page, with its data beside it, in the background; the answer is the
    /// job's number.
    WriteComparison { attack: bool, path: String, language: Option<PaperLanguage> } -> u64;

    /// Writes the gate's decision on a run into a page, with its data beside it, in the background; the answer is the
    /// job's number.
    WriteDecision { run: RunId, path: String, language: Option<PaperLanguage> } -> u64;

    /// Writes what has moved, as it was found last, into a page, in the background; the answer is the job's number.
    WriteDrift { path: String, language: Option<PaperLanguage> } -> u64;

    /// Writes the card of a run's model into a page, in the background; the answer is the job's number.
    WriteCard { run: RunId, attack: bool, path: String, language: Option<PaperLanguage> } -> u64;
}
