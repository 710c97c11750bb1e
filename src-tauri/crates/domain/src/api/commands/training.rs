//! Training runs.

use crate::api::{self, BaseRow, RunPlan, RunRow, SweepRequest, TrainRequest};
use crate::id::RunId;
use crate::protocol::{Control, JobEvent};

commands! {
    TrainingRequest;

    /// Base models that can be chosen.
    BaseModels {} -> Vec<BaseRow>;

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
    /// and has the run at work or its results.
    StopFollowing { id: RunId, sure: bool } -> RunRow;

    /// Has the checkpoints of a run on another machine come back, too: with its results, or now if those are here. This is
    /// done in the background; the answer is the job's number.
    BringCheckpoints { id: RunId } -> u64;

    /// All sweeps, newest first.
    Sweeps {} -> Vec<api::Sweep>;

    /// The trainings of a sweep, and how many of them are done already. Nothing is started.
    PlanSweep { request: SweepRequest } -> api::Sweep;

    /// Trains the combinations of a sweep in the background, one after the other, without those that are done already;
    /// the answer is the job's number.
    StartSweep { request: SweepRequest } -> u64;
}
