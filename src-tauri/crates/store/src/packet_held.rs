//! The content of packets. An answer may decide only about this content.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{first, from_json, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::TermId;
use lexforge_domain::review::Subject;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    60,
    concat!(
        "CREATE TABLE packet_held (
            packet TEXT PRIMARY KEY REFERENCES packet (hash),
            held TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;",
        append_only!("packet_held")
    ),
)];

pub(crate) const COVERED: Part = (
    "packet_held",
    "SELECT packet, held FROM packet_held WHERE packet = ?1",
);

/// The content of a packet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketHeld {
    /// Its items, and the pairs that were shown with its terms: everything that its reader could decide about.
    pub subjects: BTreeSet<Subject>,
    /// All its terms, whether they are items or not: those into which its reader could merge a term.
    pub terms: BTreeSet<TermId>,
}

impl Reader<'_> {
    /// The content of the packet with this hash. `None` for packets of earlier versions, until their file has been
    /// read.
    pub fn packet_held(&self, hash: &str) -> Result<Option<PacketHeld>> {
        let sql = "SELECT held FROM packet_held WHERE packet = ?1";
        first(self.connection, sql, [hash], |row| {
            from_json("packet_held", &row.get::<_, String>(0)?)
        })
    }
}

impl Writer<'_> {
    /// Records the content of a packet that an earlier version wrote. The content was read from the packet's file.
    pub fn keep_packet_held(&mut self, hash: &str, held: &PacketHeld) -> Result<()> {
        insert(self, hash, held)?;
        self.record("packet.held", &Scope::Packet(hash.to_owned()))
    }
}

pub(crate) fn insert(writer: &Writer, hash: &str, held: &PacketHeld) -> Result<()> {
    let sql = "INSERT INTO packet_held (packet, held) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    writer
        .connection
        .prepare_cached(sql)?
        .execute(params![hash, to_json("packet_held", held)?])?;
    Ok(())
}
