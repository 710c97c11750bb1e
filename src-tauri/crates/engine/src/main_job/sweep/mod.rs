//! A sweep: one training for each combination of settings, one after the other. Then the best one on the dev part is
//! chosen.
//!
//! Each training is a run like any other. The sweep itself is a record in the workspace that is written after each
//! step. So an interrupted sweep continues where it stopped.

mod alike;
mod combinations;
mod lock;

use super::begin::finished;
use crate::engine::Engine;
use crate::runs::train_job;
use crate::workspace::{Result, Watcher, io_failure, now, tell};
use alike::alike;
use combinations::{MOST, choose, combinations, request_of};
use lexforge_domain::api::{Preset, RunRow, RunState, Stage, Sweep, SweepRequest, SweepRow};
use lexforge_domain::protocol::TrainJob;
use lexforge_domain::{Code, Failure, RunId};
use std::collections::HashSet;

impl Engine {
    /// The sweeps of the workspace, newest first, with the states of their runs as they are now.
    pub fn sweeps(&self) -> Result<Vec<Sweep>> {
        let mut sweeps = self.runs().recorded_sweeps()?;
        for sweep in &mut sweeps {
            for row in &mut sweep.rows {
                if let Some(run) = row.run {
                    row.state = self.runs().run(run)?.state;
                }
            }
        }
        sweeps.reverse();
        Ok(sweeps)
    }

    /// The sweep that a request asks for, with its progress so far; nothing is started. If a sweep with the same
    /// request on the same snapshot was begun before, that sweep is returned.
    ///
    /// # Errors
    /// When there are too many combinations, or none; when no combination can be trained.
    pub fn plan_sweep(&self, request: &SweepRequest) -> Result<Sweep> {
        let all = combinations(&request.axes)?;
        let mut request = request.clone();
        if request.train.preset.is_some_and(Preset::adapts) {
            return Err(Failure::invalid(
                "An encoder that is adapted to the documents compares nothing yet, so that no combination can be chosen.",
                "Adapt it once, and try several values in the training that goes on from it.",
            ));
        }
        if request.train.preset == Some(Preset::Gpl) {
            return Err(Failure::invalid(
                "An encoder that learns from questions without labels has none by which a combination could be chosen.",
                "Run it once with each value, and measure each run on labelled questions.",
            ));
        }
        request.train = self.training().with_start(&request.train)?;
        // The machine on which it is trained is no part of the combination.
        let on = request.train.on.take();
        let learns_from_snapshot = !matches!(
            request.train.preset,
            Some(Preset::Retrieval | Preset::Rerank | Preset::Nmixx | Preset::RulesAndPolicies)
        );
        request.train.dataset = match request.train.dataset {
            _ if !learns_from_snapshot => None,
            None => self.training().datasets()?.first().map(|d| d.id),
            named => named,
        };
        let known = self.runs().recorded_sweeps()?;
        let number = known.len() as u64 + 1;
        let mut sweep = match known
            .into_iter()
            .find(|sweep| alike(&sweep.request, &request))
        {
            Some(begun) => begun,
            None => {
                // Whatever prevents the first training prevents all of them.
                if let Some(first) = all.first() {
                    let plan = self.plan_training(&request_of(&request.train, *first))?;
                    if let Some(problem) = plan.problems.into_iter().next() {
                        return Err(problem);
                    }
                }
                let rows = (1..).zip(all);
                Sweep {
                    number,
                    started: now(),
                    request,
                    most: MOST as u64,
                    after: self.runs().runs()?.first().map(|run| run.id),
                    data: None,
                    rows: rows
                        .map(|(n, values)| SweepRow::waiting(n, values))
                        .collect(),
                    best: None,
                    tied: Vec::new(),
                    enough: None,
                }
            }
        };
        sweep.request.train.on = on;
        Ok(sweep)
    }

    /// Trains the combinations that a sweep has not trained yet, one after the other, and chooses the best on the dev
    /// part. A combination that fails does not stop the others.
    ///
    /// # Errors
    /// [`Code::WorkspaceBusy`] where another sweep is running in this workspace. Also when the watcher cancels, or the
    /// workspace cannot be written.
    pub fn sweep(&self, sweep: Sweep, watcher: &dyn Watcher) -> Result<Sweep> {
        self.workspace().require_models_writable()?;
        let _alone = lock::alone(&self.workspace().store.artifacts_dir()?)?;
        // Another sweep may have ended since this one was planned: it has the number, or it was this one.
        let mut sweep = self.as_recorded(sweep)?;
        let count = sweep.rows.len();
        self.runs().keep_sweep(&sweep)?;
        for at in 0..count {
            tell(
                watcher,
                Stage::Train,
                "combinations",
                at as u64,
                count as u64,
            );
            if sweep.rows[at].dev.is_some() {
                continue;
            }
            if let Err(failure) = self.tried(&mut sweep, at, watcher) {
                if failure.code == Code::Cancelled {
                    self.runs().keep_sweep(&sweep)?;
                    return Err(failure);
                }
                // It was made, and its target did not take it.
                let begun = match sweep.rows[at].run {
                    Some(_) => None,
                    None => self.begun_unrecorded(&sweep, at).ok().flatten(),
                };
                let row = &mut sweep.rows[at];
                row.failure = Some(failure);
                if let Some(run) = begun {
                    (row.run, row.state) = (Some(run.id), run.state);
                } else if row.run.is_none() {
                    // A training that did not even begin has no run that would show the failure.
                    row.state = RunState::Failed;
                }
            }
            choose(&mut sweep);
            self.runs().keep_sweep(&sweep)?;
        }
        Ok(sweep)
    }

