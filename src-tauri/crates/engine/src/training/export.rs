//! Exports: a finished run becomes a folder that other programs can load. It is checked that the exported model answers
//! as the run does.
//!
//! The worker writes next to the requested place, on the same disk. The result gets its name only when it is complete
//! and was compared. The workspace records each export of a run with its hashes and figures.

use super::Training;
use crate::models::{
    ADAPTER_DIR, BaseModel, GivesWay, Models, OUTPUT, copy_adapter, put_in_place,
    refuse_what_stands, run_job, wrong_result,
};
use crate::runs::{Runs, train_job};
use crate::workspace::{Result, Scratch, Watcher, clear, io_failure, make_dir, now, stem, tell};
use lexforge_domain::api::{ExportRequest, ExportRow, RunRow, RunState, Stage};
use lexforge_domain::protocol::{
    Event, ExportFormat, ExportJob, ExportType, Job, JobEvent, JobResult, PARITY_PROMPTS,
    ScoreItem, Tune, USUAL_SHARD,
};
use lexforge_domain::qca::Split;
use lexforge_domain::{Code, Failure, Remedy, RunId};
use std::path::{Path, PathBuf};

/// The prompts in the bundle.
const PROMPTS: &str = "inputs/prompts.jsonl";

impl Training<'_> {
    /// Exports a finished run: merged weights, a GGUF file or the adapter. The audit chain records the export with the
    /// hashes of its files.
    ///
    /// # Errors
    /// When the run has not finished, something exists at the target, the model cannot be written in that form, or the
    /// disk is full. [`Code::ExportDiffers`] when the written files do not answer as the run does. In each case nothing
    /// is left behind.
    pub fn export_run(&self, request: &ExportRequest, watcher: &dyn Watcher) -> Result<ExportRow> {
        let row = self.exported_run(request.run)?;
        let dtype = request
            .dtype
            .or(request.format.types().first().copied())
            .unwrap_or(ExportType::F32);
        check_type(request.format, request.dtype)?;
        let job = train_job(&Runs::of(self.workspace).bundle(row.id)?)?;
        check_form(request.format, job.settings.tune)?;
        let adapter = Runs::of(self.workspace).adapter_dir(row.id)?;
        // The very model that was trained on.
        let base = BaseModel {
            sha256: job.model.sha256.clone(),
            ..Models::of(self.workspace).base(Some(&row.base))?
        };
        let target = self.export_folder(request, row.id, dtype)?;
        let gives_way = match request.replace {
            true => GivesWay::Export,
            false => GivesWay::Unasked,
        };
        refuse_what_stands(&target, gives_way)?;
        tell(watcher, Stage::Export, &row.base, 0, 0);
        let prompts = match request.format {
            ExportFormat::Peft => Vec::new(),
            _ => self.export_prompts(&row, &base)?,
        };
        let parent = target.parent().unwrap_or(Path::new(".")).to_path_buf();
        make_dir(&parent)?;
        let left = clear(&parent);
        let scratch = Scratch::new(&parent, "export")?;
        copy_adapter(&adapter, &scratch.path().join(ADAPTER_DIR))?;
        let job = Job::Export(ExportJob {
            model: base.reference(),
            adapter: ADAPTER_DIR.to_owned(),
            format: request.format,
            dtype,
            shard_bytes: request.shard_bytes.unwrap_or(USUAL_SHARD).max(1),
            prompts: (!prompts.is_empty()).then(|| PROMPTS.to_owned()),
            name: format!(
                "{}-{}-run-{}",
                row.base,
                stem(self.workspace.path()),
                row.id
            ),
            output: OUTPUT.to_owned(),
            threads: 0,
        });
        let mut on_event = |event: &JobEvent| {
            if let Event::Progress {
                stage, step, of, ..
            } = &event.event
            {
                tell(
                    watcher,
                    Stage::Export,
                    format!("{} {stage}", row.base),
                    *step,
                    *of,
                );
            }
        };
        let inputs = [(PROMPTS, prompts)];
        let inputs = if inputs[0].1.is_empty() {
            &[][..]
        } else {
            &inputs[..]
        };
        let result = run_job(
            &scratch,
            &job,
            inputs,
            &base.folders,
            &mut on_event,
            &|| watcher.cancelled(),
        )?;
        let JobResult::Export(mut result) = result else {
            return Err(wrong_result());
        };
        put_in_place(&scratch, &target, gives_way)?;
        result.output = target.display().to_string();
        if !left.is_empty() {
            result.notes.push(format!(
                "Removed from {}: {} that exports which were ended had left there.",
                parent.display(),
                left.words()
            ));
        }
        let made = ExportRow {
            run: row.id,
            created: now(),
            folder: target.display().to_string(),
            result,
        };
        self.remember_export(&made)?;
        Ok(made)
    }

    /// The exports of a run that the workspace has recorded, newest first. The files may no longer exist; this is not
    /// checked.
    pub fn exports(&self, run: RunId) -> Result<Vec<ExportRow>> {
        let kept = self.workspace.store.read(|r| r.setting(&key(run)))?;
        Ok(kept_exports(kept))
    }

    fn remember_export(&self, made: &ExportRow) -> Result<()> {
        let result = &made.result;
        let files: Vec<String> = result
            .files
            .iter()
            .map(|file| format!("{} {}", file.name, file.sha256))
            .collect();
        let kind = match result.format {
            ExportFormat::Peft => result.format.tag().to_owned(),
            _ => format!("{} {}", result.format.tag(), result.dtype.tag()),
        };
        let reason = format!(
            "{kind} of adapter {} to {}: {}",
            result.adapter_sha256,
            made.folder,
            files.join(", ")
        );
        self.workspace.store.write(&self.workspace.actor, |w| {
            // Read in the same transaction: another export of this run may have been recorded meanwhile.
            let mut all = kept_exports(w.setting(&key(made.run))?);
            all.retain(|row| row.folder != made.folder);
            all.insert(0, made.clone());
            let text = serde_json::to_string(&all).map_err(|e| unwritable(&e.to_string()))?;
            w.note("model.export", &format!("run {}", made.run), Some(&reason))?;
            w.set_setting(&key(made.run), &text)
        })?;
        Ok(())
    }

    /// The run that is to be exported, finished.
    fn exported_run(&self, wanted: Option<RunId>) -> Result<RunRow> {
        let found = match wanted {
            Some(id) => Some(Runs::of(self.workspace).run(id)?),
            None => Runs::of(self.workspace)
                .runs()?
                .into_iter()
                .find(|row| row.state == RunState::Finished),
        };
        match found {
            Some(row) if row.state == RunState::Finished => Ok(row),
            Some(row) => Err(Failure::new(
                Code::StepMissing,
                format!(
                    "Run {} is {} and has no adapter to export yet.",
                    row.id,
                    row.state.tag()
                ),
                Remedy::WaitOrResume,
            )),
            None => Err(Failure::new(
                Code::StepMissing,
                "There is no finished training run to export.",
                Remedy::Train,
            )),
        }
    }

    fn export_folder(
        &self,
        request: &ExportRequest,
        run: RunId,
        dtype: ExportType,
    ) -> Result<PathBuf> {
        let folder = match &request.folder {
            Some(folder) => PathBuf::from(folder),
            None => {
                let kind = match request.format {
                    ExportFormat::Peft => "peft".to_owned(),
                    format => format!("{}-{}", format.tag(), dtype.tag()),
                };
                self.workspace
                    .path()
                    .with_file_name(format!("{}-run-{run}-{kind}", stem(self.workspace.path())))
            }
        };
        if folder.file_name().is_none() {
            return Err(Failure::invalid(
                format!("{} is no folder that could be made.", folder.display()),
                "Name a new folder, for example exports/run-1.",
            ));
        }
        std::path::absolute(&folder).map_err(|e| io_failure(&e, &folder))
    }

    /// The run's test questions, as many as are compared.
    fn export_prompts(&self, row: &RunRow, base: &BaseModel) -> Result<Vec<serde_json::Value>> {
        // Without a snapshot the product's own prompts are compared.
        let Some(dataset) = row.dataset else {
            return Ok(Vec::new());
        };
        let readable = self.readable(&self.dataset(dataset)?, base)?;
        let test = readable
            .items
            .into_iter()
            .map(|item| item.question)
            .filter(|question| question.split == Split::Test);
        Ok(test
            .take(PARITY_PROMPTS)
            .map(|question| {
                let item = ScoreItem {
                    id: question.id.0,
                    question: question.draft.question,
                    choices: question.draft.choices,
                };
                serde_json::json!(item)
            })
            .collect())
    }
}

