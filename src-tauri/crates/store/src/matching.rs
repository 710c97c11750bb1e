//! Rules matched with the statements of policies, and the decisions and proposals of people about them. Rows are never
//! changed: a new matching is added, and the newest decision about a rule counts.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, now};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration::new(
        75,
        concat!(
            "CREATE TABLE matching (id INTEGER PRIMARY KEY, made TEXT NOT NULL, actor TEXT NOT NULL, body TEXT NOT NULL) STRICT;",
            append_only!("matching"),
            "CREATE TABLE match_decision (
            id INTEGER PRIMARY KEY,
            rule INTEGER NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX match_decision_of ON match_decision (rule, id);",
            append_only!("match_decision")
        ),
    ),
    // This step changes no table. From this version on, proposals of others are stored among the decisions. Older
    // versions do not know proposals. Because of this step they refuse to open the file.
    Migration::new(87, ""),
];

pub(crate) const COVERED: Part = (
    "matching",
    "SELECT id, made, actor, body FROM matching ORDER BY id",
);
pub(crate) const COVERED_DECISIONS: Part = (
    "match_decision",
    "SELECT id, rule, made, actor, body FROM match_decision ORDER BY id",
);

/// A decision as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMatchDecision {
    /// Its number.
    pub id: i64,
    /// The sentence of the rule.
    pub rule: i64,
    /// When it was made, RFC 3339, UTC.
    pub made: String,
    /// Who made it.
    pub actor: String,
    /// The decision, in the form in which the caller wrote it.
    pub body: String,
}

impl Reader<'_> {
    /// The newest matching: its number, when it was made, and its body.
    pub fn newest_matching(&self) -> Result<Option<(i64, String, String)>> {
        let sql = "SELECT id, made, body FROM matching ORDER BY id DESC LIMIT 1";
        first(self.connection, sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
    }

    /// All decisions about matches, oldest first.
    pub fn match_decisions(&self) -> Result<Vec<StoredMatchDecision>> {
        let sql = "SELECT id, rule, made, actor, body FROM match_decision ORDER BY id";
        all(self.connection, sql, [], |row| {
            Ok(StoredMatchDecision {
                id: row.get(0)?,
                rule: row.get(1)?,
                made: row.get(2)?,
                actor: row.get(3)?,
                body: row.get(4)?,
            })
        })
    }
}

impl Writer<'_> {
    /// Stores a matching, and returns its number.
    pub fn put_matching(&mut self, body: &str) -> Result<i64> {
        let actor = self.actor.to_owned();
        self.connection
            .prepare_cached("INSERT INTO matching (made, actor, body) VALUES (?1, ?2, ?3)")?
            .execute(params![now(), actor, body])?;
        let id = self.connection.last_insert_rowid();
        self.record("matching.put", &Scope::Matchings)?;
        Ok(id)
    }

    /// Stores decisions about rules. Each consists of the sentence id of the rule and the decision.
    pub fn put_match_decisions(&mut self, decisions: &[(i64, String)]) -> Result<()> {
        self.insert_match_decisions(decisions)?;
        self.record("match.decide", &Scope::MatchDecisions)
    }

    /// Stores proposals of others about rules. Each proposal comes with the sentence id of its rule. Proposals are in
    /// the same table as decisions, but have another name in the audit chain.
    pub fn put_match_proposals(&mut self, proposals: &[(i64, String)], from: &str) -> Result<()> {
        self.insert_match_decisions(proposals)?;
        self.because(from)
            .record("match.propose", &Scope::MatchDecisions)
    }

    fn insert_match_decisions(&mut self, decisions: &[(i64, String)]) -> Result<()> {
        let (made, actor) = (now(), self.actor.to_owned());
        for (rule, body) in decisions {
            self.connection
                .prepare_cached(
                    "INSERT INTO match_decision (rule, made, actor, body) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![rule, made, actor, body])?;
        }
        Ok(())
    }
}
