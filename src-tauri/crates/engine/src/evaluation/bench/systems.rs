//! The systems of the bench.

use super::counted::Method;
use crate::evaluation::Evaluations;
use crate::models::{BaseModel, Models, read_twice};
use crate::runs::{Runs, train_job};
use crate::workspace::Result;
use lexforge_domain::api::{BaseRow, BenchMissing, RunState};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::{Code, Failure, RunId};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// The system that the others are compared with: the one that the user named, otherwise the first base model without
/// tuning, otherwise the first system.
pub(super) fn baseline_of<A>(named: Option<&str>, measured: &[(String, A)]) -> Option<String> {
    let first_base = || measured.iter().find(|(name, _)| name.starts_with("base "));
    named.map(str::to_owned).or_else(|| {
        first_base()
            .or(measured.first())
            .map(|(name, _)| name.clone())
    })
}

/// The text around a sentence when a decoder makes its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    /// Nothing.
    None,
    /// PromptEOL (Jiang et al., 2023): what it means in one word.
    Eol,
    /// Echo (Springer et al., 2024): said twice, so that the second time each word has seen the whole.
    Echo,
}

impl Prompt {
    pub(super) const ALL: [Self; 3] = [Self::None, Self::Eol, Self::Echo];

    /// What systems with it are called before the model's name.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::None => "base",
            Self::Eol => "eol",
            Self::Echo => "echo",
        }
    }

    /// The text that a decoder reads so that the vector of its last token stands for the text.
    pub(super) fn around(self, text: &str) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Eol => format!("This sentence : \"{text}\" means in one word:\""),
            Self::Echo => read_twice(text),
        }
    }
}

/// A system of the bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum System {
    /// It counts words.
    Counted(Method),
    /// An untouched base model.
    Model {
        /// Its name.
        base: String,
        /// The text around its sentences.
        prompt: Prompt,
    },
    /// A base model with the adapter of a run.
    Run(RunId),
    /// Runs of one recipe with other seeds, as one system.
    Runs(Vec<RunId>),
    /// A base model with the weights of a run at a checkpoint. The name is that of the checkpoint.
    Checkpoint(RunId, String),
    /// A model behind an endpoint, by the endpoint's name.
    Endpoint(String),
}

/// The beginning of the names of endpoints as systems.
pub(super) const ENDPOINT: &str = "endpoint ";

impl System {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Counted(method) => method.name().to_owned(),
            Self::Model { base, prompt } => format!("{} {base}", prompt.kind()),
            Self::Run(run) => format!("run {run}"),
            Self::Runs(runs) => {
                let numbers: Vec<String> = runs.iter().map(RunId::to_string).collect();
                format!("runs {}", numbers.join("+"))
            }
            Self::Checkpoint(run, name) => format!("checkpoint {run}/{name}"),
            Self::Endpoint(name) => format!("{ENDPOINT}{name}"),
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        if let Some(method) = Method::ALL.into_iter().find(|m| m.name() == name) {
            return Some(Self::Counted(method));
        }
        if let Some(name) = name.strip_prefix(ENDPOINT) {
            let name = name.trim();
            return (!name.is_empty()).then(|| Self::Endpoint(name.to_owned()));
        }
        let (kind, rest) = name.split_once(' ')?;
        let rest = rest.trim();
        if kind == "run" {
            return Some(Self::Run(RunId(rest.parse().ok()?)));
        }
        if kind == "checkpoint" {
            let (run, name) = rest.split_once('/')?;
            let run = RunId(run.parse().ok()?);
            return (!name.is_empty()).then(|| Self::Checkpoint(run, name.to_owned()));
        }
        if kind == "runs" {
            let numbers = rest.split('+').map(|n| n.trim().parse().map(RunId));
            let mut runs: Vec<RunId> = numbers.collect::<std::result::Result<_, _>>().ok()?;
            runs.sort_unstable();
            runs.dedup();
            return (runs.len() > 1).then_some(Self::Runs(runs));
        }
        let prompt = Prompt::ALL.into_iter().find(|p| p.kind() == kind)?;
        Some(Self::Model {
            base: rest.to_owned(),
            prompt,
        })
    }
}

/// Whether an endpoint is among these names.
pub(super) fn asks(names: &[String]) -> bool {
    names.iter().any(|name| name.trim().starts_with(ENDPOINT))
}

