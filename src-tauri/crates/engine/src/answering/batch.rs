//! A spreadsheet of questions, answered.

use super::Answering;
use super::docx;
use super::force::{stands_for_want_of_better, told};
use super::model_writer::Planner;
use super::read_as::{read_otherwise, stand_nowhere};
use super::table::Table;
use crate::workspace::{
    Result, Sheet, Silent, Watcher, cancelled, file_failure, io_failure, refuse_workspace, tell,
    workbook,
};
use lexforge_domain::api::{
    Answer, AnswerBatch, AnswerNote, AnswerWay, BatchReport, Citation, Inquiry, Refusal, Stage,
    Statement,
};
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::{Code, Failure};
use lexforge_files::aside::Aside;
use lexforge_ingest::sheet::{self, Cell};
use std::io::Write as _;
use std::path::Path;

/// Names under which a table has its questions.
pub(super) const QUESTION: [&str; 6] = ["question", "questions", "query", "问题", "题目", "提问"];
/// The column for the opinion of a person about an answer.
pub(super) const VERDICT: &str = "verdict";
/// The column with the number of the answer in the history.
pub(super) const ANSWER: &str = "answer_id";
/// The columns of the answers.
const COLUMNS: [&str; 12] = [
    "question",
    "found",
    "answer",
    "probability",
    "document",
    "section",
    "page",
    "quote",
    VERDICT,
    ANSWER,
    "audit_entry",
    "note",
];

impl Answering<'_> {
    /// The prompts that answering all questions of a table would send, and the model that would get them. `None` where
    /// nothing would be sent. This function itself sends nothing.
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
        let rows = questions(&batch.questions, watcher)?.0;
        self.gathered(batch, &rows, watcher)?.plan()
    }

    /// The prompts for all questions.
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

    /// Answers the questions of a table (a workbook or CSV, one question in each row). The answers are written into
    /// another table, or into a document if its name ends in `.docx`. Each answer is also kept in the workspace like
    /// any other answer. If a model writes the answers, it is asked all questions in one run.
    ///
    /// # Errors
    /// When the file cannot be read or holds no question, or the answers cannot be written; [`Code::ConsentMissing`]
    /// where something would be sent without consent.
    pub fn ask_batch(&self, batch: &AnswerBatch, watcher: &dyn Watcher) -> Result<BatchReport> {
        let (file, out) = (Path::new(&batch.questions), Path::new(&batch.out));
        for (taken, what) in [
            (self.workspace.path(), "workspace"),
            (file, "table of questions"),
        ] {
            if is_one_file(taken, out) {
                return Err(written_over(what));
            }
        }
        refuse_workspace(out, None)?;
        match verdicts_in(out, watcher) {
            Verdicts::None => {}
            Verdicts::Some => return Err(written_over("verdicts in that table")),
            Verdicts::Unknown => {
                return Err(written_over("table there, which cannot be read"));
            }
        }
        if is_of_another_kind(out) {
            let name = out.display();
            return Err(Failure::invalid(
                format!("Answers are not written in the form that the name {name} says."),
                "End the name in .csv, .xlsx or .docx.",
            ));
        }
        let (rows, table) = questions(&batch.questions, watcher)?;
        // A place that cannot be written is found before anything is asked.
        let mut target = Aside::begin(out).map_err(file_failure)?;
        let mut report = BatchReport {
            questions: 0,
            answered: 0,
            refused: 0,
            empty: 0,
            out: out.display().to_string(),
            sheet: table.sheet,
            other_sheets: table.others,
            without_vectors: 0,
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
                Stage::Answer,
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
            let lacking = answer.notes.iter().find_map(|note| match note {
                AnswerNote::WithoutVectors { sentences, .. } => Some(*sentences),
                _ => None,
            });
            report.without_vectors = report.without_vectors.max(lacking.unwrap_or_default());
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
        let bytes = written(&answers, out)
            .map_err(|error| Failure::new(Code::Internal, error, "Report this message."))?;
        target.write_all(&bytes).map_err(|e| io_failure(&e, out))?;
        target.finish().map_err(file_failure)?;
        Ok(report)
    }
}

/// The questions of a table, and the table.
fn questions(file: &str, watcher: &dyn Watcher) -> Result<(Vec<String>, Table)> {
    let table = Table::read(Path::new(file), &QUESTION, &|| watcher.cancelled())?;
    Ok((table.column(&QUESTION)?, table))
}

/// Whether a name promises a kind of file that is not written here. As CSV under such a name no program would open it.
fn is_of_another_kind(out: &Path) -> bool {
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or_default();
    matches!(
        extension.to_lowercase().as_str(),
        "pdf" | "doc" | "odt" | "xls" | "xlsm" | "ods" | "json" | "jsonl" | "html" | "htm" | "md"
    )
}

/// The answers in the form that the name of their file asks for.
fn written(answers: &[Answer], out: &Path) -> std::result::Result<Vec<u8>, String> {
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_lowercase().as_str() {
        "docx" => docx::document(answers),
        "xlsx" => {
            let texts = |row: Vec<Cell<'static>>| row.into_iter().map(plain).collect();
            let rows: Vec<Vec<String>> = answers.iter().flat_map(lines).map(texts).collect();
            let sheet = Sheet {
                name: "Answers",
                columns: &COLUMNS,
                widths: &[],
                figures: &[],
                rows: &rows,
            };
            workbook(&[sheet]).ok_or_else(|| "The document is too large.".to_owned())
        }
        _ => sheet::table(&COLUMNS, answers.iter().flat_map(lines)).map_err(|e| e.to_string()),
    }
}

/// The text of a cell. In a workbook each cell is marked as text, so no text is taken for a formula.
fn plain(cell: Cell<'static>) -> String {
    match cell {
        Cell::Text(text) => text.to_owned(),
        Cell::Joined(text) | Cell::Figure(text) => text,
    }
}

