//! A set of requirements and controls whose links are known, read from a folder.

use super::sides::Text;
use crate::workspace::{Result, file_size, io_failure};
use lexforge_domain::Failure;
use lexforge_files::name_of;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A file of either side is no larger, in bytes.
const MOST_BYTES: u64 = 512 << 20;

/// A line of `requirements.jsonl`, `controls.jsonl` or `procedures.jsonl`.
#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    text: String,
    standard: Option<String>,
}

/// One side of a set.
#[derive(Default)]
pub(super) struct Listed {
    pub ids: Vec<String>,
    pub texts: Vec<Text>,
    /// The standard that each is of, where its file says so.
    pub standards: Vec<Option<String>>,
}

/// Requirements, the controls to choose from, and which belong together.
pub(super) struct Set {
    /// The folder's name.
    pub name: String,
    /// The requirements that have a link.
    pub asked: Listed,
    /// All controls.
    pub texts: Listed,
    /// The controls of each requirement, by their places.
    pub links: Vec<HashSet<usize>>,
}

impl Set {
    /// The set of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let requirements = listed(&folder.join("requirements.jsonl"))?;
        let controls = ["controls.jsonl", "procedures.jsonl"]
            .map(|name| folder.join(name))
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(|| {
                not_a_set(folder, "it has neither controls.jsonl nor procedures.jsonl")
            })?;
        let texts = listed(&controls)?;
        let path = folder.join("links.tsv");
        let table = text(&path, not_a_set)?;
        let mut rows = table.lines();
        let head: Vec<&str> = rows
            .next()
            .unwrap_or_default()
            .trim_end()
            .split('\t')
            .collect();
        let column = |name: &str| head.iter().position(|h| *h == name);
        let (Some(from), Some(to)) = (
            column("requirement_id"),
            column("control_id").or_else(|| column("procedure_id")),
        ) else {
            return Err(not_a_set(
                &path,
                "its first line does not name the columns requirement_id and control_id or procedure_id",
            ));
        };
        let places: HashMap<&str, usize> = texts.ids.iter().map(String::as_str).zip(0..).collect();
        let mut by_requirement: HashMap<&str, HashSet<usize>> = HashMap::new();
        for row in rows.filter(|row| !row.trim().is_empty()) {
            let cells: Vec<&str> = row.split('\t').collect();
            let (Some(requirement), Some(control)) = (cells.get(from), cells.get(to)) else {
                return Err(not_a_set(&path, "one of its lines has too few columns"));
            };
            if let Some(place) = places.get(control.trim()) {
                by_requirement
                    .entry(requirement.trim())
                    .or_default()
                    .insert(*place);
            }
        }
        let mut asked = Listed::default();
        let mut links = Vec::new();
        for (at, id) in requirements.ids.iter().enumerate() {
            if let Some(linked) = by_requirement.get(id.as_str()) {
                asked.ids.push(id.clone());
                asked.texts.push(requirements.texts[at].clone());
                asked.standards.push(requirements.standards[at].clone());
                links.push(linked.clone());
            }
        }
        if links.is_empty() {
            return Err(not_a_set(
                folder,
                "none of its links names a requirement and a control of its files",
            ));
        }
        Ok(Self {
            name: name_of(folder),
            asked,
            texts,
            links,
        })
    }

    /// The cluster of each requirement: requirements of one heading, or of one part of a numbering.
    pub fn clusters(&self) -> Vec<String> {
        let part = |(id, text): (&String, &Text)| {
            let title = text.title.trim();
            // "ID.AM-1" is one of "ID.AM".
            let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
            match (
                title.is_empty(),
                stem.trim_end_matches(|c: char| !c.is_alphanumeric()),
            ) {
                (false, _) => title.to_owned(),
                (true, "") => id.clone(),
                (true, stem) => stem.to_owned(),
            }
        };
        self.asked
            .ids
            .iter()
            .zip(&self.asked.texts)
            .map(part)
            .collect()
    }

    /// The parts of the set that are measured by themselves: one a standard, where there are several.
    pub fn parts(&self) -> Vec<Option<String>> {
        let standards: BTreeSet<&String> = self.asked.standards.iter().flatten().collect();
        match standards.len() {
            0 | 1 => vec![None],
            _ => standards.into_iter().map(|s| Some(s.clone())).collect(),
        }
    }
}

/// The folders of sets: this folder if it is itself one, otherwise those in it.
pub(super) fn folders(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    if folder.join("requirements.jsonl").is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = std::fs::read_dir(folder).map_err(|e| io_failure(&e, folder))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| io_failure(&e, folder))?.path();
        if path.join("requirements.jsonl").is_file() && path.join("links.tsv").is_file() {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(not_a_set(
            folder,
            "it has no requirements.jsonl, and no folder in it has one",
        ));
    }
    Ok(found)
}

/// The text of a file; `refuse` says why it is none of a set.
fn text(path: &Path, refuse: fn(&Path, &str) -> Failure) -> Result<String> {
    let size = file_size(path)?;
    if size > MOST_BYTES {
        return Err(refuse(path, "it is larger than 512 MiB"));
    }
    let text = std::fs::read_to_string(path).map_err(|e| io_failure(&e, path))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// What stands on the lines of a file.
pub(super) fn rows<T: DeserializeOwned>(
    path: &Path,
    refuse: fn(&Path, &str) -> Failure,
) -> Result<Vec<T>> {
    let text = text(path, refuse)?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|e| {
                let why = format!("its line {} cannot be read: {e}", number + 1);
                refuse(path, &why)
            })
        })
        .collect()
}

fn listed(path: &Path) -> Result<Listed> {
    let mut listed = Listed::default();
    for line in rows::<Line>(path, not_a_set)? {
        listed.ids.push(line.id);
        listed.texts.push(Text {
            title: line.title,
            text: format!("{}\n{}", line.summary, line.text).trim().to_owned(),
            item: String::new(),
        });
        listed.standards.push(line.standard);
    }
    Ok(listed)
}

fn not_a_set(path: &Path, why: &str) -> Failure {
    Failure::invalid(
        format!(
            "{} is no set of requirements and controls: {why}.",
            path.display()
        ),
        "A set is a folder with requirements.jsonl, controls.jsonl (or procedures.jsonl), each with id, title and text a line, and links.tsv.",
    )
}
