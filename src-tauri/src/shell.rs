//! The state of the shell: the open workspace, the background jobs, the runs that are followed.

use crate::jobs::Tasks;
use crate::lock::held;
use crate::page_ends::PageEnds;
use lexforge_domain::api::Notice;
use lexforge_domain::{Code, Failure, RunId};
use lexforge_engine::Engine;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often, and at what intervals, it is looked whether the workspace can be closed: ten seconds.
const LOOKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(100);

/// What a command gives.
pub type Answer<T> = Result<T, Failure>;

/// The shell's state; a handle that is cheap to copy.
#[derive(Clone)]
pub struct Shell(Arc<Inner>);

struct Inner {
    engine: Mutex<Option<Arc<Engine>>>,
    tasks: Tasks,
    followed: Mutex<HashSet<RunId>>,
    start_failure: Mutex<Option<Failure>>,
    page_ends: PageEnds,
    tell: Box<dyn Fn(Notice) + Send + Sync>,
}

impl Shell {
    /// A shell without a workspace; `tell` carries notices to the window.
    pub fn new(tell: impl Fn(Notice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner {
            engine: Mutex::default(),
            tasks: Tasks::default(),
            followed: Mutex::default(),
            start_failure: Mutex::default(),
            page_ends: PageEnds::default(),
            tell: Box::new(tell),
        }))
    }

    /// Sends a notice to the window.
    pub fn tell(&self, notice: Notice) {
        (self.0.tell)(notice);
    }

    /// The background jobs.
    pub fn tasks(&self) -> &Tasks {
        &self.0.tasks
    }

    /// Puts a workspace in the place of the one that was open.
    pub fn put(&self, engine: &Arc<Engine>) {
        self.0.tasks.forget_ended();
        held(&self.0.followed).clear();
        *held(&self.0.engine) = Some(Arc::clone(engine));
    }

    /// The open workspace.
    pub fn engine(&self) -> Answer<Arc<Engine>> {
        self.current().ok_or_else(|| {
            Failure::new(
                Code::WorkspaceMissing,
                "No workspace is open.",
                "Open a workspace, or create one.",
            )
        })
    }

    /// The open workspace, if one is open.
    pub fn current(&self) -> Option<Arc<Engine>> {
        held(&self.0.engine).clone()
    }

    /// Closes the open workspace and returns its path. If another part of the program uses the workspace for a moment,
    /// this function waits for it.
    ///
    /// # Errors
    /// When no workspace is open, or a job is running in the workspace; then the workspace stays open.
    pub fn close(&self) -> Answer<PathBuf> {
        let path = self.engine()?.workspace().path().to_owned();
        for _ in 0..LOOKS {
            let mut slot = held(&self.0.engine);
            // Nobody else has it, and nobody gets it while the slot is held.
            if slot
                .as_ref()
                .is_some_and(|open| Arc::strong_count(open) == 1)
            {
                let closed = slot.take();
                drop(slot);
                drop(closed);
                return Ok(path);
            }
            drop(slot);
            std::thread::sleep(PAUSE);
        }
        Err(Failure::new(
            Code::WorkspaceBusy,
            "Something is still at work in the workspace.",
            "Wait until it is done, or cancel it; nothing was changed.",
        ))
    }

    /// Whether this is still the open workspace.
    pub fn is_open(&self, engine: &Arc<Engine>) -> bool {
        held(&self.0.engine)
            .as_ref()
            .is_some_and(|open| Arc::ptr_eq(open, engine))
    }

    /// Marks a run as followed; false if it was already.
    pub fn begin_to_follow(&self, run: RunId) -> bool {
        held(&self.0.followed).insert(run)
    }

    /// The run is no longer followed.
    pub fn end_to_follow(&self, run: RunId) {
        held(&self.0.followed).remove(&run);
    }

    /// Keeps a failure of the start until the window asks for it.
    pub fn failed_at_start(&self, failure: Failure) {
        *held(&self.0.start_failure) = Some(failure);
    }

    /// The failure of the start, once.
    pub fn start_failure(&self) -> Option<Failure> {
        held(&self.0.start_failure).take()
    }

    /// How the page's process has ended.
    pub fn page_ends(&self) -> &PageEnds {
        &self.0.page_ends
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_engine::{decrypt_workspace, encrypt_workspace};
    use std::path::Path;

    #[test]
    fn without_a_workspace_a_command_says_what_to_do() {
        let shell = Shell::new(|_| ());
        let failure = shell.engine().map(|_| ()).unwrap_err();
        assert_eq!(failure.code, Code::WorkspaceMissing);
        assert!(!failure.hint.is_empty());
    }

    #[test]
    fn another_workspace_takes_the_place_of_the_open_one() {
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell::new(|_| ());
        shell.create(&folder.path().join("a.lexforge")).unwrap();
        let first = shell.engine().unwrap();
        assert!(shell.is_open(&first));
        let view = shell
            .open_or_create(&folder.path().join("b.lexforge"))
            .unwrap();
        assert_eq!(view.name, "b");
        assert!(!shell.is_open(&first));
    }

    #[test]
    fn a_workspace_is_closed_encrypted_and_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lexforge");
        let shell = Shell::new(|_| ());
        assert!(shell.close().is_err(), "none is open");
        shell.create(&path).unwrap();
        let user = shell.engine().unwrap();
        let refused = shell.rewritten(|_| Ok(())).unwrap_err();
        assert_eq!(refused.code, Code::WorkspaceBusy);
        assert!(shell.is_open(&user), "it stays open");
        drop(user);
        let encrypt = |path: &Path| encrypt_workspace(path, "a long passphrase", false);
        assert_eq!(shell.rewritten(encrypt).unwrap().name, "a");
        assert!(shell.engine().unwrap().workspace().is_encrypted());
        // What fails is told, and the workspace is open nevertheless.
        assert!(shell.rewritten(encrypt).is_err());
        assert!(shell.engine().unwrap().workspace().is_encrypted());
        let wrong = |path: &Path| decrypt_workspace(path, Some("not this one"));
        let refused = shell.rewritten(wrong).unwrap_err();
        assert_eq!(refused.code, Code::WorkspaceLocked, "{refused}");
        let decrypt = |path: &Path| decrypt_workspace(path, Some("a long passphrase"));
        shell.rewritten(decrypt).unwrap();
        assert!(!shell.engine().unwrap().workspace().is_encrypted());
    }

    #[test]
    fn a_failure_of_the_start_is_told_once() {
        let shell = Shell::new(|_| ());
        shell.failed_at_start(Failure::new(Code::ReadOnly, "message", "hint"));
        assert!(shell.start_failure().is_some());
        assert!(shell.start_failure().is_none());
    }
}
