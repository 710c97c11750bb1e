//! Which live rows an audit row covers, and the hash over them.
//!
//! A *scope* is a set of rows that change together: a document with its pages and sentences, all terms with their
//! mentions, one setting. Each audit row names at most one. The newest row of a scope covers its live rows; older
//! rows of the same scope keep the hash of what there was then.

use crate::error::{Result, StoreError};
use crate::row::unreadable;
use lexforge_domain::{ActId, AskingId, CheckpointId, DatasetId, DocumentId, EvaluationId, PersonId, RunId};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};
use sha2::Digest as _;
use std::fmt;
use std::str::FromStr;

/// A set of rows that change together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A document with its chunks, pages, sections and sentences.
    Document(DocumentId),
    /// All terms with their mentions.
    Terms,
    /// One setting.
    Setting(String),
    /// The vectors of one kind by one encoder.
    Embeddings(String),
    /// All graph builds, the edges and candidates of the newest, and what it left for the next.
    Graph,
    /// All questions, and the report on how they were made.
    Questions,
    /// A snapshot with its items.
    Dataset(DatasetId),
    /// A training run. Its progress figures are covered while it rests, not while a worker moves them.
    Run(RunId),
    /// A checkpoint.
    Checkpoint(CheckpointId),
    /// An evaluation.
    Evaluation(EvaluationId),
    /// An endpoint by its name.
    Endpoint(String),
    /// A person who reviews.
    Person(PersonId),
    /// What a person did in one go: the decisions that were made with it, or taken back.
    Act(ActId),
    /// A packet that was written, by its hash.
    Packet(String),
    /// An asking with its requests and answers, which are covered while it rests.
    Asking(AskingId),
    /// All versions of the workspace's own prompts.
    Prompts,
    /// The drafts that were turned down when questions were written last.
    Rejected,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(id) => write!(f, "document {id}"),
            Self::Terms => f.write_str("terms"),
            Self::Setting(key) => write!(f, "setting {key}"),
            Self::Embeddings(set) => write!(f, "embeddings {set}"),
            Self::Graph => f.write_str("graph"),
            Self::Questions => f.write_str("questions"),
            Self::Prompts => f.write_str("prompts"),
            Self::Rejected => f.write_str("rejected"),
            Self::Dataset(id) => write!(f, "dataset {id}"),
            Self::Run(id) => write!(f, "run {id}"),
            Self::Checkpoint(id) => write!(f, "checkpoint {id}"),
            Self::Evaluation(id) => write!(f, "evaluation {id}"),
            Self::Endpoint(name) => write!(f, "endpoint {name}"),
            Self::Asking(id) => write!(f, "asking {id}"),
            Self::Person(id) => write!(f, "person {id}"),
            Self::Act(id) => write!(f, "act {id}"),
            Self::Packet(hash) => write!(f, "packet {hash}"),
        }
    }
}

impl FromStr for Scope {
    type Err = StoreError;

    fn from_str(label: &str) -> Result<Self> {
        let (kind, key) = label.split_once(' ').unwrap_or((label, ""));
        let id = || key.parse().map_err(|_| unreadable("audit", format!("`{label}` names no scope")));
        Ok(match kind {
            "document" => Self::Document(DocumentId(id()?)),
            "terms" => Self::Terms,
            "setting" => Self::Setting(key.to_owned()),
            "embeddings" => Self::Embeddings(key.to_owned()),
            "graph" => Self::Graph,
            "questions" => Self::Questions,
            "prompts" => Self::Prompts,
            "rejected" => Self::Rejected,
            "dataset" => Self::Dataset(DatasetId(id()?)),
            "run" => Self::Run(RunId(id()?)),
            "checkpoint" => Self::Checkpoint(CheckpointId(id()?)),
            "evaluation" => Self::Evaluation(EvaluationId(id()?)),
            "endpoint" => Self::Endpoint(key.to_owned()),
            "asking" => Self::Asking(AskingId(id()?)),
            "person" => Self::Person(PersonId(id()?)),
            "act" => Self::Act(ActId(id()?)),
            "packet" => Self::Packet(key.to_owned()),
            _ => return Err(unreadable("audit", format!("`{label}` names no scope"))),
        })
    }
}

/// The rows of one table that belong to a scope: the covered columns in a fixed order, the rows by primary key.
/// `?1` is the scope's key. Columns are named one by one, so that a column added later changes no old hash.
pub(crate) type Part = (&'static str, &'static str);

/// What later formats added to a scope. It counts only where it has rows, so that the hashes of older rows stay.
const LATER_OF_DOCUMENT: &[Part] = &[
    crate::document::COVERED_ABOUT,
    crate::page::COVERED_DIFFERENCES,
    crate::sentence::COVERED_COMPLETE,
    crate::succession::COVERED,
];

impl Scope {
    /// SHA-256 over the live rows: for each table its name, for each row its values, each value with type and
    /// length before it.
    pub(crate) fn payload(&self, connection: &Connection) -> Result<[u8; 32]> {
        self.walk(connection, |_, _| {})
    }

