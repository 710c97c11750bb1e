//! Questions with choices and answer, and the report on how they were made.

use crate::cover::Part;
use crate::error::Result;
use crate::question_identity::Identity;
use crate::reader::Reader;
use crate::row::{
    all, first, from_json, from_tag, ids, limit, not_found, offset, one, page_of, tag_in, text_in,
    to_json, typed, value,
};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::api::{AugmentReport, QuestionFilter, QuestionRow, Rows};
use lexforge_domain::qca::{
    ChoiceOrigin, Qca, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split,
};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{DocumentId, QcaId, SentenceId, TermId};
use rusqlite::{Row, named_params, params};
use std::collections::HashSet;

pub(crate) const MIGRATIONS: &[Migration] = &[MADE, BY_ANCHOR, WITHOUT_STATUS, WITH_NOTE];

const WITH_NOTE: Migration = Migration::new(63, "ALTER TABLE qca ADD COLUMN note TEXT;");

/// The column was `unreviewed` in every row: where a question stands is its verdict.
const WITHOUT_STATUS: Migration = Migration::new(61, "ALTER TABLE qca DROP COLUMN status;");

/// From a term or a sentence to the questions about it.
const BY_ANCHOR: Migration = Migration::new(
    50,
    "CREATE INDEX qca_of_sentence ON qca (anchor_sentence);
     CREATE INDEX qca_of_term ON qca (anchor_term) WHERE anchor_term IS NOT NULL;",
);

const MADE: Migration = Migration::new(
    14,
    // The column `fingerprint` is used to recognise a question that is written again. With the index `qca_tally`,
    // questions are counted without reading a million rows. With the index `qca_narrow`, the ids for one page of a long
    // list are found without reading the questions.
    "CREATE TABLE qca (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        fingerprint BLOB NOT NULL UNIQUE,
        level TEXT NOT NULL,
        type TEXT NOT NULL,
        question TEXT NOT NULL,
        choices TEXT NOT NULL,
        answer INTEGER NOT NULL,
        origins TEXT NOT NULL,
        rephrased TEXT,
        anchor_sentence INTEGER NOT NULL REFERENCES sentence (id),
        anchor_term INTEGER,
        source TEXT NOT NULL,
        status TEXT NOT NULL,
        split TEXT NOT NULL
    ) STRICT;
    CREATE INDEX qca_narrow ON qca (id, level, type, split);
    CREATE TABLE qca_tally (
        level TEXT NOT NULL,
        type TEXT NOT NULL,
        split TEXT NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (level, type, split)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE augmentation (id INTEGER PRIMARY KEY CHECK (id = 1), report TEXT NOT NULL) STRICT;",
);

/// The constant stands where format 60 had the column `status`, so that the hashes of older rows stay.
pub(crate) const COVERED: Part = (
    "qca",
    "SELECT id, level, type, question, choices, answer, origins, rephrased, anchor_sentence, anchor_term, source,
            'unreviewed', split
     FROM qca ORDER BY id",
);
pub(crate) const COVERED_NOTES: Part = (
    "qca.note",
    "SELECT id, note FROM qca WHERE note IS NOT NULL ORDER BY id",
);
pub(crate) const COVERED_REPORT: Part = ("augmentation", "SELECT report FROM augmentation");

/// A question with its anchor's place, and as the reviewers left it. [`question_row`] reads the columns by these names.
const SELECT: &str = "SELECT q.id, q.level, q.type, q.question, q.choices, q.answer, q.origins, q.rephrased,
    q.anchor_sentence, q.anchor_term, q.source, q.split, q.note, coalesce(v.status, 'unreviewed') AS status,
    v.text AS settled_question, v.choices AS settled_choices, s.text AS anchor_text, s.document, s.page, d.title,
    coalesce(x.path, '') AS section
    FROM qca q JOIN sentence s ON s.id = q.anchor_sentence JOIN document d ON d.id = s.document
    LEFT JOIN section x ON x.id = s.section
    LEFT JOIN verdict v ON v.kind = 'question' AND v.first = q.id AND v.second = 0";

/// The fields by which a review queue orders and filters a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionRank {
    pub id: QcaId,
    /// The part of the dataset that it belongs to.
    pub split: Split,
    /// Who wrote it.
    pub source: QuestionSource,
    /// Its anchor's document.
    pub document: DocumentId,
}

