//! Follows training runs: their workers outlive the window, so the shell only reads what they write.

use crate::shell::{Answer, Shell};
use lexforge_domain::RunId;
use lexforge_domain::api::{Notice, Progress, RunRow, RunState};
use lexforge_engine::{Engine, Watcher};
use std::sync::Arc;
use std::time::Duration;

/// How often a run's bundle is looked at.
const POLL: Duration = Duration::from_millis(250);

/// Pause before a target that could not be reached is tried again.
const AGAIN: Duration = Duration::from_secs(30);

/// How often in a row a run may be unreadable before it is let go.
const PATIENCE: u32 = 60;

/// Follows every run of a workspace whose worker is alive.
pub fn running_runs(shell: &Shell, engine: &Arc<Engine>) -> Answer<()> {
    for run in engine.runs().runs()? {
        if is_alive(&run) {
            run_of(shell, engine, run.id);
        }
    }
    Ok(())
}

/// Follows one run on its own thread, until its worker leaves or another workspace is opened.
pub fn run_of(shell: &Shell, engine: &Arc<Engine>, id: RunId) {
    if !shell.begin_to_follow(id) {
        return;
    }
    keep_up(shell, engine, id);
    let (shell, engine) = (shell.clone(), Arc::clone(engine));
    std::thread::spawn(move || {
        let mut heard = engine
            .runs()
            .run_events(id, None)
            .ok()
            .and_then(|events| events.last().map(|e| e.seq));
        let mut known: Option<RunRow> = None;
        let mut unread = 0;
        while shell.is_open(&engine) && unread < PATIENCE {
            // A workspace that is busy for a moment, or a finished run that another process is just taking up.
            let Ok(run) = engine.runs().run(id) else {
                unread += 1;
                std::thread::sleep(POLL);
                continue;
            };
            unread = 0;
            for event in engine.runs().run_events(id, heard).unwrap_or_default() {
                heard = Some(event.seq);
                shell.tell(Notice::RunEvent { id, event });
            }
            let alive = is_alive(&run);
            if known.as_ref() != Some(&run) {
                shell.tell(Notice::Run { run: run.clone() });
                known = Some(run);
            }
            if !alive {
                break;
            }
            std::thread::sleep(POLL);
        }
        shell.end_to_follow(id);
        shell.tell(Notice::Changed);
    });
}

fn is_alive(run: &RunRow) -> bool {
    matches!(
        run.state,
        RunState::Queued
            | RunState::Starting
            | RunState::Running
            | RunState::Paused
            | RunState::Unknown
    )
}

/// Brings what a run on another machine says, over a connection of its own, for as long as the workspace is open.
fn keep_up(shell: &Shell, engine: &Arc<Engine>, id: RunId) {
    let while_open = WhileOpen(shell.clone(), Arc::clone(engine));
    std::thread::spawn(move || {
        while engine_is_elsewhere(&while_open.1, id) && !while_open.cancelled() {
            // If the machine cannot be reached, the run is shown as unknown, and the machine is asked again.
            if let Ok(row) = while_open.1.runs().follow_run(id, &while_open)
                && !is_alive(&row)
            {
                return;
            }
            // Whoever has said no to a question of ssh is not asked again before they connect themselves.
            rest(
                AGAIN,
                || while_open.1.runs().was_declined(id),
                || while_open.cancelled(),
            );
        }
    });
}

/// Waits for this pause, and again as long as somebody has declined and nothing has ended.
fn rest(pause: Duration, declined: impl Fn() -> bool, ended: impl Fn() -> bool) {
    loop {
        std::thread::sleep(pause);
        if ended() || !declined() {
            return;
        }
    }
}

fn engine_is_elsewhere(engine: &Engine, id: RunId) -> bool {
    engine.runs().is_elsewhere(id).unwrap_or(false)
}

/// Watches until another workspace is opened.
struct WhileOpen(Shell, Arc<Engine>);

impl Watcher for WhileOpen {
    fn progress(&self, _: Progress) {}

    fn cancelled(&self) -> bool {
        !self.0.is_open(&self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn whoever_has_declined_is_not_asked_until_they_connect_themselves() {
        // For how many looks it stays declined, at which look the workspace is closed, and the looks that are taken.
        for (declined, closed, expected) in [(0, 9, 1), (1, 9, 2), (4, 9, 5), (4, 2, 2)] {
            let looks = Cell::new(0);
            rest(
                Duration::ZERO,
                || looks.get() <= declined,
                || {
                    looks.set(looks.get() + 1);
                    looks.get() >= closed
                },
            );
            assert_eq!(looks.get(), expected, "{declined} {closed}");
        }
    }
}
