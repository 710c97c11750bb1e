//! Carries a job's progress into the job list and to the window.

use crate::follow;
use crate::lock::held;
use crate::shell::Shell;
use lexforge_domain::api::{
    AnswerSoFar, BenchTime, ImportReport, Notice, Outcome, Progress, Stage,
};
use lexforge_domain::endpoint::AskProgress;
use lexforge_domain::protocol::JobEvent;
use lexforge_domain::{AnswerId, RunId};
use lexforge_engine::Watcher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The window is told at most this often, or when something more than a count changes.
const PACE: Duration = Duration::from_millis(80);

/// Watches one job.
pub struct Watch {
    shell: Shell,
    id: u64,
    cancel: Arc<AtomicBool>,
    told: Mutex<(Option<Instant>, Option<Stage>)>,
    followed: Mutex<Option<RunId>>,
}

impl Watch {
    /// A watch over the job with this number.
    pub fn new(shell: Shell, id: u64, cancel: Arc<AtomicBool>) -> Self {
        Self {
            shell,
            id,
            cancel,
            told: Mutex::default(),
            followed: Mutex::default(),
        }
    }

    /// The question of the job is answered.
    pub fn answered(&self, id: Option<AnswerId>) {
        self.shell.tasks().change(self.id, |task| task.answer = id);
    }

    /// Records the outcome of the job.
    pub fn came_to(&self, outcome: Outcome) {
        self.shell
            .tasks()
            .change(self.id, |task| task.outcome = Some(Box::new(outcome)));
    }

    /// Whether it is time to tell the window again, and whether another stage has begun.
    fn due(&self, stage: Stage) -> (bool, bool) {
        let mut told = held(&self.told);
        let next = told.1 != Some(stage);
        let due = next || told.0.is_none_or(|last| last.elapsed() >= PACE);
        if due {
            *told = (Some(Instant::now()), Some(stage));
        }
        (due, next)
    }
}

impl Watcher for Watch {
    fn progress(&self, progress: Progress) {
        let stage = progress.stage;
        let task = self.shell.tasks().change(self.id, |task| {
            if stage == Stage::Import && !progress.item.is_empty() {
                match task
                    .files
                    .iter_mut()
                    .find(|file| file.item == progress.item)
                {
                    Some(file) => *file = progress.clone(),
                    None => task.files.push(progress.clone()),
                }
            }
            task.progress = Some(progress);
        });
        let (due, next) = self.due(stage);
        if due && let Some(task) = task {
            self.shell.tell(Notice::Task { task });
        }
        if next && stage != Stage::Import {
            // What the stage before it made can be shown already.
            self.shell.tell(Notice::Changed);
        }
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// A job that trains makes its runs one after the other; the window follows each as if it had been started by hand.
    fn run_event(&self, run: RunId, _: &JobEvent) {
        let known = held(&self.followed).replace(run);
        if known != Some(run)
            && let Some(engine) = self.shell.current()
        {
            follow::run_of(&self.shell, &engine, run);
        }
    }

    fn asking(&self, so_far: AskProgress) {
        let task = self
            .shell
            .tasks()
            .change(self.id, |task| task.asking = Some(so_far));
        if let Some(task) = task {
            self.shell.tell(Notice::Task { task });
        }
    }

    /// The window is told of it with the next progress.
    fn ahead(&self, time: Option<&BenchTime>) {
        let time = time.cloned();
        self.shell.tasks().change(self.id, |task| task.ahead = time);
    }

    fn written(&self, so_far: &AnswerSoFar) {
        let so_far = Some(Box::new(so_far.clone()));
        let task = self
            .shell
            .tasks()
            .change(self.id, |task| task.so_far = so_far);
        if let Some(task) = task {
            self.shell.tell(Notice::Task { task });
        }
    }

    fn imported(&self, so_far: &ImportReport) {
        let task = self
            .shell
            .tasks()
            .change(self.id, |task| task.import = Some(so_far.clone()));
        if let Some(task) = task {
            self.shell.tell(Notice::Task { task });
        }
        self.shell.tell(Notice::Changed);
    }
}