impl Reader<'_> {
    /// Questions that match a filter, ordered by id, with their anchors' places. Questions that reviewers changed are
    /// given in their changed form, but the filter's text is searched in the original form.
    pub fn questions(&self, filter: &QuestionFilter) -> Result<Rows<QuestionRow>> {
        let like = typed(filter.query.as_deref());
        let level = filter.level.map(QcaLevel::tag);
        let kind = filter.question_type.map(QuestionType::tag);
        let split = filter.split.map(Split::tag);
        let mut conditions = vec!["(1 OR :level OR :type OR :split OR :like)"];
        if level.is_some() {
            conditions.push("level = :level");
        }
        if kind.is_some() {
            conditions.push("type = :type");
        }
        if split.is_some() {
            conditions.push("split = :split");
        }
        if like.is_some() {
            conditions.push("(question LIKE :like ESCAPE '\\' OR choices LIKE :like ESCAPE '\\')");
        }
        let conditions = conditions.join(" AND ");
        let values = named_params! {":level": level, ":type": kind, ":split": split, ":like": like};
        let (skip, most) = (offset(filter.offset), limit(filter.limit));
        let (ids, total) = if like.is_some() {
            let ids = ids(
                self.connection,
                &format!("SELECT id FROM qca WHERE {conditions} ORDER BY id"),
                values,
            )?;
            let total = ids.len() as u64;
            (page_of(ids, filter.offset, filter.limit), total)
        } else {
            let sql = format!("SELECT coalesce(sum(n), 0) FROM qca_tally WHERE {conditions}");
            let total = value(self.connection, &sql, values)?;
            let sql = format!(
                "SELECT id FROM qca WHERE {conditions} ORDER BY id LIMIT {most} OFFSET {skip}"
            );
            (ids(self.connection, &sql, values)?, total)
        };
        let rows = ids
            .into_iter()
            .map(|id| self.question(QcaId(id)))
            .collect::<Result<_>>()?;
        Ok(Rows { rows, total })
    }

    /// The question with this id, with the place of its anchor.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn question(&self, id: QcaId) -> Result<QuestionRow> {
        self.question_by(&format!("{SELECT} WHERE q.id = ?1"), id)
    }

    /// The question with this id as it was written, without decisions about it and without its note.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn written_question(&self, id: QcaId) -> Result<QuestionRow> {
        let row = self.question_by(&format!("{SELECT} AND 0 WHERE q.id = ?1"), id)?;
        Ok(QuestionRow { note: None, ..row })
    }

    /// The fields by which a review queue orders and filters questions.
    pub fn question_ranks(&self) -> Result<Vec<QuestionRank>> {
        let sql = "SELECT q.id, q.split, q.source, s.document FROM qca q JOIN sentence s ON s.id = q.anchor_sentence
             ORDER BY q.id";
        all(self.connection, sql, [], |row| {
            Ok(QuestionRank {
                id: QcaId(row.get(0)?),
                split: tag_in("qca", row, 1, Split::from_tag)?,
                source: tag_in("qca", row, 2, QuestionSource::from_tag)?,
                document: DocumentId(row.get(3)?),
            })
        })
    }

    /// The questions that ask to distinguish these two terms: one term is the answer, and the other is among the
    /// choices.
    pub fn questions_between_terms(&self, one: TermId, other: TermId) -> Result<Vec<QcaId>> {
        let names = |origin: &ChoiceOrigin, wanted| matches!(origin, ChoiceOrigin::Term { term } if *term == wanted);
        let mut found = self.questions_with("anchor_term", one.0, |origin| names(origin, other))?;
        found.extend(self.questions_with("anchor_term", other.0, |origin| names(origin, one))?);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The questions that ask to distinguish these two sentences: they ask about one sentence, and one of their choices
    /// comes from the other.
    pub fn questions_between_sentences(
        &self,
        one: SentenceId,
        other: SentenceId,
    ) -> Result<Vec<QcaId>> {
        let names =
            |origin: &ChoiceOrigin, wanted: SentenceId| origin.borrowed_from() == Some(wanted);
        let mut found =
            self.questions_with("anchor_sentence", one.0, |origin| names(origin, other))?;
        found.extend(self.questions_with("anchor_sentence", other.0, |origin| names(origin, one))?);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The questions about a sentence whose answer is this term.
    pub fn questions_for(&self, sentence: SentenceId, term: TermId) -> Result<Vec<QcaId>> {
        let sql = "SELECT id FROM qca WHERE anchor_sentence = ?1 AND +anchor_term = ?2 ORDER BY id";
        Ok(ids(self.connection, sql, [sentence.0, term.0])?
            .into_iter()
            .map(QcaId)
            .collect())
    }

    /// The questions with this anchor that have a choice with such an origin.
    fn questions_with(
        &self,
        anchor: &str,
        id: i64,
        wanted: impl Fn(&ChoiceOrigin) -> bool,
    ) -> Result<Vec<QcaId>> {
        let sql = format!("SELECT id, origins FROM qca WHERE {anchor} = ?1 ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([id])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let origins: Vec<ChoiceOrigin> = from_json("qca", text_in("qca", row, 1)?)?;
            if origins.iter().any(&wanted) {
                found.push(QcaId(row.get(0)?));
            }
        }
        Ok(found)
    }

    fn question_by(&self, sql: &str, id: QcaId) -> Result<QuestionRow> {
        one(self.connection, sql, "question", id.0, question_row)
    }

    /// The report on how the questions were written. `None` if no questions were written yet.
    pub fn augment_report(&self) -> Result<Option<AugmentReport>> {
        let sql = "SELECT report FROM augmentation";
        first(self.connection, sql, [], |row| {
            from_json("augmentation", &row.get::<_, String>(0)?)
        })
    }
}

impl Writer<'_> {
    /// Replaces all questions, and returns the ids of the new ones in the order of `questions`. A question that is
    /// written again word for word keeps its id. A question with a decision or a note stays, even if it is not in the
    /// list.
    pub fn replace_questions(
        &mut self,
        questions: &[(QcaDraft, Split)],
        summary: &AugmentReport,
    ) -> Result<Vec<QcaId>> {
        let mut ids = Vec::with_capacity(questions.len());
        for (draft, split) in questions {
            ids.push(upsert(self, draft, *split)?);
        }
        delete_others(self, &ids)?;
        close(self, summary)?;
        self.record("questions.augment", &Scope::Questions)?;
        Ok(ids)
    }

    /// Sets the note on a question. It replaces the present note; `None` removes the note.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn note_question(&mut self, id: QcaId, note: Option<&str>) -> Result<()> {
        let changed = self
            .connection
            .prepare_cached("UPDATE qca SET note = ?2 WHERE id = ?1")?
            .execute(params![id.0, note])?;
        if changed == 0 {
            return Err(not_found("question", id));
        }
        self.because(format!("question {id}"))
            .record("question.note", &Scope::Questions)
    }
}

