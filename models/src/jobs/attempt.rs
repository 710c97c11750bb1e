//! The events at the beginning and at the end of an attempt at a job.

use crate::jobs::events::EventLog;
use crate::{Result, device, platform, shim};
use lexforge_domain::protocol::{Event, JobResult};

/// How an attempt ended well.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a process holds one; nothing is saved by a box"
)]
pub enum Outcome {
    /// It ended with a result.
    Finished(JobResult),
    /// The user wished it to stop, and a checkpoint was written.
    Stopped {
        /// Step of the checkpoint (rows done, for jobs that start over).
        step: u64,
    },
    /// One of several ranks; another rank wrote the result.
    Followed {
        /// The last step.
        step: u64,
    },
}

/// Writes the event `started`, and then a first event of progress, which shows that the process is running.
///
/// # Errors
/// If events cannot be written.
pub fn started(
    events: &EventLog,
    threads: usize,
    resumed_from: Option<String>,
    step: u64,
) -> Result<()> {
    events.write(Event::Started {
        pid: std::process::id(),
        device: device::name(device::device()),
        threads,
        libtorch: shim::libtorch_version(),
        resumed_from,
        step,
    })?;
    events.write(Event::Progress {
        stage: "load".into(),
        step: 0,
        of: 0,
        loss: None,
        lr: None,
        tokens_per_s: None,
        memory_mb: platform::resident_mb(),
        eta_s: None,
    })
}
