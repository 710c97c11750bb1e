//! Training: a snapshot becomes a bundle, and a worker takes it.

use super::Training;
use super::attacks::with_attacks;
use super::item_counts::ItemCounts;
use super::items::{FrozenItem, Readable, cluster_sizes};
use super::meanings::or_without;
use super::per_anchor::some_of_each_rule;
use super::recipe::Recipe;
use super::start_from::HeldOut;
use crate::corpus::DATA_KNOWN;
use crate::models::{ADAPTER_DIR, BaseModel, Models, copy_adapter, hindrances, inspect};
use crate::runs::{Placed, Runs};
use crate::workspace::{DEFAULT_SEED, Result, Scratch, Watcher, tell};
use lexforge_compute::{Bundle, WorkerProgram, bundle};
use lexforge_domain::api::{Preset, RunPlan, RunRow, RunState, Stage, TrainRequest};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::{
    InspectResult, Job, Lineage, MeaningItem, Objective, TrainItem, TrainJob,
};
use lexforge_domain::qca::Split;
use lexforge_domain::statistics::Power;
use lexforge_domain::{Code, DatasetId, Failure, Remedy, RunId};
use std::collections::BTreeMap;

/// A graph of in-batch negatives needs two questions at least.
const FEWEST_ITEMS: usize = 2;

/// A run with everything decided.
pub(crate) struct Planned {
    pub(crate) base: BaseModel,
    pub(crate) dataset: Dataset,
    pub(crate) job: TrainJob,
    pub(crate) recipe: Recipe,
    model: InspectResult,
    train: Vec<TrainItem>,
    dev: Vec<TrainItem>,
    /// What the test questions that the model can read will be able to show.
    power: Option<Power>,
    /// Terms that acts define differently.
    meanings: Vec<MeaningItem>,
    /// Paragraphs of general language.
    replay: Vec<serde_json::Value>,
    problems: Vec<Failure>,
    /// Name of the target.
    on: Option<String>,
}

/// Describes a model, with the memory that this training would need.
///
/// # Errors
/// When the worker or the model is missing, its architecture is not supported, or the request makes no sense for this
/// model.
pub fn inspect_for(request: &TrainRequest) -> Result<InspectResult> {
    let base = BaseModel::named(request.base.as_deref());
    let model = inspect(&base, None, &[])?;
    if !hindrances(&model).is_empty() {
        return Ok(model);
    }
    let recipe = Recipe::of(request, &model, ItemCounts::many())?;
    inspect(&base, Some(&recipe.settings), &[])
}

/// A run that can be started as soon as its data is written.
pub(crate) struct Decided {
    /// Its name in lists.
    pub(crate) label: String,
    pub(crate) base: BaseModel,
    /// The snapshot, where it learns from one.
    pub(crate) dataset: Option<DatasetId>,
    /// The job that the worker gets.
    pub(crate) job: TrainJob,
    /// The run from whose adapter it goes on.
    pub(crate) start_from: Option<RunId>,
    /// Name of the target that it runs on; `None` = this machine.
    pub(crate) on: Option<String>,
}

