//! Runs on a target. The bundle on this machine is a copy that is kept up to date. The bundle also records the last
//! known state on the target.
//!
//! A run on a target continues whether or not anybody is connected. If its state cannot be found out, the state is
//! `unknown`, never a failure.

use super::Runs;
use super::follow::Asking;
use super::placed::Placed;
use super::sending::{is_being_sent, sending};
use super::sent::{bundle_files, model_files};
use super::silence::Silence;
use crate::models::BaseModel;
use crate::targets::{check_queue, connect, under_way};
use crate::workspace::{Result, Watcher, cancelled, tell};
use lexforge_compute::Bundle;
use lexforge_compute::remote::Connection;
use lexforge_compute::remote::transfer::{Told, append_events};
use lexforge_domain::api::{RunRow, RunState, Stage, Target};
use lexforge_domain::protocol::{Control, TargetState, Tree};
use lexforge_domain::{Code, Failure, Remedy, RunId};
use lexforge_store::RunUpdate;
use std::time::{Duration, Instant};

/// Variable with the seconds for which a connection that fails is tried again.
const PATIENCE_ENV: &str = "LEXFORGE_PATIENCE";
/// How long that is without it.
const PATIENCE: Duration = Duration::from_secs(300);
/// Pause before a connection is tried again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(20)];
/// How often it is checked meanwhile whether the caller has cancelled.
const LOOK: Duration = Duration::from_millis(100);
/// A connection is tried at least so often, however long that takes: the machine may have slept while the time ran out.
const TRIES: usize = 3;
/// Attempts at a start after which nothing was found on the target.
const STARTS: usize = 3;

/// Whether it may help to try again.
fn passes(failure: &Failure) -> bool {
    failure.code == Code::TargetUnreachable
}

fn patience() -> Duration {
    let named = std::env::var(PATIENCE_ENV).ok();
    named
        .and_then(|seconds| seconds.parse().ok())
        .map_or(PATIENCE, Duration::from_secs)
}

/// Does some work over a connection. If the connection is lost, this function connects again and repeats `work`. So
/// doing `work` twice must do no harm.
pub(super) fn over_connection<T>(
    target: &Target,
    watcher: &dyn Watcher,
    mut lost: impl FnMut() -> Result<()>,
    mut work: impl FnMut(&Connection) -> Result<T>,
) -> Result<T> {
    let mut since = Instant::now();
    let (mut pause, mut tries) = (PAUSES[0], 0);
    loop {
        let connection = connect(target);
        if connection.is_ok() {
            (since, pause, tries) = (Instant::now(), PAUSES[0], 0);
        }
        tries += 1;
        match connection.and_then(|connection| work(&connection)) {
            Err(failure) if passes(&failure) => {
                lost()?;
                if tries >= TRIES && since.elapsed() >= patience() {
                    return Err(failure);
                }
            }
            other => return other,
        }
        rest(pause, watcher)?;
        pause = (pause * 2).min(PAUSES[1]);
    }
}

/// Waits this long, unless the caller cancels.
fn rest(pause: Duration, watcher: &dyn Watcher) -> Result<()> {
    let since = Instant::now();
    loop {
        if watcher.cancelled() {
            return Err(cancelled("What runs there goes on."));
        }
        match pause.checked_sub(since.elapsed()) {
            None => return Ok(()),
            Some(left) => std::thread::sleep(left.min(LOOK)),
        }
    }
}

/// What is known of a run whose start has ended with a failure.
fn not_started(placed: &mut Placed, failure: &Failure) {
    let is_open = passes(failure) || failure.code == Code::Cancelled || placed.lost;
    match &placed.heard {
        // Whether it was started is not known where the answer to the start was lost.
        Some(_) if is_open => placed.lost = true,
        // The transfer was not complete. Nothing has failed, and files that arrived are not sent again.
        None if is_open => placed.heard = Some(TargetState::Stopped),
        // Nor has it where the target has no room: with more room the rest is sent.
        _ if failure.code == Code::DiskFull => placed.heard = Some(TargetState::Stopped),
        _ => {
            placed.heard = Some(TargetState::Failed {
                failure: failure.clone(),
            });
        }
    }
}

/// Follows until nobody works on the run any more. As long as a program is sending the run, it has not been left
/// without a worker: it is about to begin. What the target says until then is of an attempt before, if it has the job.
fn outcome(
    bundle: &Bundle,
    watcher: &dyn Watcher,
    mut follow: impl FnMut() -> Result<TargetState>,
) -> Result<TargetState> {
    loop {
        // Asked before the target is: what is started in between is seen there.
        let is_sent = is_being_sent(bundle)?;
        let state = match follow() {
            Err(failure) if is_sent && failure.code == Code::NotFound => TargetState::Absent,
            other => other?,
        };
        if !is_sent || state.goes_on() || state == TargetState::Finished {
            return Ok(state);
        }
        rest(PAUSES[0], watcher)?;
    }
}

