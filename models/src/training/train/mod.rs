//! The train job: trains one adapter through its stages. A resumed run gives the same bits as an uninterrupted one.
//!
//! Steps are counted over the whole job. A stage begins with a new optimiser and schedule, and with the adapter that
//! the stage before it chose (its best by held-out loss). The checkpoint written at that point belongs to the new
//! stage.
//!
//! Several ranks go through the same steps, each on its part of every batch. Only rank 0 evaluates held-out items,
//! writes files, and reads the control file. The other ranks get its decisions from it.

mod check;
mod ending;
mod stage;
mod step;
mod tuned;

use crate::adapters::adapter::Sidecar;
use crate::architectures::architecture::Config;
use crate::device::{self, cuda_index};
use crate::folder::ModelFolders;
use crate::jobs::attempt::{Outcome, started};
use crate::jobs::bundle::HeldBundle;
use crate::jobs::control::{ControlFile, Wish};
use crate::jobs::events::EventLog;
use crate::platform::peak_resident_mb;
use crate::training::checkpoint::{Checkpoint, Checkpoints, Mark, TrainState};
use crate::training::lessons::{self, Trainee};
use crate::training::loss_scale::LossScale;
use crate::training::optimizer::Optimizer;
use crate::training::ranks::{Place, Ranks};
use crate::{Error, Result, shim};
use lexforge_domain::Code;
use lexforge_domain::protocol::{Event, StageResult, TrainJob};
use stage::{Pace, Stage, material, trainee};
use std::time::Instant;

/// Runs a train job from its newest checkpoint, or from the start.
///
/// # Errors
/// If the job, its inputs or its model are not valid, a loss is not finite, or a system call fails.
pub fn train(
    bundle: &HeldBundle,
    job: &TrainJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
    place: Place,
) -> Result<Outcome> {
    check::settings(&job.settings)?;
    let checkpoints = Checkpoints::new(bundle.folder(), &bundle.job_sha256);
    // The other ranks get the state of the training from rank 0.
    let resumed = if place.leads() {
        checkpoints.newest(events)?
    } else {
        None
    };
    let recorded = resumed.as_ref().map_or(0, |c| c.state.threads);
    let wanted = match (job.settings.threads, recorded, place.local_world) {
        (0, 0, 1) => 0,
        (0, 0, processes) => device::threads_of_one(processes),
        (0, recorded, _) => recorded,
        (wanted, ..) => wanted,
    };
    let threads = device::set_threads(wanted);
    let step = resumed.as_ref().map_or(0, |c| c.state.step);
    started(
        events,
        threads,
        resumed.as_ref().map(|c| c.path.clone()),
        step,
    )?;
    let ranks = place.join()?;
    let mut training =
        Training::prepare(bundle, job, events, folders, checkpoints, threads, ranks)?;
    match resumed {
        Some(checkpoint) => training.go_on_from(checkpoint)?,
        None => training.tell_what_is_left_out()?,
    }
    training.hear_where_it_stands()?;
    training.run(control)
}

struct Training<'a> {
    bundle: &'a HeldBundle,
    ranks: Ranks,
    job: &'a TrainJob,
    events: &'a EventLog,
    checkpoints: Checkpoints,
    trainee: Trainee,
    longest: usize,
    stages: Vec<Stage<'a>>,
    optimizer: Optimizer,
    state: TrainState,
    budget: usize,
    /// The newest checkpoint: its step, and the step at which its dev items were last evaluated.
    saved: Option<(Mark, Option<u64>)>,
    began: Instant,
    /// Seconds of earlier attempts.
    earlier: f64,
}

impl<'a> Training<'a> {
    fn prepare(
        bundle: &'a HeldBundle,
        job: &'a TrainJob,
        events: &'a EventLog,
        folders: &ModelFolders,
        checkpoints: Checkpoints,
        threads: usize,
        ranks: Ranks,
    ) -> Result<Self> {
        let began = Instant::now();
        let settings = &job.settings;
        let folder = folders.find(&job.model)?;
        let longest = settings
            .max_length
            .min(Config::of_folder(&folder)?.sizes().positions);
        let start = match &job.adapter {
            Some(path) => Some(tuned::start(settings, &bundle.path(path)?)?),
            None => None,
        };
        let mut trainee = trainee(settings, &folder, longest, start.as_ref())?;
        let material = material(bundle, job, longest)?;
        let stages = settings
            .stages
            .iter()
            .map(|spec| Stage::new(spec, &trainee, &material))
            .collect::<Result<Vec<_>>>()?;
        if stages.iter().all(|stage| stage.steps == 0) {
            return Err(Error::told(
                Code::TooLittleData,
                match material.items() {
                    0 => "There are no training items.".to_owned(),
                    n => format!("None of the {n} training items can be learnt from in any stage."),
                },
                "Import more documents or relax the question settings, and freeze a new dataset.",
            ));
        }
        tch::manual_seed(settings.seed as i64);
        tuned::adapt(&mut trainee, settings, start.as_ref())?;
        let loss_scale = match &trainee {
            Trainee::Encoder(_) => LossScale::default(),
            Trainee::Decoder(_) => {
                LossScale::of(device::kind(settings.precision, trainee.device()))
            }
        };
        // The first that has something to learn from.
        let first = stages.iter().position(|stage| stage.steps > 0);
        let optimizer = stages[first.unwrap_or(0)].optimizer(&trainee)?;
        let budget = lessons::token_budget(&trainee);
        let libtorch = shim::libtorch_version();
        let state = TrainState {
            threads,
            libtorch,
            loss_scale,
            ..TrainState::default()
        };
        let mut training = Self {
            bundle,
            ranks,
            job,
            events,
            checkpoints,
            trainee,
            longest,
            stages,
            optimizer,
            state,
            budget,
            saved: None,
            began,
            earlier: 0.0,
        };
        training.pass_over_empty_stages();
        Ok(training)
    }