    /// The same, with what recognises each row: `each` is told the part and a row's mark, in order.
    pub(crate) fn walk(&self, connection: &Connection, mut each: impl FnMut(&'static str, u32)) -> Result<[u8; 32]> {
        let key = self.key();
        let mut digest = Digest::default();
        for (part, sql) in self.parts() {
            digest.text(part);
            digest.rows(connection, sql, key.as_ref(), |mark| each(part, mark))?;
        }
        for (part, sql) in self.later_parts() {
            let with_rows = format!("SELECT EXISTS ({sql})");
            if connection.prepare_cached(&with_rows)?.query_row(params_from_iter(key.as_ref()), |row| row.get(0))? {
                digest.text(part);
                digest.rows(connection, sql, key.as_ref(), |mark| each(part, mark))?;
            }
        }
        Ok(digest.finish())
    }

    /// The payload of a scope that has no rows.
    pub(crate) fn payload_of_nothing(&self) -> [u8; 32] {
        let mut digest = Digest::default();
        for (part, _) in self.parts() {
            digest.text(part);
        }
        digest.finish()
    }

    /// All parts, those of later formats last.
    pub(crate) fn all_parts(&self) -> impl Iterator<Item = &'static Part> {
        self.parts().iter().chain(self.later_parts())
    }

    /// What stands for `?1` in the parts.
    pub(crate) fn key(&self) -> Option<Value> {
        Some(match self {
            Self::Document(id) => id.0.into(),
            Self::Dataset(id) => id.0.into(),
            Self::Run(id) => id.0.into(),
            Self::Checkpoint(id) => id.0.into(),
            Self::Evaluation(id) => id.0.into(),
            Self::Asking(id) => id.0.into(),
            Self::Person(id) => id.0.into(),
            Self::Act(id) => id.0.into(),
            Self::Setting(key) | Self::Embeddings(key) | Self::Endpoint(key) | Self::Packet(key) => key.clone().into(),
            Self::Terms | Self::Graph | Self::Questions | Self::Prompts | Self::Rejected => return None,
        })
    }

    fn parts(&self) -> &'static [Part] {
        match self {
            Self::Document(_) => &[
                crate::document::COVERED,
                crate::chunk::COVERED,
                crate::page::COVERED,
                crate::section::COVERED,
                crate::sentence::COVERED,
            ],
            Self::Terms => &[crate::term::COVERED, crate::mention::COVERED],
            Self::Setting(_) => &[crate::setting::COVERED],
            Self::Embeddings(_) => &[crate::embedding::COVERED],
            Self::Graph => &[crate::graph_build::COVERED, crate::edge::COVERED, crate::edge::COVERED_CANDIDATES],
            Self::Questions => &[crate::qca::COVERED, crate::qca::COVERED_REPORT],
            Self::Prompts => &[crate::prompt_version::COVERED],
            Self::Rejected => &[crate::rejected_draft::COVERED],
            Self::Dataset(_) => &[crate::dataset::COVERED, crate::dataset_item::COVERED],
            Self::Run(_) => &[crate::run::COVERED],
            Self::Checkpoint(_) => &[crate::checkpoint::COVERED],
            Self::Evaluation(_) => &[crate::evaluation::COVERED],
            Self::Endpoint(_) => &[crate::endpoint::COVERED],
            Self::Asking(_) => &[crate::asking::COVERED, crate::request::COVERED, crate::answer::COVERED],
            Self::Person(_) => &[crate::person::COVERED],
            Self::Act(_) => &[crate::act::COVERED, crate::decision::COVERED, crate::undo::COVERED],
            Self::Packet(_) => &[crate::packet::COVERED],
        }
    }

    fn later_parts(&self) -> &'static [Part] {
        match self {
            Self::Document(_) => LATER_OF_DOCUMENT,
            Self::Terms => &[
                crate::term::COVERED_CLASSES,
                crate::definition::COVERED,
                crate::term_name::COVERED,
                crate::confusable::COVERED,
                crate::glossary::COVERED,
            ],
            Self::Graph => &[crate::graph_build::COVERED_RECORDS, crate::graph_build::COVERED_KEPT],
            Self::Packet(_) => &[crate::packet_held::COVERED],
            _ => &[],
        }
    }

    /// The scopes that the live rows ask for, in a fixed order: each must have an audit row.
    pub(crate) fn live(connection: &Connection) -> Result<Vec<Self>> {
        let mut statement = connection.prepare(
            "SELECT 'document ' || id FROM document
             UNION ALL SELECT DISTINCT 'document ' || document FROM (
                SELECT document FROM chunk UNION ALL SELECT document FROM page UNION ALL SELECT document FROM section
                UNION ALL SELECT document FROM sentence UNION ALL SELECT document FROM succession)
                WHERE document NOT IN (SELECT id FROM document)
             UNION ALL SELECT 'terms' WHERE EXISTS (SELECT 1 FROM term) OR EXISTS (SELECT 1 FROM mention)
                OR EXISTS (SELECT 1 FROM definition) OR EXISTS (SELECT 1 FROM term_name)
                OR EXISTS (SELECT 1 FROM confusable) OR EXISTS (SELECT 1 FROM glossary)
             UNION ALL SELECT 'setting ' || key FROM setting
             UNION ALL SELECT DISTINCT 'embeddings ' || name FROM embedding
             UNION ALL SELECT 'graph' WHERE EXISTS (SELECT 1 FROM graph_build) OR EXISTS (SELECT 1 FROM edge)
                OR EXISTS (SELECT 1 FROM candidate) OR EXISTS (SELECT 1 FROM graph_kept)
             UNION ALL SELECT 'questions' WHERE EXISTS (SELECT 1 FROM qca) OR EXISTS (SELECT 1 FROM augmentation)
             UNION ALL SELECT 'prompts' WHERE EXISTS (SELECT 1 FROM prompt_version)
             UNION ALL SELECT 'rejected' WHERE EXISTS (SELECT 1 FROM rejected_draft)
             UNION ALL SELECT 'dataset ' || id FROM (SELECT id FROM dataset UNION SELECT dataset FROM dataset_item)
             UNION ALL SELECT 'run ' || id FROM run
             UNION ALL SELECT 'checkpoint ' || id FROM checkpoint
             UNION ALL SELECT 'evaluation ' || id FROM evaluation
             UNION ALL SELECT 'endpoint ' || name FROM endpoint
             UNION ALL SELECT 'asking ' || id
                FROM (SELECT id FROM asking UNION SELECT asking FROM request UNION SELECT asking FROM answer)
             UNION ALL SELECT 'person ' || id FROM person
             UNION ALL SELECT 'act ' || id
                FROM (SELECT id FROM act UNION SELECT act FROM decision UNION SELECT act FROM undo)
             UNION ALL SELECT 'packet ' || hash FROM packet",
        )?;
        let mut rows = statement.query([])?;
        let mut scopes = Vec::new();
        while let Some(row) = rows.next()? {
            scopes.push(row.get_ref(0)?.as_str().map_err(|e| unreadable("audit", e))?.parse()?);
        }
        Ok(scopes)
    }
}

