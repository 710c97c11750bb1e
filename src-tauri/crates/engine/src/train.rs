//! Training: a snapshot becomes a bundle, and a worker takes it.

use crate::embed::suits_minilm;
use crate::models::{BaseModel, DEFAULT_ENCODER, ENCODER_MAX_LENGTH, inspect_model};
use crate::watcher::tell;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_compute::{Bundle, WorkerProgram, bundle, local};
use lexforge_domain::api::{RunRow, RunState, Stage, TrainRequest};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::{
    Decay, Job, Lineage, LoraSpec, NegativePool, Objective, Pooling, Precision, SentenceObjective, StageSpec,
    TrainItem, TrainJob, TrainSettings,
};
use lexforge_domain::qca::{Qca, Split};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, RunId, SentenceId};
use lexforge_store::{DatasetItem, RunUpdate};
use serde::Deserialize;
use std::collections::HashMap;

/// Name of the embedded recipe.
const RECIPE: &str = "encoder · sentence stage";
/// Items a batch.
const BATCH_SIZE: usize = 16;
/// Epochs.
const EPOCHS: usize = 3;
/// Most optimiser steps of the embedded recipe: about five minutes for MiniLM on two cores.
const MOST_STEPS: usize = 160;
/// Peak learning rate: LoRA on a small encoder wants more than the 5e-5 of a large decoder (METHODS §1.3).
const LEARNING_RATE: f64 = 5e-4;

/// A snapshot's item as the freeze step wrote it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FrozenItem {
    pub(crate) question: Qca,
    pub(crate) cluster: i64,
    pub(crate) answer_group: i64,
}

impl Engine {
    /// Put a run in its bundle and start a worker on it. The worker outlives this process.
    ///
    /// # Errors
    /// When there is no snapshot, the model does not suit its language, or the worker or model is missing.
    pub fn train(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let program = WorkerProgram::locate()?;
        let dataset = self.newest_or(request.dataset)?;
        let items = self.trainable_items(&dataset)?;
        let base = BaseModel::named(request.base.as_deref());
        let described = inspect_model(request.base.as_deref().unwrap_or(DEFAULT_ENCODER))?;
        let (train, dev) = (train_items(&items, Split::Train), train_items(&items, Split::Dev));
        if train.len() < 2 {
            return Err(Failure::new(
                Code::TooLittleData,
                format!("The snapshot has {} training questions for this model.", train.len()),
                "Import more documents, then build graph, questions and snapshot again.",
            ));
        }
        let job = self.train_job(request, &base.reference(&described.sha256), &dataset, train.len())?;
        let name = format!("run-{}-{}", dataset.id, unix_millis());
        let dir = self.bundles_dir()?.join(&name);
        let spec = serde_json::json!(job).to_string();
        let bundle = bundle::create(&dir, &Job::Train(job))?;
        bundle.write_jsonl("inputs/train.jsonl", &train)?;
        bundle.write_jsonl("inputs/dev.jsonl", &dev)?;
        let id = self
            .store
            .write(&self.actor, |w| w.insert_run(RECIPE, &base.name, dataset.id, &format!("bundles/{name}"), &spec))?;
        tell(watcher, Stage::Train, RECIPE, 0, 0);
        self.start(&program, &bundle, id, &base)?;
        self.run(id)
    }

    /// Start a worker on a bundle, or record why none could be started.
    pub(crate) fn start(&self, program: &WorkerProgram, bundle: &Bundle, id: RunId, base: &BaseModel) -> Result<()> {
        match local::start(program, bundle, &base.folders) {
            Ok(_) => self.update_run(id, &RunUpdate { state: Some(RunState::Running), ..RunUpdate::default() }),
            Err(failure) => {
                let update =
                    RunUpdate { state: Some(RunState::Failed), failure: Some(failure.clone()), ..RunUpdate::default() };
                self.update_run(id, &update)?;
                Err(failure)
            }
        }
    }