/// The systems that are there.
pub(super) struct Found {
    /// The systems that are measured if none is named.
    pub(super) systems: Vec<System>,
    /// Decoders under a prompt, which are measured where they are named.
    pub(super) prompted: Vec<System>,
    /// Runs of one recipe with different seeds. On request they are shown as one system.
    pub(super) together: Vec<System>,
    /// Endpoints. They are asked only if they are named, because a person must agree to it.
    pub(super) endpoints: Vec<System>,
    /// The systems that are known to be unusable.
    pub(super) missing: Vec<BenchMissing>,
}

impl Found {
    /// A base model that is on disk.
    fn take(&mut self, row: BaseRow) {
        if let Some(failure) = row.problem {
            return self.missing.push(BenchMissing {
                system: format!("base {}", row.name),
                failure,
            });
        }
        let of = |prompt| System::Model {
            base: row.name.clone(),
            prompt,
        };
        self.systems.push(of(Prompt::None));
        if row.decoder {
            let prompts = Prompt::ALL.into_iter().filter(|p| *p != Prompt::None);
            self.prompted.extend(prompts.map(of));
        }
    }
}

/// A system of several runs without a run.
pub(super) fn several_wanted() -> Failure {
    Failure::new(
        Code::InvalidRequest,
        "No run is named.",
        "Name two runs of one recipe or more.",
    )
}

/// Refuses several runs as one system, where each system is compared with itself or answers questions of its own.
pub(super) fn each_alone(systems: &[System]) -> Result<()> {
    match systems
        .iter()
        .find(|system| matches!(system, System::Runs(_)))
    {
        Some(system) => Err(Failure::new(
            Code::InvalidRequest,
            format!(
                "{} stand together, which they can on a snapshot's test questions alone.",
                system.name()
            ),
            "Name each run by itself.",
        )),
        None => Ok(()),
    }
}

/// These systems, with the groups in place of the runs that they hold.
fn with_groups(mut systems: Vec<System>, groups: Vec<System>) -> Vec<System> {
    let in_group = |run: &RunId| {
        groups
            .iter()
            .any(|group| matches!(group, System::Runs(runs) if runs.contains(run)))
    };
    systems.retain(|system| !matches!(system, System::Run(run) if in_group(run)));
    for group in groups {
        if !systems.contains(&group) {
            systems.push(group);
        }
    }
    systems
}

