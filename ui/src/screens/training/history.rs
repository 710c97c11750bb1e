//! The events of a run's worker by stage: the curves, the latest figures, the warnings.
//!
//! Steps are counted over the whole job, so the step shows the stage. An attempt that continues from a checkpoint
//! replaces everything after that checkpoint, in any stage.

use lexforge_domain::metrics::CurvePoint;
use lexforge_domain::protocol::{Event, JobEvent};

/// Everything that the events of a run say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The stages that have begun, in order.
    pub stages: Vec<StageHistory>,
    /// Figures of the latest step.
    pub latest: Latest,
    /// Warnings of the latest attempt, each once.
    pub warnings: Vec<String>,
}

/// The events of one stage. Steps are counted over the job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageHistory {
    pub name: String,
    /// Training loss.
    pub train: Vec<CurvePoint>,
    /// Held-out loss.
    pub dev: Vec<CurvePoint>,
    /// Step of its best checkpoint.
    pub best: Option<u64>,
}

/// The figures of the latest step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Latest {
    pub stage: String,
    /// Step of the job.
    pub step: u64,
    /// The number of steps in all.
    pub of: u64,
    /// Learning rate.
    pub rate: Option<f64>,
    /// Tokens a second.
    pub tokens_per_s: Option<f64>,
    /// Memory in MiB.
    pub memory_mb: Option<f64>,
    /// Seconds left.
    pub eta_s: Option<f64>,
    /// Where it is computed, and with how many threads.
    pub device: Option<(String, usize)>,
}

impl History {
    /// Reads the events of all attempts.
    pub fn of(events: &[JobEvent]) -> Self {
        let mut history = Self::default();
        let mut attempt = 0;
        // A look at the held-out items before a stage's first step comes before the stage is named.
        let mut before = None;
        for event in events {
            if event.attempt != attempt {
                attempt = event.attempt;
                history.warnings.clear();
            }
            history.hear(&event.event, &mut before);
        }
        history
    }

    /// Takes an event in; `before` is a held-out loss whose stage is not named yet.
    fn hear(&mut self, event: &Event, before: &mut Option<CurvePoint>) {
        match event {
            Event::Started {
                step,
                device,
                threads,
                ..
            } => {
                let kept = before.take().filter(|p| p.step <= *step);
                *before = self.go_back_to(*step).or(kept);
                self.latest.device = Some((device.clone(), *threads));
            }
            Event::Progress {
                stage,
                step,
                of,
                loss,
                lr,
                tokens_per_s,
                memory_mb,
                eta_s,
            } => {
                let latest = &mut self.latest;
                latest.stage.clone_from(stage);
                latest.eta_s = *eta_s;
                latest.rate = lr.or(latest.rate);
                latest.tokens_per_s = tokens_per_s.or(latest.tokens_per_s);
                latest.memory_mb = memory_mb.or(latest.memory_mb);
                // A sign of life while the model is read knows no steps.
                if *of > 0 {
                    (latest.step, latest.of) = (*step, *of);
                }
                // A sign of life repeats the last step; only a new one says that its stage has begun.
                let made = self.stages.last().and_then(|s| s.train.last());
                if let Some(loss) = *loss
                    && made.is_none_or(|p| p.step < *step)
                {
                    self.enter(stage, CurvePoint { step: *step, loss }, before.take());
                }
            }
            Event::Metric { name, value, step } if name == "dev_loss" => {
                let (step, loss) = (*step, *value);
                self.look(CurvePoint { step, loss }, before);
            }
            Event::Checkpoint {
                stage,
                step,
                best: true,
                ..
            } => {
                if let Some(of) = self.stages.iter_mut().find(|s| s.name == *stage) {
                    of.best = Some(*step);
                }
            }
            Event::Warning { message, .. } if !self.warnings.contains(message) => {
                self.warnings.push(message.clone());
            }
            _ => {}
        }
    }