impl Training<'_> {
    /// Writes the bundle of a run and starts a worker for it. The worker continues after this process has ended.
    ///
    /// # Errors
    /// When there is no snapshot, the model does not suit its language, the request makes no sense, or the worker or
    /// model is missing.
    pub fn train(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let planned = self.planned(request)?;
        self.start_planned(planned, watcher)
    }

    /// Says what a run would do and need, but starts nothing. `problems` lists everything that would prevent it.
    ///
    /// # Errors
    /// When there is no snapshot, the request makes no sense, or the worker or the model is missing.
    pub(crate) fn plan_run(&self, request: &TrainRequest) -> Result<RunPlan> {
        let Planned {
            base,
            recipe,
            job,
            model,
            train,
            power,
            problems,
            ..
        } = self.planned(request)?;
        let model = if problems.is_empty() {
            inspect(&base, Some(&recipe.settings), &[])?
        } else {
            model
        };
        Ok(RunPlan {
            attacks: job.lineage.attacks,
            power,
            ..recipe.plan(model, train.len() as u64, problems)
        })
    }

    /// Decide everything about a run.
    pub(crate) fn planned(&self, request: &TrainRequest) -> Result<Planned> {
        learns_from_a_snapshot(request.preset)?;
        let dataset = self.newest_or(request.dataset)?;
        let base = Models::of(self.workspace).base(request.base.as_deref())?;
        let readable = self.readable(&dataset, &base)?;
        let model = readable.model.clone();
        let mut problems = hindrances(&model);
        let (mut train, dev) = (
            readable.train_items(Split::Train),
            readable.train_items(Split::Dev),
        );
        let test = readable.items.iter();
        let test = test.filter(|item| item.question.split == Split::Test);
        let power = self.power_of(&cluster_sizes(test), Some(&base.name))?;
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let mut attacks = BTreeMap::new();
        if let Some(most) = request.items_per_anchor {
            some_of_each_rule(&mut train, most, request.attacks, seed)?;
        } else if request.attacks {
            let learnt = |item: &FrozenItem| readable.train_item(item);
            (train, attacks) = with_attacks(&readable.items, learnt, seed);
        }
        let counts = ItemCounts::of(&train);
        let mut recipe = Recipe::of(request, &model, counts)?;
        let mut stages = recipe.settings.stages.iter();
        let (mut meanings, mut without) = (Vec::new(), None);
        if stages.any(|stage| matches!(stage.objective, Objective::Joint { .. })) {
            (meanings, without) = or_without(self.meanings(&dataset, &readable.items))?;
            let counts = ItemCounts {
                meanings: meanings.len(),
                ..counts
            };
            recipe = Recipe::of(request, &model, counts)?;
        }
        recipe.warnings.extend(without);
        problems.extend(unlearnable(&readable, train.len(), &mut recipe));
        recipe.warnings.extend(readable.warned());
        let graph = self.workspace.store.read(|r| r.latest_graph())?;
        let lineage = Lineage {
            dataset: dataset.hash.clone(),
            corpus: dataset.corpus_hash.clone(),
            graph_date: graph.map(|g| g.created).unwrap_or_default(),
            policy: dataset.policy.label().to_owned(),
            attacks,
            items_per_anchor: request.items_per_anchor,
            taught: None,
            meanings: meanings.len() as u64,
            start: None,
        };
        let mut job = TrainJob {
            replay: request.replay.as_ref().map(|_| REPLAY_FILE.to_owned()),
            meanings: (!meanings.is_empty()).then(|| MEANINGS_FILE.to_owned()),
            ..job_of(&recipe, &base, &model, lineage)
        };
        if let Some(run) = request.start_from {
            self.start_job_from(&mut job, run)?;
            let held_out = held_out_of(&readable.items);
            let warned = self.warned_of_start(run, &held_out)?;
            recipe.warnings.extend(warned);
        }
        let replay = request
            .replay
            .as_deref()
            .map(paragraphs)
            .transpose()?
            .unwrap_or_default();
        Ok(Planned {
            base,
            dataset,
            job,
            recipe,
            model,
            train,
            dev,
            power,
            meanings,
            replay,
            problems,
            on: request.on.clone(),
        })
    }

    /// The newest run with exactly the same snapshot, base and settings. Runs that were put away do not count.
    pub(crate) fn same_run(&self, planned: &Planned) -> Result<Option<RunRow>> {
        for row in Runs::of(self.workspace)
            .runs()?
            .into_iter()
            .filter(|r| r.dataset == Some(planned.dataset.id) && r.state != RunState::Unfollowed)
        {
            let spec = self.workspace.store.read(|r| r.run(row.id))?.spec;
            // A run of another version has settings that cannot be read, and is another run.
            let same = serde_json::from_str::<TrainJob>(&spec).is_ok_and(|job| {
                let lineage = Lineage {
                    graph_date: planned.job.lineage.graph_date.clone(),
                    ..job.lineage.clone()
                };
                TrainJob { lineage, ..job } == planned.job
            });
            if same {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// Start a worker on a run that is decided.
    pub(crate) fn start_planned(&self, planned: Planned, watcher: &dyn Watcher) -> Result<RunRow> {
        let Planned {
            base,
            dataset,
            job,
            recipe,
            train,
            dev,
            meanings,
            replay,
            problems,
            on,
            ..
        } = planned;
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        let decided = Decided {
            label: match job.lineage.attacks.is_empty() {
                true => recipe.label(),
                false => format!("{} · with attacks", recipe.label()),
            },
            base,
            dataset: Some(dataset.id),
            job,
            start_from: recipe.start_from,
            on,
        };
        let fill = |bundle: &Bundle| {
            bundle.write_jsonl(TRAIN_FILE, &train)?;
            bundle.write_jsonl(DEV_FILE, &dev)?;
            if !meanings.is_empty() {
                bundle.write_jsonl(MEANINGS_FILE, &meanings)?;
            }
            if !replay.is_empty() {
                bundle.write_jsonl(REPLAY_FILE, &replay)?;
            }
            Ok(())
        };
        self.start(decided, fill, watcher)
    }

    /// Puts a run in its bundle, which `fill` gives its data, and starts a worker on it.
    pub(crate) fn start(
        &self,
        decided: Decided,
        fill: impl FnOnce(&Bundle) -> Result<()>,
        watcher: &dyn Watcher,
    ) -> Result<RunRow> {
        let program = WorkerProgram::locate()?;
        let Decided {
            label,
            base,
            dataset,
            mut job,
            start_from,
            on,
        } = decided;
        let start = start_from.map(|run| self.start_job_from(&mut job, run));
        let start = start.transpose()?;
        // A target that cannot be used is told before anything is made.
        let on = on.map(|name| Placed::on(&name)).transpose()?;
        let of = dataset.map_or("labels".to_owned(), |id| id.to_string());
        let name = format!("run-{of}-{}", unix_millis());
        let bundles = self.workspace.bundles_dir()?;
        let spec = serde_json::json!(job).to_string();
        // The bundle is made in a scratch folder. If the program ends before the run is recorded, that folder is
        // recognised and removed later, and no half-made bundle stays.
        let scratch = Scratch::new(&bundles, "run")?;
        let bundle = bundle::create(scratch.path(), &Job::Train(job))?;
        fill(&bundle)?;
        if let Some(adapter) = start {
            copy_adapter(&adapter, &bundle.path(ADAPTER_DIR)?)?;
        }
        Models::of(self.workspace).remember(&base)?;
        if let Some(placed) = &on {
            placed.keep(&bundle)?;
        }
        // Claimed before anybody can see it: a run without a worker whose starter is gone did not start.
        let claim = bundle.claim()?;
        scratch.keep_as(&bundles.join(&name))?;
        let bundle = Bundle::open(&bundles.join(&name))?;
        let known = self.data_standing(dataset)?.words();
        let id = self.workspace.store.write(&self.workspace.actor, |w| {
            let place = format!("bundles/{name}");
            let id = w.insert_run(&label, &base.name, dataset, &place, &spec)?;
            w.note(DATA_KNOWN, &format!("run {id}"), Some(&known))?;
            Ok(id)
        })?;
        tell(watcher, Stage::Train, label, 0, 0);
        let runs = Runs::of(self.workspace);
        match on {
            None => runs.start(&program, &bundle, id, &base, claim)?,
            Some(placed) => {
                // Held until it is started there, so that no other program takes it up.
                let started = runs.start_there(placed, &bundle, id, &base, watcher);
                drop(claim);
                started?;
            }
        }
        Runs::of(self.workspace).run(id)
    }

    pub(super) fn newest_or(&self, wanted: Option<DatasetId>) -> Result<Dataset> {
        match wanted {
            Some(id) => self.dataset(id),
            None => self.datasets()?.into_iter().next().ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "There is no frozen snapshot to train on.",
                    Remedy::FreezeSnapshot,
                )
            }),
        }
    }
}

