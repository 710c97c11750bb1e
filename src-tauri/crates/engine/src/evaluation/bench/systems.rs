//! Which systems there are.

use super::counted::Method;
use crate::evaluation::Evaluations;
use crate::models::{BaseModel, Models};
use crate::runs::{Runs, train_job};
use crate::workspace::Result;
use lexforge_domain::api::{BenchMissing, RunState};
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
        let mut systems: Vec<System> = Method::ALL.into_iter().map(System::Counted).collect();
        let mut missing = Vec::new();
        match Models::of(self.workspace).base_models() {
            Err(failure) => missing.push(BenchMissing {
                system: "base models".to_owned(),
                failure,
            }),
            Ok(rows) => {
                for row in rows {
                    match row.problem {
                        Some(failure) => missing.push(BenchMissing {
                            system: format!("base {}", row.name),
                            failure,
                        }),
                        None => systems.push(System::Model {
                            base: row.name,
                            prompt: Prompt::None,
                        }),
                    }
                }
            }
        }
        let mut runs: Vec<RunId> = Runs::of(self.workspace)
            .runs()?
            .into_iter()
            .filter(|run| run.state == RunState::Finished)
            .filter(|run| dataset.is_none_or(|dataset| run.dataset == Some(dataset.id)))
            .map(|run| run.id)
            .collect();
        runs.sort_unstable();
        systems.extend(runs.into_iter().map(System::Run));
        Ok((systems, missing))
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
