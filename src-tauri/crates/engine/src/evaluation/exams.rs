//! Exams: bringing them in, listing and removing them.

mod brought;
mod named;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use brought::ExamRequest;
pub(super) use brought::{Brought, Found, found, next};
pub(super) use named::{bytes, name_of, refused};

use super::Evaluations;
use super::bench::places_of_exam;
use super::exam_tasks::task_in;
use crate::workspace::{Result, Watcher, cancelled, now};
use lexforge_domain::api::{ExamReport, ExamRow};
use lexforge_domain::exam::{ExamKind, ExamQuestion, TermInContext};
use lexforge_domain::{Code, Failure};
use lexforge_ingest::exam;
use lexforge_text::fold::{letters, tidy};
use named::{files, subject};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

impl Evaluations<'_> {
    /// Imports an exam from one or more files. The first line of the first file shows what it holds: questions with
    /// choices, pairs of texts, scored pairs, or texts with a class. A question that cannot be used is left out and
    /// reported with its line. If a file is not an exam, or has no usable question, nothing is imported.
    ///
    /// # Errors
    /// When a file cannot be read or is not an exam, another exam has the name, the files have changed since the user
    /// looked at them, or the workspace cannot be written.
    pub fn import_exam(&self, request: &ExamRequest, watcher: &dyn Watcher) -> Result<ExamReport> {
        let found = exam_in(request, watcher)?;
        if watcher.cancelled() {
            return Err(cancelled("Nothing was kept."));
        }
        self.keep(request, found)
    }

    /// What importing an exam would store and what it would leave out. The files are read as in an import, but nothing
    /// is stored. Another exam may already have the same name.
    ///
    /// # Errors
    /// When a file cannot be read or is not an exam, or nothing in it can be used.
    pub fn look_at_exam(&self, request: &ExamRequest, watcher: &dyn Watcher) -> Result<ExamReport> {
        let mut report = exam_in(request, watcher)?.report;
        let there = self.workspace.store.read(|r| r.exam(&report.exam.name))?;
        report.unchanged = there.is_some_and(|(there, _)| same(&there, &report.exam));
        Ok(report)
    }

    /// Imports an exam of terms in their contexts, as other exams are imported. If the right context is first in all
    /// lines (or second in all), the order is made random. Otherwise a system that always chooses the first would
    /// always be right.
    ///
    /// # Errors
    /// As [`Evaluations::import_exam`].
    pub fn import_terms_apart(&self, request: &ExamRequest) -> Result<ExamReport> {
        let mut brought: Brought<TermInContext> = Brought::default();
        let mut seen = HashMap::new();
        let files = files(&request.files)?;
        for path in &files {
            let bytes = bytes(path)?;
            let found = exam::contexts(&bytes).map_err(|e| refused(e, path))?;
            brought.take(&name_of(path), found, &mut seen, |pair: &TermInContext| {
                let texts = [
                    pair.term.as_str(),
                    pair.shown(),
                    &pair.context_pos,
                    &pair.context_neg,
                ];
                texts.map(letters).join("\n")
            });
        }
        let first = brought.items.first().map(|pair| pair.label);
        if brought.items.len() > 1 && brought.items.iter().all(|pair| Some(pair.label) == first) {
            brought
                .items
                .iter_mut()
                .for_each(|pair| pair.label = place(pair));
            brought.warnings.push(
                "All lines show the right context at one place; the places were drawn anew."
                    .to_owned(),
            );
        }
        let mut acts: BTreeMap<String, u64> = BTreeMap::new();
        for act in brought.items.iter().filter_map(|pair| pair.act.clone()) {
            *acts.entry(act).or_default() += 1;
        }
        let text = |pair: &TermInContext| format!("{} {}", pair.shown(), pair.context_pos);
        let found = found(request, &files, ExamKind::Terms, (0, acts), brought, text)?;
        self.keep(request, found)
    }

    /// Stores what was found, unless the very same is there under its name.
    fn keep(&self, request: &ExamRequest, found: Found) -> Result<ExamReport> {
        let Found { mut report, items } = found;
        let exam = &mut report.exam;
        if request.seen.as_ref().is_some_and(|seen| *seen != exam.hash) {
            return Err(Failure::invalid(
                "The file has changed since it was looked at.",
                "Choose it again and look at what it holds now; nothing of it was kept.",
            ));
        }
        exam.made = now();
        let there = self.workspace.store.read(|r| r.exam(&exam.name))?;
        report.unchanged = match there {
            Some((there, _)) if same(&there, exam) => {
                *exam = there;
                true
            }
            Some(_) => {
                return Err(Failure::invalid(
                    format!("There is another exam with the name {}.", exam.name),
                    "Give this one another name, or remove the other first.",
                ));
            }
            None => {
                let reason = format!(
                    "{} {} of {}, SHA-256 {}",
                    exam.questions,
                    held(exam.kind),
                    exam.files.join(", "),
                    exam.hash
                );
                self.workspace.store.write(&self.workspace.actor, |w| {
                    w.because(reason).put_exam(exam, &items)
                })?;
                false
            }
        };
        Ok(report)
    }

    /// The exams of the workspace, ordered by name.
    pub fn exams(&self) -> Result<Vec<ExamRow>> {
        Ok(self.workspace.store.read(|r| r.exams())?)
    }

    /// Removes an exam with its texts, and the last table that was made of it. The models' answers are kept, because
    /// they are stored by the hashes of the questions.
    ///
    /// # Errors
    /// When there is no exam of this name, or the workspace cannot be written.
    pub fn remove_exam(&self, name: &str) -> Result<ExamRow> {
        let row = self.exam_of(name)?.0;
        let reason = format!("{} {}, SHA-256 {}", row.questions, held(row.kind), row.hash);
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.because(reason).remove_exam(name)?;
            for place in places_of_exam(name) {
                if w.setting(&place)?.is_some_and(|kept| !kept.is_empty()) {
                    w.set_setting(&place, "")?;
                }
            }
            Ok(())
        })?;
        Ok(row)
    }

    pub(super) fn exam_questions(&self, name: &str) -> Result<(ExamRow, Vec<ExamQuestion>)> {
        self.exam_items(name, ExamKind::Questions)
    }

    /// The pairs of an imported set of terms in contexts.
    ///
    /// # Errors
    /// When there is no such set, or the workspace cannot be read.
    pub fn terms_apart(&self, name: &str) -> Result<(ExamRow, Vec<TermInContext>)> {
        self.exam_items(name, ExamKind::Terms)
    }

    /// The kind of an exam: what its items are.
    ///
    /// # Errors
    /// When there is no such exam, or the workspace cannot be read.
    pub(crate) fn exam_kind(&self, name: &str) -> Result<ExamKind> {
        Ok(self.exam_of(name)?.0.kind)
    }

    pub(super) fn exam_items<T: DeserializeOwned>(
        &self,
        name: &str,
        kind: ExamKind,
    ) -> Result<(ExamRow, Vec<T>)> {
        let (row, items) = self.exam_of(name)?;
        if row.kind != kind {
            let other = held(row.kind);
            return Err(Failure::invalid(
                format!("{name} holds {other}."),
                "Name a set of the other kind.",
            ));
        }
        let items = serde_json::from_str(&items).map_err(|e| {
            Failure::new(
                Code::WorkspaceInvalid,
                format!("The exam {name} cannot be read: {e}."),
                "Remove it and bring it in again.",
            )
        })?;
        Ok((row, items))
    }

    fn exam_of(&self, name: &str) -> Result<(ExamRow, String)> {
        let found = self.workspace.store.read(|r| r.exam(name))?;
        found.ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("There is no exam {name} in this workspace."),
                "Look at the list of exams for its name, or bring it in first.",
            )
        })
    }
}