    /// Adds a loss on the held-out items. If the running stage already has a loss of this step, the new one is the
    /// first loss of the next stage. It is then kept in `before` until the next stage begins.
    fn look(&mut self, point: CurvePoint, before: &mut Option<CurvePoint>) {
        match self.stages.last_mut() {
            Some(now) if now.dev.last().is_none_or(|p| p.step < point.step) => {
                now.dev.retain(|p| p.step < point.step);
                now.dev.push(point);
            }
            _ => *before = Some(point),
        }
    }

    /// A stage by its name.
    pub fn stage(&self, name: &str) -> Option<&StageHistory> {
        self.stages.iter().find(|s| s.name == name)
    }

    /// The step of the job before a stage's first.
    pub fn from(&self, name: &str) -> Option<u64> {
        self.stage(name)?
            .train
            .first()
            .map(|p| p.step.saturating_sub(1))
    }

    fn enter(&mut self, name: &str, point: CurvePoint, before: Option<CurvePoint>) {
        if self.stages.last().is_none_or(|s| s.name != name) {
            self.stages.push(StageHistory {
                name: name.to_owned(),
                ..StageHistory::default()
            });
        }
        if let Some(now) = self.stages.last_mut() {
            now.dev
                .extend(before.filter(|p| now.dev.is_empty() && p.step <= point.step));
            now.train.push(point);
        }
    }

