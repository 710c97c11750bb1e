//! A mapping collection of OSCAL as somebody else's tool wrote it.

use super::oscal_schema::breaches;
use crate::workspace::{Result, file_size, io_failure};
use lexforge_domain::api::{MatchBreach, MatchRelation, MatchSide, MatchSource};
use lexforge_domain::{Code, Failure};
use lexforge_files::name_of;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// Largest file, in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Properties under which other tools write what made a file.
const TOOLS: [&str; 4] = ["tool", "generator", "producer", "created-by"];

/// A control or a statement of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub id: String,
    /// Its words or its title, if the file has them.
    pub words: Vec<String>,
}

/// The catalogue that one side of a mapping is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Resource {
    /// Names of files and titles.
    pub names: Vec<String>,
    /// Hashes of its file.
    pub hashes: Vec<String>,
}

/// A mapping of some controls to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Map {
    /// The relation as it is written; empty where the controls are listed as mapped to nothing.
    pub said: String,
    pub sources: Vec<Item>,
    pub targets: Vec<Item>,
    pub confidence: Option<String>,
    /// Whether it is no map but a list of sources that are mapped to nothing.
    pub gap: bool,
    /// Where it stands.
    pub path: String,
    /// The catalogues of both sides, by the number of the mapping that it is of.
    pub mapping: usize,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Collection {
    pub from: MatchSource,
    pub resources: Vec<(Resource, Resource)>,
    pub maps: Vec<Map>,
    pub breaches: Vec<MatchBreach>,
}

impl Collection {
    /// The collection of a file.
    pub fn read(path: &Path) -> Result<Self> {
        let size = file_size(path)?;
        if size > MOST_BYTES {
            return Err(no_collection(path, "it is larger than 64 MiB"));
        }
        let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
        let bare = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let value: Value = serde_json::from_slice(bare)
            .map_err(|e| no_collection(path, &format!("it is no JSON: {e}")))?;
        let Some(collection) = value.get("mapping-collection").filter(|c| c.is_object()) else {
            return Err(no_collection(path, "it has no object “mapping-collection”"));
        };
        let mut read = Self::of(collection);
        read.from.file = name_of(path);
        read.from.sha256 = hex::encode(Sha256::digest(&bytes));
        if read.maps.is_empty() {
            return Err(no_collection(path, "it maps no control to another"));
        }
        Ok(read)
    }

    fn of(collection: &Value) -> Self {
        let at = "/mapping-collection";
        let metadata = collection.get("metadata").unwrap_or(&Value::Null);
        let mut read = Self {
            from: MatchSource {
                title: text(metadata, "title"),
                version: text(metadata, "version"),
                tool: tool(metadata),
                method: collection
                    .get("provenance")
                    .map(|p| text(p, "method"))
                    .unwrap_or_default(),
                ..MatchSource::default()
            },
            breaches: breaches(collection, at),
            ..Self::default()
        };
        let (mappings, listed) = match collection.get("mappings") {
            Some(Value::Array(all)) => (all.iter().collect(), true),
            Some(one @ Value::Object(_)) => (vec![one], false),
            _ => (Vec::new(), true),
        };
        for (number, mapping) in mappings.into_iter().enumerate() {
            let place = match listed {
                true => format!("{at}/mappings/{number}"),
                false => format!("{at}/mappings"),
            };
            let side = |name| Resource::of(mapping.get(name), collection);
            read.resources
                .push((side("source-resource"), side("target-resource")));
            for (n, map) in list(mapping, "maps").enumerate() {
                read.maps.push(Map {
                    said: text(map, "relationship"),
                    sources: items(map, "sources"),
                    targets: items(map, "targets"),
                    confidence: confidence(map),
                    gap: false,
                    path: format!("{place}/maps/{n}"),
                    mapping: number,
                });
            }
            let unmapped = mapping.get("source-gap-summary").unwrap_or(&Value::Null);
            for (n, gap) in list(unmapped, "unmapped-controls").enumerate() {
                let sources: Vec<Item> = list(gap, "with-ids")
                    .filter_map(Value::as_str)
                    .map(|id| Item {
                        id: id.trim().to_owned(),
                        words: Vec::new(),
                    })
                    .collect();
                if !sources.is_empty() {
                    read.maps.push(Map {
                        said: String::new(),
                        sources,
                        targets: Vec::new(),
                        confidence: None,
                        gap: true,
                        path: format!("{place}/source-gap-summary/unmapped-controls/{n}"),
                        mapping: number,
                    });
                }
            }
        }
        read
    }
}

