//! Cleans a target's folder. Files are removed only if nothing is lost with them.

use super::{FETCHED_FILE, Reply, Station};
use lexforge_domain::protocol::{JobId, StationReply, TargetState};
use std::io::Write;

impl<W: Write + Send + 'static> Station<W> {
    pub(super) fn clean(&self, discard: bool) -> Reply {
        let on_its_way = self.stored.on_its_way();
        let (mut jobs, mut kept, mut waiting, mut bytes) = (0, 0, 0, 0);
        // Without their list nothing is removed: a job that is not seen would lose its model.
        for job in self.stored.jobs()? {
            match self.use_of(&job) {
                Use::Worked => kept += 1,
                Use::Waiting if !discard => waiting += 1,
                Use::Waiting | Use::Done => {
                    bytes += self.stored.remove_job(&job)?;
                    jobs += 1;
                }
            }
        }
        bytes += self.stored.remove_unused(kept + waiting == 0, &on_its_way);
        Ok(StationReply::Removed {
            jobs,
            kept,
            waiting,
            bytes,
        })
    }

    /// How a job in the folder can still be used.
    fn use_of(&self, job: &JobId) -> Use {
        // A job that cannot be read may be of a newer version.
        let (Ok(state), Ok(Some(bundle))) = (self.state(job), self.stored.bundle(job)) else {
            return Use::Waiting;
        };
        match state {
            _ if state.goes_on() => Use::Worked,
            TargetState::Absent => Use::Done,
            // Between its coming and its start.
            TargetState::NotStarted if self.stored.is_new(job) => Use::Worked,
            TargetState::NotStarted => Use::Done,
            TargetState::Finished | TargetState::Failed { .. } => match bundle.note(FETCHED_FILE) {
                Ok(Some(_)) => Use::Done,
                _ => Use::Waiting,
            },
            _ => Use::Waiting,
        }
    }
}

/// How a job can still be used.
enum Use {
    /// Somebody works on it, or is about to.
    Worked,
    /// Its results are here only, or it can go on.
    Waiting,
    /// Nothing is lost with it.
    Done,
}
