//! Frozen dataset snapshots: immutable, recognised by the hash of their items.

use crate::cover::Part;
use crate::dataset_item::{self, DatasetItem};
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_json, now, one, to_json};
use crate::scope::Scope;
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::DatasetId;
use lexforge_domain::dataset::{
    ClusterKind, ClusterSizes, Dataset, LeakReport, ReviewPolicy, ReviewRecord, SnapshotShortcut,
    SplitCounts,
};
use lexforge_domain::qca::SplitShares;
use rusqlite::{OptionalExtension, Row, params};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    15,
    concat!(
        "CREATE TABLE dataset (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            created TEXT NOT NULL,
            description TEXT NOT NULL,
            seed BLOB NOT NULL CHECK (length(seed) = 8)
        ) STRICT;",
        append_only!("dataset")
    ),
)];

pub(crate) const COVERED: Part = (
    "dataset",
    "SELECT id, hash, created, description, seed FROM dataset WHERE id = ?1",
);

/// A snapshot to be frozen.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDataset {
    /// The rule by which items were admitted.
    pub policy: ReviewPolicy,
    /// The questions that the review left out, and how far its reviewers agreed.
    pub review: ReviewRecord,
    /// SHA-256 over the snapshot's items in canonical form, in hexadecimal. It is [`content_hash`] of the items, unless
    /// the caller has a canonical form of its own.
    pub hash: String,
    /// Training part.
    pub train: SplitCounts,
    /// Development part.
    pub dev: SplitCounts,
    /// Test part.
    pub test: SplitCounts,
    /// Questions by level and then type.
    pub by_type: BTreeMap<String, BTreeMap<String, u32>>,
    /// The shortcut controls.
    pub shortcuts: Vec<SnapshotShortcut>,
    /// A control that sees the choices alone is far above chance.
    pub flagged: bool,
    /// The unit of the split: `document` or `section`.
    pub split_unit: String,
    /// Which shares of the questions the parts were to have.
    pub shares: Option<SplitShares>,
    pub cluster_kind: ClusterKind,
    /// Number and sizes of its clusters, by part.
    pub clusters: BTreeMap<String, ClusterSizes>,
    /// Sentences that belong to no part.
    pub set_aside: u64,
    pub leak_check: LeakReport,
    /// The corpus that it was made from, hexadecimal.
    pub corpus_hash: String,
    /// Seed of split and shuffles.
    pub seed: u64,
    /// Its items in order.
    pub items: Vec<DatasetItem>,
}

/// The part of a snapshot's row that no query looks into.
#[derive(serde::Serialize, serde::Deserialize)]
struct Description {
    policy: ReviewPolicy,
    #[serde(default)]
    review: ReviewRecord,
    train: SplitCounts,
    dev: SplitCounts,
    test: SplitCounts,
    #[serde(default)]
    by_type: BTreeMap<String, BTreeMap<String, u32>>,
    #[serde(default)]
    shortcuts: Vec<SnapshotShortcut>,
    #[serde(default)]
    flagged: bool,
    split_unit: String,
    shares: Option<SplitShares>,
    #[serde(default)]
    cluster_kind: ClusterKind,
    #[serde(default)]
    clusters: BTreeMap<String, ClusterSizes>,
    #[serde(default)]
    set_aside: u64,
    leak_check: LeakReport,
    corpus_hash: String,
}

/// SHA-256 over the items in their order, hexadecimal: of each the split, the clusters and the canonical line.
pub fn content_hash(items: &[DatasetItem]) -> String {
    let mut hash = Sha256::new();
    for item in items {
        hash.update(format!(
            "{}\t{}\t{}\t",
            item.split.tag(),
            item.cluster,
            item.answer_group
        ));
        hash.update((item.json.len() as u64).to_le_bytes());
        hash.update(&item.json);
    }
    hex::encode(hash.finalize())
}

const SELECT: &str = "SELECT id, hash, created, description, seed FROM dataset";

impl Reader<'_> {
    /// All snapshots of the workspace, newest first.
    pub fn datasets(&self) -> Result<Vec<Dataset>> {
        let sql = format!("{SELECT} ORDER BY id DESC");
        all(self.connection, &sql, [], dataset)
    }

    /// The snapshot with this id.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn dataset(&self, id: DatasetId) -> Result<Dataset> {
        let sql = format!("{SELECT} WHERE id = ?1");
        one(self.connection, &sql, "dataset", id.0, dataset)
    }
}

impl Writer<'_> {
    /// Freezes a snapshot; its items are copied. If a snapshot with the same hash exists, its id is returned and
    /// nothing changes.
    pub fn insert_dataset(&mut self, new: &NewDataset) -> Result<DatasetId> {
        let same = self
            .connection
            .query_row(
                "SELECT id FROM dataset WHERE hash = ?1",
                [&new.hash],
                |row| row.get(0),
            )
            .optional()?;
        if let Some(id) = same {
            return Ok(DatasetId(id));
        }
        let description = Description {
            policy: new.policy,
            review: new.review.clone(),
            train: new.train,
            dev: new.dev,
            test: new.test,
            by_type: new.by_type.clone(),
            shortcuts: new.shortcuts.clone(),
            flagged: new.flagged,
            split_unit: new.split_unit.clone(),
            shares: new.shares,
            cluster_kind: new.cluster_kind,
            clusters: new.clusters.clone(),
            set_aside: new.set_aside,
            leak_check: new.leak_check.clone(),
            corpus_hash: new.corpus_hash.clone(),
        };
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO dataset (hash, created, description, seed) VALUES (?1, ?2, ?3, ?4)",
            )?
            .insert(params![
                new.hash,
                now(),
                to_json("dataset", &description)?,
                new.seed.to_le_bytes()
            ])?;
        let id = DatasetId(id);
        dataset_item::insert(self, id, &new.items)?;
        self.record("dataset.freeze", &Scope::Dataset(id))?;
        Ok(id)
    }
}

fn dataset(row: &Row) -> Result<Dataset> {
    let d: Description = from_json("dataset", &row.get::<_, String>(3)?)?;
    Ok(Dataset {
        id: DatasetId(row.get(0)?),
        hash: row.get(1)?,
        created: row.get(2)?,
        policy: d.policy,
        review: d.review,
        train: d.train,
        dev: d.dev,
        test: d.test,
        by_type: d.by_type,
        shortcuts: d.shortcuts,
        flagged: d.flagged,
        split_unit: d.split_unit,
        shares: d.shares,
        cluster_kind: d.cluster_kind,
        clusters: d.clusters,
        set_aside: d.set_aside,
        leak_check: d.leak_check,
        corpus_hash: d.corpus_hash,
        // A blob, since SQLite's integers have a sign.
        seed: u64::from_le_bytes(row.get(4)?),
    })
}
