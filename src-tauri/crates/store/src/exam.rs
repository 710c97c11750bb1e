//! Exams: sets of questions that somebody else wrote, or of terms to be distinguished by their contexts. They are
//! stored as they were imported. An exam is never changed. If an exam is removed, its texts are removed, and the audit
//! chain still records that it existed.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, to_json};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::ExamRow;
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    76,
    "CREATE TABLE exam (
        name TEXT PRIMARY KEY,
        about TEXT NOT NULL,
        items TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER exam_is_never_changed BEFORE UPDATE ON exam
        BEGIN SELECT RAISE(ABORT, 'rows of exam are never changed'); END;",
)];

pub(crate) const COVERED: Part = (
    "exam",
    "SELECT name, about, items FROM exam WHERE name = ?1",
);

impl Reader<'_> {
    /// All exams, ordered by name.
    pub fn exams(&self) -> Result<Vec<ExamRow>> {
        let sql = "SELECT about FROM exam ORDER BY name";
        all(self.connection, sql, [], about)
    }

    /// An exam with its items, in the form in which the caller stored them.
    pub fn exam(&self, name: &str) -> Result<Option<(ExamRow, String)>> {
        let sql = "SELECT about, items FROM exam WHERE name = ?1";
        first(self.connection, sql, [name], |row| {
            Ok((about(row)?, row.get(1)?))
        })
    }
}

fn about(row: &Row) -> Result<ExamRow> {
    from_json("exam", &row.get::<_, String>(0)?)
}

impl Writer<'_> {
    /// Stores an exam under its name. It is an error if another exam has this name.
    pub fn put_exam(&mut self, about: &ExamRow, items: &str) -> Result<()> {
        self.connection
            .prepare_cached("INSERT INTO exam (name, about, items) VALUES (?1, ?2, ?3)")?
            .execute(params![about.name, to_json("exam", about)?, items])?;
        self.record("exam.put", &Scope::Exam(about.name.clone()))
    }

    /// Removes an exam with all its texts. Returns whether there was one.
    pub fn remove_exam(&mut self, name: &str) -> Result<bool> {
        let removed = self
            .connection
            .prepare_cached("DELETE FROM exam WHERE name = ?1")?
            .execute([name])?;
        self.record("exam.remove", &Scope::Exam(name.to_owned()))?;
        Ok(removed > 0)
    }
}
