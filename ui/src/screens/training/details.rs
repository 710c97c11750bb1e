//! Details of the runs. They are requested once, and again when a run has changed its state.

use crate::backend::{call, commands};
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::RunId;
use lexforge_domain::api::{RunDetail, RunRow, RunState};
use std::collections::BTreeMap;

/// The details of finished runs; a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Details {
    known: RwSignal<BTreeMap<RunId, Known>>,
}

/// What the list shows of a run's details.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    evaluated: bool,
    best: Option<f64>,
    accuracy: Option<f64>,
    interval: Option<[f64; 2]>,
}

impl Details {
    /// Follows the list of runs for as long as the screen is shown.
    pub fn follow(app: App) -> Self {
        let details = Self {
            known: RwSignal::new(BTreeMap::new()),
        };
        let finished = Memo::new(move |_| {
            let row =
                |run: &RunRow| (run.state == RunState::Finished).then_some((run.id, run.evaluated));
            app.runs
                .with(|runs| runs.iter().filter_map(row).collect::<Vec<_>>())
        });
        Effect::new(move |_| {
            let missing: Vec<(RunId, bool)> = details.known.with_untracked(|known| {
                let new = |(id, evaluated): &(RunId, bool)| {
                    known.get(id).is_none_or(|k| k.evaluated != *evaluated)
                };
                finished.get().into_iter().filter(new).collect()
            });
            spawn_local(async move {
                for (id, evaluated) in missing {
                    // If the details of a run cannot be read, its cells stay dashes, and opening it shows why.
                    if let Ok(detail) = call(commands::RunDetail { id }).await {
                        details
                            .known
                            .try_update(|known| known.insert(id, Known::of(&detail, evaluated)));
                    }
                }
            });
        });
        details
    }

    /// Held-out loss of the adapter that a run chose.
    pub fn best(self, id: RunId) -> Option<f64> {
        self.of(id, |known| known.best)
    }

    /// Accuracy on the test questions, under the primary scorer.
    pub fn accuracy(self, id: RunId) -> Option<f64> {
        self.of(id, |known| known.accuracy)
    }

    /// Its 95 % interval.
    pub fn accuracy_interval(self, id: RunId) -> Option<[f64; 2]> {
        self.of(id, |known| known.interval)
    }

    fn of<T>(self, id: RunId, show: impl Fn(&Known) -> Option<T>) -> Option<T> {
        self.known.with(|known| known.get(&id).and_then(show))
    }
}

impl Known {
    fn of(detail: &RunDetail, evaluated: bool) -> Self {
        let after = detail
            .evaluation
            .as_ref()
            .map(|view| &view.evaluation.after);
        Self {
            evaluated,
            best: detail
                .result
                .as_ref()
                .and_then(|r| r.stages.last())
                .and_then(|s| s.dev_loss_best),
            accuracy: after.map(|after| after.accuracy),
            interval: after.map(|after| after.ci95),
        }
    }
}
