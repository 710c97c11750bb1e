//! The items of frozen snapshots: copies, so that no later change of a question reaches them.

use crate::cover::Part;
use crate::error::Result;
use crate::reader::Reader;
use crate::row::{all, from_tag};
use crate::step::{Migration, append_only};
use crate::writer::Writer;
use lexforge_domain::qca::Split;
use lexforge_domain::{DatasetId, QcaId};
use rusqlite::params;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration::new(
    16,
    concat!(
        "CREATE TABLE dataset_item (
            id INTEGER PRIMARY KEY,
            dataset INTEGER NOT NULL REFERENCES dataset (id),
            position INTEGER NOT NULL,
            qca INTEGER NOT NULL,
            split TEXT NOT NULL,
            cluster INTEGER NOT NULL,
            answer_group INTEGER NOT NULL,
            json TEXT NOT NULL,
            UNIQUE (dataset, position)
        ) STRICT;",
        append_only!("dataset_item")
    ),
)];

pub(crate) const COVERED: Part = (
    "dataset_item",
    "SELECT position, qca, split, cluster, answer_group, json FROM dataset_item WHERE dataset = ?1 ORDER BY position",
);

/// An item of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetItem {
    /// The question that it is a copy of.
    pub qca: QcaId,
    /// Its part.
    pub split: Split,
    /// The anchor or article by which results are clustered.
    pub cluster: i64,
    /// Items of one group have the same or nearly the same answer, and are never each other's negatives.
    pub answer_group: i64,
    /// The item as one canonical line of JSON.
    pub json: String,
}

impl Reader<'_> {
    /// The items of a snapshot, or of one part of it, in their order.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn dataset_items(
        &self,
        dataset: DatasetId,
        split: Option<Split>,
    ) -> Result<Vec<DatasetItem>> {
        let sql = "SELECT qca, split, cluster, answer_group, json FROM dataset_item
             WHERE dataset = ?1 AND (?2 IS NULL OR split = ?2) ORDER BY position";
        let values = params![dataset.0, split.map(Split::tag)];
        let items = all(self.connection, sql, values, |row| {
            Ok(DatasetItem {
                qca: QcaId(row.get(0)?),
                split: from_tag("dataset_item", &row.get::<_, String>(1)?, Split::from_tag)?,
                cluster: row.get(2)?,
                answer_group: row.get(3)?,
                json: row.get(4)?,
            })
        })?;
        if items.is_empty() {
            self.dataset(dataset)?;
        }
        Ok(items)
    }
}

pub(crate) fn insert(writer: &Writer, dataset: DatasetId, items: &[DatasetItem]) -> Result<()> {
    let mut statement = writer.connection.prepare_cached(
        "INSERT INTO dataset_item (dataset, position, qca, split, cluster, answer_group, json)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (position, item) in (0_i64..).zip(items) {
        statement.execute(params![
            dataset.0,
            position,
            item.qca.0,
            item.split.tag(),
            item.cluster,
            item.answer_group,
            item.json
        ])?;
    }
    Ok(())
}
