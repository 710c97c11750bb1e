//! Training runs.

use crate::api::{self, BaseRow, RunPlan, RunRow, SaidReading, SweepRequest, TrainRequest};
use crate::id::RunId;
use crate::protocol::{Control, InspectResult, JobEvent};

commands! {
    TrainingRequest;

    /// Base models that can be chosen.
    BaseModels {} -> Vec<BaseRow>;

    /// Writes into a base model's folder how it reads texts, and describes the model as it is afterwards.
    SetReading { folder: String, said: SaidReading } -> InspectResult;

    /// What a run would do, and whether the machine has enough memory for it.
    PlanRun { request: TrainRequest } -> RunPlan;

    /// Starts a run.
    StartTraining { request: TrainRequest } -> RunRow;

    /// All runs, newest first.
    Runs {} -> Vec<RunRow>;

    /// A run with everything that is known of it.
    RunDetail { id: RunId } -> api::RunDetail;

    /// All events of a run, from the beginning.
    RunEvents { id: RunId } -> Vec<JobEvent>;

    /// Sends a control word to a running worker.
    ControlRun { id: RunId, control: Control } -> ();

    /// Goes on with a run from its last checkpoint.
    ResumeRun { id: RunId } -> RunRow;

    /// Stops following a run that was sent to another machine. Without `sure` this is refused if the machine answers
    /// and the run is still running there or has results.
    StopFollowing { id: RunId, sure: bool } -> RunRow;

    /// Fetches the checkpoints of a run on another machine, too: together with its results, or now if the results are
    /// here already. This is done in the background; the answer is the job's number.
    BringCheckpoints { id: RunId } -> u64;

    /// All sweeps, newest first.
    Sweeps {} -> Vec<api::Sweep>;

    /// The trainings of a sweep, and how many of them are done already. Nothing is started.
    PlanSweep { request: SweepRequest } -> api::Sweep;

    /// Trains the combinations of a sweep in the background, one after the other, without those that are done already;
    /// the answer is the job's number.
    StartSweep { request: SweepRequest } -> u64;
}