/// Refuses a preset that learns from something else than a snapshot.
fn learns_from_a_snapshot(preset: Option<Preset>) -> Result<()> {
    let (message, advice) = match preset {
        Some(preset @ (Preset::Retrieval | Preset::Rerank)) => (
            format!(
                "The preset {} learns from labelled questions and not from a snapshot.",
                preset.tag()
            ),
            "Tune the search instead.",
        ),
        Some(Preset::Nmixx) => (
            "The preset nmixx learns from triplets and not from a snapshot.".to_owned(),
            "Tune on triplets instead.",
        ),
        Some(Preset::RulesAndPolicies) => (
            "The preset rules_and_policies learns from decided matches and not from a snapshot."
                .to_owned(),
            "Tune on matches instead.",
        ),
        Some(Preset::Gpl) => (
            "The preset gpl learns from questions without labels and not from a snapshot.".to_owned(),
            "Tune on a teacher's margins instead.",
        ),
        Some(preset) if preset.adapts() => (
            "The presets adapt and tsdae learn from the documents' sentences and not from a snapshot."
                .to_owned(),
            "Adapt to the documents instead.",
        ),
        _ => return Ok(()),
    };
    Err(Failure::invalid(message, advice))
}

/// What a run must not have learnt before: the questions that are held out.
fn held_out_of(items: &[FrozenItem]) -> HeldOut {
    let questions = items.iter().map(|item| &item.question);
    let held_out = questions.filter(|question| question.split != Split::Train);
    HeldOut::of(held_out.map(|question| {
        let draft = &question.draft;
        (draft.anchor_sentence.0, draft.question.as_str())
    }))
}

