//! Connections to targets: one to each, as long as the program runs.

use super::shells::{place_of, shell_on};
use crate::workspace::Result;
use lexforge_compute::remote::{Connection, Place};
use lexforge_domain::api::Target;
use lexforge_domain::protocol::JobId;
use lexforge_domain::{Code, Failure};
use std::sync::{Arc, Mutex, PoisonError};

/// A target as it was connected to: its id, place, folder and worker.
type Reached = (JobId, Place, String, String);
/// The connection to one target. Who opens it holds it, so that a question of one host does not keep others waiting.
type Line = Arc<Mutex<Option<Arc<Connection>>>>;

/// The connections of this process. They are kept, so that a person who has to type a code types it only once.
static CONNECTED: Mutex<Vec<(Reached, Line)>> = Mutex::new(Vec::new());

/// The version of the worker that is installed on a target.
///
/// # Errors
/// When no worker is installed there.
pub(crate) fn worker_of(target: &Target) -> Result<&str> {
    target.worker.as_deref().ok_or_else(|| {
        Failure::new(
            Code::TargetUnready,
            format!("No worker was put on {} yet.", target.name),
            "Install the worker on the target first.",
        )
    })
}

/// Connects to the worker on a target, or returns the existing connection.
///
/// # Errors
/// When no worker was installed there, or the connection fails.
pub(crate) fn connect(target: &Target) -> Result<Arc<Connection>> {
    let worker = worker_of(target)?;
    let reached = (
        target.id.clone(),
        place_of(target),
        target.folder.clone(),
        worker.to_owned(),
    );
    let line = line_of(reached);
    let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = line.as_ref().filter(|known| known.is_alive()) {
        return Ok(Arc::clone(known));
    }
    let opened = Arc::new(Connection::open(shell_on(target)?, worker)?);
    *line = Some(Arc::clone(&opened));
    Ok(opened)
}

fn line_of(reached: Reached) -> Line {
    let mut all = CONNECTED.lock().unwrap_or_else(PoisonError::into_inner);
    // A connection that is being opened is kept; one that has ended is dropped.
    all.retain(|(_, line)| {
        line.try_lock()
            .map_or(true, |line| line.as_ref().is_none_or(|c| c.is_alive()))
    });
    if let Some((_, line)) = all.iter().find(|(known, _)| *known == reached) {
        return Arc::clone(line);
    }
    let line = Line::default();
    all.push((reached, Arc::clone(&line)));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_host_folder_or_worker_is_another_connection() {
        let reached = |id: u8, host: &str, folder: &str, worker: &str| {
            let id = JobId::of_bytes([id; 16]);
            (id, Place::Host(host.into()), folder.into(), worker.into())
        };
        let first = line_of(reached(201, "a", "", "w"));
        assert!(Arc::ptr_eq(&first, &line_of(reached(201, "a", "", "w"))));
        // While one is being opened the others are not waited for.
        let held = first.lock();
        assert!(held.is_ok());
        for other in [
            reached(202, "a", "", "w"),
            reached(201, "b", "", "w"),
            reached(201, "a", "~/x", "w"),
            reached(201, "a", "", "v"),
        ] {
            assert!(line_of(other).try_lock().is_ok());
        }
    }
}
