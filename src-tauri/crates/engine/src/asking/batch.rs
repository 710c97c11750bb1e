//! The air gap: prompts out as a batch file, answers back in.

use super::Asking;
use super::ledger::{self, Price};
use crate::workspace::{Result, Watcher, cancelled, io_failure};
use lexforge_augment::Planned;
use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::endpoint::batch::{self, BatchLine};
use lexforge_domain::endpoint::{AnswerForm, AskingState, BatchReport, EndpointSettings};
use lexforge_domain::{AskingId, Code, Failure, Remedy};
use lexforge_store::NewAsking;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The destination of batch prompts if no endpoint is named; also the purpose of a batch of questions.
pub(crate) const BATCH: &str = "batch";
/// Lines that are committed together.
const TOGETHER: usize = 256;
/// Lines that were not taken and are named.
const NAMED: usize = 20;

/// The result of writing a batch file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BatchOut {
    pub file: String,
    pub prompts: u64,
    /// Prompts that the workspace has the answers of; they are not in it.
    pub answered: u64,
    /// Different sentences of the documents in it.
    pub sentences: u64,
    /// Documents that these sentences are from.
    pub documents: u64,
    /// The model that is to answer.
    pub model: String,
}

/// A batch file about to be written.
pub(crate) struct Batch<'a> {
    /// The purpose of the answers.
    pub purpose: &'a str,
    /// The endpoint's name; may be empty.
    pub endpoint: &'a str,
    /// The model that is to answer.
    pub model: &'a str,
    /// How it can be held to the form of an answer.
    pub form: AnswerForm,
    /// How the prompts were made, under its name, as it is recorded.
    pub made: (&'a str, serde_json::Value),
}

impl Asking<'_> {
    /// Writes prompts into a file, and that they were.
    pub(crate) fn write_batch(
        &self,
        batch: &Batch<'_>,
        open: &[&Planned],
        answered: u64,
        path: &Path,
    ) -> Result<BatchOut> {
        let keys: Vec<PromptKey> = open.iter().map(|p| p.key).collect();
        write_lines(
            path,
            open.iter()
                .map(|p| batch::line(&p.key, &p.prompt, batch.model, batch.form)),
        )?;
        let sentences: HashSet<_> = open
            .iter()
            .flat_map(|p| p.sentences.iter().copied())
            .collect();
        let shown = path.display().to_string();
        let (name, made) = &batch.made;
        let documents = self.workspace.store.write(&self.workspace.actor, |w| {
            w.because(format!("{} prompts written to {shown}", keys.len()));
            let asking = w.begin_asking(&NewAsking {
                purpose: batch.purpose.to_owned(),
                endpoint: batch.endpoint.to_owned(),
                host: shown.clone(),
                model: batch.model.to_owned(),
                consent: serde_json::json!({ *name: made }).to_string(),
            })?;
            w.insert_written(asking, &keys)?;
            w.end_asking(asking, AskingState::Finished)?;
            let of = |s: &lexforge_domain::document::Sentence| {
                sentences.contains(&s.id).then_some(s.document)
            };
            Ok(w.sentences(None)?
                .iter()
                .filter_map(of)
                .collect::<HashSet<_>>()
                .len())
        })?;
        Ok(BatchOut {
            file: shown,
            prompts: keys.len() as u64,
            answered,
            sentences: sentences.len() as u64,
            documents: documents as u64,
            model: batch.model.to_owned(),
        })
    }

    /// Reads a file with the answers to a batch of prompts. Only prompts that were written out for this purpose are
    /// accepted; `verb` is the command that writes them. Returns three values: the report; the asking (the record of
    /// one round of requests) under which the answers are kept; and the newest asking whose prompts they answer.
    pub(crate) fn take_batch(
        &self,
        purpose: &str,
        verb: &str,
        path: &Path,
        watcher: &dyn Watcher,
    ) -> Result<(BatchReport, AskingId, Option<AskingId>)> {
        let written: HashMap<PromptKey, AskingId> = self.workspace.store.read(|r| {
            let all = r.written_prompts()?;
            let askings: HashSet<AskingId> = all.iter().map(|(_, asking)| *asking).collect();
            let mut of_purpose = HashSet::new();
            for asking in askings {
                if r.asking(asking)?.purpose == purpose {
                    of_purpose.insert(asking);
                }
            }
            Ok(all
                .into_iter()
                .filter(|(_, asking)| of_purpose.contains(asking))
                .collect())
        })?;
        let file = File::open(path).map_err(|e| io_failure(&e, path))?;
        if written.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "No prompts of this workspace were written to a batch file.",
                Remedy::WriteBatch {
                    verb: verb.to_owned(),
                },
            ));
        }
        let _alone = ledger::lock(&self.workspace.store.artifacts_dir()?)?;
        let asking = self.workspace.store.write(&self.workspace.actor, |w| {
            w.end_interrupted_askings()?;
            w.because(format!("answers read from {}", path.display()));
            w.begin_asking(&NewAsking {
                purpose: format!("{purpose} answers"),
                endpoint: String::new(),
                host: path.display().to_string(),
                model: String::new(),
                consent: "{}".to_owned(),
            })
        })?;
        let outcome = self.read_lines(BufReader::new(file), path, asking, &written, watcher);
        let state = if outcome.is_ok() {
            AskingState::Finished
        } else {
            AskingState::Failed
        };
        self.workspace
            .store
            .write(&self.workspace.actor, |w| w.end_asking(asking, state))?;
        let (mut report, newest) = outcome?;
        report.missing = self
            .workspace
            .store
            .write(&self.workspace.actor, |w| w.written_without_answer())?;
        Ok((report, asking, newest))
    }

    /// Takes the answers of a file; the newest asking whose prompts it answers.
    fn read_lines(
        &self,
        mut lines: impl BufRead,
        path: &Path,
        asking: AskingId,
        written: &HashMap<PromptKey, AskingId>,
        watcher: &dyn Watcher,
    ) -> Result<(BatchReport, Option<AskingId>)> {
        let mut report = BatchReport::default();
        let mut newest = None;
        loop {
            if watcher.cancelled() {
                return Err(cancelled("The answers that were read are kept."));
            }
            let mut together = Vec::new();
            while together.len() < TOGETHER {
                let mut line = Vec::new();
                let most = batch::LONGEST_LINE as u64 + 1;
                lines
                    .by_ref()
                    .take(most)
                    .read_until(b'\n', &mut line)
                    .map_err(|e| io_failure(&e, path))?;
                if line.is_empty() {
                    break;
                }
                let whole = line.ends_with(b"\n") || (line.len() as u64) < most;
                if !whole {
                    skip_line(&mut lines).map_err(|e| io_failure(&e, path))?;
                }
                together.push(whole.then_some(line));
            }
            if together.is_empty() {
                return Ok((report, newest));
            }
            self.workspace.store.write(&self.workspace.actor, |w| {
                for line in &together {
                    report.lines += 1;
                    let read = match line {
                        Some(line) if line.trim_ascii().is_empty() => {
                            report.lines -= 1;
                            continue;
                        }
                        Some(line) => batch::read(line.trim_ascii()),
                        None => Err("too_long"),
                    };
                    let not_taken = match read {
                        Ok(BatchLine::Answer(key, answer)) => match written.get(&key) {
                            Some(of) => {
                                newest = newest.max(Some(*of));
                                let stored =
                                    Price::of(&EndpointSettings::default()).stored(&answer);
                                if w.insert_answer(asking, &key, &stored)? {
                                    report.accepted += 1;
                                    continue;
                                }
                                if w.answer(&key)?
                                    .is_some_and(|known| known.text == stored.text)
                                {
                                    report.known += 1;
                                    continue;
                                }
                                report.duplicate += 1;
                                "a different answer to a prompt that has one".to_owned()
                            }
                            None => {
                                report.unmatched += 1;
                                "an answer to no prompt of this workspace".to_owned()
                            }
                        },
                        Ok(BatchLine::Foreign) => {
                            report.unmatched += 1;
                            "its custom_id is none of ours".to_owned()
                        }
                        Ok(BatchLine::Error(key, code)) => {
                            if let Some(of) = written.get(&key) {
                                newest = newest.max(Some(*of));
                            }
                            *report.failed.entry(code.clone()).or_default() += 1;
                            format!("an error in place of an answer: {code}")
                        }
                        Err(why) => {
                            *report.invalid.entry(why.to_owned()).or_default() += 1;
                            format!("not a line of a file of answers: {why}")
                        }
                    };
                    if report.first.len() < NAMED {
                        report.first.push((report.lines, not_taken));
                    }
                }
                Ok(())
            })?;
        }
    }
}

