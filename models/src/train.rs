//! The train job: the sentence stage on a LoRA adapter, resumable bit for bit.

use crate::bundle::HeldBundle;
use crate::checkpoint::{Best, Checkpoint, Checkpoints, TrainState};
use crate::control::{ControlFile, Wish};
use crate::device::{self, cuda_index};
use crate::encoder::Encoder;
use crate::events::EventLog;
use crate::files::{flush_folder, sha256};
use crate::folder::ModelFolders;
use crate::items::Items;
use crate::job::{Outcome, started};
use crate::optimizer::Optimizer;
use crate::platform::{peak_resident_mb, resident_mb};
use crate::schedule::Schedule;
use crate::vector_loss::InfoNce;
use crate::{Error, Result, adapter, gradients, lora, shim};
use lexforge_domain::Code;
use lexforge_domain::protocol::{
    Event, JobResult, Objective, SentenceObjective, StageResult, StageSpec, TrainJob, TrainResult,
};
use std::time::Instant;

/// Name of the stage in events and checkpoints.
const STAGE: &str = "sentence";
/// Folder of the chosen adapter in the bundle.
const RESULT_DIR: &str = "tuned";

/// Runs a train job from its newest checkpoint, or from the start.
///
/// # Errors
/// Where the job, its inputs or its model are not valid, a loss is not finite, or the system refuses.
pub fn train(
    bundle: &HeldBundle,
    job: &TrainJob,
    events: &EventLog,
    control: &ControlFile,
    folders: &ModelFolders,
) -> Result<Outcome> {
    check(job)?;
    let checkpoints = Checkpoints::new(bundle.folder(), &bundle.job_sha256);
    let resumed = checkpoints.newest(events)?;
    let recorded = resumed.as_ref().map_or(0, |c| c.state.threads);
    let wanted = job.settings.threads;
    let threads = device::set_threads(if wanted == 0 { recorded } else { wanted });
    let step = resumed.as_ref().map_or(0, |c| c.state.step);
    started(events, threads, resumed.as_ref().map(|c| c.path.clone()), step)?;
    let mut training = Training::prepare(bundle, job, events, folders, checkpoints, threads)?;
    if let Some(checkpoint) = resumed {
        training.go_on_from(checkpoint)?;
    }
    training.run(control)
}

fn check(job: &TrainJob) -> Result<()> {
    let (stage, sentence) = only_stage(job)?;
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let complaint = if stage.epochs == 0 || stage.batch_size == 0 || stage.max_steps == Some(0) {
        Some("epochs, batch_size and max_steps must be 1 or more")
    } else if !positive(sentence.temperature) || !positive(stage.learning_rate) {
        Some("temperature and learning_rate must be greater than 0")
    } else if !(stage.weight_decay.is_finite() && stage.weight_decay >= 0.0 && stage.max_grad_norm >= 0.0) {
        Some("weight_decay and max_grad_norm must not be negative")
    } else {
        None
    };
    match complaint {
        None => Ok(()),
        Some(complaint) => Err(Error::told(
            Code::InvalidRequest,
            format!("The recipe makes no sense: {complaint}."),
            "Correct the recipe.",
        )),
    }
}

/// The sentence stage.
fn only_stage(job: &TrainJob) -> Result<(&StageSpec, &SentenceObjective)> {
    match job.settings.stages.as_slice() {
        [stage] => match &stage.objective {
            Objective::Sentence(sentence) => Ok((stage, sentence)),
            _ => Err(Error::told(
                Code::InvalidRequest,
                "Only the sentence stage can be trained.",
                "Choose another recipe.",
            )),
        },
        _ => Err(Error::told(Code::InvalidRequest, "One stage is needed.", "Choose another recipe.")),
    }
}

