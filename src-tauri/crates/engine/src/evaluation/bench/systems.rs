//! Which systems there are.

use super::counted::Method;
use crate::evaluation::Evaluations;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::Result;
use lexforge_domain::api::{BaseRow, BenchMissing, RunState};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::{Code, Failure, RunId};
use std::path::PathBuf;

/// What a text is put into before a decoder makes its vector.
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

    /// What a decoder reads, of whose last token the vector is.
    pub(super) fn around(self, text: &str) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Eol => format!("This sentence : \"{text}\" means in one word:\""),
            Self::Echo => format!("Rewrite the sentence: {text}\nRewritten sentence: {text}"),
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
        /// What its texts are put into.
        prompt: Prompt,
    },
    /// A base model with what a run made of it.
    Run(RunId),
}

impl System {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Counted(method) => method.name().to_owned(),
            Self::Model { base, prompt } => format!("{} {base}", prompt.kind()),
            Self::Run(run) => format!("run {run}"),
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        if let Some(method) = Method::ALL.into_iter().find(|m| m.name() == name) {
            return Some(Self::Counted(method));
        }
        let (kind, rest) = name.split_once(' ')?;
        let rest = rest.trim();
        if kind == "run" {
            return Some(Self::Run(RunId(rest.parse().ok()?)));
        }
        let prompt = Prompt::ALL.into_iter().find(|p| p.kind() == kind)?;
        Some(Self::Model {
            base: rest.to_owned(),
            prompt,
        })
    }
}

/// The systems that are there.
pub(super) struct Found {
    /// What is measured where none is named.
    pub(super) systems: Vec<System>,
    /// Decoders under a prompt, which are measured where they are named.
    pub(super) prompted: Vec<System>,
    /// What is known to be unusable.
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

impl Evaluations<'_> {
    /// The systems of these names, or all: counted ones, base models on disk, and the finished runs on the snapshot (on any,
    /// where none is given). What is known to be unusable comes as missing.
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
                        "Systems are tfidf, lsa, bm25, \"base NAME\", \"eol NAME\", \"echo NAME\" and \"run NUMBER\".",
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

    /// Every system that is there.
    pub(super) fn all_systems(&self, dataset: Option<&Dataset>) -> Result<Found> {
        let mut found = Found {
            systems: Method::ALL.into_iter().map(System::Counted).collect(),
            prompted: Vec::new(),
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
        found.systems.extend(runs.into_iter().map(System::Run));
        Ok(found)
    }

    /// A base model by its name.
    pub(super) fn model(&self, name: &str) -> Result<BaseModel> {
        Models::of(self.workspace).base(Some(name))
    }

    /// The very model that a run was trained on, and the folder of its adapter.
    pub(super) fn tuned(&self, run: RunId) -> Result<(BaseModel, PathBuf)> {
        let runs = Runs::of(self.workspace);
        let row = runs.run(run)?;
        let job = train_job(&runs.bundle(run)?)?;
        let base = BaseModel {
            sha256: job.model.sha256,
            ..self.model(&row.base)?
        };
        Ok((base, runs.adapter_dir(run)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(name: &str, decoder: bool) -> BaseRow {
        BaseRow {
            name: name.to_owned(),
            path: None,
            shipped: true,
            architecture: "bert".to_owned(),
            decoder,
            parameters: 1,
            problem: None,
        }
    }

    #[test]
    fn a_decoder_can_be_asked_under_prompts_too() {
        let mut found = Found {
            systems: Vec::new(),
            prompted: Vec::new(),
            missing: Vec::new(),
        };
        found.take(base("minilm", false));
        found.take(base("qwen", true));
        let problem = Failure::new(Code::ModelMissing, "It is gone.", "Fetch it.");
        found.take(BaseRow {
            problem: Some(problem),
            ..base("gone", true)
        });
        let names = |systems: &[System]| systems.iter().map(System::name).collect::<Vec<_>>();
        assert_eq!(names(&found.systems), ["base minilm", "base qwen"]);
        assert_eq!(names(&found.prompted), ["eol qwen", "echo qwen"]);
        assert_eq!(found.missing[0].system, "base gone");
    }

    #[test]
    fn a_system_is_found_by_its_name() {
        for name in [
            "tfidf",
            "lsa",
            "bm25",
            "base all-MiniLM-L6-v2",
            "eol lexforge-demo",
            "echo lexforge-demo",
            "run 3",
        ] {
            let found = System::of_name(name).map(|system| system.name());
            assert_eq!(found.as_deref(), Some(name));
        }
        for name in ["", "base", "run three", "chorus lexforge-demo"] {
            assert_eq!(System::of_name(name), None, "{name}");
        }
    }
}
