//! A spreadsheet of questions, answered.

use super::Answering;
use super::docx;
use super::model_writer::Planner;
use crate::workspace::{Result, Silent, Watcher, cancelled, file_failure, io_failure, tell};
use lexforge_domain::api::{Answer, AnswerBatch, AnswerWay, BatchReport, Inquiry, Stage};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::{Code, Failure};
use lexforge_files::aside::Aside;
use lexforge_ingest::sheet::{self, Cell};
use std::io::Write as _;
use std::path::Path;

/// Names under which a table has its questions.
const QUESTION: [&str; 6] = ["question", "questions", "query", "问题", "题目", "提问"];
/// The columns of the answers.
const COLUMNS: [&str; 10] = [
    "question",
    "found",
    "answer",
    "probability",
    "document",
    "section",
    "page",
    "quote",
    "audit_entry",
    "note",
];

impl Answering<'_> {
    /// What answering the questions of a CSV file would send to whom; none where nothing would be. Nothing is sent.
    ///
    /// # Errors
    /// As [`Answering::ask_batch`].
    pub fn plan_batch(
        &self,
        batch: &AnswerBatch,
        watcher: &dyn Watcher,
    ) -> Result<Option<AskPlan>> {
        if batch.way == AnswerWay::Extractive {
            return Ok(None);
        }
        let rows = questions(Path::new(&batch.questions))?;
        self.gathered(batch, &rows, watcher)?.plan()
    }

    /// What a model is asked about all questions.
    fn gathered(
        &self,
        batch: &AnswerBatch,
        rows: &[String],
        watcher: &dyn Watcher,
    ) -> Result<Planner<'_>> {
        let planner = self.planner(&inquiry(batch, ""))?;
        for question in rows.iter().filter(|question| !question.trim().is_empty()) {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was asked."));
            }
            self.answer(&inquiry(batch, question), &planner, &Silent)?;
        }
        Ok(planner)
    }

    /// Answers the questions of a CSV file, one a row, into another, or into a document where its name ends in `.docx`. Each
    /// answer is kept like any other. Where a model is to write, it is asked about all of them in one go.
    ///
    /// # Errors
    /// When the file cannot be read or holds no question, or the answers cannot be written; [`Code::ConsentMissing`] where
    /// something would be sent that nobody agreed to.
    pub fn ask_batch(&self, batch: &AnswerBatch, watcher: &dyn Watcher) -> Result<BatchReport> {
        let (file, out) = (Path::new(&batch.questions), Path::new(&batch.out));
        for (taken, what) in [
            (self.workspace.path(), "workspace"),
            (file, "table of questions"),
        ] {
            if is_one_file(taken, out) {
                return Err(Failure::new(
                    Code::InvalidRequest,
                    format!("The answers would be written over the {what}."),
                    "Name another file for the answers.",
                ));
            }
        }
        let rows = questions(file)?;
        // A place that cannot be written is found before anything is asked.
        let mut target = Aside::begin(out).map_err(file_failure)?;
        let mut report = BatchReport {
            questions: 0,
            answered: 0,
            refused: 0,
            empty: 0,
            out: out.display().to_string(),
        };
        if batch.way != AnswerWay::Extractive {
            self.gathered(batch, &rows, watcher)?.ask_all(watcher)?;
        }
        let reader = self.reader(&inquiry(batch, ""))?;
        let mut answers: Vec<Answer> = Vec::new();
        for (i, question) in rows.iter().enumerate() {
            if watcher.cancelled() {
                return Err(cancelled("The answers so far are in the history."));
            }
            tell(
                watcher,
                Stage::Evaluate,
                question,
                i as u64,
                rows.len() as u64,
            );
            if question.trim().is_empty() {
                report.empty += 1;
                continue;
            }
            report.questions += 1;
            let inquiry = inquiry(batch, question);
            let answer = self.kept(self.answer(&inquiry, reader.as_ref(), &Silent)?)?;
            if answer.found {
                report.answered += 1;
            } else {
                report.refused += 1;
            }
            // As it was written, also where it was too long to be searched whole.
            answers.push(Answer {
                question: question.clone(),
                ..answer
            });
        }
        if report.questions == 0 {
            return Err(Failure::new(
                Code::TooLittleData,
                "The table holds no question.",
                "Put the questions in a column that is called question, one a row.",
            ));
        }
        let is_docx = out
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("docx"));
        let bytes = if is_docx {
            docx::document(&answers)
        } else {
            let table = answers.iter().flat_map(lines);
            sheet::table(&COLUMNS, table).map_err(|error| error.to_string())
        };
        let bytes =
            bytes.map_err(|error| Failure::new(Code::Internal, error, "Report this message."))?;
        target.write_all(&bytes).map_err(|e| io_failure(&e, out))?;
        target.finish().map_err(file_failure)?;
        Ok(report)
    }
}

/// The questions of a table.
fn questions(file: &Path) -> Result<Vec<String>> {
    let bytes = std::fs::read(file).map_err(|e| io_failure(&e, file))?;
    sheet::column(&bytes, &QUESTION).map_err(|error| {
        Failure::new(
            Code::UnsupportedFormat,
            format!("The table of questions cannot be read: {error}."),
            "Save it as CSV, with the questions in a column that is called question.",
        )
    })
}

fn inquiry(batch: &AnswerBatch, question: &str) -> Inquiry {
    Inquiry {
        question: question.to_owned(),
        mode: batch.mode,
        as_of: batch.as_of.clone(),
        encoder: batch.encoder.clone(),
        way: batch.way.clone(),
        consent: batch.consent.clone(),
    }
}

/// Whether two paths lead to one file, which is there.
fn is_one_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// One row a citation; one row for a question that is not answered, with the nearest clause.
fn lines(answer: &Answer) -> Vec<Vec<Cell<'static>>> {
    let text = |s: &str| Cell::Joined(s.to_owned());
    let row = |said: &str, place: Option<&lexforge_domain::api::Citation>, note: &str| {
        vec![
            text(&answer.question),
            Cell::Figure(if answer.found { "yes" } else { "no" }.to_owned()),
            text(said),
            Cell::Figure(format!("{:.3}", answer.probability)),
            text(place.map_or("", |p| &p.title)),
            text(place.map_or("", |p| &p.section)),
            Cell::Figure(place.map(|p| p.page.to_string()).unwrap_or_default()),
            text(place.map_or("", |p| &p.quote)),
            Cell::Figure(
                answer
                    .audit_entry
                    .map(|n| n.to_string())
                    .unwrap_or_default(),
            ),
            text(note),
        ]
    };
    if !answer.found {
        let nearest = answer.passages.first().map(|p| &p.place);
        return vec![row(
            "",
            nearest,
            "not in these documents; the nearest clause",
        )];
    }
    answer
        .statements
        .iter()
        .filter(|statement| statement.kept)
        .map(|statement| {
            let place = statement
                .citations
                .first()
                .and_then(|i| answer.citations.get(*i));
            let newer = place.is_some_and(|p| p.superseded_by.is_some());
            let note = if newer {
                "a newer version is in the workspace"
            } else {
                ""
            };
            row(&statement.text, place, note)
        })
        .collect()
}
