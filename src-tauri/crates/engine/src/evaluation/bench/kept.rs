//! The view of the bench before anything is measured: the available systems, and the last tables.

use super::order::BenchOrder;
use super::systems::System;
use super::{BenchRequest, general};
use crate::asking::AskRequest;
use crate::evaluation::{BertScore, Evaluations, scored_pairs_of};
use crate::runs::Runs;
use crate::training::Training;
use crate::workspace::{Result, Watcher, now};
use lexforge_domain::api::{
    BenchAsked, BenchChoice, BenchChoices, BenchMissing, BenchOn, BenchOutcome, BenchPlan,
    BenchSnapshot, BenchTable, GeneralPairs, KeptBench, KeptOutcome, RunState, ScoredPair,
};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::{Code, Failure};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Setting under which the last table on test questions is kept.
const LAST: &str = "bench.last";
/// Setting under which the pairs of general language of that table are kept.
const GENERAL: &str = "bench.general";

/// Pairs of general language with the name of their file.
#[derive(Serialize, Deserialize)]
struct NamedPairs {
    file: String,
    pairs: Vec<ScoredPair>,
}

impl Evaluations<'_> {
    /// The systems that can be measured on the newest snapshot and on exams. The list is empty where there is neither.
    pub fn bench_choices(&self) -> Result<BenchChoices> {
        let all = Training::of(self.workspace).datasets()?;
        let dataset = all.into_iter().max_by_key(|dataset| dataset.id);
        let exams = self.exams()?;
        if dataset.is_none() && exams.is_empty() {
            return Ok(BenchChoices::default());
        }
        let found = self.all_systems(dataset.as_ref())?;
        let mut systems = choices(&found.systems, true);
        systems.extend(choices(&found.prompted, false));
        systems.extend(choices(&found.together, false));
        let mut missing = found.missing;
        let (trained, elsewhere) = self.of_runs(dataset.as_ref(), &mut missing)?;
        systems.extend(choices(&trained, false));
        systems.extend(elsewhere.iter().map(|system| BenchChoice {
            exams_only: true,
            ..choice(system, false)
        }));
        systems.extend(choices(&found.endpoints, false));
        Ok(BenchChoices {
            snapshot: dataset.as_ref().map(snapshot),
            systems,
            missing,
            exams,
        })
    }

    /// The checkpoints of all runs on this snapshot (without one, of all runs), and the finished runs on others.
    fn of_runs(
        &self,
        dataset: Option<&Dataset>,
        missing: &mut Vec<BenchMissing>,
    ) -> Result<(Vec<System>, Vec<System>)> {
        let runs = Runs::of(self.workspace);
        let (mut checkpoints, mut elsewhere) = (Vec::new(), Vec::new());
        let mut all = runs.runs()?;
        all.sort_unstable_by_key(|run| run.id);
        for run in all {
            if dataset.is_some_and(|dataset| run.dataset != Some(dataset.id)) {
                if run.state == RunState::Finished {
                    elsewhere.push(System::Run(run.id));
                }
                continue;
            }
            match runs.checkpoints(run.id) {
                Ok(names) => {
                    let of = |name| System::Checkpoint(run.id, name);
                    checkpoints.extend(names.into_iter().map(of));
                }
                Err(failure) => missing.push(BenchMissing {
                    system: System::Run(run.id).name(),
                    failure,
                }),
            }
        }
        Ok((checkpoints, elsewhere))
    }

    /// Measures what a person asked for in the window, and keeps the table as the last one of its kind.
    ///
    /// # Errors
    /// The errors of the bench. Also when the workspace cannot be written.
    pub fn bench_asked(&self, asked: &BenchAsked, watcher: &dyn Watcher) -> Result<BenchOutcome> {
        let (order, general) = self.order_of(asked)?;
        let outcome = self.bench_ordered(&order, watcher)?;
        match &outcome {
            BenchOutcome::Questions(table) => {
                let table = BenchTable::clone(table);
                self.keep_table(table, &order.request, general)?;
            }
            _ => self.keep_outcome(&order.on, outcome.clone())?,
        }
        Ok(outcome)
    }

    /// The prompts that would be sent to the endpoints among the systems: one plan for each endpoint. This function
    /// itself sends nothing.
    ///
    /// # Errors
    /// When parts of the order cannot be combined, there is no such snapshot or exam, or a name belongs to no system.
    pub fn plan_bench_asked(&self, asked: &BenchAsked) -> Result<Vec<AskPlan>> {
        self.plan_ordered(&self.order_of(asked)?.0)
    }

    /// What is still to be scored of what a person asked for in the window, and about how long that takes.
    ///
    /// # Errors
    /// As [`plan_bench`](Self::plan_bench).
    pub fn plan_asked(&self, asked: &BenchAsked) -> Result<BenchPlan> {
        self.plan_bench(&self.order_of(asked)?.0)
    }

    /// The order of a person, and the name of the file of general language.
    fn order_of(&self, asked: &BenchAsked) -> Result<(BenchOrder, Option<String>)> {
        let general = asked
            .general
            .as_ref()
            .map(|general| self.named_pairs(general))
            .transpose()?;
        let (file, pairs) = general.map(|g| (g.file, g.pairs)).unzip();
        let request = BenchRequest {
            dataset: None,
            systems: asked.systems.clone(),
            by_recipe: asked.by_recipe,
            baseline: asked.baseline.clone(),
            general: pairs.unwrap_or_default(),
            bertscore: asked.encoder.clone().map(|encoder| BertScore {
                encoder,
                ..BertScore::default()
            }),
            judge_known: asked.judging.as_ref().is_some_and(|judge| !judge.asks),
            judge: asked.judging.clone().map(|judge| AskRequest {
                endpoint: judge.endpoint,
                consent: judge.consent,
                ..AskRequest::default()
            }),
            agreed: asked.agreed.clone(),
        };
        // What was measured is kept under the names that the table has.
        let request = match asked.on {
            BenchOn::Questions => self.put_together(&request)?,
            _ => request,
        };
        let order = BenchOrder {
            on: asked.on.clone(),
            sample: asked.sample,
            request,
        };
        Ok((order, file))
    }

    /// Pairs of a file, or those of the last table.
    fn named_pairs(&self, from: &GeneralPairs) -> Result<NamedPairs> {
        match from {
            GeneralPairs::File { path } => {
                let path = Path::new(path);
                let pairs = scored_pairs_of(path)?;
                general::check(&pairs)?;
                let name = path.file_name().unwrap_or(path.as_os_str());
                Ok(NamedPairs {
                    file: name.to_string_lossy().into_owned(),
                    pairs,
                })
            }
            GeneralPairs::Kept => {
                let text = self.workspace.setting(GENERAL)?;
                let kept = text.and_then(|text| serde_json::from_str(&text).ok());
                kept.ok_or_else(|| {
                    Failure::new(
                        Code::NotFound,
                        "The pairs of general language of the last table are not in the workspace any more.",
                        "Choose their file again.",
                    )
                })
            }
        }
    }

    fn keep_table(
        &self,
        table: BenchTable,
        request: &BenchRequest,
        general: Option<String>,
    ) -> Result<KeptBench> {
        if let Some(file) = &general {
            let pairs = NamedPairs {
                file: file.clone(),
                pairs: request.general.clone(),
            };
            let text = serde_json::json!(pairs).to_string();
            self.workspace.set_setting(GENERAL, &text)?;
        }
        let kept = KeptBench {
            made: now(),
            asked: request.systems.clone(),
            encoder: request.bertscore.as_ref().map(|by| by.encoder.clone()),
            judge: request.judge.as_ref().map(|judge| judge.endpoint.clone()),
            general,
            table,
        };
        let text = serde_json::json!(kept).to_string();
        self.workspace.set_setting(LAST, &text)?;
        Ok(kept)
    }

    fn keep_outcome(&self, on: &BenchOn, outcome: BenchOutcome) -> Result<()> {
        let kept = KeptOutcome {
            made: now(),
            outcome,
        };
        let text = serde_json::json!(kept).to_string();
        self.workspace.set_setting(&place_of(on), &text)
    }

    /// The table on test questions that was stored last. `None` if no table was stored, or if another version of the
    /// program wrote it in another form.
    pub fn last_bench(&self) -> Result<Option<KeptBench>> {
        let text = self.workspace.setting(LAST)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The table on something else that was stored last, as [`last_bench`](Self::last_bench).
    pub fn last_bench_on(&self, on: &BenchOn) -> Result<Option<KeptOutcome>> {
        let text = self.workspace.setting(&place_of(on))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

/// The setting under which the last table on this is kept.
fn place_of(on: &BenchOn) -> String {
    match on {
        BenchOn::Questions => LAST.to_owned(),
        BenchOn::Attack => "bench.attack".to_owned(),
        BenchOn::Terms { set: None } => "bench.terms".to_owned(),
        BenchOn::Terms { set: Some(name) } => format!("bench.terms.{name}"),
        BenchOn::Exam { name } => format!("bench.exam.{name}"),
    }
}

/// The settings under which tables on an exam or a set of terms of this name are kept.
pub(in crate::evaluation) fn places_of_exam(name: &str) -> [String; 2] {
    let set = Some(name.to_owned());
    let name = name.to_owned();
    [
        place_of(&BenchOn::Exam { name }),
        place_of(&BenchOn::Terms { set }),
    ]
}

fn choice(system: &System, usual: bool) -> BenchChoice {
    BenchChoice {
        system: system.name(),
        usual,
        exams_only: false,
    }
}

fn choices(systems: &[System], usual: bool) -> Vec<BenchChoice> {
    systems.iter().map(|system| choice(system, usual)).collect()
}

fn snapshot(dataset: &Dataset) -> BenchSnapshot {
    BenchSnapshot {
        id: dataset.id,
        hash: dataset.hash.clone(),
        questions: u64::from(dataset.test.sentence) + u64::from(dataset.test.token),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
