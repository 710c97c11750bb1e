//! Compares the tables, indexes and triggers of a workspace with those that this version creates. A missing trigger
//! would no longer guard its table, and an added trigger could change what is written.

use crate::error::{Result, StoreError};
use crate::migration::{format_of, known_format, migrate_to};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The tables, indexes and triggers of a file. The key is the kind and the name of such an object. The value is the
/// name of its table, and its definition. There is a list of values, because an altered file may contain several
/// objects with the same kind and name.
type Schema = BTreeMap<(String, String), Vec<(String, String)>>;

/// SQLite's own statistics are no part of a workspace and change nothing that is read.
const STATISTICS: [&str; 2] = [
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
];

/// Refuses to write into a workspace whose schema is not that of its format.
pub(crate) fn require(connection: &Connection) -> Result<()> {
    match faults(connection)?.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(StoreError::Altered(fault)),
    }
}

/// The differences from what this version creates, in words. Additions come first, because they can do harm.
pub(crate) fn faults(connection: &Connection) -> Result<Vec<String>> {
    let format = format_of(connection)?;
    let ours;
    let expected = if format == known_format() {
        static NEWEST: OnceLock<Schema> = OnceLock::new();
        match NEWEST.get() {
            Some(known) => known,
            None => {
                let made = ours_of(format)?;
                NEWEST.get_or_init(|| made)
            }
        }
    } else {
        ours = ours_of(format)?;
        &ours
    };
    let found = read(connection)?;
    let mut faults = Vec::new();
    for ((kind, name), definition) in &found {
        match expected.get(&(kind.clone(), name.clone())) {
            None => faults.push(format!(
                "the {} {} is none of Lexforge's",
                kind.escape_debug(),
                name.escape_debug()
            )),
            Some(ours) if ours != definition => {
                faults.push(format!(
                    "the {kind} {name} is not as this version of Lexforge makes it"
                ));
            }
            Some(_) => {}
        }
    }
    let gone = expected.keys().filter(|key| !found.contains_key(*key));
    faults.extend(gone.map(|(kind, name)| format!("the {kind} {name} is gone")));
    Ok(faults)
}

/// The schema that the steps up to this format make.
fn ours_of(format: u32) -> Result<Schema> {
    let made = Connection::open_in_memory()?;
    migrate_to(&made, format)?;
    read(&made)
}

fn read(connection: &Connection) -> Result<Schema> {
    let mut statement = connection.prepare(
        "SELECT coalesce(type, ''), coalesce(name, ''), coalesce(tbl_name, ''), coalesce(sql, '') FROM sqlite_schema",
    )?;
    let mut rows = statement.query([])?;
    let mut schema = Schema::new();
    while let Some(row) = rows.next()? {
        let text = |column: usize| -> rusqlite::Result<String> {
            Ok(String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?).into_owned())
        };
        let (kind, name, table, sql) = (text(0)?, text(1)?, text(2)?, text(3)?);
        if !STATISTICS.contains(&sql.as_str()) {
            schema
                .entry((kind, name))
                .or_default()
                .push((table, normal(&sql)));
        }
    }
    Ok(schema)
}

/// A definition without blanks that only format it. Quoted text is unchanged.
fn normal(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut quote = None;
    for c in sql.chars() {
        match quote {
            Some(open) => {
                out.push(c);
                if c == open {
                    quote = None;
                }
            }
            None if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            None => {
                if matches!(c, '\'' | '"' | '`') {
                    quote = Some(c);
                }
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migration::{migrate, migrations};

    /// Workspaces of every older format can be migrated to the present format.
    #[test]
    fn a_workspace_of_each_older_format_becomes_one_of_today() {
        for step in migrations() {
            let connection = Connection::open_in_memory().unwrap();
            migrate_to(&connection, step.number).unwrap();
            assert_eq!(
                faults(&connection).unwrap(),
                Vec::<String>::new(),
                "format {}",
                step.number
            );
            migrate(&connection).unwrap();
            assert_eq!(
                faults(&connection).unwrap(),
                Vec::<String>::new(),
                "from format {}",
                step.number
            );
        }
    }

    #[test]
    fn what_was_added_changed_or_taken_away_is_named() {
        for (alter, fault) in [
            (
                "DROP TRIGGER sentence_is_never_changed",
                "the trigger sentence_is_never_changed is gone",
            ),
            (
                "CREATE TRIGGER turn AFTER INSERT ON decision BEGIN UPDATE verdict SET status = 'accepted'; END",
                "the trigger turn is none of Lexforge's",
            ),
            (
                "DROP TRIGGER act_is_never_deleted;
                 CREATE TRIGGER act_is_never_deleted BEFORE DELETE ON act BEGIN SELECT 1; END",
                "the trigger act_is_never_deleted is not as this version of Lexforge makes it",
            ),
            (
                "CREATE VIEW rules AS SELECT * FROM sentence",
                "the view rules is none of Lexforge's",
            ),
            (
                "CREATE INDEX mine ON sentence (text)",
                "the index mine is none of Lexforge's",
            ),
            (
                "DROP INDEX verdict_by_status",
                "the index verdict_by_status is gone",
            ),
            (
                "ALTER TABLE term ADD COLUMN note TEXT",
                "the table term is not as this version of Lexforge makes it",
            ),
            (
                "CREATE TABLE extra (x)",
                "the table extra is none of Lexforge's",
            ),
            (
                "DROP TABLE full_text_place",
                "the table full_text_place is gone",
            ),
        ] {
            let connection = Connection::open_in_memory().unwrap();
            migrate(&connection).unwrap();
            connection.execute_batch(alter).unwrap();
            assert_eq!(faults(&connection).unwrap(), [fault], "{alter}");
            assert!(matches!(require(&connection), Err(StoreError::Altered(_))));
        }
    }

    /// SQLite takes what a definition says, under whatever name and kind it is listed.
    #[test]
    fn a_trigger_that_is_listed_as_something_else_is_named() {
        for (kind, name) in [
            ("table", "sqlite_stat1"),
            ("trigger", "sentence_is_never_changed"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let connection = Connection::open(folder.path().join("w")).unwrap();
            migrate(&connection).unwrap();
            connection
                .pragma_update(None, "writable_schema", true)
                .unwrap();
            let trigger = "CREATE TRIGGER turn AFTER INSERT ON decision BEGIN SELECT 1; END";
            let sql = "INSERT INTO sqlite_schema VALUES (?1, ?2, 'sqlite_stat1', 0, ?3)";
            connection.execute(sql, [kind, name, trigger]).unwrap();
            assert_eq!(faults(&connection).unwrap().len(), 1, "{kind} {name}");
        }
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection).unwrap();
        connection.execute_batch("ANALYZE").unwrap();
        assert_eq!(faults(&connection).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn spaces_are_not_compared_and_what_is_quoted_is() {
        assert_eq!(
            normal("CREATE  TABLE a\n (b)"),
            normal("CREATE TABLE a (b)")
        );
        assert_ne!(normal("CHECK (a = 'x  y')"), normal("CHECK (a = 'x y')"));
    }
}
