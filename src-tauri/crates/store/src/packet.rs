//! Packets that were written for colleagues: what came back can be told from what was never asked.

use crate::cover::Part;
use crate::error::Result;
use crate::packet_held::PacketHeld;
use crate::reader::Reader;
use crate::row::{first, moment_after};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::PersonId;
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    34,
    concat!(
        "CREATE TABLE packet (
            hash TEXT PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person (id),
            made TEXT NOT NULL,
            items INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;",
        append_only!("packet")
    ),
)];

pub(crate) const COVERED: Part = (
    "packet",
    "SELECT hash, person, made, items FROM packet WHERE hash = ?1",
);

impl Reader<'_> {
    /// The person for whom the packet with this hash was written. `None` if this workspace wrote no such packet.
    pub fn packet_person(&self, hash: &str) -> Result<Option<PersonId>> {
        let sql = "SELECT person FROM packet WHERE hash = ?1";
        first(self.connection, sql, [hash], |row| {
            Ok(PersonId(row.get(0)?))
        })
    }

    /// The time when the packet with this hash was written.
    pub fn packet_made(&self, hash: &str) -> Result<Option<String>> {
        let sql = "SELECT made FROM packet WHERE hash = ?1";
        first(self.connection, sql, [hash], |row| Ok(row.get(0)?))
    }
}

impl Writer<'_> {
    /// Records a packet that was written, and its content. `held` is `None` for packets of versions before 60, which
    /// did not record the content. Recording the same packet again changes nothing.
    pub fn insert_packet(
        &mut self,
        hash: &str,
        person: PersonId,
        items: u64,
        held: Option<&PacketHeld>,
    ) -> Result<()> {
        let sql = "INSERT INTO packet (hash, person, made, items) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
        let items = i64::try_from(items).unwrap_or(i64::MAX);
        self.connection.prepare_cached(sql)?.execute(params![
            hash,
            person.0,
            moment_after(None),
            items
        ])?;
        if let Some(held) = held {
            crate::packet_held::insert(self, hash, held)?;
        }
        self.record("packet.write", &Scope::Packet(hash.to_owned()))
    }
}
