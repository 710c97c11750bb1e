//! How fast jobs are: how long each still takes, judged by its pace so far, and how long it has worked.

use lexforge_domain::api::Task;
use std::collections::HashMap;

/// Seconds of a step before anything is said of its rest.
const SETTLED: f64 = 3.0;
/// The part of a step that must be done before the remaining time is estimated. For example, the first few pages of an
/// import do not show how long the other pages take.
const PART: f64 = 0.03;

/// The paces of this page's jobs, by number.
#[derive(Clone, Debug, Default)]
pub struct Paces(HashMap<u64, Pace>);

#[derive(Clone, Debug)]
struct Pace {
    /// When the job was first heard of, in seconds.
    began: f64,
    /// The step that it is at.
    stage: &'static str,
    /// When that step was first heard of, and how much of it was done.
    since: (f64, u64),
    /// When it was heard of last, and how much of how much was done.
    last: (f64, u64, u64),
}

impl Paces {
    /// Takes in where a job is at this second.
    pub fn see(&mut self, task: &Task, now: f64) {
        let at = task.progress.as_ref();
        let (stage, done, of) = at.map_or(("", 0, 0), |p| (p.stage.tag(), p.done, p.of));
        let pace = self.0.entry(task.id).or_insert(Pace {
            began: now,
            stage,
            since: (now, done),
            last: (now, done, of),
        });
        // Another step, or the same one from its beginning.
        if pace.stage != stage || done < pace.last.1 || of != pace.last.2 {
            (pace.stage, pace.since) = (stage, (now, done));
        }
        pace.last = (now, done, of);
    }

    /// The seconds that a job's step still takes. `None` if they are unknown.
    pub fn left(&self, task: u64) -> Option<f64> {
        let pace = self.0.get(&task)?;
        let ((since, from), (at, done, of)) = (pace.since, pace.last);
        let (took, moved) = (at - since, done.saturating_sub(from));
        let enough = moved as f64 >= (PART * of as f64).max(1.0);
        (took >= SETTLED && enough && of > done)
            .then(|| took / moved as f64 * of.saturating_sub(done) as f64)
    }

    /// How many units of its step a job does in a second. `None` if too little was seen of it.
    pub fn rate(&self, task: u64) -> Option<f64> {
        let pace = self.0.get(&task)?;
        let ((since, from), (at, done, _)) = (pace.since, pace.last);
        let (took, moved) = (at - since, done.saturating_sub(from));
        (took >= SETTLED && moved > 0).then(|| moved as f64 / took)
    }

    /// The seconds since a job was first heard of.
    pub fn worked(&self, task: u64, now: f64) -> f64 {
        self.0.get(&task).map_or(0.0, |pace| now - pace.began)
    }
}

/// This second, by the clock of the machine.
pub fn now() -> f64 {
    js_sys::Date::now() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{Progress, Stage};

    fn at(stage: Stage, done: u64, of: u64) -> Task {
        Task {
            progress: Some(Progress {
                stage,
                item: String::new(),
                done,
                of,
            }),
            ..Task::begun(7, "prepare", "")
        }
    }

    #[test]
    fn the_rest_of_a_step_follows_from_its_pace_so_far() {
        let mut paces = Paces::default();
        for (second, stage, done, of, expected) in [
            (0.0, Stage::Terms, 0, 100, None),
            // Too short a time, then too small a part.
            (1.0, Stage::Terms, 10, 100, None),
            (4.0, Stage::Terms, 40, 100, Some(6.0)),
            (5.0, Stage::Terms, 100, 100, None),
            // Another step has a pace of its own.
            (6.0, Stage::Embed, 5, 1000, None),
            (16.0, Stage::Embed, 30, 1000, None),
            (26.0, Stage::Embed, 105, 1000, Some(179.0)),
            // The same step for other texts.
            (27.0, Stage::Embed, 0, 500, None),
            // Of how many is not known.
            (60.0, Stage::Graph, 0, 0, None),
        ] {
            paces.see(&at(stage, done, of), second);
            assert_eq!(paces.left(7), expected, "at {second} s");
        }
        assert_eq!(paces.left(8), None);
        assert_eq!(paces.worked(7, 60.0), 60.0);
    }
}