fn inquiry(batch: &AnswerBatch, question: &str) -> Inquiry {
    Inquiry {
        question: question.to_owned(),
        mode: batch.mode,
        as_of: batch.as_of.clone(),
        encoder: batch.encoder.clone(),
        rerank: None,
        after: None,
        way: batch.way.clone(),
        consent: batch.consent.clone(),
    }
}

fn written_over(what: &str) -> Failure {
    Failure::new(
        Code::InvalidRequest,
        format!("The answers would be written over the {what}."),
        "Name another file for the answers.",
    )
}

/// Whether somebody has written verdicts into a table of answers.
#[derive(Debug, PartialEq)]
enum Verdicts {
    None,
    Some,
    /// The table is locked or damaged, or what reads workbooks is missing. There may be some in it.
    Unknown,
}

/// Whether a file is a table of answers into which somebody has written a verdict. A missing file, and a file that is
/// not such a table, has no verdicts. Documents are not checked, because verdicts are read only from tables.
fn verdicts_in(file: &Path, watcher: &dyn Watcher) -> Verdicts {
    let is_document = file
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("docx"));
    let is_there = std::fs::metadata(file).is_ok_and(|about| about.is_file());
    if is_document || !is_there {
        return Verdicts::None;
    }
    let table = match Table::read(file, &[VERDICT], &|| watcher.cancelled()) {
        Ok(table) => table,
        // Nothing is written then.
        Err(failure) if failure.code == Code::Cancelled => return Verdicts::None,
        Err(_) => return Verdicts::Unknown,
    };
    let mut rows = table.rows.iter().skip_while(|row| row.is_empty());
    let Some(head) = rows.next() else {
        return Verdicts::None;
    };
    let is_of_answers = sheet::place_of(head, &[ANSWER]).is_some();
    let verdict = sheet::place_of(head, &[VERDICT]).filter(|_| is_of_answers);
    let is_written = verdict.is_some_and(|at| {
        let mut cells = rows.filter_map(|row| row.get(at));
        cells.any(|cell| !cell.trim().is_empty())
    });
    match is_written {
        true => Verdicts::Some,
        false => Verdicts::None,
    }
}

/// Whether two paths lead to one file, which is there.
fn is_one_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// One row for each citation. A question without an answer gets one row with the nearest clause.
fn lines(answer: &Answer) -> Vec<Vec<Cell<'static>>> {
    let text = |s: &str| Cell::Joined(s.to_owned());
    let number = |n: Option<u64>| Cell::Figure(n.map(|n| n.to_string()).unwrap_or_default());
    let id = answer.id.and_then(|id| u64::try_from(id.0).ok());
    // The reader of the table must see how the question was read.
    let read =
        read_otherwise(answer).map(|read| format!("the question was read otherwise: {read}"));
    // What no document speaks of may be just what is asked for.
    let nowhere = stand_nowhere(answer)
        .map(|words| format!("these words of the question stand in no document: {words}"));
    // An answer to a question with a false assumption must not look like a yes, either.
    let denied = answer.premise.as_ref().map(|premise| {
        let assumed = &premise.assumed;
        format!("the question takes for granted what the documents deny: {assumed}")
    });
    let row = |said: &str, place: Option<&Citation>, note: &str| {
        let not_in_force = stands_for_want_of_better(answer, place)
            .then_some("no document that is in force answers; this one is not in force");
        let told = [not_in_force, denied.as_deref(), read.as_deref()];
        let notes = told
            .into_iter()
            .flatten()
            .chain([note])
            .chain(nowhere.as_deref());
        let notes: Vec<&str> = notes.filter(|note| !note.is_empty()).collect();
        vec![
            text(&answer.question),
            Cell::Figure(if answer.found { "yes" } else { "no" }.to_owned()),
            text(said),
            Cell::Figure(format!("{:.3}", answer.probability)),
            text(place.map_or("", |p| &p.title)),
            text(place.map_or("", |p| &p.section)),
            Cell::Figure(place.map(|p| p.page.to_string()).unwrap_or_default()),
            text(place.map_or("", |p| &p.quote)),
            // An empty cell for a person's verdict, which is imported again with the table.
            Cell::Figure(String::new()),
            number(id),
            number(answer.audit_entry),
            text(&notes.join("; ")),
        ]
    };
    if !answer.found {
        let nearest = answer.passages.first().map(|p| &p.place);
        let note = match answer.refusal() {
            Some(Refusal::Unsure) => "not sure; the nearest clause may answer",
            _ => "not in these documents; the nearest clause",
        };
        return vec![row("", nearest, note)];
    }
    answer
        .statements
        .iter()
        .filter(|statement| statement.kept)
        .flat_map(|statement| places(answer, statement).map(move |place| (statement, place)))
        .map(|(statement, place)| {
            let newer = place
                .superseded_by
                .map(|_| "a newer version is in the workspace");
            let out = place.out_of_force.as_ref().map(told);
            let note: Vec<&str> = newer.into_iter().chain(out.as_deref()).collect();
            row(&statement.text, Some(place), &note.join("; "))
        })
        .chain(answer.parts.iter().filter_map(|part| {
            let open = match part.unsure {
                true => format!("not sure; a clause comes near: {}", part.question),
                false => format!("not in these documents: {}", part.question),
            };
            part.statements.is_empty().then(|| row("", None, &open))
        }))
        .collect()
}

/// The places that a statement cites.
fn places<'a>(answer: &'a Answer, statement: &'a Statement) -> impl Iterator<Item = &'a Citation> {
    let places = statement.citations.iter();
    places.filter_map(|place| answer.citations.get(*place))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