/// Whether a job that waits in a queue is to be released. One that the user holds is released by the user alone.
fn releases(state: &TargetState, asking: Asking) -> bool {
    state.is_held() && (asking == Asking::User || !state.is_held_by_user())
}

impl Runs<'_> {
    /// Sends a run to its target and starts it there.
    pub(crate) fn start_there(
        &self,
        mut placed: Placed,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        // From here until the run is started, only a call with `sure` can stop following it. Each step checks whether
        // somebody has done so.
        let started = sending(bundle)
            .and_then(|_lock| self.started_there(&mut placed, bundle, id, base, watcher));
        self.told_of_start(started, placed, bundle, id)
    }

    /// Records what came of a start.
    fn told_of_start(
        &self,
        started: Result<()>,
        mut placed: Placed,
        bundle: &Bundle,
        id: RunId,
    ) -> Result<()> {
        let Err(failure) = started else {
            return self.run(id).map(drop);
        };
        not_started(&mut placed, &failure);
        placed.keep(bundle)?;
        match placed.failure() {
            Some(told) if told == failure => self.note_seen(id, &RunUpdate::failed(&failure))?,
            _ => drop(self.run(id)?),
        }
        Err(failure)
    }

    /// Sends the run and starts it there. The caller holds the lock that [`sending`] gives.
    fn started_there(
        &self,
        placed: &mut Placed,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        self.not_put_away(id)?;
        let target = placed.target()?;
        // The queue may have been changed since the run was placed.
        check_queue(&target)?;
        let model = model_files(base)?;
        let files = bundle_files(bundle)?;
        placed.models = vec![lexforge_compute::remote::tree_content(&model)];
        placed.keep(bundle)?;
        over_connection(
            &target,
            watcher,
            || self.not_put_away(id),
            |connection| {
                let told = &mut |done: u64, of: u64| {
                    self.not_put_away(id)
                        .and_then(|()| under_way(watcher, &target.name, done, of))
                };
                let tree = Tree::Model {
                    content: placed.models[0].clone(),
                    name: base.name.clone(),
                };
                connection.send(tree, &model, told)?;
                let job = placed.job.clone();
                connection.send(Tree::Job { job }, &files, told)
            },
        )?;
        for _ in 0..STARTS {
            let mut starting = placed.clone();
            starting.heard = Some(TargetState::Starting);
            // Nobody can stop following the run between this check and the record that it starts.
            starting.keep_if(bundle, || self.not_put_away(id))?;
            // From here on a lost answer leaves it open whether it runs.
            *placed = starting;
            let mut has_answered = false;
            let started = over_connection(
                &target,
                watcher,
                || Ok(()),
                |connection| {
                    let answer = connection.start(
                        &placed.job,
                        &placed.attempt,
                        &placed.models,
                        target.slurm.as_ref(),
                    );
                    has_answered = !answer.as_ref().is_err_and(passes);
                    answer
                },
            );
            // If a password is refused when we connect again, this says nothing about the start.
            placed.lost = started.is_err() && !has_answered;
            let state = started?;
            if state != TargetState::NotStarted {
                return placed.hear(bundle, state);
            }
            // The program that should have started it was ended before. It is not started again under the old name.
            placed.begin_anew();
        }
        Err(Failure::new(
            Code::WorkerDied,
            format!(
                "The worker on {} ends before it takes up the job.",
                target.name
            ),
            "Check the target, then resume the run.",
        ))
    }

    /// Checks that nobody has stopped following a run while it is being sent.
    fn not_put_away(&self, id: RunId) -> Result<()> {
        match self.is_followed(id)? {
            true => Ok(()),
            false => Err(Failure::new(
                Code::Cancelled,
                format!(
                    "Run {id} was put away while it was being sent, and was not started there."
                ),
                "Resume the run to send it after all.",
            )),
        }
    }

    /// Starts a run on its target again; it goes on from the newest checkpoint there. The caller holds the lock that
    /// [`sending`] gives.
    pub(super) fn resume_there(
        &self,
        mut placed: Placed,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        asking: Asking,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let target = placed.target()?;
        let is_followed = self.is_followed(id)?;
        let state = over_connection(&target, watcher, || Ok(()), |c| c.look(&placed.job))?;
        if state == TargetState::Paused || releases(&state, asking) {
            over_connection(
                &target,
                watcher,
                || Ok(()),
                |c| c.control(&placed.job, Control::Resume),
            )?;
        }
        placed.hear(bundle, state.clone())?;
        if !is_followed {
            // What somebody puts away only while the target is asked stays put away.
            self.follow_again(id, placed.state())?;
        }
        if state.goes_on() || state == TargetState::Finished {
            return self.run(id);
        }
        if state == TargetState::Absent {
            placed.count_from(bundle.newest_event(|_| true, |_| true)?.as_ref());
        }
        placed.begin_anew();
        let started = self.started_there(&mut placed, bundle, id, base, watcher);
        self.told_of_start(started, placed, bundle, id)?;
        self.run(id)
    }

    /// Sends a control word to a run on a target.
    pub(super) fn control_there(
        &self,
        placed: &Placed,
        wish: Control,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        over_connection(
            &placed.target()?,
            watcher,
            || Ok(()),
            |c| c.control(&placed.job, wish),
        )
    }

    /// Follows a run on a target until no worker works on it any more, and fetches the results. The watcher gets every
    /// event, beginning with the events that are already stored here. If the watcher cancels, this function returns,
    /// but the run continues.
    pub(super) fn follow_there(
        &self,
        id: RunId,
        bundle: &Bundle,
        mut placed: Placed,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let mut last = None;
        self.tell_new(id, bundle, &mut last, watcher)?;
        if bundle.result()?.is_some() || !self.is_followed(id)? {
            return self.run(id);
        }
        let target = match placed.target() {
            Ok(target) => target,
            Err(failure) => return Err(self.nowhere(id, bundle, &placed, failure)),
        };
        let job = placed.job.clone();
        let mut silence = Silence::from(Instant::now(), placed.silent);
        let followed = over_connection(
            &target,
            watcher,
            || {
                // Of the newest attempt, which another program may have begun meanwhile.
                if let Some(newest) = Placed::of(bundle)? {
                    newest.amend(bundle, |known| known.lost = true)?;
                }
                match self.run(id)?.state {
                    RunState::Unfollowed => Err(cancelled("What runs there goes on.")),
                    _ => Ok(()),
                }
            },
            |connection| {
                silence.connected(Instant::now());
                let state = outcome(bundle, watcher, || {
                    // Whoever sends it has begun a new attempt.
                    placed = Placed::of(bundle)?.unwrap_or_else(|| placed.clone());
                    connection.follow(&job, placed.number_there(last), &mut |told| {
                        let silent = silence.after(&told, Instant::now());
                        match told {
                            Told::Events(mut events) => {
                                placed.number_here(&mut events);
                                append_events(bundle, &events)?;
                                self.tell_new(id, bundle, &mut last, watcher)?;
                            }
                            // Somebody may be about to start it. What it comes to is told at the end.
                            Told::State(TargetState::NotStarted) | Told::Nothing => {}
                            Told::State(state) => {
                                placed.hear(bundle, state)?;
                                self.tell_notes(id, watcher)?;
                            }
                        }
                        if let Some(silent) = silent {
                            placed.amend(bundle, |known| known.silent = silent)?;
                            self.tell_notes(id, watcher)?;
                        }
                        Ok(!watcher.cancelled() && self.is_followed(id)?)
                    })
                })?;
                if (watcher.cancelled() && state.goes_on()) || !self.is_followed(id)? {
                    return Ok(());
                }
                if !matches!(state, TargetState::Absent | TargetState::NotStarted) {
                    let told = &mut |done, of| under_way(watcher, &target.name, done, of);
                    // Somebody may have asked for them while this followed.
                    let checkpoints = Placed::of(bundle)?.is_some_and(|known| known.checkpoints);
                    connection.fetch(&job, checkpoints, bundle, told)?;
                }
                // A run that can be continued is not done: its files stay on the target until it is continued or given
                // up.
                let done = matches!(state, TargetState::Finished | TargetState::Failed { .. });
                placed.hear(bundle, state)?;
                if done {
                    // If the target cannot record this, a clean-up there keeps the job. Nothing is missing here.
                    let _ = connection.fetched(&job);
                }
                Ok(())
            },
        );
        match followed {
            // Ctrl-C while a connection was tried again, or somebody has stopped following the run meanwhile.
            Err(failure) if failure.code == Code::Cancelled => self.run(id),
            Err(failure) if passes(&failure) => Err(failure.with_advice(Remedy::ListRuns)),
            other => other.and_then(|()| self.run(id)),
        }
    }

    /// The failure for a run whose target was removed here or now means another machine. The state of the run cannot be
    /// asked for, so it is unknown whether the run is still running.
    fn nowhere(&self, id: RunId, bundle: &Bundle, placed: &Placed, failure: Failure) -> Failure {
        let noted = placed
            .amend(bundle, |known| known.lost = true)
            .and_then(|()| self.run(id));
        match noted {
            Err(failure) => failure,
            Ok(_) if failure.code == Code::NotFound && !placed.is_known() => {
                failure.with_advice(Remedy::StopFollowing { run: id })
            }
            Ok(_) => failure,
        }
    }

    fn tell_notes(&self, id: RunId, watcher: &dyn Watcher) -> Result<()> {
        for note in self.run(id)?.notes {
            tell(watcher, Stage::Train, note, 0, 0);
        }
        Ok(())
    }

    fn tell_new(
        &self,
        id: RunId,
        bundle: &Bundle,
        last: &mut Option<u64>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        for event in bundle.events(*last)? {
            *last = Some(event.seq);
            watcher.run_event(id, &event);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
