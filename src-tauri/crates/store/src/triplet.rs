//! Triplets: a sentence, one that says the same, and one that differs in meaning; with the drafts that were turned down, and
//! what reviewers decide. Whoever makes triplets replaces those made in the same way before; a decision names the three texts
//! by their hash, so that it holds for the same triplet made again.

use crate::cover::Part;
use crate::error::{Result, StoreError};
use crate::reader::Reader;
use crate::row::{from_json, from_tag, limit, now, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::{NewTriplet, Rows, TripletFilter, TripletMaker, TripletRow};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId, TripletId};
use rusqlite::{named_params, params};
use sha2::{Digest, Sha256};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    77,
    concat!(
        "CREATE TABLE triplet (
            id INTEGER PRIMARY KEY,
            sentence INTEGER REFERENCES sentence (id),
            maker TEXT NOT NULL,
            key TEXT NOT NULL,
            language TEXT NOT NULL,
            source TEXT NOT NULL,
            positive TEXT NOT NULL,
            negative TEXT NOT NULL,
            shift TEXT NOT NULL,
            origin TEXT NOT NULL,
            margin REAL,
            split TEXT NOT NULL,
            near_group INTEGER NOT NULL,
            cluster INTEGER NOT NULL,
            reason TEXT
        ) STRICT;
        CREATE INDEX triplet_by_key ON triplet (key);
        CREATE TABLE triplet_decision (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            status TEXT NOT NULL,
            note TEXT NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL
        ) STRICT;
        CREATE INDEX triplet_decision_of ON triplet_decision (key, id);",
        append_only!("triplet_decision")
    ),
)];

pub(crate) const COVERED: Part = (
    "triplet",
    "SELECT id, sentence, maker, key, language, source, positive, negative, shift, origin, margin, split, near_group,
            cluster, reason
     FROM triplet ORDER BY id",
);
pub(crate) const COVERED_DECISIONS: Part = (
    "triplet_decision",
    "SELECT id, key, status, note, made, actor FROM triplet_decision ORDER BY id",
);

/// By what a decision knows a triplet again.
fn key(triplet: &NewTriplet) -> String {
    let mut hash = Sha256::new();
    for text in [&triplet.source, &triplet.positive, &triplet.negative] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex::encode(hash.finalize())
}

impl Reader<'_> {
    /// Triplets that match, in the order in which they were made, each with its place and its standing.
    ///
    /// # Errors
    /// The database's own.
    pub fn triplets(&self, filter: &TripletFilter) -> Result<Rows<TripletRow>> {
        const FROM: &str = "FROM (SELECT t.*, coalesce((SELECT status FROM triplet_decision d WHERE d.key = t.key
                            ORDER BY d.id DESC LIMIT 1), 'unreviewed') AS status FROM triplet t) t
             LEFT JOIN sentence s ON s.id = t.sentence LEFT JOIN document d ON d.id = s.document
             WHERE (t.reason IS NOT NULL) = :turned_down AND (:split IS NULL OR t.split = :split)
               AND (:status IS NULL OR t.status = :status)
               AND (:shift IS NULL OR t.shift = :shift OR substr(t.shift, 1, length(:shift) + 1) = :shift || '.')";
        let (split, status) = (
            filter.split.map(Split::tag),
            filter.status.map(ReviewStatus::tag),
        );
        let values = named_params! {
            ":turned_down": filter.turned_down, ":split": split, ":status": status, ":shift": filter.shift,
        };
        let total = self
            .connection
            .prepare_cached(&format!("SELECT count(*) {FROM}"))?
            .query_row(values, |row| row.get(0))?;
        let sql = format!(
            "SELECT t.id, t.sentence, t.language, t.source, t.positive, t.negative, t.shift, t.origin, t.margin, t.split,
                    t.near_group, t.cluster, t.reason, t.status, s.document, coalesce(d.title, ''), s.page
             {FROM} ORDER BY t.id LIMIT {}",
            limit(filter.limit)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = statement.query(values)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let text = |column: usize| row.get::<_, String>(column);
            rows.push(TripletRow {
                id: TripletId(row.get(0)?),
                triplet: NewTriplet {
                    sentence: row.get::<_, Option<i64>>(1)?.map(SentenceId),
                    language: Language::from_tag(&text(2)?),
                    source: text(3)?,
                    positive: text(4)?,
                    negative: text(5)?,
                    shift: text(6)?,
                    origin: from_json("triplet", &text(7)?)?,
                    margin: row.get(8)?,
                    split: from_tag("triplet", &text(9)?, Split::from_tag)?,
                    group: row.get(10)?,
                    cluster: row.get(11)?,
                    reason: row.get(12)?,
                },
                status: from_tag("triplet", &text(13)?, ReviewStatus::from_tag)?,
                document: row.get::<_, Option<i64>>(14)?.map(DocumentId),
                document_title: text(15)?,
                page: row.get(16)?,
            });
        }
        Ok(Rows { rows, total })
    }

    /// The key of a triplet.
    fn triplet_key(&self, id: TripletId) -> Result<String> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT key FROM triplet WHERE id = ?1")?;
        let mut rows = statement.query([id.0])?;
        match rows.next()? {
            Some(row) => Ok(row.get(0)?),
            None => Err(StoreError::NotFound {
                what: "triplet",
                id: id.to_string(),
            }),
        }
    }
}

