//! The drafts that were rejected when questions were written last, to be looked at.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{from_json, from_tag, limit, offset, to_json, value};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::{RejectedDraft, RejectedDraftRow, RejectedFilter, Rows};
use lexforge_domain::qca::{QcaLevel, QuestionSource};
use lexforge_domain::{DocumentId, SentenceId};
use rusqlite::{named_params, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    46,
    "CREATE TABLE rejected_draft (
        id INTEGER PRIMARY KEY,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        score REAL,
        level TEXT NOT NULL,
        source TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        question TEXT NOT NULL,
        choices TEXT NOT NULL,
        answer INTEGER NOT NULL,
        rephrased TEXT,
        anchor_sentence INTEGER NOT NULL REFERENCES sentence (id)
    ) STRICT;
    CREATE INDEX rejected_draft_narrow ON rejected_draft (reason, level, id);",
)];

pub(crate) const COVERED: Part = (
    "rejected_draft",
    "SELECT id, reason, note, score, level, source, attempt, question, choices, answer, rephrased, anchor_sentence
     FROM rejected_draft ORDER BY id",
);

impl Reader<'_> {
    /// Drafts that match a filter, in the order of their anchors, with their anchors' places.
    pub fn rejected_drafts(&self, filter: &RejectedFilter) -> Result<Rows<RejectedDraftRow>> {
        let (reason, level) = (filter.reason.as_deref(), filter.level.map(QcaLevel::tag));
        let condition =
            "(:reason IS NULL OR reason = :reason) AND (:level IS NULL OR level = :level)";
        let values = named_params! {":reason": reason, ":level": level};
        let sql = format!("SELECT count(*) FROM rejected_draft WHERE {condition}");
        let total = value(self.connection, &sql, values)?;
        let sql = format!(
            "SELECT r.reason, r.note, r.score, r.level, r.source, r.attempt, r.question, r.choices, r.answer, r.rephrased,
                    r.anchor_sentence, s.text, s.document, d.title, s.page
             FROM (SELECT * FROM rejected_draft WHERE {condition} ORDER BY id LIMIT {} OFFSET {}) r
             JOIN sentence s ON s.id = r.anchor_sentence JOIN document d ON d.id = s.document ORDER BY r.id",
            limit(filter.limit),
            offset(filter.offset)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = statement.query(values)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            rows.push(RejectedDraftRow {
                draft: RejectedDraft {
                    reason: row.get(0)?,
                    note: row.get(1)?,
                    score: row.get(2)?,
                    level: from_tag(
                        "rejected_draft",
                        &row.get::<_, String>(3)?,
                        QcaLevel::from_tag,
                    )?,
                    source: from_tag(
                        "rejected_draft",
                        &row.get::<_, String>(4)?,
                        QuestionSource::from_tag,
                    )?,
                    attempt: row.get(5)?,
                    question: row.get(6)?,
                    choices: from_json("rejected_draft", &row.get::<_, String>(7)?)?,
                    answer: row.get(8)?,
                    rephrased: row.get(9)?,
                    anchor_sentence: SentenceId(row.get(10)?),
                },
                anchor_text: row.get(11)?,
                document: DocumentId(row.get(12)?),
                document_title: row.get(13)?,
                page: row.get(14)?,
            });
        }
        Ok(Rows { rows, total })
    }
}

impl Writer<'_> {
    /// Replaces all stored drafts.
    pub fn replace_rejected(&mut self, drafts: &[RejectedDraft]) -> Result<()> {
        if self.connection.execute("DELETE FROM rejected_draft", [])? == 0 && drafts.is_empty() {
            return Ok(());
        }
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO rejected_draft (reason, note, score, level, source, attempt, question, choices, answer, rephrased,
                                         anchor_sentence)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        for draft in drafts {
            insert.execute(params![
                draft.reason,
                draft.note,
                draft.score.filter(|s| s.is_finite()),
                draft.level.tag(),
                draft.source.tag(),
                draft.attempt,
                draft.question,
                to_json("rejected_draft", &draft.choices)?,
                draft.answer,
                draft.rephrased,
                draft.anchor_sentence.0
            ])?;
        }
        drop(insert);
        self.record("questions.rejected", &Scope::Rejected)
    }
}