    /// Warns of what a stage cannot learn from, before its first step.
    fn tell_what_is_left_out(&self) -> Result<()> {
        if self.longest < self.job.settings.max_length {
            let message = format!(
                "max_length {} is beyond the model's {}, which is used.",
                self.job.settings.max_length, self.longest
            );
            self.events.warn("max_length_lowered", message)?;
        }
        for stage in &self.stages {
            let (name, lesson) = (stage.name(), stage.lesson.as_ref());
            if lesson.cut() > 0 {
                let message = format!(
                    "{name}: {} training texts were cut at {} tokens.",
                    lesson.cut(),
                    self.longest
                );
                self.events.warn("texts_cut", message)?;
            }
            for (reason, n) in lesson.left_out() {
                self.events.warn(
                    "items_left_out",
                    format!("{name}: {n} left out ({}).", reason.replace('_', " ")),
                )?;
            }
            if stage.steps == 0 {
                let message =
                    format!("The stage {name} is passed over: the dataset has no item for it.");
                self.events.warn("stage_passed_over", message)?;
                continue;
            }
            let warmup = stage.schedule().warmup();
            if warmup < stage.spec.warmup_steps as u64 {
                let message = format!(
                    "{name}: the warm-up of {} steps is longer than the stage's {}; {warmup} are used.",
                    stage.spec.warmup_steps, stage.steps
                );
                self.events.warn("warmup_shortened", message)?;
            }
        }
        Ok(())
    }

    fn go_on_from(&mut self, checkpoint: Checkpoint) -> Result<()> {
        let now = (self.state.threads, &self.state.libtorch);
        let then = (checkpoint.state.threads, &checkpoint.state.libtorch);
        if now != then {
            let message = format!(
                "The checkpoint was made with {} threads and libtorch {}, the run goes on with {} and {}: its figures will differ in the last digits.",
                then.0, then.1, now.0, now.1
            );
            self.events.warn("environment_changed", message)?;
        }
        let mark = checkpoint.state.mark();
        tuned::restore(&self.trainee, checkpoint.adapter)?;
        self.optimizer = self.stages[mark.stage].optimizer(&self.trainee)?;
        self.optimizer.restore(&checkpoint.optimizer)?;
        shim::set_generator_state(cuda_index(self.trainee.device()), &checkpoint.generator)?;
        self.saved = Some((mark, checkpoint.state.looked_at));
        self.earlier = checkpoint.state.seconds;
        let threads = self.state.threads;
        let libtorch = std::mem::take(&mut self.state.libtorch);
        self.state = TrainState {
            threads,
            libtorch,
            ..checkpoint.state
        };
        Ok(())
    }

    /// Rank 0's state, adapter and optimiser become everybody's.
    fn hear_where_it_stands(&mut self) -> Result<()> {
        if !self.ranks.several() {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&self.state).map_err(|e| Error::Shim(e.to_string()))?;
        let heard = self.ranks.share_bytes(bytes)?;
        if !self.ranks.leads() {
            let own = self.state.threads;
            self.state = serde_json::from_slice(&heard).map_err(|e| Error::Shim(e.to_string()))?;
            self.state.threads = own;
            self.optimizer = self.stage().optimizer(&self.trainee)?;
        }
        self.optimizer.share(&self.ranks)
    }