pub(crate) fn no_model() -> Failure {
    Failure::new(
        Code::InvalidRequest,
        "A batch needs the name of the model that is to answer.",
        Remedy::NameBatchModel,
    )
}

pub(crate) fn unreadable_record(asking: AskingId) -> Failure {
    Failure::new(
        Code::WorkspaceInvalid,
        format!("What asking {asking} asked cannot be read."),
        Remedy::VerifyAudit,
    )
}

fn skip_line(lines: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        match buffer.iter().position(|b| *b == b'\n') {
            Some(end) => {
                lines.consume(end + 1);
                return Ok(());
            }
            None => {
                let all = buffer.len();
                lines.consume(all);
            }
        }
    }
}

/// Writes lines into a new file; a file that is there is not touched.
fn write_lines(path: &Path, mut lines: impl Iterator<Item = String>) -> Result<()> {
    new_file(path, |out| {
        lines.try_for_each(|line| writeln!(out, "{line}"))
    })
}

/// Creates a file and fills it. If that fails, the file is removed. Otherwise it would look complete, and would block
/// the next try.
fn new_file(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<()> {
    let file = File::create_new(path).map_err(|e| io_failure(&e, path))?;
    let mut out = BufWriter::new(file);
    let filled = fill(&mut out).and_then(|()| out.flush());
    drop(out);
    filled.map_err(|e| {
        let _ = std::fs::remove_file(path);
        io_failure(&e, path)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn a_batch_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batch.jsonl");
        for (problem, expected) in [
            (Some(ErrorKind::StorageFull), None),
            (None, Some("one\n")),
            // A file that is there already stays as it is.
            (Some(ErrorKind::StorageFull), Some("one\n")),
        ] {
            let written = new_file(&path, |out| {
                writeln!(out, "one")?;
                problem.map_or(Ok(()), |problem| Err(problem.into()))
            });
            assert_eq!(written.is_ok(), problem.is_none());
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), expected);
        }
    }
}
