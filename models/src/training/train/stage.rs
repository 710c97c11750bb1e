//! The parts of a running training: the model, a stage with its data, and the settings for its speed.

use super::tuned;
use crate::Result;
use crate::adapters::adapter::Adapter;
use crate::adapters::head;
use crate::architectures::architecture::Config;
use crate::architectures::encoder::Encoder;
use crate::decoding::language::LanguageModel;
use crate::device;
use crate::jobs::bundle::HeldBundle;
use crate::training::lessons::{self, Inputs, Lesson, Material, Trainee};
use crate::training::optimizer::Optimizer;
use crate::training::schedule::Schedule;
use lexforge_domain::protocol::{Objective, Pooling, StageSpec, TrainJob, TrainSettings, Tune};
use std::path::Path;
use std::time::Instant;

/// Opens the model that a training adapts.
pub(super) fn trainee(
    settings: &TrainSettings,
    folder: &Path,
    longest: usize,
    start: Option<&Adapter>,
) -> Result<Trainee> {
    let config = Config::of_folder(folder)?;
    let device = device::device();
    let all = settings.tune == Tune::All;
    if let Config::Decoder(_) = config
        && !all
    {
        return Ok(Trainee::Decoder(LanguageModel::open_for(
            folder,
            settings.precision,
            device,
        )?));
    }
    let pooling = settings
        .stages
        .iter()
        .find_map(|stage| match &stage.objective {
            Objective::Sentence(sentence) | Objective::Gritlm(sentence) => Some(sentence.pooling),
            Objective::Retrieval(retrieval) => Some(retrieval.pooling),
            Objective::Triplets(triplets) => Some(triplets.pooling),
            Objective::Rerank(rerank) => Some(rerank.pooling),
            Objective::MaskedWords(masked) => Some(masked.pooling),
            Objective::Denoising(denoising) => Some(denoising.pooling),
            Objective::Joint { pooling, .. } => Some(*pooling),
            _ => None,
        });
    let pooling = pooling.unwrap_or(Pooling::Mean);
    let encoder = match all {
        true => {
            let start = tuned::differences(start)?;
            Encoder::open_to_train(folder, pooling, longest, &start, device)?
        }
        false => Encoder::open(folder, pooling, longest, device)?,
    };
    Ok(Trainee::Encoder(match settings.reranks() {
        Some(_) => {
            let head = head::to_train(encoder.sizes.hidden, device)?;
            encoder.with_head(pooling, head)
        }
        None => encoder,
    }))
}

/// Folder of mined negatives in the bundle.
const MINED_DIR: &str = "mined";

/// The data of a job, from its bundle.
pub(super) fn material(bundle: &HeldBundle, job: &TrainJob, longest: usize) -> Result<Material> {
    let file = |path: &Option<String>| path.as_ref().map(|p| bundle.path(p)).transpose();
    let (replay, passages) = (file(&job.replay)?, file(&job.passages)?);
    let meanings = file(&job.meanings)?;
    let inputs = Inputs {
        train: &bundle.path(&job.train)?,
        dev: &bundle.path(&job.dev)?,
        replay: replay.as_deref(),
        meanings: meanings.as_deref(),
        passages: passages.as_deref(),
        mined: &bundle.path(MINED_DIR)?,
        triplets: learns_triplets(&job.settings),
        pairs: job.settings.reranks().is_some(),
    };
    Material::read(&inputs, longest, job.settings.seed)
}

/// Whether the job's items are triplets.
fn learns_triplets(settings: &TrainSettings) -> bool {
    let mut stages = settings.stages.iter();
    stages.any(|stage| matches!(stage.objective, Objective::Triplets(_)))
}

/// A stage, with its training data.
pub(super) struct Stage<'a> {
    pub(super) spec: &'a StageSpec,
    pub(super) lesson: Box<dyn Lesson>,
    /// Steps that it has at most; 0 = there is nothing to learn from.
    pub(super) steps: u64,
}

impl<'a> Stage<'a> {
    pub(super) fn new(spec: &'a StageSpec, trainee: &Trainee, material: &Material) -> Result<Self> {
        let lesson = lessons::of_stage(spec, trainee, material)?;
        let whole = batches(lesson.as_ref(), spec) * spec.epochs as u64;
        let steps = spec.max_steps.map_or(whole, |most| whole.min(most as u64));
        Ok(Self {
            spec,
            lesson,
            steps,
        })
    }

    /// A new optimiser for the weights that the stage trains.
    pub(super) fn optimizer(&self, trainee: &Trainee) -> Result<Optimizer> {
        tuned::optimizer(trainee, self.spec, self.lesson.beside())
    }

    pub(super) fn name(&self) -> &'static str {
        self.spec.objective.stage()
    }

    pub(super) fn schedule(&self) -> Schedule {
        let spec = self.spec;
        Schedule::new(
            spec.learning_rate,
            spec.warmup_steps as u64,
            self.steps,
            spec.decay,
        )
    }
}

/// Batches of an epoch.
pub(super) fn batches(lesson: &dyn Lesson, spec: &StageSpec) -> u64 {
    lesson.items().div_ceil(spec.batch_size) as u64
}

/// How fast the steps of a stage are made in this attempt.
pub(super) struct Pace {
    first: u64,
    began: Instant,
}

impl Pace {
    pub(super) fn new(first: u64) -> Self {
        Self {
            first,
            began: Instant::now(),
        }
    }

    /// Seconds that the steps to come take.
    pub(super) fn left(&self, step: u64, total: u64) -> f64 {
        let each =
            self.began.elapsed().as_secs_f64() / step.saturating_sub(self.first).max(1) as f64;
        each * total.saturating_sub(step) as f64
    }
}
