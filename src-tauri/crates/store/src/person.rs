//! People who review.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, first, from_tag, not_found, value};
use crate::scope::Scope;
use crate::step::Migration;
use crate::writer::Writer;
use lexforge_domain::PersonId;
use lexforge_domain::review::{Person, Role};
use rusqlite::{Row, params};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    29,
    "CREATE TABLE person (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        share INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER person_is_never_deleted BEFORE DELETE ON person
    BEGIN SELECT RAISE(ABORT, 'rows of person are never deleted'); END;",
)];

pub(crate) const COVERED: Part = (
    "person",
    "SELECT id, uid, name, role, share FROM person WHERE id = ?1",
);

const SELECT: &str = "SELECT id, uid, name, role, share FROM person";

impl Reader<'_> {
    /// All people, ordered by name.
    pub fn people(&self) -> Result<Vec<Person>> {
        let sql = format!("{SELECT} ORDER BY name");
        all(self.connection, &sql, [], person)
    }

    /// The person with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn person(&self, id: PersonId) -> Result<Person> {
        self.find_person("id", id.0)?
            .ok_or_else(|| not_found("person", id))
    }

    /// The person with this name.
    pub fn person_named(&self, name: &str) -> Result<Option<Person>> {
        self.find_person("name", name)
    }

    /// The person with this random mark (uid).
    pub fn person_of_uid(&self, uid: &str) -> Result<Option<Person>> {
        self.find_person("uid", uid)
    }

    fn find_person(&self, column: &str, key: impl rusqlite::ToSql) -> Result<Option<Person>> {
        let sql = format!("{SELECT} WHERE {column} = ?1");
        first(self.connection, &sql, [key], person)
    }

    /// A new random mark of 32 hexadecimal digits. It is so long that no other row has the same.
    pub fn new_uid(&self) -> Result<String> {
        let uid: [u8; 16] = value(self.connection, "SELECT randomblob(16)", [])?;
        Ok(hex::encode(uid))
    }
}

impl Writer<'_> {
    /// Stores the role and the share of the person with this name. If nobody has this name, a person is added. A person
    /// from a packet gets the given `uid`, any other person gets a new one.
    pub fn put_person(
        &mut self,
        uid: Option<&str>,
        name: &str,
        role: Role,
        share: u32,
    ) -> Result<Person> {
        let sql = "SELECT id FROM person WHERE name = ?1";
        let known: Option<i64> = first(self.connection, sql, [name], |row| Ok(row.get(0)?))?;
        let id = match known {
            Some(id) => {
                let sql = "UPDATE person SET role = ?2, share = ?3 WHERE id = ?1";
                self.connection
                    .prepare_cached(sql)?
                    .execute(params![id, role.tag(), share])?;
                id
            }
            None => {
                let uid = uid.map_or_else(|| self.new_uid(), |uid| Ok(uid.to_owned()))?;
                let sql = "INSERT INTO person (uid, name, role, share) VALUES (?1, ?2, ?3, ?4)";
                self.connection.prepare_cached(sql)?.insert(params![
                    uid,
                    name,
                    role.tag(),
                    share
                ])?
            }
        };
        self.record("person.put", &Scope::Person(PersonId(id)))?;
        self.person(PersonId(id))
    }
}

fn person(row: &Row) -> Result<Person> {
    Ok(Person {
        id: PersonId(row.get(0)?),
        uid: row.get(1)?,
        name: row.get(2)?,
        role: from_tag("person", &row.get::<_, String>(3)?, Role::from_tag)?,
        share: row.get(4)?,
    })
}
