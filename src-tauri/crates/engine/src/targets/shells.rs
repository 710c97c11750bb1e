//! Shells on targets. A shell stays open after one step of work and is used by the next. So a person types a one-time
//! code when a machine is checked, and need not type another one for the installation or for sending a run.

use crate::workspace::Result;
use lexforge_compute::remote::setup::Shell;
use lexforge_compute::remote::{Place, askpass};
use lexforge_domain::api::{Target, TargetPlace};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where a target is, as a connection names it.
pub(super) fn place_of(target: &Target) -> Place {
    match &target.place {
        TargetPlace::Ssh { host } => Place::Host(host.clone()),
        TargetPlace::Here => Place::Here,
    }
}

/// A shell is kept this long. A login that nobody needs is ended after that.
const KEPT_FOR: Duration = Duration::from_secs(600);

/// Where a shell is, since when it waits, and itself.
type Kept = (Place, String, Instant, Shell);

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the open shell on a target if the target still answers through it. Otherwise opens a new one.
///
/// # Errors
/// If the target does not answer or does not let us in.
pub(super) fn shell_on(target: &Target) -> Result<Shell> {
    match taken(target) {
        Some(shell) => Ok(shell),
        None => new_shell_on(target),
    }
}

/// Opens a new shell on a target. A shell that was still open is closed, because it may belong to a host that has
/// changed since.
///
/// # Errors
/// If the target does not answer or does not let us in.
pub(super) fn new_shell_on(target: &Target) -> Result<Shell> {
    forget_shells_on(target);
    Shell::open(&place_of(target), &target.folder)
}

/// Ends what was left on a target.
pub(super) fn forget_shells_on(target: &Target) {
    let place = place_of(target);
    kept().retain(|(at, folder, ..)| (at, folder) != (&place, &target.folder));
}

fn taken(target: &Target) -> Option<Shell> {
    let place = place_of(target);
    let mut shell = {
        let mut all = kept();
        let at = all
            .iter()
            .position(|(at, folder, ..)| (at, folder) == (&place, &target.folder))?;
        all.swap_remove(at).3
    };
    shell.answers().then_some(shell)
}

/// Leaves a shell for the next step. Only a window has a next step: a command ends, and its connections with it.
pub(super) fn leave(target: &Target, shell: Shell) {
    if !askpass::is_listening() {
        return;
    }
    let mut all = kept();
    let place = place_of(target);
    all.retain(|(at, folder, ..)| (at, folder) != (&place, &target.folder));
    all.push((place, target.folder.clone(), Instant::now(), shell));
    std::thread::spawn(|| {
        std::thread::sleep(KEPT_FOR);
        kept().retain(|(_, _, since, _)| since.elapsed() < KEPT_FOR);
    });
}
