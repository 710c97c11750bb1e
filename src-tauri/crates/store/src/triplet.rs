//! Triplets: a sentence, a sentence with the same meaning, and one with a different meaning. Rejected drafts and the
//! decisions of reviewers are stored here, too. A new set of triplets replaces those made in the same way before. The
//! same three texts always get the same number, so a decision also applies to the same triplet when it is made again.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{from_json, from_tag, limit, now, one, to_json, value};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::api::{
    NewTriplet, Rows, TripletCounts, TripletFilter, TripletMaker, TripletRow,
};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId, TripletId};
use rusqlite::{OptionalExtension, Row, named_params, params};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub(crate) const MIGRATIONS: &[Migration] = &[MADE, KNOWN];

/// Stores the number of each triplet with a key of its three texts. The number stays with these texts, even if the
/// triplet is removed. Triplets of earlier formats get their entries only with the next change of triplets. This step
/// must not write them, because it must not change rows that the audit chain covers.
const KNOWN: Migration = Migration::new(
    84,
    "CREATE TABLE triplet_known (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE
    ) STRICT;",
);

const MADE: Migration = Migration::new(
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
);

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
pub(crate) const COVERED_KNOWN: Part = (
    "triplet_known",
    "SELECT id, key FROM triplet_known ORDER BY id",
);

/// The key by which a decision recognises a triplet.
fn key(triplet: &NewTriplet) -> String {
    let mut hash = Sha256::new();
    for text in [&triplet.source, &triplet.positive, &triplet.negative] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex::encode(hash.finalize())
}

/// The source of a triplet's status: the review, or else the decisions of earlier formats.
const FROM: &str = "FROM (SELECT t.*, coalesce(v.status, (SELECT status FROM triplet_decision d WHERE d.key = t.key
                        ORDER BY d.id DESC LIMIT 1), 'unreviewed') AS status, v.choices AS said
                 FROM triplet t LEFT JOIN verdict v ON v.kind = 'triplet' AND v.first = t.id AND v.second = 0) t
     LEFT JOIN sentence s ON s.id = t.sentence LEFT JOIN document d ON d.id = s.document";

const COLUMNS: &str = "t.id, t.sentence, t.language, t.source, t.positive, t.negative, t.shift, t.origin, t.margin, t.split,
    t.near_group, t.cluster, t.reason, t.status, s.document, coalesce(d.title, ''), s.page, t.said";

impl Reader<'_> {
    /// Triplets that match a filter, in the order in which they were made. Each has its place, its review status, and
    /// the texts as reviewers left them.
    pub fn triplets(&self, filter: &TripletFilter) -> Result<Rows<TripletRow>> {
        const WHERE: &str = "WHERE (t.reason IS NOT NULL) = :turned_down AND (:split IS NULL OR t.split = :split)
               AND (:status IS NULL OR t.status = :status)
               AND (:reason IS NULL OR t.reason = :reason)
               AND (:shift IS NULL OR t.shift = :shift OR substr(t.shift, 1, length(:shift) + 1) = :shift || '.')";
        let (split, status) = (
            filter.split.map(Split::tag),
            filter.status.map(ReviewStatus::tag),
        );
        let values = named_params! {
            ":turned_down": filter.turned_down, ":split": split, ":status": status, ":shift": filter.shift,
            ":reason": filter.reason,
        };
        let sql = format!("SELECT count(*) {FROM} {WHERE}");
        let total = value(self.connection, &sql, values)?;
        let sql = format!(
            "SELECT {COLUMNS} {FROM} {WHERE} ORDER BY t.id LIMIT {} OFFSET {}",
            limit(filter.limit),
            filter.offset
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = statement.query(values)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            rows.push(triplet(row, true)?);
        }
        Ok(Rows { rows, total })
    }

    /// The triplet with this number. With `settled` its texts are as reviewers left them. Otherwise (for a blind
    /// review) they are as they were made.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn triplet(&self, id: TripletId, settled: bool) -> Result<TripletRow> {
        let sql = format!("SELECT {COLUMNS} {FROM} WHERE t.id = ?1");
        one(self.connection, &sql, "triplet", id.0, |row| {
            triplet(row, settled)
        })
    }

    /// How many triplets there are, by verdict, by shift and by the reason why drafts were rejected.
    pub fn triplet_counts(&self) -> Result<TripletCounts> {
        let sql = format!(
            "SELECT t.reason, t.status, t.shift, count(*) {FROM} GROUP BY t.reason, t.status, t.shift"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = statement.query([])?;
        let mut counts = TripletCounts::default();
        while let Some(row) = found.next()? {
            let n: u64 = row.get(3)?;
            let add =
                |of: &mut BTreeMap<String, u64>, tag: String| *of.entry(tag).or_default() += n;
            match row.get::<_, Option<String>>(0)? {
                Some(reason) => add(&mut counts.turned_down, reason),
                None => {
                    add(&mut counts.by_status, row.get(1)?);
                    add(&mut counts.by_shift, row.get(2)?);
                }
            }
        }
        Ok(counts)
    }

    /// How many triplets are kept.
    pub fn count_triplets(&self) -> Result<u64> {
        value(
            self.connection,
            "SELECT count(*) FROM triplet WHERE reason IS NULL",
            [],
        )
    }
}