/// Whether two exams hold the same.
fn same(one: &ExamRow, other: &ExamRow) -> bool {
    one.hash == other.hash && one.kind == other.kind
}

/// The exam in the files, as it is looked at and imported.
fn exam_in(request: &ExamRequest, watcher: &dyn Watcher) -> Result<Found> {
    let files = files(&request.files)?;
    if let Some(first) = files.first() {
        let kind = exam::kind_of(&bytes(first)?).map_err(|e| refused(e, first))?;
        if kind != ExamKind::Questions {
            return task_in(request, &files, kind, watcher);
        }
    }
    let mut brought = Brought::default();
    let mut seen = HashMap::new();
    for (done, path) in files.iter().enumerate() {
        next(watcher, path, done, files.len())?;
        let bytes = bytes(path)?;
        let subject = request.subject.clone().unwrap_or_else(|| subject(path));
        let found = exam::questions(&bytes, &tidy(&subject)).map_err(|e| refused(e, path))?;
        brought.take(&name_of(path), found, &mut seen, |q: &ExamQuestion| {
            let mut choices: Vec<String> = q.choices.iter().map(|c| tidy(c)).collect();
            choices.sort_unstable();
            format!("{}\n{}", letters(&q.question), choices.join("\n"))
        });
    }
    let several = brought.items.iter().filter(|q| q.answers.len() > 1).count();
    let mut subjects: BTreeMap<String, u64> = BTreeMap::new();
    for question in &brought.items {
        *subjects.entry(question.subject.clone()).or_default() += 1;
    }
    let counts = (several as u64, subjects);
    let text = |q: &ExamQuestion| format!("{} {}", q.question, q.choices.join(" "));
    found(request, &files, ExamKind::Questions, counts, brought, text)
}

/// The name of the items of an exam of this kind.
fn held(kind: ExamKind) -> &'static str {
    match kind {
        ExamKind::Questions => "questions with choices",
        ExamKind::Terms => "terms in contexts",
        ExamKind::Pairs => "pairs of texts",
        ExamKind::Similarity => "scored pairs of texts",
        ExamKind::Classes => "texts with a class",
    }
}

/// At which place the right context of a pair is shown, by its words alone.
pub(super) fn place(pair: &TermInContext) -> usize {
    let said = serde_json::json!([pair.term, pair.shown(), pair.context_pos, pair.context_neg]);
    usize::from(Sha256::digest(said.to_string())[0] & 1)
}
