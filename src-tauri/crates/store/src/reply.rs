//! Answers that were given to questions about the corpus, and what people think of them. Neither is ever changed.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_json, from_tag, not_found, now, one, text_in, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::AnswerId;
use lexforge_domain::api::{Answer, AnswerRow, AnswerThen, AnswerVerdict};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    64,
    concat!(
        "CREATE TABLE reply (
            id INTEGER PRIMARY KEY,
            asked TEXT NOT NULL,
            question TEXT NOT NULL,
            found INTEGER NOT NULL,
            citations INTEGER NOT NULL,
            answer TEXT NOT NULL
        ) STRICT;
        CREATE TABLE reply_verdict (
            id INTEGER PRIMARY KEY,
            reply INTEGER NOT NULL REFERENCES reply (id),
            judged TEXT NOT NULL,
            actor TEXT NOT NULL,
            verdict TEXT NOT NULL
        ) STRICT;
        CREATE INDEX reply_verdict_of ON reply_verdict (reply, id);",
        append_only!("reply"),
        append_only!("reply_verdict")
    ),
)];

pub(crate) const COVERED: Part = (
    "reply",
    "SELECT id, asked, question, found, citations, answer FROM reply WHERE id = ?1",
);

pub(crate) const COVERED_VERDICTS: Part = (
    "reply_verdict",
    "SELECT id, reply, judged, actor, verdict FROM reply_verdict WHERE reply = ?1 ORDER BY id",
);

/// Answers in the window's list, the newest.
const MOST: i64 = 500;
/// `LIMIT` without a bound in SQLite.
const ALL: i64 = -1;
const LATEST: &str = "ORDER BY r.id DESC LIMIT ?1";

impl Reader<'_> {
    /// All answers, newest first.
    pub fn replies(&self) -> Result<Vec<AnswerRow>> {
        self.reply_rows(LATEST, ALL)
    }

    /// The newest answers, newest first. Their number is limited to what the window shows in its list. To count or
    /// judge answers, use [`Reader::replies`], which also returns the older ones.
    pub fn newest_replies(&self) -> Result<Vec<AnswerRow>> {
        self.reply_rows(LATEST, MOST)
    }

    /// The row of the list for the answer with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn reply_row(&self, id: AnswerId) -> Result<AnswerRow> {
        self.reply_rows("WHERE r.id = ?1", id.0)?
            .pop()
            .ok_or_else(|| not_found("answer", id))
    }

    fn reply_rows(&self, which: &str, value: i64) -> Result<Vec<AnswerRow>> {
        let sql = format!(
            "SELECT r.id, r.asked, r.question, r.found, r.citations,
                (SELECT v.verdict FROM reply_verdict v WHERE v.reply = r.id ORDER BY v.id DESC LIMIT 1)
             FROM reply r {which}"
        );
        all(self.connection, &sql, [value], |row| {
            let verdict: Option<String> = row.get(5)?;
            Ok(AnswerRow {
                id: AnswerId(row.get(0)?),
                asked: row.get(1)?,
                question: row.get(2)?,
                found: row.get(3)?,
                citations: row.get(4)?,
                verdict: verdict
                    .map(|tag| from_tag("reply_verdict", &tag, AnswerVerdict::from_tag))
                    .transpose()?,
                changed: 0,
            })
        })
    }

    /// How the documents of each of these answers counted when it was given, with the id of the answer. The rest of an
    /// answer, which is most of its text, is passed over. `None` = an answer that cannot be read, which is said when it
    /// is opened; the list of all others stands. An id that no answer has is left out.
    pub fn replies_then(&self, of: &[AnswerId]) -> Result<Vec<(AnswerId, Option<AnswerThen>)>> {
        let sql = "SELECT answer FROM reply WHERE id = ?1";
        let mut found = Vec::with_capacity(of.len());
        for id in of {
            let then = first(self.connection, sql, [id.0], |row| {
                Ok(from_json("reply", text_in("reply", row, 0)?).ok())
            })?;
            found.extend(then.map(|then| (*id, then)));
        }
        Ok(found)
    }

    /// The answer with this id, unchanged.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn reply(&self, id: AnswerId) -> Result<Answer> {
        let sql = "SELECT answer FROM reply WHERE id = ?1";
        let answer: Answer = one(self.connection, sql, "answer", id.0, |row| {
            from_json("reply", &row.get::<_, String>(0)?)
        })?;
        let entry = self.newest_row_of(&Scope::Reply(id))?;
        Ok(Answer {
            id: Some(id),
            audit_entry: u64::try_from(entry).ok(),
            ..answer
        })
    }
}

impl Writer<'_> {
    /// Stores an answer.
    pub fn put_reply(&mut self, answer: &Answer) -> Result<AnswerId> {
        let json = to_json("reply", answer)?;
        // JSON has no infinity and no NaN: better refused now than unreadable for good.
        from_json::<Answer>("reply", &json)?;
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO reply (asked, question, found, citations, answer) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .insert(params![
                answer.asked,
                answer.question,
                answer.found,
                answer.citations.len(),
                json
            ])?;
        self.record("answer.put", &Scope::Reply(AnswerId(id)))?;
        Ok(AnswerId(id))
    }

    /// Stores a person's verdict on an answer. Earlier verdicts stay in the file.
    ///
    /// # Errors
    /// `NotFound`; errors of the database.
    pub fn judge_reply(&mut self, id: AnswerId, verdict: AnswerVerdict) -> Result<()> {
        self.reply_row(id)?;
        self.connection
            .prepare_cached(
                "INSERT INTO reply_verdict (reply, judged, actor, verdict) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![id.0, now(), self.actor, verdict.tag()])?;
        self.record("answer.judge", &Scope::Reply(id))
    }
}