fn triplet(row: &Row, settled: bool) -> Result<TripletRow> {
    let text = |column: usize| row.get::<_, String>(column);
    let said: Option<String> = row.get(17)?;
    let said: Option<[String; 2]> = said
        .filter(|_| settled)
        .map(|json| from_json("verdict", &json))
        .transpose()?;
    let corrected = said.is_some();
    let [positive, negative] = match said {
        Some(said) => said,
        None => [text(4)?, text(5)?],
    };
    Ok(TripletRow {
        id: TripletId(row.get(0)?),
        triplet: NewTriplet {
            sentence: row.get::<_, Option<i64>>(1)?.map(SentenceId),
            language: Language::from_tag(&text(2)?),
            source: text(3)?,
            positive,
            negative,
            shift: text(6)?,
            origin: from_json("triplet", &text(7)?)?,
            margin: row.get(8)?,
            split: from_tag("triplet", &text(9)?, Split::from_tag)?,
            group: row.get(10)?,
            cluster: row.get(11)?,
            reason: row.get(12)?,
        },
        status: from_tag("triplet", &text(13)?, ReviewStatus::from_tag)?,
        corrected,
        document: row.get::<_, Option<i64>>(14)?.map(DocumentId),
        document_title: text(15)?,
        page: row.get(16)?,
    })
}

impl Writer<'_> {
    /// Replaces all triplets of this maker.
    pub fn replace_triplets(&mut self, maker: TripletMaker, triplets: &[NewTriplet]) -> Result<()> {
        self.know_triplets()?;
        self.connection
            .execute("DELETE FROM triplet WHERE maker = ?1", [maker.tag()])?;
        self.insert_triplets(triplets)?;
        self.record("triplets.make", &Scope::Triplets)
    }

    /// Adds triplets. A triplet whose three texts are stored already is not added again. Returns the number of such
    /// triplets.
    pub fn add_triplets(&mut self, triplets: &[NewTriplet]) -> Result<u64> {
        self.know_triplets()?;
        let known = self.insert_triplets(triplets)?;
        self.record("triplets.add", &Scope::Triplets)?;
        Ok(known)
    }

    /// Gives the triplets that an earlier format made the numbers that they have.
    fn know_triplets(&mut self) -> Result<()> {
        self.connection.execute(
            "INSERT OR IGNORE INTO triplet_known (id, key) SELECT id, key FROM triplet WHERE reason IS NULL",
            [],
        )?;
        Ok(())
    }

    /// Inserts triplets. A kept triplet gets the number of its three texts, or the next free one if the texts are new.
    /// A rejected draft gets a number only for as long as it is stored, because nobody decides about it.
    fn insert_triplets(&mut self, triplets: &[NewTriplet]) -> Result<u64> {
        let mut next: i64 = self.connection.query_row(
            "SELECT max((SELECT coalesce(max(id), 0) FROM triplet), (SELECT coalesce(max(id), 0) FROM triplet_known)) + 1",
            [],
            |row| row.get(0),
        )?;
        let mut number = self
            .connection
            .prepare_cached("SELECT id FROM triplet_known WHERE key = ?1")?;
        let mut know = self
            .connection
            .prepare_cached("INSERT INTO triplet_known (id, key) VALUES (?1, ?2)")?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO triplet (id, sentence, maker, key, language, source, positive, negative, shift, origin, margin, split,
                                  near_group, cluster, reason)
             SELECT ?15, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
             WHERE ?14 IS NOT NULL OR NOT EXISTS (SELECT 1 FROM triplet WHERE key = ?3 AND reason IS NULL)",
        )?;
        let mut known = 0;
        for triplet in triplets {
            let key = key(triplet);
            let has: Option<i64> = match triplet.reason {
                None => number.query_row([&key], |row| row.get(0)).optional()?,
                Some(_) => None,
            };
            let id = has.unwrap_or(next);
            if has.is_none() {
                next += 1;
                if triplet.reason.is_none() {
                    know.execute(params![id, key])?;
                }
            }
            let added = insert.execute(params![
                triplet.sentence.map(|s| s.0),
                triplet.origin.by.tag(),
                key,
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
                triplet.reason,
                id
            ])?;
            known += u64::from(added == 0);
        }
        Ok(known)
    }

    /// Stores decisions about triplets as formats before 84 did. Such a decision counts if the review queue has no
    /// decision about the same three texts; the newest one counts. The product no longer writes such decisions. This
    /// function is for testing the code that reads them.
    ///
    /// # Errors
    /// `NotFound`; errors of the database.
    #[doc(hidden)]
    pub fn decide_triplets(
        &mut self,
        ids: &[TripletId],
        status: ReviewStatus,
        note: &str,
    ) -> Result<()> {
        let (made, actor) = (now(), self.actor.to_owned());
        for id in ids {
            let key = key(&self.triplet(*id, false)?.triplet);
            self.connection
                .prepare_cached(
                    "INSERT INTO triplet_decision (key, status, note, made, actor) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![key, status.tag(), note, made, actor])?;
        }
        self.record("triplets.decide", &Scope::TripletDecisions)
    }
}
