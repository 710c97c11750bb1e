//! Questions to the documents.

mod chinese;
mod force;
mod labels;
mod questions;
mod quoted;
mod sanctions;
mod several;
mod short;
mod written;

use lexforge_domain::DocumentId;
use lexforge_domain::api::{Answer, Inquiry};
use lexforge_engine::Engine;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read::read;
use lexforge_store::Workspace;
use std::path::PathBuf;

/// A workspace with documents, read by the parser in this process.
struct Corpus {
    _folder: tempfile::TempDir,
    path: PathBuf,
    store: Workspace,
}

impl Corpus {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.lexforge");
        let store = Workspace::create(&path).unwrap();
        Self {
            _folder: folder,
            path,
            store,
        }
    }

    fn of(documents: &[(&str, &str)]) -> Self {
        let corpus = Self::new();
        for (name, text) in documents {
            corpus.add(name, text.as_bytes(), None, None);
        }
        corpus
    }

    /// Adds a document that applies from a day and follows another one.
    fn add(
        &self,
        name: &str,
        bytes: &[u8],
        effective: Option<&str>,
        predecessor: Option<DocumentId>,
    ) -> DocumentId {
        let options = ParseOptions {
            second_reader: false,
            ..ParseOptions::default()
        };
        let mut parsed = read(name, bytes.to_vec(), &options, &mut |_, _| {}).unwrap();
        if let Some(day) = effective {
            parsed.metadata.effective = Some(day.to_owned());
        }
        self.store
            .write("tester", |w| {
                let id = w.insert_document(&parsed, name, bytes)?;
                if predecessor.is_some() {
                    w.link_predecessor(id, predecessor)?;
                }
                Ok(id)
            })
            .unwrap()
    }

    fn engine(&self) -> Engine {
        Engine::open(&self.path).unwrap()
    }
}

fn ask(engine: &Engine, question: &str) -> Answer {
    engine
        .answering()
        .ask(&Inquiry {
            question: question.to_owned(),
            ..Inquiry::default()
        })
        .unwrap()
}

fn on(engine: &Engine, question: &str, day: &str) -> Answer {
    engine
        .answering()
        .ask(&Inquiry {
            question: question.to_owned(),
            as_of: Some(day.to_owned()),
            ..Inquiry::default()
        })
        .unwrap()
}

const BREACHES: &str = "# Rules on breaches

## Article 1

A controller shall keep a register of its processing activities.

## Article 2

A controller shall notify the supervisory authority of a personal data breach within 72 hours.

## Article 3

The board shall approve the training plan once a year.

## Article 4

Deposits of minors shall be kept in a separate ledger.
";

const NOTIFY: &str = "Within how many hours shall a controller notify the supervisory authority of a personal data breach?";