/// Counts what there is, and keeps how it was made.
pub(crate) fn close(writer: &Writer, summary: &AugmentReport) -> Result<()> {
    writer.connection.execute_batch(
        "DELETE FROM qca_tally;
         INSERT INTO qca_tally (level, type, split, n) SELECT level, type, split, count(*) FROM qca GROUP BY 1, 2, 3;",
    )?;
    writer.connection.execute(
        "INSERT INTO augmentation (id, report) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET report = excluded.report",
        [to_json("augmentation", summary)?],
    )?;
    Ok(())
}

/// Writes a question that is recognised by its words. One that is there already keeps its id and goes to this part.
fn upsert(writer: &Writer, draft: &QcaDraft, split: Split) -> Result<QcaId> {
    let row = NewRow {
        id: None,
        fingerprint: Identity::of(draft).fingerprint()?,
        draft,
        split,
    };
    row.insert(
        writer,
        "ON CONFLICT (fingerprint) DO UPDATE SET split = excluded.split",
    )
}

/// Adds a question under its own id, by which it is recognised too: two of the same words stay two.
pub(crate) fn insert(writer: &Writer, question: &Qca) -> Result<()> {
    let row = NewRow {
        id: Some(question.id),
        fingerprint: Identity::of(&question.draft).fingerprint_under(question.id)?,
        draft: &question.draft,
        split: question.split,
    };
    row.insert(writer, "").map(drop)
}