    fn newest_or(&self, wanted: Option<lexforge_domain::DatasetId>) -> Result<Dataset> {
        match wanted {
            Some(id) => self.dataset(id),
            None => self.datasets()?.into_iter().next().ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "There is no frozen snapshot to train on.",
                    "Freeze one first: lexforge dataset freeze WORKSPACE.",
                )
            }),
        }
    }

    /// The items of a snapshot that the default encoder can read.
    ///
    /// # Errors
    /// When there are none: MiniLM is English only.
    pub(crate) fn trainable_items(&self, dataset: &Dataset) -> Result<Vec<FrozenItem>> {
        let (rows, documents) = self.store.read(|r| Ok((r.dataset_items(dataset.id, None)?, r.documents()?)))?;
        let languages: HashMap<_, _> = documents.into_iter().map(|d| (d.id, d.language)).collect();
        let items = rows.iter().map(frozen).collect::<Result<Vec<_>>>()?;
        let anchors: Vec<SentenceId> = items.iter().map(|i| i.question.draft.anchor_sentence).collect();
        let sentences = self.store.read(|r| r.sentences_by_ids(&anchors))?;
        let language_of: HashMap<SentenceId, Language> = sentences
            .into_iter()
            .map(|s| (s.id, languages.get(&s.document).copied().unwrap_or(Language::Other)))
            .collect();
        let suitable: Vec<FrozenItem> = items
            .into_iter()
            .filter(|i| language_of.get(&i.question.draft.anchor_sentence).copied().is_some_and(suits_minilm))
            .collect();
        if suitable.is_empty() {
            return Err(Failure::new(
                Code::LanguageUnsupported,
                format!("{DEFAULT_ENCODER} reads English only, and the snapshot has no English question."),
                "Graph and questions are there. To tune on this corpus, use an encoder that reads its language.",
            ));
        }
        Ok(suitable)
    }

    fn train_job(
        &self,
        request: &TrainRequest,
        model: &lexforge_domain::protocol::ModelRef,
        dataset: &Dataset,
        items: usize,
    ) -> Result<TrainJob> {
        let batch_size = request.batch_size.unwrap_or(BATCH_SIZE).max(1);
        let per_epoch = items.div_ceil(batch_size);
        let most = request.max_steps.unwrap_or(MOST_STEPS).max(1);
        // Whole epochs only: the schedule and the data order are made for them.
        let epochs = request.epochs.unwrap_or_else(|| EPOCHS.min((most / per_epoch).max(1))).max(1);
        let steps = (per_epoch * epochs).min(request.max_steps.unwrap_or(usize::MAX));
        let graph = self.store.read(|r| r.latest_graph())?;
        Ok(TrainJob {
            model: model.clone(),
            train: "inputs/train.jsonl".to_owned(),
            dev: "inputs/dev.jsonl".to_owned(),
            replay: None,
            adapter: None,
            settings: TrainSettings {
                lora: LoraSpec {
                    r: 16,
                    alpha: 32.0,
                    dropout: 0.05,
                    targets: ["query", "key", "value", "dense"].map(str::to_owned).to_vec(),
                },
                stages: vec![StageSpec {
                    objective: Objective::Sentence(SentenceObjective {
                        temperature: 0.05,
                        in_batch: true,
                        pool: NegativePool::Batch,
                        pooling: Pooling::Mean,
                        instruction: String::new(),
                        all_levels: true,
                    }),
                    epochs,
                    batch_size,
                    micro_batch: None,
                    max_steps: request.max_steps,
                    learning_rate: request.learning_rate.unwrap_or(LEARNING_RATE),
                    warmup_steps: (steps / 10).max(1),
                    decay: Decay::Linear,
                    weight_decay: 0.01,
                    max_grad_norm: 1.0,
                    patience: None,
                }],
                max_length: ENCODER_MAX_LENGTH,
                precision: Precision::Auto,
                activation_checkpointing: false,
                seed: request.seed.unwrap_or(DEFAULT_SEED),
                threads: request.threads.unwrap_or(0),
            },
            checkpoint_every: request.checkpoint_every.unwrap_or((steps / 4).max(1)),
            evaluate_every: (steps / 4).max(1),
            lineage: Lineage {
                dataset: dataset.hash.clone(),
                corpus: dataset.corpus_hash.clone(),
                graph_date: graph.map(|g| g.created).unwrap_or_default(),
                policy: dataset.policy.label().to_owned(),
            },
        })
    }
}

/// What the embedded recipe sets, for a form that shows its defaults. Epochs are the most that are made; a large
/// snapshot gets fewer, so that the run stays within the default number of steps.
pub fn default_recipe() -> TrainRequest {
    TrainRequest {
        base: Some(DEFAULT_ENCODER.to_owned()),
        epochs: Some(EPOCHS),
        batch_size: Some(BATCH_SIZE),
        learning_rate: Some(LEARNING_RATE),
        max_steps: Some(MOST_STEPS),
        threads: Some(0),
        seed: Some(DEFAULT_SEED),
        ..TrainRequest::default()
    }
}

/// Read an item back from its snapshot.
pub(crate) fn frozen(item: &DatasetItem) -> Result<FrozenItem> {
    serde_json::from_str(&item.json).map_err(|e| {
        Failure::new(
            Code::WorkspaceInvalid,
            format!("An item of the snapshot cannot be read: {e}."),
            "Run lexforge audit verify; freeze the questions again.",
        )
    })
}

fn train_items(items: &[FrozenItem], split: Split) -> Vec<TrainItem> {
    items
        .iter()
        .filter(|i| i.question.split == split)
        .map(|i| {
            let draft = &i.question.draft;
            let (answer, negatives): (Vec<_>, Vec<_>) =
                draft.choices.iter().cloned().enumerate().partition(|(at, _)| *at == draft.answer);
            TrainItem {
                id: i.question.id.0,
                anchor: draft.anchor_sentence.0,
                question: draft.question.clone(),
                answer: answer.into_iter().map(|(_, text)| text).next().unwrap_or_default(),
                negatives: negatives.into_iter().map(|(_, text)| text).collect(),
                answer_group: i.answer_group,
                level: draft.level,
                rephrased: draft.rephrased.clone(),
                rule: String::new(),
            }
        })
        .collect()
}

fn unix_millis() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis())
}
