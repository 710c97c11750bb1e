//! Training: a snapshot becomes a bundle, and a worker takes it.

use crate::bases::hindrances;
use crate::embed::{full_width_punctuation, suits_minilm};
use crate::models::{BaseModel, DEFAULT_ENCODER, Scratch, inspect};
use crate::recipe::{ItemCounts, Recipe};
use crate::watcher::tell;
use crate::{Engine, Result, Watcher};
use lexforge_compute::{Bundle, Claim, WorkerProgram, bundle, local};
use lexforge_domain::api::{RunPlan, RunRow, RunState, Stage, TrainRequest};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::{InspectResult, Job, Lineage, TrainItem, TrainJob};
use lexforge_domain::qca::{Qca, Split};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, Remedy, RunId, SentenceId};
use lexforge_store::{DatasetItem, RunUpdate};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// Questions of a language on which a tokenizer is tried.
const SAMPLE: usize = 100;
/// A graph of in-batch negatives needs two questions at least.
const FEWEST_ITEMS: usize = 2;

/// A snapshot's item as the freeze step wrote it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FrozenItem {
    pub(crate) question: Qca,
    pub(crate) cluster: i64,
    pub(crate) answer_group: i64,
}

/// A snapshot's items that a base model can read, and what is known of the model.
pub(crate) struct Readable {
    pub(crate) model: InspectResult,
    pub(crate) items: Vec<FrozenItem>,
    /// Text of each anchor.
    pub(crate) rules: HashMap<SentenceId, String>,
    /// Questions in languages that it cannot read.
    pub(crate) unread: BTreeMap<Language, usize>,
}

/// A run with everything decided.
pub(crate) struct Planned {
    pub(crate) base: BaseModel,
    pub(crate) dataset: Dataset,
    pub(crate) job: TrainJob,
    pub(crate) recipe: Recipe,
    model: InspectResult,
    train: Vec<TrainItem>,
    dev: Vec<TrainItem>,
    /// Paragraphs of general language.
    replay: Vec<serde_json::Value>,
    problems: Vec<Failure>,
}

impl Engine {
    /// Put a run in its bundle and start a worker on it. The worker outlives this process.
    ///
    /// # Errors
    /// When there is no snapshot, the model does not suit its language, the request makes no sense, or the worker or
    /// model is missing.
    pub fn train(&self, request: &TrainRequest, watcher: &dyn Watcher) -> Result<RunRow> {
        let planned = self.planned(request)?;
        self.start_planned(planned, watcher)
    }

    /// What a run would do and what it would need, without starting it. What stops it stands in `problems`.
    ///
    /// # Errors
    /// When there is no snapshot, the request makes no sense, or the worker or model is missing.
    pub fn plan_run(&self, request: &TrainRequest) -> Result<RunPlan> {
        let Planned { base, recipe, model, train, problems, .. } = self.planned(request)?;
        let model = if problems.is_empty() { inspect(&base, Some(&recipe.settings), &[])? } else { model };
        let mut warnings = recipe.warnings;
        warnings.extend(model.memory.as_ref().filter(|m| !m.fits).map(|m| {
            format!("The training needs about {:.0} MiB, which is more than is free on {}.", m.total_mb, m.device)
        }));
        Ok(RunPlan {
            base: model,
            preset: recipe.preset,
            settings: recipe.settings,
            items: train.len() as u64,
            stages: recipe.stages,
            warnings,
            problems,
        })
    }

