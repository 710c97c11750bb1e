//! Real documents are long, so each is read once for all that is checked of it.

use lexforge_domain::document::ParsedDocument;
use lexforge_ingest::ParseOptions;
use lexforge_parser::read;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

type Documents = HashMap<PathBuf, Arc<ParsedDocument>>;

static READ: LazyLock<Mutex<Documents>> = LazyLock::new(Mutex::default);

/// A document as the main reader reads it. It is kept for the checks that follow.
pub(crate) fn parse(path: &Path) -> Arc<ParsedDocument> {
    let mut documents = READ.lock().unwrap();
    let document = documents.entry(path.to_owned()).or_insert_with(|| {
        let options = ParseOptions {
            second_reader: false,
            ..ParseOptions::default()
        };
        let name = path.file_name().unwrap().to_string_lossy();
        let bytes = std::fs::read(path).unwrap();
        Arc::new(read::read(&name, bytes, &options, &mut |_, _| {}).unwrap())
    });
    Arc::clone(document)
}
