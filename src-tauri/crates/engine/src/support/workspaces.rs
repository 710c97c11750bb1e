//! What there is to say of the workspaces that were opened last: numbers, names of models, and hosts.

use super::runs;
use crate::runs::Runs;
use crate::workspace::{OpenWorkspace, Result};
use lexforge_augment::endpoint::Address;
use lexforge_domain::api::RunRow;
use lexforge_store::EmbeddingKind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The number of workspaces that are described.
pub(super) const NEWEST: usize = 5;

/// What is said of workspaces, by their path and the folder of their logs, and the parts about their runs.
pub(super) fn of(logged: &[(PathBuf, PathBuf)]) -> (Value, Vec<(String, String)>) {
    let (mut told, mut parts) = (Vec::new(), Vec::new());
    for (path, folder) in logged.iter().take(NEWEST) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        match about(path, &name, &mut parts) {
            Ok(about) => told.push(about),
            Err(failure) => told.push(json!({ "workspace": name, "code": failure.code.tag() })),
        }
    }
    (told.into(), parts)
}

fn about(path: &Path, name: &str, parts: &mut Vec<(String, String)>) -> Result<Value> {
    let workspace = OpenWorkspace::look_into(path)?;
    let rows = Runs::of(&workspace).runs()?;
    parts.extend(runs::tails(&workspace, &rows, name));
    let store = &workspace.store;
    let (counts, endpoints, encoders) = store.read(|r| {
        let encoders = r.encoders(EmbeddingKind::Sentence)?;
        Ok((r.counts()?, r.endpoints()?, encoders))
    })?;
    let hosts: BTreeSet<String> = endpoints
        .iter()
        .filter_map(|endpoint| Address::parse(&endpoint.url).ok())
        .map(|address| address.host())
        .collect();
    Ok(json!({
        "workspace": name,
        "format": store.format()?,
        "bytes": std::fs::metadata(path).map_or(0, |about| about.len()),
        "documents": counts.documents,
        "pages": counts.pages,
        "sentences": counts.sentences,
        "terms": counts.terms,
        "questions": counts.questions,
        "snapshots": counts.datasets,
        "runs": by_state(&rows),
        "encoders": encoders,
        "endpoint_hosts": hosts,
    }))
}

fn by_state(rows: &[RunRow]) -> BTreeMap<&'static str, usize> {
    let mut states = BTreeMap::new();
    for row in rows {
        *states.entry(row.state.tag()).or_default() += 1;
    }
    states
}