impl Writer<'_> {
    /// Puts these triplets in the place of all of the same maker.
    ///
    /// # Errors
    /// The database's own.
    pub fn replace_triplets(&mut self, maker: TripletMaker, triplets: &[NewTriplet]) -> Result<()> {
        self.connection
            .execute("DELETE FROM triplet WHERE maker = ?1", [maker.tag()])?;
        self.insert_triplets(triplets)?;
        self.record("triplets.make", &Scope::Triplets)
    }

    /// Adds triplets; gives how many of them were there already, by their three texts, and were not added again.
    ///
    /// # Errors
    /// The database's own.
    pub fn add_triplets(&mut self, triplets: &[NewTriplet]) -> Result<u64> {
        let known = self.insert_triplets(triplets)?;
        self.record("triplets.add", &Scope::Triplets)?;
        Ok(known)
    }

    fn insert_triplets(&mut self, triplets: &[NewTriplet]) -> Result<u64> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO triplet (sentence, maker, key, language, source, positive, negative, shift, origin, margin, split,
                                  near_group, cluster, reason)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
             WHERE ?14 IS NOT NULL OR NOT EXISTS (SELECT 1 FROM triplet WHERE key = ?3 AND reason IS NULL)",
        )?;
        let mut known = 0;
        for triplet in triplets {
            let added = insert.execute(params![
                triplet.sentence.map(|s| s.0),
                triplet.origin.by.tag(),
                key(triplet),
                triplet.language.tag(),
                triplet.source,
                triplet.positive,
                triplet.negative,
                triplet.shift,
                to_json("triplet", &triplet.origin)?,
                triplet.margin.filter(|m| m.is_finite()),
                triplet.split.tag(),
                triplet.group,
                triplet.cluster,
                triplet.reason
            ])?;
            known += u64::from(added == 0);
        }
        Ok(known)
    }

    /// Keeps what a reviewer decides about triplets; the newest decision about the same three texts counts.
    ///
    /// # Errors
    /// `NotFound`; the database's own.
    pub fn decide_triplets(
        &mut self,
        ids: &[TripletId],
        status: ReviewStatus,
        note: &str,
    ) -> Result<()> {
        let (made, actor) = (now(), self.actor.to_owned());
        for id in ids {
            let key = self.triplet_key(*id)?;
            self.connection
                .prepare_cached(
                    "INSERT INTO triplet_decision (key, status, note, made, actor) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![key, status.tag(), note, made, actor])?;
        }
        self.record("triplets.decide", &Scope::TripletDecisions)
    }
}