    /// Removes the curves after a step, because a resumed run makes these steps again. If a whole stage is removed, its
    /// first held-out loss is returned. This loss belongs to the step at which the stage before ended, and is not
    /// measured again.
    fn go_back_to(&mut self, step: u64) -> Option<CurvePoint> {
        for stage in &mut self.stages {
            stage.train.retain(|p| p.step <= step);
            stage.dev.retain(|p| p.step <= step);
            stage.best = stage.best.filter(|best| *best <= step);
        }
        let gone = self.stages.iter().find(|stage| stage.train.is_empty());
        let before = gone.and_then(|stage| stage.dev.first()).copied();
        self.stages.retain(|stage| !stage.train.is_empty());
        before
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    struct Said(Vec<JobEvent>, u32);

    impl Said {
        fn event(&mut self, event: Event) {
            let seq = self.0.len() as u64;
            self.0.push(JobEvent {
                attempt: self.1,
                seq,
                time: 0.0,
                event,
            });
        }

        fn started(&mut self, step: u64) {
            self.1 += 1;
            let resumed_from = (step > 0).then(|| format!("checkpoints/step-{step:07}"));
            let (device, libtorch) = ("cpu".to_owned(), String::new());
            self.event(Event::Started {
                pid: 1,
                device,
                threads: 1,
                libtorch,
                resumed_from,
                step,
            });
        }

        fn step(&mut self, stage: &str, step: u64, loss: f64) {
            self.event(Event::Progress {
                stage: stage.to_owned(),
                step,
                of: 6,
                loss: Some(loss),
                lr: None,
                tokens_per_s: None,
                memory_mb: None,
                eta_s: None,
            });
        }

        fn dev(&mut self, step: u64, value: f64) {
            self.event(Event::Metric {
                name: "dev_loss".to_owned(),
                value,
                step,
            });
        }
    }

    fn points(points: &[CurvePoint]) -> Vec<(u64, f64)> {
        points.iter().map(|p| (p.step, p.loss)).collect()
    }

    /// Two stages of three steps with a look before and after each.
    fn two_stages() -> Said {
        let mut said = Said(Vec::new(), 0);
        said.started(0);
        said.dev(0, 3.0);
        (1..=3).for_each(|step| said.step("sft", step, 3.0 - step as f64 / 10.0));
        said.dev(3, 2.7);
        said.dev(3, 1.9);
        (4..=6).for_each(|step| said.step("sentence", step, 2.0 - step as f64 / 10.0));
        said.dev(6, 1.4);
        said
    }

    #[test]
    fn a_look_belongs_to_the_stage_that_runs_at_its_step() {
        let history = History::of(&two_stages().0);
        assert_eq!(
            history
                .stages
                .iter()
                .map(|s| s.name.as_str())
                .collect::<Vec<_>>(),
            ["sft", "sentence"]
        );
        assert_eq!(points(&history.stages[0].dev), [(0, 3.0), (3, 2.7)]);
        assert_eq!(points(&history.stages[1].dev), [(3, 1.9), (6, 1.4)]);
        assert_eq!(
            (history.from("sft"), history.from("sentence")),
            (Some(0), Some(3))
        );
        assert_eq!(
            (history.latest.step, history.latest.stage.as_str()),
            (6, "sentence")
        );
    }

    #[test]
    fn a_resumed_attempt_replaces_what_came_after_its_checkpoint() {
        let mut said = two_stages();
        said.started(5);
        said.step("sentence", 6, 9.0);
        said.dev(6, 8.0);
        let history = History::of(&said.0);
        assert_eq!(
            points(&history.stages[1].train),
            [(4, 1.6), (5, 1.5), (6, 9.0)]
        );
        assert_eq!(points(&history.stages[1].dev), [(3, 1.9), (6, 8.0)]);
        assert_eq!(history.stages[0], History::of(&two_stages().0).stages[0]);
    }

    #[test]
    fn a_checkpoint_of_an_earlier_stage_takes_the_later_stage_away() {
        let mut said = two_stages();
        said.started(2);
        let history = History::of(&said.0);
        assert_eq!(history.stages.len(), 1);
        assert_eq!(points(&history.stages[0].dev), [(0, 3.0)]);
        said.step("sft", 3, 2.5);
        said.dev(3, 2.4);
        said.dev(3, 2.0);
        said.step("sentence", 4, 1.0);
        let history = History::of(&said.0);
        assert_eq!(
            points(&history.stages[0].train),
            [(1, 2.9), (2, 2.8), (3, 2.5)]
        );
        assert_eq!(points(&history.stages[0].dev), [(0, 3.0), (3, 2.4)]);
        assert_eq!(points(&history.stages[1].train), [(4, 1.0)]);
        assert_eq!(points(&history.stages[1].dev), [(3, 2.0)]);
    }

    #[test]
    fn a_run_that_goes_on_between_two_stages_keeps_the_look_that_is_not_made_again() {
        let mut said = two_stages();
        said.started(3);
        said.step("sentence", 4, 1.0);
        let history = History::of(&said.0);
        assert_eq!(points(&history.stages[1].dev), [(3, 1.9)]);
        assert_eq!(points(&history.stages[1].train), [(4, 1.0)]);
        // Stopped before the second stage's first step.
        let mut said = Said(two_stages().0.into_iter().take(7).collect(), 1);
        said.started(3);
        said.step("sentence", 4, 1.0);
        assert_eq!(points(&History::of(&said.0).stages[1].dev), [(3, 1.9)]);
    }

    #[test]
    fn signs_of_life_make_no_stage_and_no_step() {
        let mut said = Said(Vec::new(), 0);
        said.started(0);
        let load = |said: &mut Said| {
            said.event(Event::Progress {
                stage: "load".to_owned(),
                step: 0,
                of: 0,
                loss: None,
                lr: None,
                tokens_per_s: None,
                memory_mb: Some(300.0),
                eta_s: None,
            });
        };
        load(&mut said);
        said.dev(0, 3.0);
        said.step("sft", 1, 2.0);
        said.dev(1, 1.5);
        said.dev(1, 1.2);
        said.step("sft", 1, 2.0);
        said.step("sentence", 2, 1.0);
        let history = History::of(&said.0);
        assert_eq!(
            history
                .stages
                .iter()
                .map(|s| s.name.as_str())
                .collect::<Vec<_>>(),
            ["sft", "sentence"]
        );
        assert_eq!(points(&history.stages[1].dev), [(1, 1.2)]);
        said.started(2);
        load(&mut said);
        assert_eq!(History::of(&said.0).latest.step, 2);
    }

    #[test]
    fn warnings_are_told_once_and_only_of_the_latest_attempt() {
        let mut said = Said(Vec::new(), 0);
        let warn = |said: &mut Said, text: &str| {
            said.event(Event::Warning {
                code: String::new(),
                message: text.to_owned(),
            });
        };
        said.started(0);
        warn(&mut said, "old");
        said.started(0);
        warn(&mut said, "new");
        warn(&mut said, "new");
        assert_eq!(History::of(&said.0).warnings, ["new"]);
    }
}