/// The name of the setting in which the workspace keeps a run's exports.
fn key(run: RunId) -> String {
    format!("exports of run {run}")
}

/// The exports in a setting. Records of another version are not worth a failure: the audit chain names them too.
fn kept_exports(text: Option<String>) -> Vec<ExportRow> {
    text.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

fn unwritable(why: &str) -> Failure {
    Failure::new(
        Code::Internal,
        format!("The export cannot be recorded: {why}."),
        "Report this.",
    )
}

/// If all weights were tuned, there is no low-rank adapter that could be exported alone.
fn check_form(format: ExportFormat, tune: Tune) -> Result<()> {
    if (format, tune) != (ExportFormat::Peft, Tune::All) {
        return Ok(());
    }
    Err(Failure::invalid(
        "All weights were tuned, and there is no low-rank adapter to export.",
        "Export the merged model: its folder holds the tuned weights.",
    ))
}

/// A type that the form does not have costs no loading of a model.
fn check_type(format: ExportFormat, wanted: Option<ExportType>) -> Result<()> {
    let Some(wanted) = wanted.filter(|wanted| !format.types().contains(wanted)) else {
        return Ok(());
    };
    let types: Vec<&str> = format.types().iter().map(|dtype| dtype.tag()).collect();
    Err(Failure::invalid(
        format!("The form {} has no type {}.", format.tag(), wanted.tag()),
        match types.is_empty() {
            true => Remedy::LeaveTypeOut,
            false => Remedy::ExportTypes {
                types: types.join(", "),
            },
        },
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::workspace::OpenWorkspace;

    #[test]
    fn exports_that_end_at_the_same_time_are_all_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = OpenWorkspace::create(&folder.path().join("a.lexforge")).unwrap();
        let training = Training::of(&workspace);
        let of_folder = |name: String| -> ExportRow {
            serde_json::from_value(serde_json::json!({
                "run": 1, "created": "", "folder": name, "output": "", "name": "", "format": "gguf", "dtype": "q8_0",
                "base": { "name": "m", "sha256": "" }, "adapter_sha256": "ab".repeat(32),
                "lineage": { "dataset": "", "corpus": "", "graph_date": "", "policy": "" },
                "files": [], "parity": null, "peak_memory_mb": 0.0, "seconds": 0.0,
            }))
            .unwrap()
        };
        std::thread::scope(|threads| {
            for writer in 0..2 {
                threads.spawn(move || {
                    for n in 0..8 {
                        let made = of_folder(format!("{writer}-{n}"));
                        training.remember_export(&made).unwrap();
                    }
                });
            }
        });
        assert_eq!(training.exports(RunId(1)).unwrap().len(), 16);
    }

    #[test]
    fn a_form_has_its_own_types() {
        assert!(check_type(ExportFormat::Gguf, Some(ExportType::Q8_0)).is_ok());
        assert!(check_type(ExportFormat::Merged, None).is_ok());
        for (format, dtype) in [
            (ExportFormat::Gguf, ExportType::Bf16),
            (ExportFormat::Merged, ExportType::Q8_0),
            (ExportFormat::Peft, ExportType::F32),
        ] {
            let failure = check_type(format, Some(dtype)).unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest);
            let types = |remedy: &Remedy| {
                matches!(remedy, Remedy::LeaveTypeOut | Remedy::ExportTypes { .. })
            };
            assert!(failure.remedy.as_deref().is_some_and(types), "{failure:?}");
        }
    }
}
