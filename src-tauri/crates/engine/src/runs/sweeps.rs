//! Sweeps as the workspace has them on record: one setting each.

use super::Runs;
use crate::workspace::Result;
use lexforge_domain::api::Sweep;
use lexforge_domain::{Code, Failure};

/// The record of a sweep among the workspace's settings.
fn key(number: u64) -> String {
    format!("sweep.{number}")
}

impl Runs<'_> {
    /// All sweeps in the order of their numbers, as they were stored last.
    ///
    /// # Errors
    /// When a record cannot be read.
    pub(crate) fn recorded_sweeps(&self) -> Result<Vec<Sweep>> {
        let mut sweeps = Vec::new();
        for number in 1.. {
            let record = self.workspace.store.read(|r| r.setting(&key(number)))?;
            let Some(record) = record else {
                break;
            };
            let read = serde_json::from_str(&record).map_err(|e| {
                Failure::new(
                    Code::WorkspaceInvalid,
                    format!("The record of sweep {number} cannot be read: {e}."),
                    "It was made by another version, or damaged. The runs themselves are in the list of runs.",
                )
            })?;
            sweeps.push(read);
        }
        Ok(sweeps)
    }

    /// Writes a sweep's record.
    pub(crate) fn keep_sweep(&self, sweep: &Sweep) -> Result<()> {
        let mut kept = sweep.clone();
        kept.request.train.on = None;
        let workspace = self.workspace;
        Ok(workspace.store.write(&workspace.actor, |w| {
            w.set_setting(&key(sweep.number), &serde_json::json!(kept).to_string())
        })?)
    }
}