/// A question's row before it is written.
struct NewRow<'d> {
    /// Its id; if it is `None`, the table assigns the next one.
    id: Option<QcaId>,
    fingerprint: [u8; 32],
    draft: &'d QcaDraft,
    split: Split,
}

impl NewRow<'_> {
    /// The one place that writes a question's row. `known` says what happens where the fingerprint is there already.
    fn insert(&self, writer: &Writer, known: &str) -> Result<QcaId> {
        let draft = self.draft;
        let id = writer
            .connection
            .prepare_cached(&format!(
                "INSERT INTO qca (id, fingerprint, level, type, question, choices, answer, origins, rephrased,
                                  anchor_sentence, anchor_term, source, split)
                 VALUES (:id, :fingerprint, :level, :type, :question, :choices, :answer, :origins, :rephrased,
                         :anchor_sentence, :anchor_term, :source, :split)
                 {known} RETURNING id"
            ))?
            .query_row(
                named_params! {
                    ":id": self.id.map(|id| id.0),
                    ":fingerprint": self.fingerprint,
                    ":level": draft.level.tag(),
                    ":type": draft.question_type.tag(),
                    ":question": draft.question,
                    ":choices": to_json("qca", &draft.choices)?,
                    ":answer": draft.answer,
                    ":origins": to_json("qca", &draft.origins)?,
                    ":rephrased": draft.rephrased,
                    ":anchor_sentence": draft.anchor_sentence.0,
                    ":anchor_term": draft.anchor_term.map(|t| t.0),
                    ":source": draft.source.tag(),
                    ":split": self.split.tag(),
                },
                |row| row.get(0),
            )?;
        Ok(QcaId(id))
    }
}

fn delete_others(writer: &Writer, ids: &[QcaId]) -> Result<()> {
    let kept: HashSet<i64> = ids.iter().map(|id| id.0).collect();
    let sql = "SELECT id FROM qca
         WHERE note IS NULL AND id NOT IN (SELECT first FROM decision WHERE kind = 'question')";
    let all = crate::row::ids(writer.connection, sql, [])?;
    let mut delete = writer
        .connection
        .prepare_cached("DELETE FROM qca WHERE id = ?1")?;
    for id in all.into_iter().filter(|id| !kept.contains(id)) {
        delete.execute([id])?;
    }
    Ok(())
}

fn question_row(row: &Row) -> Result<QuestionRow> {
    let text = |column: &str| row.get::<_, String>(column);
    let settled: Option<String> = row.get("settled_question")?;
    let written_choices: Vec<String> = from_json("qca", &text("choices")?)?;
    let settled_choices: Option<Vec<String>> = row
        .get::<_, Option<String>>("settled_choices")?
        .map(|json| from_json("verdict", &json))
        .transpose()?;
    let draft = QcaDraft {
        level: from_tag("qca", &text("level")?, QcaLevel::from_tag)?,
        question_type: from_tag("qca", &text("type")?, QuestionType::from_tag)?,
        question: settled.map_or_else(|| text("question"), Ok)?,
        // Right answer and origins go by place: other choices are other words for the same places.
        choices: settled_choices
            .filter(|c| c.len() == written_choices.len())
            .unwrap_or(written_choices),
        answer: row.get("answer")?,
        origins: from_json("qca", &text("origins")?)?,
        rephrased: row.get("rephrased")?,
        anchor_sentence: SentenceId(row.get("anchor_sentence")?),
        anchor_term: row.get::<_, Option<i64>>("anchor_term")?.map(TermId),
        source: from_tag("qca", &text("source")?, QuestionSource::from_tag)?,
    };
    Ok(QuestionRow {
        question: Qca {
            id: QcaId(row.get("id")?),
            draft,
            status: from_tag("qca", &text("status")?, ReviewStatus::from_tag)?,
            split: from_tag("qca", &text("split")?, Split::from_tag)?,
        },
        anchor_text: row.get("anchor_text")?,
        document: DocumentId(row.get("document")?),
        document_title: row.get("title")?,
        page: row.get("page")?,
        section: row.get("section")?,
        note: row.get("note")?,
        candidates_changed: false,
    })
}