impl Evaluations<'_> {
    /// The systems with these names, or all systems if no name is given. Systems are: methods that count words, base
    /// models on disk, and finished runs on the snapshot (on any snapshot, if none is given). A system that is known to
    /// be unusable is listed as missing.
    pub(super) fn systems(
        &self,
        dataset: Option<&Dataset>,
        names: &[String],
    ) -> Result<(Vec<System>, Vec<BenchMissing>)> {
        if !names.is_empty() {
            let mut systems: Vec<System> = Vec::new();
            for name in names {
                let system = System::of_name(name.trim()).ok_or_else(|| {
                    Failure::new(
                        Code::InvalidRequest,
                        format!("{name} names no system."),
                        "Systems are tfidf, lsa, bm25, \"base NAME\", \"eol NAME\", \"echo NAME\", \"run NUMBER\", \"checkpoint NUMBER/NAME\", for runs of one recipe \"runs NUMBER+NUMBER\", and \"endpoint NAME\".",
                    )
                })?;
                if !systems.contains(&system) {
                    systems.push(system);
                }
            }
            return Ok((systems, Vec::new()));
        }
        let found = self.all_systems(dataset)?;
        Ok((found.systems, found.missing))
    }

    /// Every system that is there, with the runs of one recipe as one.
    pub(super) fn systems_by_recipe(
        &self,
        dataset: &Dataset,
    ) -> Result<(Vec<System>, Vec<BenchMissing>)> {
        let found = self.all_systems(Some(dataset))?;
        Ok((with_groups(found.systems, found.together), found.missing))
    }

    /// These systems, with the runs of one recipe among them as one.
    pub(super) fn together(&self, systems: Vec<System>) -> Vec<System> {
        let run = |system: &System| match system {
            System::Run(run) => Some(*run),
            _ => None,
        };
        let mut runs: Vec<RunId> = systems.iter().filter_map(run).collect();
        runs.sort_unstable();
        let groups = self.by_recipe(&runs);
        with_groups(systems, groups)
    }

    /// Every system that is there.
    pub(super) fn all_systems(&self, dataset: Option<&Dataset>) -> Result<Found> {
        let mut found = Found {
            systems: Method::ALL.into_iter().map(System::Counted).collect(),
            prompted: Vec::new(),
            together: Vec::new(),
            endpoints: Vec::new(),
            missing: Vec::new(),
        };
        match Models::of(self.workspace).base_models() {
            Err(failure) => found.missing.push(BenchMissing {
                system: "base models".to_owned(),
                failure,
            }),
            Ok(rows) => rows.into_iter().for_each(|row| found.take(row)),
        }
        let mut runs: Vec<RunId> = Runs::of(self.workspace)
            .runs()?
            .into_iter()
            .filter(|run| run.state == RunState::Finished)
            .filter(|run| dataset.is_none_or(|dataset| run.dataset == Some(dataset.id)))
            .map(|run| run.id)
            .collect();
        runs.sort_unstable();
        found.together = self.by_recipe(&runs);
        let endpoints = self.workspace.store.read(|r| r.endpoints())?;
        let names = endpoints.into_iter().map(|endpoint| endpoint.name);
        found.endpoints = names.map(System::Endpoint).collect();
        found.systems.extend(runs.into_iter().map(System::Run));
        Ok(found)
    }

    /// Groups the runs of one recipe that differ only in their seed; each group has two or more. Of several runs with
    /// the same recipe and seed only the first is taken. A run whose bundle cannot be read is in no group.
    fn by_recipe(&self, runs: &[RunId]) -> Vec<System> {
        let mut recipes: BTreeMap<String, BTreeMap<u64, RunId>> = BTreeMap::new();
        for run in runs {
            if let Ok((recipe, seed)) = self.recipe_of(*run) {
                recipes
                    .entry(recipe)
                    .or_default()
                    .entry(seed)
                    .or_insert(*run);
            }
        }
        let mut groups: Vec<Vec<RunId>> = recipes
            .into_values()
            .filter(|seeds| seeds.len() > 1)
            .map(|seeds| {
                let mut runs: Vec<RunId> = seeds.into_values().collect();
                runs.sort_unstable();
                runs
            })
            .collect();
        groups.sort_unstable();
        groups.into_iter().map(System::Runs).collect()
    }

    /// The recipe of a run's training without its seed, and the seed.
    pub(in crate::evaluation) fn recipe_of(&self, run: RunId) -> Result<(String, u64)> {
        let runs = Runs::of(self.workspace);
        let bundle = runs.bundle(run)?;
        let mut job = train_job(&bundle)?;
        let seed = std::mem::take(&mut job.settings.seed);
        // Threads change sums in their last digits and nothing else.
        job.settings.threads = 0;
        let file = bundle.open_file(&job.train)?;
        let items = BufReader::new(file).lines().count();
        let recipe = serde_json::json!([job.model, job.settings, job.adapter, job.replay, items,]);
        Ok((recipe.to_string(), seed))
    }

    /// Checks that all `runs` are runs of one recipe.
    ///
    /// # Errors
    /// When two of them differ in more than their seed.
    pub(super) fn one_recipe(&self, runs: &[RunId]) -> Result<()> {
        let mut first: Option<(RunId, String)> = None;
        for run in runs {
            let (recipe, _) = self.recipe_of(*run)?;
            match &first {
                None => first = Some((*run, recipe)),
                Some((one, of_first)) if *of_first != recipe => {
                    return Err(Failure::new(
                        Code::InvalidRequest,
                        format!(
                            "Run {run} was not trained as run {one} was: they differ in more than their seed."
                        ),
                        "Name runs of one recipe, or put each on the bench by itself.",
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    pub(super) fn model(&self, name: &str) -> Result<BaseModel> {
        Models::of(self.workspace).base(Some(name))
    }

    /// The very model that a run was trained on, and the folder of its adapter.
    pub(super) fn tuned(&self, run: RunId) -> Result<(BaseModel, PathBuf)> {
        Ok((
            self.trained_on(run)?,
            Runs::of(self.workspace).adapter_dir(run)?,
        ))
    }

    /// The model that a run was trained on, and the folder of the run's adapter at a checkpoint.
    pub(super) fn tuned_until(&self, run: RunId, checkpoint: &str) -> Result<(BaseModel, PathBuf)> {
        let base = self.trained_on(run)?;
        let adapter = Runs::of(self.workspace).checkpoint_dir(run, checkpoint)?;
        Ok((base, adapter))
    }

    fn trained_on(&self, run: RunId) -> Result<BaseModel> {
        let runs = Runs::of(self.workspace);
        let row = runs.run(run)?;
        let job = train_job(&runs.bundle(run)?)?;
        Ok(BaseModel {
            sha256: job.model.sha256,
            ..self.model(&row.base)?
        })
    }
}

#[cfg(test)]
mod tests;
