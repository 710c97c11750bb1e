//! JSON: one array of entries, or an object that holds it.

use super::collector::{Collector, Draft, status_of};
use crate::error::IngestError;
use lexforge_domain::glossary::GlossaryEntry;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Names under which an object holds its entries.
const LISTS: [&str; 5] = ["terms", "entries", "glossary", "concepts", "items"];

/// Reads entry by entry: only one stands in memory as a tree.
pub(super) fn read(text: &str, collector: &mut Collector) -> Result<(), IngestError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let before = collector.glossary.read;
    let damaged = |error: serde_json::Error| {
        IngestError::Damaged(format!("the file is no JSON of terms: {error}"))
    };
    let found = Entries {
        collector: &mut *collector,
        top: true,
    }
    .deserialize(&mut reader)
    .map_err(damaged)?;
    reader.end().map_err(damaged)?;
    if !found && collector.glossary.read == before {
        let names = LISTS.join(", ");
        return Err(IngestError::Damaged(format!(
            "the file is no array of terms, nor an object with one ({names})"
        )));
    }
    Ok(())
}

/// Reads a list of entries, or the object that holds one; says whether there is a list.
struct Entries<'a> {
    collector: &'a mut Collector,
    top: bool,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of terms, or an object with one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        let mut place = 0;
        while let Some(value) = list.next_element::<Value>()? {
            place += 1;
            match value {
                Value::Object(fields) => {
                    let draft = draft(fields, self.collector);
                    self.collector.take(place, draft);
                }
                Value::String(term) => self.collector.take(
                    place,
                    Draft {
                        term,
                        ..Draft::default()
                    },
                ),
                other => self.collector.reject(
                    place,
                    &other.to_string(),
                    "an entry is an object with a \"term\"",
                ),
            }
        }
        Ok(true)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(key) = object.next_key::<String>()? {
            if self.top && LISTS.contains(&key.to_lowercase().as_str()) {
                found |= object.next_value_seed(Entries {
                    collector: &mut *self.collector,
                    top: false,
                })?;
            } else {
                object.next_value::<IgnoredAny>()?;
                self.collector.unread(&key, 1);
            }
        }
        Ok(found)
    }
}

fn draft(fields: Map<String, Value>, collector: &mut Collector) -> Draft {
    let mut draft = Draft::default();
    let (mut definition, mut source) = (String::new(), Vec::new());
    for (key, value) in fields {
        match key.to_lowercase().as_str() {
            "term" | "text" | "name" | "preflabel" | "preferred" => draft.term = word(&value),
            "language" | "lang" => draft.language = Some(word(&value)),
            "names" | "synonyms" | "aliases" | "altlabels" | "altlabel" | "variants" => {
                draft.names.extend(words(&value))
            }
            "definitions" => {
                for one in listed(value) {
                    draft.definitions.push(match &one {
                        Value::Object(fields) => (field(fields, "text"), field(fields, "source")),
                        other => (word(other), String::new()),
                    });
                }
            }
            "definition" => definition = word(&value),
            "source" => source.extend(words(&value)),
            "sources" => draft.sources.extend(words(&value)),
            "class" | "type" => draft.class = word(&value),
            "status" => draft.status = status_of(&word(&value)),
            "related" => draft.related.extend(words(&value)),
            "broader" => draft.broader.extend(words(&value)),
            _ if value.is_null() => {}
            _ => collector.unread(&key, 1),
        }
    }
    if definition.is_empty() {
        draft.sources.extend(source);
    } else {
        draft.definitions.insert(0, (definition, source.join("; ")));
    }
    draft
}

fn field(fields: &Map<String, Value>, name: &str) -> String {
    fields.get(name).map(word).unwrap_or_default()
}

fn listed(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        Value::Null => Vec::new(),
        one => vec![one],
    }
}

fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().map(word).collect(),
        one => vec![word(one)],
    }
}

/// The text of a value; nothing for lists and objects.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

pub(super) fn write(entries: &[GlossaryEntry]) -> Result<Vec<u8>, IngestError> {
    let mut bytes = serde_json::to_vec_pretty(entries).map_err(|error| {
        IngestError::Damaged(format!("the glossary cannot be written as JSON: {error}"))
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}