struct Training<'a> {
    bundle: &'a HeldBundle,
    job: &'a TrainJob,
    events: &'a EventLog,
    checkpoints: Checkpoints,
    encoder: Encoder,
    optimizer: Optimizer,
    schedule: Schedule,
    train: Items,
    dev: Items,
    state: TrainState,
    total: u64,
    budget: usize,
    /// The newest checkpoint: its step, and where its dev items were last looked at.
    saved: Option<(u64, Option<u64>)>,
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
    ) -> Result<Self> {
        let began = Instant::now();
        let (stage, sentence) = only_stage(job)?;
        let mut encoder =
            Encoder::open(&folders.find(&job.model)?, sentence.pooling, job.settings.max_length, device::device())?;
        let train = Items::read(&bundle.path(&job.train)?, &encoder.tokenizer)?;
        let dev = Items::read(&bundle.path(&job.dev)?, &encoder.tokenizer)?;
        if train.items.is_empty() {
            return Err(Error::told(
                Code::TooLittleData,
                "There are no training items.",
                "Import more documents or relax the question settings, and freeze a new dataset.",
            ));
        }
        if train.truncated > 0 {
            let message = format!(
                "{} of {} training texts were cut at {} tokens.",
                train.truncated,
                train.tokens.len(),
                encoder.max_length
            );
            events.warn("texts_cut", message)?;
        }
        let epoch = train.batches(stage.batch_size);
        let whole = epoch * stage.epochs as u64;
        let total = stage.max_steps.map_or(whole, |most| whole.min(most as u64));
        let schedule = Schedule::new(stage.learning_rate, stage.warmup_steps as u64, total);
        if schedule.warmup() < stage.warmup_steps as u64 {
            let message = format!(
                "The warm-up of {} steps is longer than the run of {total}; {} are used.",
                stage.warmup_steps,
                schedule.warmup()
            );
            events.warn("warmup_shortened", message)?;
        }
        tch::manual_seed(job.settings.seed as i64);
        lora::adapt(&mut encoder.linears(), &job.settings.lora)?;
        let optimizer = Optimizer::new(adapter::trained(&encoder.linears_ref()), stage.weight_decay)?;
        let budget = gradients::token_budget(encoder.sizes, encoder.device());
        let state = TrainState {
            stage: STAGE.into(),
            step: 0,
            epoch: 0,
            batch: 0,
            threads,
            libtorch: shim::libtorch_version(),
            losses: Vec::new(),
            dev_loss_before: None,
            looked_at: None,
            best: None,
            seconds: 0.0,
            peak_memory_mb: 0.0,
        };
        Ok(Self {
            bundle,
            job,
            events,
            checkpoints,
            encoder,
            optimizer,
            schedule,
            train,
            dev,
            state,
            total,
            budget,
            saved: None,
            began,
            earlier: 0.0,
        })
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
        adapter::restore(&self.encoder.linears_ref(), &checkpoint.adapter)?;
        self.optimizer.restore(&checkpoint.optimizer)?;
        shim::set_generator_state(cuda_index(self.encoder.device()), &checkpoint.generator)?;
        self.saved = Some((checkpoint.state.step, checkpoint.state.looked_at));
        self.earlier = checkpoint.state.seconds;
        let threads = self.state.threads;
        let libtorch = std::mem::take(&mut self.state.libtorch);
        self.state = TrainState { threads, libtorch, ..checkpoint.state };
        Ok(())
    }

    fn run(&mut self, control: &ControlFile) -> Result<Outcome> {
        let first = self.state.step;
        let stepping = Instant::now();
        loop {
            let made = self.state.step;
            let over = made == self.total;
            let look = made == 0 || over || is_due(made, self.job.evaluate_every);
            if look && self.state.looked_at != Some(made) {
                self.look_at_dev(control)?;
            }
            let best = made > 0 && self.state.best.is_some_and(|best| best.step == made);
            if best || over || (made > 0 && is_due(made, self.job.checkpoint_every)) {
                self.save()?;
            }
            if over && self.state.looked_at == Some(made) {
                return self.result();
            }
            match control.wish(self.events, made)? {
                Wish::GoOn => {}
                Wish::Checkpoint => self.save()?,
                Wish::Stop => {
                    self.save()?;
                    return Ok(Outcome::Stopped { step: made });
                }
            }
            // Over and not looked at: a stop that was wished for during the look was taken back.
            if !over {
                self.step(first, stepping)?;
            }
        }
    }

    fn step(&mut self, first: u64, stepping: Instant) -> Result<()> {
        let began = Instant::now();
        let (stage, sentence) = only_stage(self.job)?;
        let order = self.train.order(self.job.settings.seed, self.state.epoch);
        let numbers = order.chunks(stage.batch_size).nth(self.state.batch as usize).unwrap_or_default();
        let comparison = self.train.comparison(numbers, sentence.in_batch);
        let texts = self.train.tokens_of(&comparison);
        let tokens: usize = texts.iter().map(|text| text.ids.len()).sum();
        self.optimizer.clear_gradients();
        let loss = InfoNce { comparison: &comparison, temperature: sentence.temperature };
        let loss = gradients::accumulate(&self.encoder, &texts, &loss, self.budget)?;
        let rate = self.schedule.rate(self.state.step);
        let norm = if loss.is_finite() { self.optimizer.step(rate, stage.max_grad_norm)? } else { f64::NAN };
        if !norm.is_finite() {
            return Err(Error::told(
                Code::LossNotFinite,
                format!("The loss or its gradient is not a number at step {} (loss {loss}).", self.state.step + 1),
                "Lower the learning rate (halve it) or raise the temperature, and start a new run.",
            ));
        }
        self.state.losses.push(loss as f32);
        self.state.step += 1;
        self.state.epoch = self.state.step / self.train.batches(stage.batch_size);
        self.state.batch = self.state.step % self.train.batches(stage.batch_size);
        let pace = stepping.elapsed().as_secs_f64() / (self.state.step - first) as f64;
        self.events.write(Event::Progress {
            stage: STAGE.into(),
            step: self.state.step,
            of: self.total,
            loss: Some(loss),
            lr: Some(rate),
            tokens_per_s: Some(tokens as f64 / began.elapsed().as_secs_f64()),
            memory_mb: resident_mb(),
            eta_s: Some(pace * (self.total - self.state.step) as f64),
        })
    }

    /// Looks at the dev items and keeps what was found. A wish to stop ends the look without a result; it
    /// is then made when the run goes on.
    fn look_at_dev(&mut self, control: &ControlFile) -> Result<()> {
        let step = self.state.step;
        if !self.dev.items.is_empty() {
            let Some(dev_loss) = self.dev_loss(&|| !control.stop_wanted())? else { return Ok(()) };
            let value = f64::from(dev_loss);
            self.events.write(Event::Metric { name: "dev_loss".into(), value, step })?;
            if step == 0 {
                self.state.dev_loss_before = Some(dev_loss);
            } else if self.state.best.is_none_or(|best| dev_loss < best.dev_loss) {
                self.state.best = Some(Best { step, dev_loss });
            }
        }
        self.state.looked_at = Some(step);
        Ok(())
    }

    /// Mean held-out loss without dropout, in fixed batches; `None` where `go_on` said no.
    fn dev_loss(&self, go_on: &dyn Fn() -> bool) -> Result<Option<f32>> {
        let _no_grad = tch::no_grad_guard();
        let (stage, sentence) = only_stage(self.job)?;
        let texts: Vec<&[u32]> = self.dev.tokens.iter().map(Vec::as_slice).collect();
        let Some(vectors) = gradients::vectors(&self.encoder, &texts, self.budget, go_on)? else {
            return Ok(None);
        };
        let numbers: Vec<usize> = (0..self.dev.items.len()).collect();
        let mut sum = 0.0;
        for batch in numbers.chunks(stage.batch_size) {
            let comparison = self.dev.comparison(batch, sentence.in_batch);
            let rows: Vec<i64> = comparison.texts.iter().map(|&text| text as i64).collect();
            let rows = tch::Tensor::f_from_slice(&rows)?.f_to_device(self.encoder.device())?;
            let losses = comparison.losses(&vectors.f_index_select(0, &rows)?, sentence.temperature)?;
            sum += losses.f_sum(tch::Kind::Double)?.f_double_value(&[])?;
        }
        Ok(Some((sum / self.dev.items.len() as f64) as f32))
    }

    fn save(&mut self) -> Result<()> {
        let step = self.state.step;
        let now = (step, self.state.looked_at);
        if self.saved == Some(now) {
            return Ok(());
        }
        self.state.seconds = self.earlier + self.began.elapsed().as_secs_f64();
        self.state.peak_memory_mb = self.state.peak_memory_mb.max(peak_resident_mb());
        let sidecar = adapter::Sidecar::of_job(self.job, self.encoder.max_length, step);
        let contents = {
            let layers = self.encoder.linears_ref();
            adapter::file_contents(&layers, &self.job.settings.lora, &sidecar, adapter::Task::Embedding)?
        };
        let generator = shim::generator_state(cuda_index(self.encoder.device()))?;
        let path = self.checkpoints.save(&self.state, &contents, self.optimizer.state(), generator)?;
        self.saved = Some(now);
        let best = self.state.best.is_some_and(|best| best.step == step);
        self.events.write(Event::Checkpoint { path, stage: STAGE.into(), step, best })
    }

    fn result(&self) -> Result<Outcome> {
        let state = &self.state;
        let chosen = state.best.map_or(state.step, |best| best.step);
        let (best_step, contents) = match self.checkpoints.adapter_of(chosen) {
            Ok(contents) => (chosen, contents),
            Err(error) if chosen != state.step => {
                let message = format!("The best checkpoint cannot be read, the last one is taken. {error}");
                self.events.warn(&Code::CheckpointInvalid.tag(), message)?;
                (state.step, self.checkpoints.adapter_of(state.step)?)
            }
            Err(error) => return Err(error),
        };
        let dev_loss_best = state.best.filter(|best| best.step == best_step).map(|best| f64::from(best.dev_loss));
        let dev_loss_before = state.dev_loss_before.map(f64::from);
        if let (Some(before), Some(best)) = (dev_loss_before, dev_loss_best)
            && best >= before
        {
            let message =
                format!("No checkpoint has a lower held-out loss ({best:.4}) than the untuned model ({before:.4}).");
            self.events.warn("no_improvement", message)?;
        }
        let folder = self.bundle.path(RESULT_DIR)?;
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        adapter::write(&folder, &contents)?;
        flush_folder(&folder)?;
        let tenth = state.losses.len().div_ceil(10);
        Ok(Outcome::Finished(JobResult::Train(TrainResult {
            adapter: RESULT_DIR.into(),
            adapter_sha256: sha256(&contents[adapter::WEIGHTS_FILE]),
            steps: state.step,
            best_step,
            stages: vec![StageResult {
                name: STAGE.into(),
                from: 0,
                steps: state.step,
                items: self.train.items.len() as u64,
                best_step,
                first_loss: mean(&state.losses[..tenth]),
                last_loss: mean(&state.losses[state.losses.len() - tenth..]),
                dev_loss_before,
                dev_loss_best,
                stopped_early: false,
            }],
            left_out: std::collections::BTreeMap::new(),
            precision: "fp32".into(),
            tokens: 0,
            trainable_parameters: self.optimizer.parameter_count(),
            peak_memory_mb: state.peak_memory_mb.max(peak_resident_mb()),
            seconds: self.earlier + self.began.elapsed().as_secs_f64(),
        })))
    }
}

/// Whether something that is done every so many steps (0 = never) is due after this step.
fn is_due(step: u64, every: usize) -> bool {
    every > 0 && step.is_multiple_of(every as u64)
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64
}