    /// Decide everything about a run.
    pub(crate) fn planned(&self, request: &TrainRequest) -> Result<Planned> {
        let dataset = self.newest_or(request.dataset)?;
        let base = self.base(request.base.as_deref())?;
        let readable = self.readable(&dataset, &base)?;
        let model = readable.model.clone();
        let mut problems = hindrances(&model);
        let (train, dev) = (readable.train_items(Split::Train), readable.train_items(Split::Dev));
        let mut recipe = Recipe::of(request, &model, ItemCounts::of(&train))?;
        if readable.items.is_empty() {
            problems.push(readable.nothing_to_read());
        } else if train.len() < FEWEST_ITEMS {
            problems.push(too_few(train.len()));
        } else {
            recipe.keep_what_can_be_learnt();
            if recipe.settings.stages.is_empty() {
                problems.push(too_few(0));
            }
        }
        if !readable.items.is_empty() {
            let unread = readable.unread.iter();
            recipe.warnings.extend(unread.map(|(language, n)| {
                format!(
                    "{n} questions in the language {} are left out: {} does not read it.",
                    language.tag(),
                    model.name
                )
            }));
        }
        let graph = self.store.read(|r| r.latest_graph())?;
        let job = TrainJob {
            model: BaseModel { sha256: model.sha256.clone(), ..base.clone() }.reference(),
            train: "inputs/train.jsonl".to_owned(),
            dev: "inputs/dev.jsonl".to_owned(),
            replay: request.replay.as_ref().map(|_| REPLAY_FILE.to_owned()),
            adapter: None,
            settings: recipe.settings.clone(),
            checkpoint_every: recipe.checkpoint_every,
            evaluate_every: recipe.evaluate_every,
            lineage: Lineage {
                dataset: dataset.hash.clone(),
                corpus: dataset.corpus_hash.clone(),
                graph_date: graph.map(|g| g.created).unwrap_or_default(),
                policy: dataset.policy.label().to_owned(),
            },
        };
        let replay = request.replay.as_deref().map(paragraphs).transpose()?.unwrap_or_default();
        Ok(Planned { base, dataset, job, recipe, model, train, dev, replay, problems })
    }

    /// The newest run that was decided just so: the same snapshot, base and settings.
    pub(crate) fn same_run(&self, planned: &Planned) -> Result<Option<RunRow>> {
        for row in self.runs()?.into_iter().filter(|r| r.dataset == planned.dataset.id) {
            let spec = self.store.read(|r| r.run(row.id))?.spec;
            // A run of another version has settings that cannot be read, and is another run.
            let same = serde_json::from_str::<TrainJob>(&spec).is_ok_and(|job| {
                let lineage = Lineage { graph_date: planned.job.lineage.graph_date.clone(), ..job.lineage.clone() };
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
        let program = WorkerProgram::locate()?;
        let Planned { base, dataset, job, recipe, train, dev, replay, problems, .. } = planned;
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        let label = recipe.label();
        let name = format!("run-{}-{}", dataset.id, unix_millis());
        let bundles = self.bundles_dir()?;
        let spec = serde_json::json!(job).to_string();
        // Made aside: whoever is ended before the run is on record leaves what is found and removed, and no half bundle.
        let scratch = Scratch::new(&bundles, "run")?;
        let bundle = bundle::create(scratch.path(), &Job::Train(job))?;
        bundle.write_jsonl("inputs/train.jsonl", &train)?;
        bundle.write_jsonl("inputs/dev.jsonl", &dev)?;
        if !replay.is_empty() {
            bundle.write_jsonl(REPLAY_FILE, &replay)?;
        }
        self.remember(&base)?;
        // Claimed before anybody can see it: a run without a worker whose starter is gone did not start.
        let claim = bundle.claim()?;
        scratch.keep_as(&bundles.join(&name))?;
        let bundle = Bundle::open(&bundles.join(&name))?;
        let id = self
            .store
            .write(&self.actor, |w| w.insert_run(&label, &base.name, dataset.id, &format!("bundles/{name}"), &spec))?;
        tell(watcher, Stage::Train, label, 0, 0);
        self.start(&program, &bundle, id, &base, claim)?;
        self.run(id)
    }

    /// Start a worker on a bundle, or record why none could be started.
    pub(crate) fn start(
        &self,
        program: &WorkerProgram,
        bundle: &Bundle,
        id: RunId,
        base: &BaseModel,
        claim: Claim,
    ) -> Result<()> {
        match local::start(program, bundle, &base.folders, claim) {
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
                Failure::new(Code::StepMissing, "There is no frozen snapshot to train on.", Remedy::FreezeSnapshot)
            }),
        }
    }

    /// The items of a snapshot that a base model can read: of the default encoder those in English, which it was
    /// trained on; of any other model those in the languages that its vocabulary has.
    ///
    /// # Errors
    /// When worker or model is missing.
    pub(crate) fn readable(&self, dataset: &Dataset, base: &BaseModel) -> Result<Readable> {
        let (rows, documents) = self.store.read(|r| Ok((r.dataset_items(dataset.id, None)?, r.documents()?)))?;
        let languages: HashMap<_, _> = documents.into_iter().map(|d| (d.id, d.language)).collect();
        let items = rows.iter().map(frozen).collect::<Result<Vec<_>>>()?;
        let anchors: Vec<SentenceId> = items.iter().map(|i| i.question.draft.anchor_sentence).collect();
        let sentences = self.store.read(|r| r.sentences_by_ids(&anchors))?;
        let mut rules = HashMap::new();
        let mut language_of: HashMap<SentenceId, Language> = HashMap::new();
        for sentence in sentences {
            let language = languages.get(&sentence.document).copied().unwrap_or(Language::Other);
            language_of.insert(sentence.id, language);
            // As the questions were written from it.
            let chinese = language == Language::Zh;
            rules.insert(sentence.id, if chinese { full_width_punctuation(&sentence.text) } else { sentence.text });
        }
        let language =
            |i: &FrozenItem| language_of.get(&i.question.draft.anchor_sentence).copied().unwrap_or(Language::Other);
        let mut by_language: BTreeMap<Language, Vec<&FrozenItem>> = BTreeMap::new();
        items.iter().for_each(|i| by_language.entry(language(i)).or_default().push(i));
        let sample: Vec<(Language, &str)> = by_language
            .iter()
            .flat_map(|(language, items)| items.iter().take(SAMPLE).map(|i| (*language, i)))
            .map(|(language, i)| (language, i.question.draft.question.as_str()))
            .collect();
        let model = inspect(base, None, &sample)?;
        let reads = |language: Language| {
            if base.name == DEFAULT_ENCODER {
                return suits_minilm(language);
            }
            model.vocabulary_use.iter().any(|u| u.language == language && u.has_the_language())
        };
        let unread: BTreeMap<Language, usize> =
            by_language.iter().filter(|(l, _)| !reads(**l)).map(|(l, items)| (*l, items.len())).collect();
        let items: Vec<FrozenItem> = items.iter().filter(|i| reads(language(i))).cloned().collect();
        Ok(Readable { model, items, rules, unread })
    }
}

impl Readable {
    /// Why there is nothing that the model can read.
    pub(crate) fn nothing_to_read(&self) -> Failure {
        let name = &self.model.name;
        if name == DEFAULT_ENCODER {
            return Failure::new(
                Code::LanguageUnsupported,
                format!("{DEFAULT_ENCODER} reads English only, and the snapshot has no English question."),
                "Graph and questions are there. To tune on this corpus, use a model that reads its language.",
            );
        }
        let languages: Vec<&str> = self.unread.keys().map(|l| l.tag()).collect();
        Failure::new(
            Code::LanguageUnsupported,
            format!(
                "The vocabulary of {name} has no tokens for the language of the snapshot's questions ({}).",
                languages.join(", ")
            ),
            Remedy::ChooseModelOfLanguage,
        )
    }