impl Map {
    /// The relation with the given side as the source. `None` if it is none of the four known relations.
    pub fn relation(&self, rule: MatchSide) -> Option<MatchRelation> {
        let found = match self.said.trim().to_lowercase().as_str() {
            "equal-to" | "equal" | "equivalent-to" | "equivalent" => MatchRelation::Equal,
            "subset-of" | "subset" => MatchRelation::Subset,
            "superset-of" | "superset" => MatchRelation::Superset,
            "intersects-with" | "intersects" => MatchRelation::Intersects,
            _ => return None,
        };
        Some(match (rule, found) {
            (MatchSide::Target, MatchRelation::Subset) => MatchRelation::Superset,
            (MatchSide::Target, MatchRelation::Superset) => MatchRelation::Subset,
            _ => found,
        })
    }

    /// Whether this map links its sources to a target. A map with "no-relationship" only says that the two do not
    /// belong together.
    pub fn relates(&self) -> bool {
        !self.gap
            && !self.targets.is_empty()
            && !self.said.trim().eq_ignore_ascii_case("no-relationship")
    }
}

impl Resource {
    /// The catalogue that a reference names. It is in the collection itself if it is one of its resources.
    fn of(reference: Option<&Value>, collection: &Value) -> Self {
        let mut found = Self::default();
        let Some(reference) = reference else {
            return found;
        };
        let href = text(reference, "href");
        let Some(uuid) = href.strip_prefix('#') else {
            found.names.extend(file_name(&href));
            return found;
        };
        let back = collection.get("back-matter").unwrap_or(&Value::Null);
        if let Some(resource) = list(back, "resources").find(|r| text(r, "uuid") == uuid) {
            found.names.push(text(resource, "title"));
            for link in list(resource, "rlinks") {
                found.names.extend(file_name(&text(link, "href")));
                let hashes = list(link, "hashes").map(|hash| text(hash, "value").to_lowercase());
                found.hashes.extend(hashes);
            }
        }
        found
    }
}

/// The name of a reference's file, as the file is called.
fn file_name(href: &str) -> Option<String> {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    // A catalogue of its own folder is told by the folder: "catalogs/PCI/catalog.json".
    let generic = matches!(name, "catalog.json" | "profile.json");
    let name = match generic {
        true => path.rsplit('/').nth(1).unwrap_or_default(),
        false => name,
    };
    (!name.is_empty()).then(|| plain(name))
}

/// A name in which a reference writes bytes as "%E5"; a name that is not written so stays as it is.
fn plain(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = behind.get(..2).and_then(|digits| hex::decode(digits).ok());
        rest = match byte {
            Some(byte) => {
                bytes.extend(byte);
                behind.get(2..).unwrap_or_default()
            }
            None => {
                bytes.push(b'%');
                behind
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

fn items(map: &Value, name: &str) -> Vec<Item> {
    let item = |item: &Value| {
        let told = |prop: &Value| {
            let name = text(prop, "name").to_lowercase();
            let says = matches!(
                name.as_str(),
                "title" | "label" | "text" | "statement" | "section"
            );
            says.then(|| text(prop, "value"))
        };
        let mut words: Vec<String> = list(item, "props").filter_map(told).collect();
        words.insert(0, text(item, "remarks"));
        words.retain(|words| !words.is_empty());
        Item {
            id: text(item, "id-ref"),
            words,
        }
    };
    list(map, name)
        .map(item)
        .filter(|item| !item.id.is_empty() || !item.words.is_empty())
        .collect()
}

/// What made the file, where it says so in a property or names a party that is a tool.
fn tool(metadata: &Value) -> Option<String> {
    list(metadata, "props")
        .find(|prop| TOOLS.contains(&text(prop, "name").to_lowercase().as_str()))
        .map(|prop| text(prop, "value"))
        .or_else(|| {
            list(metadata, "parties")
                .map(|party| text(party, "name"))
                .next()
        })
        .filter(|name| !name.is_empty())
}

fn confidence(map: &Value) -> Option<String> {
    let score = map.get("confidence-score")?;
    let category = score.get("category").and_then(Value::as_str);
    category
        .map(str::to_owned)
        .or_else(|| score.get("percentage").map(Value::to_string))
}

/// The objects of a list; none where there is no list.
fn list<'v>(of: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    of.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// A text without blanks at its ends; empty if there is none.
fn text(of: &Value, name: &str) -> String {
    let text = of.get(name).and_then(Value::as_str);
    text.unwrap_or_default().trim().to_owned()
}

fn no_collection(path: &Path, why: &str) -> Failure {
    Failure::new(
        Code::FileUnreadable,
        format!(
            "{} is no mapping collection of OSCAL: {why}.",
            path.display()
        ),
        "Name a JSON file with an object “mapping-collection”, as OSCAL 1.2.1 describes it.",
    )
}

#[cfg(test)]
mod tests;