/// Why nothing can be learnt, if so. Otherwise the recipe keeps the stages that can be.
fn unlearnable(readable: &Readable, train: usize, recipe: &mut Recipe) -> Option<Failure> {
    if readable.items.is_empty() {
        return Some(readable.nothing_to_read());
    }
    if train < FEWEST_ITEMS {
        return Some(too_few(train));
    }
    recipe.keep_what_can_be_learnt();
    recipe.settings.stages.is_empty().then(|| too_few(0))
}

fn too_few(items: usize) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("The snapshot has {items} training questions for this model and recipe."),
        "Import more documents, then build graph, questions and snapshot again.",
    )
}

/// The job that trains a base by a recipe on the items of the usual two files, and on nothing else.
pub(crate) fn job_of(
    recipe: &Recipe,
    base: &BaseModel,
    model: &InspectResult,
    lineage: Lineage,
) -> TrainJob {
    TrainJob {
        model: BaseModel {
            sha256: model.sha256.clone(),
            ..base.clone()
        }
        .reference(),
        train: TRAIN_FILE.to_owned(),
        dev: DEV_FILE.to_owned(),
        passages: None,
        replay: None,
        meanings: None,
        adapter: None,
        settings: recipe.settings.clone(),
        checkpoint_every: recipe.checkpoint_every,
        evaluate_every: recipe.evaluate_every,
        lineage,
    }
}

/// The file of a bundle with the training items.
pub(crate) const TRAIN_FILE: &str = "inputs/train.jsonl";
/// The file of a bundle with the held-out items.
pub(crate) const DEV_FILE: &str = "inputs/dev.jsonl";
/// The file of a bundle with the passages that questions should find.
pub(crate) const PASSAGES_FILE: &str = "inputs/passages.jsonl";
/// The file of a bundle with the terms that acts define differently.
const MEANINGS_FILE: &str = "inputs/meanings.jsonl";
/// The file of a bundle with the general language that is learnt again.
const REPLAY_FILE: &str = "inputs/replay.jsonl";

/// The paragraphs of a text file; each line is one paragraph.
///
/// # Errors
/// When the file cannot be read, or has no text.
fn paragraphs(path: &str) -> Result<Vec<serde_json::Value>> {
    let unreadable = |why: &str| {
        Failure::new(
            Code::FileUnreadable,
            format!("The general language cannot be read: {why}."),
            "Name a text file in UTF-8 with a paragraph a line.",
        )
        .in_file(path)
    };
    let text = std::fs::read_to_string(path).map_err(|e| unreadable(&e.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<_> = lines
        .map(|line| serde_json::json!({ "text": line }))
        .collect();
    if lines.is_empty() {
        Err(unreadable("it has no text"))
    } else {
        Ok(lines)
    }
}

fn unix_millis() -> u128 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_millis())
}