    fn train_items(&self, split: Split) -> Vec<TrainItem> {
        self.items.iter().filter(|i| i.question.split == split).map(|i| self.train_item(i)).collect()
    }

    fn train_item(&self, item: &FrozenItem) -> TrainItem {
        let draft = &item.question.draft;
        let (answer, negatives): (Vec<_>, Vec<_>) =
            draft.choices.iter().cloned().enumerate().partition(|(at, _)| *at == draft.answer);
        TrainItem {
            id: item.question.id.0,
            anchor: draft.anchor_sentence.0,
            question: draft.question.clone(),
            answer: answer.into_iter().map(|(_, text)| text).next().unwrap_or_default(),
            negatives: negatives.into_iter().map(|(_, text)| text).collect(),
            answer_group: item.answer_group,
            level: draft.level,
            rephrased: draft.rephrased.clone(),
            rule: self.rules.get(&draft.anchor_sentence).cloned().unwrap_or_default(),
        }
    }
}

fn too_few(items: usize) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("The snapshot has {items} training questions for this model and recipe."),
        "Import more documents, then build graph, questions and snapshot again.",
    )
}

/// Read an item back from its snapshot.
pub(crate) fn frozen(item: &DatasetItem) -> Result<FrozenItem> {
    serde_json::from_str(&item.json).map_err(|e| {
        Failure::new(
            Code::WorkspaceInvalid,
            format!("An item of the snapshot cannot be read: {e}."),
            Remedy::VerifyAndFreezeAgain,
        )
    })
}

/// Where a bundle holds the general language that is learnt again.
const REPLAY_FILE: &str = "inputs/replay.jsonl";

/// The paragraphs of a text file, one a line.
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
    let lines: Vec<_> = lines.map(|line| serde_json::json!({ "text": line })).collect();
    if lines.is_empty() { Err(unreadable("it has no text")) } else { Ok(lines) }
}

fn unix_millis() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis())
}
