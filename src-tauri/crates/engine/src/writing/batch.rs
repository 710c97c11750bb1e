//! Questions over the air gap: their prompts out as a batch file, the answers back in.

use super::Writing;
use super::open::{Prompts, WriterRecord, of_writer};
use crate::asking::{
    AskRequest, Asking, BATCH, Batch, BatchOut, no_model, reasks, unreadable_record,
};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_augment::{Planned, PromptWriter};
use lexforge_domain::AskingId;
use lexforge_domain::api::AugmentReport;
use lexforge_domain::endpoint::{AnswerForm, BatchReport, EndpointSettings};
use serde::Serialize;
use std::path::Path;

/// What reading a batch file in did, and the questions that its answers make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchIn {
    /// The lines.
    pub batch: BatchReport,
    /// The questions; `None` where the file matches nothing of this workspace.
    pub questions: Option<AugmentReport>,
}

impl Writing<'_> {
    /// Writes the prompts without an answer into a file of OpenAI's batch form, and sends nothing. `model` names the
    /// model if the batch will run outside of this workspace's endpoints.
    ///
    /// # Errors
    /// When the file exists already or cannot be written, or the graph was not built yet.
    pub fn batch_out(
        &self,
        request: &AskRequest,
        model: Option<&str>,
        path: &Path,
        watcher: &dyn Watcher,
    ) -> Result<BatchOut> {
        let (writer, form) = match (request.endpoint.as_str(), model) {
            ("", Some(model)) => {
                let max_tokens = request
                    .max_tokens
                    .unwrap_or(EndpointSettings::default().max_tokens);
                let (identity, model, seed) = (BATCH.to_owned(), model.to_owned(), DEFAULT_SEED);
                let (reasks, wordings) = (
                    reasks(request.reasks),
                    Asking::of(self.workspace).wordings()?,
                );
                (
                    PromptWriter {
                        identity,
                        model,
                        seed,
                        max_tokens,
                        reasks,
                        wordings,
                        extent: request.extent,
                        shares: None,
                    },
                    AnswerForm::Schema,
                )
            }
            ("", None) => return Err(no_model()),
            (name, _) => {
                let mut target = Asking::of(self.workspace).target(name, &request.local)?;
                let settings = &mut target.endpoint.settings;
                settings.max_tokens = request.max_tokens.unwrap_or(settings.max_tokens).max(1);
                (
                    self.prompt_writer(&target, request)?,
                    target.endpoint.settings.form,
                )
            }
        };
        self.with_writer(&writer, |writer, anchors| {
            let prompts =
                Prompts::collect(self.workspace, writer, anchors, request.limit, watcher)?;
            let open: Vec<&Planned> = prompts.open();
            let answered = prompts.wanted - open.len() as u64;
            let made = ("prompts", serde_json::json!(of_writer(writer)));
            let batch = Batch {
                purpose: BATCH,
                endpoint: &request.endpoint,
                model: &writer.model,
                form,
                made,
            };
            Asking::of(self.workspace).write_batch(&batch, &open, answered, path)
        })
    }

    /// Reads the answers of a batch file, and makes questions from all answers that are stored by then. The same file
    /// may be read any number of times.
    ///
    /// # Errors
    /// When the file cannot be read, or no prompts of this workspace were ever written out.
    pub fn batch_in(&self, path: &Path, watcher: &dyn Watcher) -> Result<BatchIn> {
        let (batch, asking, newest) =
            Asking::of(self.workspace).take_batch(BATCH, "augment", path, watcher)?;
        let questions = match newest {
            None => None,
            Some(newest) => {
                let writer = self.writer_of(newest)?;
                Some(self.with_writer(&writer, |writer, anchors| {
                    let counts = self.workspace.store.read(|r| r.asking_counts(asking))?;
                    self.write_from_answers(writer, anchors, counts, None, None, watcher)
                })?)
            }
        };
        Ok(BatchIn { batch, questions })
    }

    /// The writer of the prompts of an asking.
    fn writer_of(&self, asking: AskingId) -> Result<PromptWriter> {
        let record = self.workspace.store.read(|r| r.asking(asking))?.consent;
        let value: serde_json::Value = serde_json::from_str(&record).unwrap_or_default();
        let writer: Option<WriterRecord> = value
            .get("prompts")
            .and_then(|v| serde_json::from_value(v.clone()).ok());
        writer
            .ok_or_else(|| unreadable_record(asking))?
            .writer(self.workspace)
    }
}
