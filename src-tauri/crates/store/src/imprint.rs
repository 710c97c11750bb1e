//! Imprints: four bytes for each covered row, taken when the chain recorded the row. Only the hashes in the chain prove
//! that rows were altered. If such a hash does not match, the imprints show *which* row was altered.

use crate::cover::{Cover, Part};
use crate::error::Result;
use crate::scope::Scope;
use crate::step::Migration;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params, params_from_iter};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    51,
    "CREATE TABLE imprint (
        id INTEGER PRIMARY KEY,
        scope TEXT NOT NULL,
        part TEXT NOT NULL,
        marks BLOB NOT NULL,
        UNIQUE (scope, part)
    ) STRICT;",
)];

/// The payload of a scope with the marks of its rows, part by part.
#[derive(Debug)]
pub(crate) struct Imprint {
    pub payload: [u8; 32],
    parts: Vec<(&'static str, Vec<u8>)>,
}

impl Imprint {
    /// The imprint of the rows as they are now.
    pub fn of(connection: &Connection, cover: &Cover) -> Result<Self> {
        let mut parts: Vec<(&'static str, Vec<u8>)> = Vec::new();
        if !kept(cover.scope) {
            return Ok(Self {
                payload: cover.payload(connection)?,
                parts,
            });
        }
        let payload = cover.walk(connection, |part, mark| {
            if parts.last().is_none_or(|(last, _)| *last != part) {
                parts.push((part, Vec::new()));
            }
            if let Some((_, marks)) = parts.last_mut() {
                marks.extend_from_slice(&mark.to_le_bytes());
            }
        })?;
        Ok(Self { payload, parts })
    }

    /// Puts it in the place of the scope's last one.
    pub fn keep(&self, connection: &Connection, scope: &Scope) -> Result<()> {
        if !kept(scope) {
            return Ok(());
        }
        let scope = scope.to_string();
        connection
            .prepare_cached("DELETE FROM imprint WHERE scope = ?1")?
            .execute([&scope])?;
        let mut insert = connection
            .prepare_cached("INSERT INTO imprint (scope, part, marks) VALUES (?1, ?2, ?3)")?;
        for (part, marks) in &self.parts {
            insert.execute(params![scope, part, marks])?;
        }
        Ok(())
    }
}

/// Whether an imprint is stored for each row of a scope, so that an altered row can be named. A scope with only one row
/// needs none, because the scope itself names the row. Acts have none, because their rows never change and there are
/// far too many of them.
fn kept(scope: &Scope) -> bool {
    !matches!(scope, Scope::Act(_)) && !one_row(scope)
}

fn one_row(scope: &Scope) -> bool {
    use Scope::{Checkpoint, Endpoint, Evaluation, Packet, Person, Run, Setting};
    matches!(
        scope,
        Checkpoint(_) | Endpoint(_) | Evaluation(_) | Packet(_) | Person(_) | Run(_) | Setting(_)
    )
}

/// The row of a scope that differs from what was recorded, in words; `None` if this cannot be found out.
pub(crate) fn differing_row(connection: &Connection, cover: &Cover) -> Result<Option<String>> {
    let scope = cover.scope;
    if one_row(scope) {
        let Some((table, _)) = cover.all_parts().next() else {
            return Ok(None);
        };
        return Ok(Some(format!("the row of {table} is another one or gone")));
    }
    let label = scope.to_string();
    let now = Imprint::of(connection, cover)?;
    let sql = "SELECT part, marks FROM imprint WHERE scope = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let then: Vec<(String, Vec<u8>)> = statement
        .query_map([&label], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    if then.is_empty() {
        return Ok(None);
    }
    for part in cover.all_parts() {
        let then = then
            .iter()
            .find(|(name, _)| name == part.0)
            .map_or(&[][..], |(_, marks)| marks);
        let now = now
            .parts
            .iter()
            .find(|(name, _)| *name == part.0)
            .map_or(&[][..], |(_, marks)| marks);
        if then != now {
            return Ok(Some(difference(connection, scope, part, then, now)?));
        }
    }
    Ok(None)
}

fn difference(
    connection: &Connection,
    scope: &Scope,
    part: &Part,
    then: &[u8],
    now: &[u8],
) -> Result<String> {
    let (then, now) = (then.as_chunks::<4>().0, now.as_chunks::<4>().0);
    let place = then.iter().zip(now).take_while(|(a, b)| a == b).count();
    let table = table_of(part.0);
    let row = row_at(connection, scope, part, place)?;
    Ok(match (row, then.len().cmp(&now.len())) {
        (Some(row), std::cmp::Ordering::Equal) => {
            format!("the row of {table} with {row} was altered")
        }
        (Some(row), std::cmp::Ordering::Less) => format!("the row of {table} with {row} was added"),
        (Some(row), std::cmp::Ordering::Greater) => {
            format!("a row of {table} before that with {row} is gone")
        }
        (None, _) => format!("a row at the end of {table} is gone"),
    })
}

/// The key of the row at this place of a part.
fn row_at(
    connection: &Connection,
    scope: &Scope,
    part: &Part,
    place: usize,
) -> Result<Option<String>> {
    let mut statement = connection.prepare_cached(part.1)?;
    let names: Vec<String> = statement
        .column_names()
        .take(key_columns(part.0))
        .map(str::to_owned)
        .collect();
    let mut rows = statement.query(params_from_iter(scope.key()))?;
    for _ in 0..place {
        if rows.next()?.is_none() {
            return Ok(None);
        }
    }
    Ok(rows.next()?.map(|row| key_of(row, &names)).transpose()?)
}

fn key_of(row: &Row, names: &[String]) -> rusqlite::Result<String> {
    let values = names.iter().enumerate().map(|(column, name)| {
        Ok(match row.get_ref(column)? {
            ValueRef::Null => format!("{name} null"),
            ValueRef::Integer(v) => format!("{name} {v}"),
            ValueRef::Real(v) => format!("{name} {v}"),
            // The value may have been forged, so nothing in it may control a terminal.
            ValueRef::Text(v) => {
                let text: String = String::from_utf8_lossy(v).chars().take(40).collect();
                format!("{name} {}", text.escape_debug())
            }
            ValueRef::Blob(v) => format!("{name} {}", hex::encode(&v[..v.len().min(8)])),
        })
    });
    Ok(values.collect::<rusqlite::Result<Vec<_>>>()?.join(", "))
}

/// How many of a part's columns name a row, from the first.
fn key_columns(part: &str) -> usize {
    match part {
        "mention" | "glossary" => 4,
        "edge" => 3,
        "candidate" | "confusable" | "definition" | "term name" | "embedding"
        | "embedding_source" | "graph_kept" => 2,
        _ => 1,
    }
}

/// The table behind a part.
fn table_of(part: &str) -> &str {
    match part {
        "term class" => "term",
        "term name" => "term_name",
        other => other.split('.').next().unwrap_or(other),
    }
}