    fn stage(&self) -> &Stage<'a> {
        &self.stages[self.state.stage]
    }

    /// Steps of this stage made so far.
    fn made(&self) -> u64 {
        self.state.step - self.state.from
    }

    /// Steps of the whole job, as far as is known now.
    fn total(&self) -> u64 {
        let left = self.stages[self.state.stage + 1..]
            .iter()
            .map(|stage| stage.steps)
            .sum::<u64>();
        let own = if self.state.ended_early {
            self.made()
        } else {
            self.stage().steps
        };
        self.state.from + own + left
    }

    fn run(&mut self, control: &ControlFile) -> Result<Outcome> {
        let mut pace = Pace::new(self.state.step);
        loop {
            let (made, step) = (self.made(), self.state.step);
            let last = self.state.ended_early || made == self.stage().steps;
            let look = made == 0 || last || is_due(made, self.job.evaluate_every);
            if look && self.state.looked_at != Some(step) {
                self.look_at_dev(control)?;
            }
            let over = last || self.state.ended_early;
            let best = made > 0 && self.state.best.is_some_and(|best| best.step == step);
            if best || over || (made > 0 && is_due(made, self.job.checkpoint_every)) {
                self.save()?;
            }
            if over && self.state.looked_at == Some(step) {
                if self.stages[self.state.stage + 1..]
                    .iter()
                    .all(|stage| stage.steps == 0)
                {
                    return self.result();
                }
                self.begin_next_stage()?;
                pace = Pace::new(step);
                continue;
            }
            match control.wish_of_all(self.events, step, &self.ranks)? {
                Wish::GoOn => {}
                Wish::Checkpoint => self.save()?,
                Wish::Stop => {
                    self.save()?;
                    return Ok(if self.ranks.leads() {
                        Outcome::Stopped { step }
                    } else {
                        Outcome::Followed { step }
                    });
                }
            }
            // Over and not looked at: a stop that was wished for during the look was taken back.
            if !over {
                self.step(&mut pace, control)?;
            }
        }
    }

    /// Evaluates the dev items and keeps the figures. If a stop is requested, the evaluation ends without a result and
    /// is repeated when the run goes on.
    fn look_at_dev(&mut self, control: &ControlFile) -> Result<()> {
        let step = self.state.step;
        let stage = self.stage();
        if stage.lesson.held_out() > 0 {
            let go_on = || !control.stop_wanted();
            // Rank 0's; the others wait for it.
            let mut found = [0.0; 2];
            if self.ranks.leads()
                && let Some(loss) =
                    stage
                        .lesson
                        .held_out_loss(&self.trainee, self.budget, &go_on)?
            {
                found = [1.0, f64::from(loss)];
            }
            self.ranks.sum_numbers(&mut found)?;
            let [1.0, dev_loss] = found else {
                return Ok(());
            };
            let (name, steps, patience) = (stage.name(), stage.steps, stage.spec.patience);
            if self.state.hear(dev_loss as f32, patience, steps) {
                self.events.write(Event::Metric {
                    name: "dev_loss".into(),
                    value: f64::from(dev_loss as f32),
                    step,
                })?;
            } else {
                let message = format!(
                    "{name}: the held-out loss of step {step} is not a number; it is not taken for the best."
                );
                self.events.warn("dev_loss_not_finite", message)?;
            }
        }
        self.state.looked_at = Some(step);
        Ok(())
    }

    /// The next stage starts with the best adapter of this one; everything else begins again.
    fn begin_next_stage(&mut self) -> Result<()> {
        let mut done = self.stage_result();
        self.warn_of_no_improvement(&done)?;
        if done.best_step != self.state.step && self.ranks.leads() {
            let best = self.checkpoints.weights_of(Mark {
                stage: self.state.stage,
                step: done.best_step,
            });
            match best {
                Ok(best) => tuned::restore(&self.trainee, best)?,
                // A resumed training would come to the same file again and never to the next stage.
                Err(error) => self.take_the_last(&mut done, &error)?,
            }
        }
        self.state.done.push(done);
        self.state.stage += 1;
        self.pass_over_empty_stages();
        self.state.from = self.state.step;
        self.state.losses.clear();
        self.state.dev_loss_before = None;
        self.state.looked_at = None;
        self.state.best = None;
        self.state.looks_since_best = 0;
        self.state.ended_early = false;
        self.optimizer = self.stage().optimizer(&self.trainee)?;
        self.optimizer.share(&self.ranks)?;
        self.save()
    }

    /// On to a stage that has something to learn from.
    fn pass_over_empty_stages(&mut self) {
        while self.stage().steps == 0 && self.state.stage + 1 < self.stages.len() {
            self.state.done.push(StageResult {
                name: self.stage().name().into(),
                from: self.state.step,
                best_step: self.state.step,
                ..StageResult::default()
            });
            self.state.stage += 1;
        }
    }

    fn save(&mut self) -> Result<()> {
        let mark = self.state.mark();
        let now = (mark, self.state.looked_at);
        if self.saved == Some(now) || !self.ranks.leads() {
            return Ok(());
        }
        self.state.seconds = self.earlier + self.began.elapsed().as_secs_f64();
        self.state.peak_memory_mb = self.state.peak_memory_mb.max(peak_resident_mb());
        let sidecar = Sidecar::of_job(self.job, self.longest, mark.step);
        let contents = tuned::contents(&self.trainee, &self.job.settings, &sidecar)?;
        let generator = shim::generator_state(cuda_index(self.trainee.device()))?;
        let name = self.stage().name();
        let path = self.checkpoints.save(
            &self.state,
            name,
            &contents,
            self.optimizer.state(),
            generator,
        )?;
        self.saved = Some(now);
        let best = self.state.best.is_some_and(|best| best.step == mark.step);
        self.events.write(Event::Checkpoint {
            path,
            stage: name.into(),
            step: mark.step,
            best,
        })
    }
}

/// Whether something that is done every so many steps (0 = never) is due after this step.
fn is_due(step: u64, every: usize) -> bool {
    every > 0 && step.is_multiple_of(every as u64)
}