/// SHA-256 over values in a form in which no two different lists of values look the same.
#[derive(Default)]
pub(crate) struct Digest(sha2::Sha256);

impl Digest {
    fn part(&mut self, tag: u8, bytes: &[u8]) {
        let mut head = [tag; 9];
        head[1..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.update(head);
        self.0.update(bytes);
    }

    pub fn null(&mut self) {
        self.part(0, &[]);
    }

    pub fn integer(&mut self, value: i64) {
        self.part(1, &value.to_le_bytes());
    }

    pub fn text(&mut self, value: &str) {
        self.part(3, value.as_bytes());
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.part(4, value);
    }

    fn rows(
        &mut self,
        connection: &Connection,
        sql: &str,
        key: Option<&Value>,
        mut each: impl FnMut(u32),
    ) -> Result<()> {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(key))?;
        let mut buffer = Vec::with_capacity(512);
        while let Some(row) = rows.next()? {
            // A row begins with the number of its values; one update a row is quicker than one a value.
            buffer.clear();
            put(&mut buffer, 5, &(columns as u64).to_le_bytes());
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Null => put(&mut buffer, 0, &[]),
                    ValueRef::Integer(v) => put(&mut buffer, 1, &v.to_le_bytes()),
                    ValueRef::Real(v) => put(&mut buffer, 2, &v.to_bits().to_le_bytes()),
                    // The bytes as they stand: a text that is no valid UTF-8 any more must show as altered, not fail.
                    ValueRef::Text(v) => put(&mut buffer, 3, v),
                    ValueRef::Blob(v) => put(&mut buffer, 4, v),
                }
            }
            self.0.update(&buffer);
            each(crate::imprint::mark(&buffer));
        }
        Ok(())
    }

    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

fn put(buffer: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    buffer.push(tag);
    buffer.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    buffer.extend_from_slice(bytes);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_s_label_names_it() {
        let check = |scope: Scope| assert_eq!(scope.to_string().parse::<Scope>().unwrap(), scope);
        check(Scope::Document(DocumentId(3)));
        check(Scope::Terms);
        check(Scope::Setting("a key with blanks".to_owned()));
        check(Scope::Embeddings("sentence char-ngram LSA (128)".to_owned()));
        check(Scope::Graph);
        check(Scope::Questions);
        check(Scope::Prompts);
        check(Scope::Rejected);
        check(Scope::Dataset(DatasetId(1)));
        check(Scope::Run(RunId(9)));
        check(Scope::Checkpoint(CheckpointId(2)));
        check(Scope::Evaluation(EvaluationId(7)));
        check(Scope::Endpoint("the firm's own".to_owned()));
        check(Scope::Asking(AskingId(4)));
        check(Scope::Person(PersonId(2)));
        check(Scope::Act(ActId(100_000)));
        check(Scope::Packet("ab".repeat(32)));
        assert!("planet 9".parse::<Scope>().is_err());
        assert!("document x".parse::<Scope>().is_err());
    }

    #[test]
    fn moving_a_byte_from_one_value_to_the_next_changes_the_hash() {
        let hash = |a: &str, b: &str| {
            let mut digest = Digest::default();
            digest.text(a);
            digest.text(b);
            digest.finish()
        };
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }
}
