//! The steps by which an older workspace becomes one of today: composed from the tables' own, in order.

use crate::error::{Result, StoreError};
use crate::step::Migration;
use rusqlite::Connection;

/// Marks the file as a workspace of this product (`application_id`): "LexF".
pub(crate) const APPLICATION_ID: i32 = 0x4C65_7846;

/// All steps, in order.
pub(crate) fn migrations() -> Vec<&'static Migration> {
    let tables: [&[Migration]; 54] = [
        crate::audit::MIGRATIONS,
        crate::setting::MIGRATIONS,
        crate::document::MIGRATIONS,
        crate::chunk::MIGRATIONS,
        crate::page::MIGRATIONS,
        crate::section::MIGRATIONS,
        crate::sentence::MIGRATIONS,
        crate::full_text::MIGRATIONS,
        crate::term_row::MIGRATIONS,
        crate::glossary::MIGRATIONS,
        crate::mention::MIGRATIONS,
        crate::definition::MIGRATIONS,
        crate::term_name::MIGRATIONS,
        crate::confusable::MIGRATIONS,
        crate::embedding::MIGRATIONS,
        crate::embedding_source::MIGRATIONS,
        crate::graph_build::MIGRATIONS,
        crate::edge::MIGRATIONS,
        crate::qca::MIGRATIONS,
        crate::dataset::MIGRATIONS,
        crate::dataset_item::MIGRATIONS,
        crate::run::MIGRATIONS,
        crate::checkpoint::MIGRATIONS,
        crate::evaluation::MIGRATIONS,
        crate::succession::MIGRATIONS,
        crate::validity::MIGRATIONS,
        crate::endpoint::MIGRATIONS,
        crate::asking::MIGRATIONS,
        crate::request::MIGRATIONS,
        crate::answer::MIGRATIONS,
        crate::person::MIGRATIONS,
        crate::act::MIGRATIONS,
        crate::decision::MIGRATIONS,
        crate::undo::MIGRATIONS,
        crate::verdict::MIGRATIONS,
        crate::packet::MIGRATIONS,
        crate::packet_held::MIGRATIONS,
        crate::prompt_version::MIGRATIONS,
        crate::rejected_draft::MIGRATIONS,
        crate::imprint::MIGRATIONS,
        crate::revision::MIGRATIONS,
        crate::reply::MIGRATIONS,
        crate::pair::MIGRATIONS,
        crate::certificate::MIGRATIONS,
        crate::ranker::MIGRATIONS,
        crate::matching::MIGRATIONS,
        crate::preference::MIGRATIONS,
        crate::outcome::MIGRATIONS,
        crate::deployment::MIGRATIONS,
        crate::drift_sample::MIGRATIONS,
        crate::bench_score::MIGRATIONS,
        crate::exam::MIGRATIONS,
        crate::triplet::MIGRATIONS,
        crate::similarity::MIGRATIONS,
    ];
    let mut all: Vec<&Migration> = tables.into_iter().flatten().collect();
    all.sort_by_key(|m| m.number);
    all
}

/// The newest format that this version knows.
pub(crate) fn known_format() -> u32 {
    migrations().last().map_or(0, |m| m.number)
}

/// The format of an open file.
pub(crate) fn format_of(connection: &Connection) -> Result<u32> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Refuses files that are not workspaces and files of a newer version; says whether steps are due.
pub(crate) fn check(connection: &Connection) -> Result<bool> {
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id != APPLICATION_ID {
        return Err(StoreError::NotAWorkspace(
            "it is a file of another application".to_owned(),
        ));
    }
    let (found, known) = (format_of(connection)?, known_format());
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    Ok(found < known)
}

/// Runs the steps that are due, inside the caller's transaction.
pub(crate) fn migrate(connection: &Connection) -> Result<()> {
    let from = format_of(connection)?;
    migrate_to(connection, known_format())?;
    tracing::info!(from, format = known_format(), "brought up to date");
    crate::revision::advance(connection)
}

/// Runs the steps that are due up to this format.
pub(crate) fn migrate_to(connection: &Connection, format: u32) -> Result<()> {
    let found = format_of(connection)?;
    for step in migrations()
        .into_iter()
        .filter(|m| m.number > found && m.number <= format)
    {
        connection.execute_batch(step.sql)?;
        connection.pragma_update(None, "user_version", step.number)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_rise_and_none_comes_twice() {
        let numbers: Vec<u32> = migrations().iter().map(|m| m.number).collect();
        assert_eq!(numbers.first(), Some(&1));
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }
}
