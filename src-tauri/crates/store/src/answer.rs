//! Answers of endpoints: each is kept before anything is made of it, and no prompt that has one is asked again.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::request::PromptKey;
use crate::row::{first, now};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::AskingId;
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    27,
    concat!(
        "CREATE TABLE answer (
            key BLOB PRIMARY KEY CHECK (length(key) = 32),
            asking INTEGER NOT NULL REFERENCES asking (id),
            model TEXT NOT NULL,
            text TEXT NOT NULL,
            finish TEXT NOT NULL,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            cost REAL,
            received TEXT NOT NULL
        ) STRICT;
        CREATE INDEX answer_of_asking ON answer (asking);",
        append_only!("answer")
    ),
)];

/// As with requests, they are covered once their asking has ended.
pub(crate) const COVERED: Part = (
    "answer",
    "SELECT key, model, text, finish, prompt_tokens, completion_tokens, cost, received FROM answer
     WHERE asking = ?1 AND EXISTS (SELECT 1 FROM asking WHERE id = ?1 AND state <> 'running') ORDER BY key",
);

/// An answer as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnswer {
    /// The model that the endpoint says it was.
    pub model: String,
    pub text: String,
    /// Why it ended: `stop`, `length`, or whatever the endpoint says.
    pub finish: String,
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
    /// The cost of the tokens.
    pub cost: Option<f64>,
}

impl Reader<'_> {
    /// The answer to a prompt, if there is one.
    pub fn answer(&self, key: &PromptKey) -> Result<Option<StoredAnswer>> {
        let sql = "SELECT model, text, finish, prompt_tokens, completion_tokens, cost FROM answer WHERE key = ?1";
        first(self.connection, sql, [key], |row| Ok(stored(row)?))
    }
}

impl Writer<'_> {
    /// Stores the answer to a prompt and closes its open request. If the prompt has an answer already, that answer
    /// stays and the result is `false`.
    pub fn insert_answer(
        &mut self,
        asking: AskingId,
        key: &PromptKey,
        answer: &StoredAnswer,
    ) -> Result<bool> {
        let sql =
            "INSERT INTO answer (key, asking, model, text, finish, prompt_tokens, completion_tokens, cost, received)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (key) DO NOTHING";
        let new = self.connection.prepare_cached(sql)?.execute(params![
            key,
            asking.0,
            answer.model,
            answer.text,
            answer.finish,
            answer.prompt_tokens,
            answer.completion_tokens,
            answer.cost.filter(|c| c.is_finite()),
            now()
        ])?;
        self.settle_request(asking, key, "answered", "")?;
        Ok(new > 0)
    }
}

fn stored(row: &Row) -> rusqlite::Result<StoredAnswer> {
    Ok(StoredAnswer {
        model: row.get(0)?,
        text: row.get(1)?,
        finish: row.get(2)?,
        prompt_tokens: row.get(3)?,
        completion_tokens: row.get(4)?,
        cost: row.get(5)?,
    })
}
