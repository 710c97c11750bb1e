//! Matched rules as a mapping collection of OSCAL.

use super::decide::UNREVIEWED;
use super::export::{About, counting};
use lexforge_domain::DocumentId;
use lexforge_domain::api::{MatchRelation, MatchText, MatchVerdict};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The version of the model that a mapping collection is written in.
const OSCAL: &str = "1.2.1";

impl About {
    /// A mapping collection of OSCAL.
    pub(super) fn collection(&self) -> Value {
        let report = &self.report;
        let uuid = |what: &str| uuid(&format!("{} {} {what}", self.head, report.made));
        let mut pairs: Vec<(DocumentId, DocumentId)> = Vec::new();
        let mut maps: HashMap<(DocumentId, DocumentId), Vec<Value>> = HashMap::new();
        for row in &report.rows {
            let counts = counting(row);
            let Some(relation) = counts.relation else {
                continue;
            };
            if counts.verdict == MatchVerdict::NotCovered {
                continue;
            }
            let mut by_document: Vec<(DocumentId, Vec<&MatchText>)> = Vec::new();
            for policy in counts.policies {
                match by_document.iter_mut().find(|(d, _)| *d == policy.document) {
                    Some((_, of)) => of.push(policy),
                    None => by_document.push((policy.document, vec![policy])),
                }
            }
            for (document, policies) in by_document {
                let pair = (row.rule.document, document);
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
                let targets: Vec<Value> = policies.iter().map(|p| self.item(p)).collect();
                let relationship = match relation {
                    MatchRelation::Equal => "equal-to",
                    MatchRelation::Subset => "subset-of",
                    MatchRelation::Superset => "superset-of",
                    MatchRelation::Intersects => "intersects-with",
                };
                maps.entry(pair).or_default().push(json!({
                    "uuid": uuid(&format!("map {} {document}", row.rule.id)),
                    "relationship": relationship,
                    "matching-rationale": "semantic",
                    "sources": [self.item(&row.rule)],
                    "targets": targets,
                    "confidence-score": { "percentage": rounded(row.probability) },
                    "props": [
                        { "name": "verdict", "value": counts.verdict.tag() },
                        { "name": "status", "value": row.status },
                    ],
                }));
            }
        }
        if pairs.is_empty() {
            // A collection has at least one mapping: where nothing covers anything it says just that.
            for row in &report.rows {
                let Some(near) = row.policies.first() else {
                    continue;
                };
                let pair = (row.rule.document, near.statement.document);
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
                maps.entry(pair).or_default().push(json!({
                    "uuid": uuid(&format!("map {}", row.rule.id)),
                    "relationship": "no-relationship",
                    "sources": [self.item(&row.rule)],
                    "targets": [self.item(&near.statement)],
                }));
            }
        }
        let decided = report
            .rows
            .iter()
            .filter(|r| r.status != UNREVIEWED)
            .count();
        let method = match decided {
            0 => "automation",
            n if n == report.rows.len() => "human",
            _ => "hybrid",
        };
        let uncovered: Vec<String> = report
            .rows
            .iter()
            .filter(|row| counting(row).verdict == MatchVerdict::NotCovered)
            .map(|row| token(&row.rule))
            .collect();
        let mappings: Vec<Value> = pairs
            .iter()
            .map(|(rules, policies)| {
                let mut mapping = json!({
                    "uuid": uuid(&format!("mapping {rules} {policies}")),
                    "method": method,
                    "matching-rationale": "semantic",
                    "status": if decided == report.rows.len() { "complete" } else { "draft" },
                    "source-resource": self.resource(*rules),
                    "target-resource": self.resource(*policies),
                    "maps": maps.get(&(*rules, *policies)),
                });
                if !uncovered.is_empty() {
                    mapping["source-gap-summary"] = json!({
                        "uuid": uuid(&format!("gaps {rules} {policies}")),
                        "unmapped-controls": [{ "with-ids": uncovered }],
                    });
                }
                mapping
            })
            .collect();
        let resources: Vec<Value> = self
            .report
            .request
            .rules
            .iter()
            .chain(&self.report.request.policies)
            .filter_map(|id| self.documents.get(id))
            .map(|d| {
                json!({
                    "uuid": uuid(&format!("resource {}", d.id)),
                    "title": line(&d.title),
                    "rlinks": [{
                        "href": href(&d.file),
                        "hashes": [{ "algorithm": "SHA-256", "value": d.sha256 }],
                    }],
                })
            })
            .collect();
        let mut collection = json!({
            "uuid": uuid("collection"),
            "metadata": {
                "title": "Rules and the policies that cover them",
                "last-modified": report.made,
                "version": "1",
                "oscal-version": OSCAL,
                "props": [{ "name": "audit-head", "value": self.head }],
            },
            "provenance": {
                "method": method,
                "matching-rationale": "semantic",
                "status": if decided == report.rows.len() { "complete" } else { "draft" },
                "mapping-description": format!("{}. Compared by {}.", self.counts(), report.method),
            },
            "mappings": mappings,
        });
        if !resources.is_empty() {
            collection["back-matter"] = json!({ "resources": resources });
        }
        json!({ "mapping-collection": collection })
    }

    fn item(&self, text: &MatchText) -> Value {
        let mut props = vec![
            json!({ "name": "page", "value": text.page.to_string() }),
            json!({ "name": "document", "value": line(self.title(text.document)) }),
        ];
        if !text.section.trim().is_empty() {
            props.push(json!({ "name": "section", "value": line(&text.section) }));
        }
        json!({ "type": "statement", "id-ref": token(text), "props": props, "remarks": text.text })
    }

    fn resource(&self, id: DocumentId) -> Value {
        let uuid = uuid(&format!("{} {} resource {id}", self.head, self.report.made));
        json!({ "type": "catalog", "href": format!("#{uuid}") })
    }
}

/// An id that other tools take: a letter or an underscore first, then letters, digits, full stops, hyphens, underscores.
fn token(text: &MatchText) -> String {
    let id = text
        .external_id
        .clone()
        .unwrap_or_else(|| text.id.to_string());
    let plain: String = id
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let prefix = match plain.chars().next() {
        Some(c) if c.is_ascii_alphabetic() || c == '_' => "",
        _ => "s_",
    };
    format!("{prefix}{plain}")
}

/// A text on one line without blanks at its ends; a mark where it would be empty.
fn line(text: &str) -> String {
    let one: Vec<&str> = text.split_whitespace().collect();
    if one.is_empty() {
        "-".to_owned()
    } else {
        one.join(" ")
    }
}

/// A file's name as a reference.
fn href(file: &str) -> String {
    let mut out = String::from("./");
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn rounded(probability: f64) -> f64 {
    (probability * 1_000.0).round() / 1_000.0
}

/// A name of version 5 of RFC 4122, from a hash of what it names: the same export gives the same names.
fn uuid(of: &str) -> String {
    let digest = Sha256::digest(of);
    let mut bytes = [0u8; 16];
    bytes
        .iter_mut()
        .zip(digest.as_slice())
        .for_each(|(to, from)| *to = *from);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex::encode(bytes);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
    [
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32),
    ]
    .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_other_tools_take() {
        let made = uuid("something");
        assert_eq!(made.len(), 36);
        assert_eq!(made.as_bytes()[14], b'5');
        assert!(matches!(made.as_bytes()[19], b'8' | b'9' | b'a' | b'b'));
        assert_eq!(made, uuid("something"));
        assert_eq!(href("Own policy.md"), "./Own%20policy.md");
        assert_eq!(line(" a\n b "), "a b");
    }
}
