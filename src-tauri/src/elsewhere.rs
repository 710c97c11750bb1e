//! Tells the window when another program has changed the open workspace: the command line, or a second window.
//!
//! A timer checks this, and not an event of the window's focus, because two windows side by side can change the
//! workspace without a change of focus. The check is here and not in the page, because a hidden page is slowed down.

use crate::follow;
use crate::shell::{Answer, Shell};
use crate::vectors;
use lexforge_domain::api::Notice;
use lexforge_engine::{Engine, Seen};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the workspace is looked at.
const PACE: Duration = Duration::from_secs(2);
/// After so long without a change, another program counts as done. It may make the vectors itself, as a build of the
/// graph does, and nobody should make them twice.
const SILENT: Duration = Duration::from_secs(60);

/// Watches a workspace, on a thread of its own, until another one is opened. `seen` is a state that the window has
/// shown already.
pub fn watch(shell: &Shell, engine: &Arc<Engine>, mut seen: Seen) {
    // Between two looks it is not held, so that it can be closed.
    let (shell, watched) = (shell.clone(), Arc::downgrade(engine));
    std::thread::spawn(move || {
        let mut silence = Silence::default();
        loop {
            std::thread::sleep(PACE);
            let Some(engine) = watched.upgrade().filter(|engine| shell.is_open(engine)) else {
                break;
            };
            // A workspace that is busy for a moment is looked at again.
            let changed = engine
                .workspace()
                .changed_elsewhere(&mut seen)
                .unwrap_or(false);
            if changed {
                told(&shell, &engine);
            }
            // What was imported there has no vectors, and without them questions are searched by words alone.
            if silence.has_come(changed, Instant::now()) {
                vectors::make_when_quiet(&shell, &engine);
            }
        }
    });
}

/// When another program changed the workspace last, until it counts as done.
#[derive(Default)]
struct Silence(Option<Instant>);

impl Silence {
    /// Takes note of a look at the workspace. True once, as soon as the other program is done.
    fn has_come(&mut self, changed: bool, now: Instant) -> bool {
        if changed {
            self.0 = Some(now);
        }
        let is_over = |last: &mut Instant| now.saturating_duration_since(*last) >= SILENT;
        self.0.take_if(is_over).is_some()
    }
}

fn told(shell: &Shell, engine: &Arc<Engine>) {
    // Runs that were begun elsewhere are followed like one's own; what cannot be read now is read with the next news.
    let followed: Answer<()> = follow::running_runs(shell, engine);
    drop(followed);
    shell.tell(Notice::Changed);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::LookAlike;
    use lexforge_domain::review::Role;
    use std::sync::mpsc::channel;

    #[test]
    fn another_program_is_done_once_it_has_changed_nothing_for_a_minute() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut silence = Silence::default();
        for (changed, seconds, done) in [
            (false, 0, false),
            (false, 100, false),
            (true, 200, false),
            (false, 259, false),
            // It goes on, and the minute begins anew.
            (true, 259, false),
            (false, 318, false),
            (false, 319, true),
            // Once, until the next change.
            (false, 500, false),
            (true, 600, false),
            (false, 660, true),
        ] {
            assert_eq!(silence.has_come(changed, at(seconds)), done, "{seconds}");
        }
    }

    #[test]
    fn the_window_hears_of_a_person_whom_another_program_has_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.lexforge");
        let (tell, told) = channel();
        let shell = Shell::new(move |notice| drop(tell.send(notice)));
        shell.create(&path).unwrap();
        let elsewhere = Engine::open(&path).unwrap();
        elsewhere
            .review()
            .put_person("Reviewer 2", Role::DomainExpert, 1, LookAlike::Ask)
            .unwrap();
        let notice = told.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(matches!(notice, Notice::Changed), "{notice:?}");
    }
}