    /// A planned sweep in its present recorded state.
    fn as_recorded(&self, mut planned: Sweep) -> Result<Sweep> {
        let known = self.runs().recorded_sweeps()?;
        let on = planned.request.train.on.take();
        let next = known.len() as u64 + 1;
        let mut sweep = match known
            .into_iter()
            .find(|sweep| alike(&sweep.request, &planned.request))
        {
            Some(begun) => begun,
            None => {
                planned.number = next;
                planned
            }
        };
        sweep.request.train.on = on;
        Ok(sweep)
    }

    /// Brings one combination to its end, from where it is, and measures it.
    fn tried(&self, sweep: &mut Sweep, at: usize, watcher: &dyn Watcher) -> Result<()> {
        sweep.rows[at].failure = None;
        let run = self.run_of(sweep, at, watcher)?;
        sweep.rows[at].run = Some(run.id);
        self.runs().keep_sweep(sweep)?;
        let bundle = self.runs().bundle(run.id)?;
        let job = train_job(&bundle)?;
        let data = job.lineage.dataset;
        if sweep.rows[at].values.items.is_some() {
            let path = bundle.path(&job.train)?;
            let learnt = std::fs::read_to_string(&path).map_err(|e| io_failure(&e, &path))?;
            sweep.rows[at].learnt_from = Some(learnt.lines().count() as u64);
        }
        let same = *sweep.data.get_or_insert_with(|| data.clone()) == data;
        let ended = self.runs().follow_run(run.id, watcher)?;
        sweep.rows[at].state = ended.state;
        finished(&ended, watcher)?;
        let result = self.runs().train_result(run.id)?;
        let row = &mut sweep.rows[at];
        row.minutes = Some(result.seconds / 60.0);
        row.dev_loss = result.stages.last().and_then(|stage| stage.dev_loss_best);
        if !same {
            return Err(Failure::invalid(
                format!(
                    "Run {} learnt from other material than the first of the sweep: the workspace has changed since.",
                    run.id
                ),
                "It is not compared with the others. Begin a new sweep: one with another seed is another.",
            ));
        }
        row.dev = Some(self.evaluation().on_dev(&ended, watcher)?);
        Ok(())
    }

    /// The run of a combination, with a worker on it where it has not finished.
    fn run_of(&self, sweep: &Sweep, at: usize, watcher: &dyn Watcher) -> Result<RunRow> {
        let row = &sweep.rows[at];
        let mut request = request_of(&sweep.request.train, row.values);
        request.on.clone_from(&sweep.request.train.on);
        let begun = match row.run {
            // A run that was put away is trained again.
            Some(id) => Some(self.runs().run(id)?).filter(|run| run.state != RunState::Unfollowed),
            None => self.begun_unrecorded(sweep, at)?,
        };
        match begun {
            None => self.begin_training(&request, watcher),
            Some(run)
                if run.state == RunState::Paused || self.runs().may_lack_a_worker(&run)? =>
            {
                self.runs().take_up(run.id)
            }
            Some(run) => Ok(run),
        }
    }

    /// The run of a combination whose starter was ended before the sweep's record named it.
    fn begun_unrecorded(&self, sweep: &Sweep, at: usize) -> Result<Option<RunRow>> {
        let named: HashSet<RunId> = sweep.rows.iter().filter_map(|row| row.run).collect();
        let mut runs = self.runs().runs()?;
        runs.retain(|run| sweep.after.is_none_or(|after| run.id > after));
        runs.retain(|run| !named.contains(&run.id) && run.state != RunState::Unfollowed);
        if runs.is_empty() {
            return Ok(None);
        }
        let wanted = request_of(&sweep.request.train, sweep.rows[at].values);
        let plan = self.plan_training(&wanted)?;
        for run in runs {
            let spec = self.workspace().store.read(|r| r.run(run.id))?.spec;
            // If the settings of a run cannot be read, another version made it, so it is another run.
            let same = serde_json::from_str::<TrainJob>(&spec).is_ok_and(|job| {
                alike(&job.settings, &plan.settings)
                    && job.model.sha256 == plan.base.sha256
                    && job.lineage.items_per_anchor == wanted.items_per_anchor
            });
            let preset = run.preset() == Some(plan.preset);
            if same && preset && run.dataset == sweep.request.train.dataset {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }
}
