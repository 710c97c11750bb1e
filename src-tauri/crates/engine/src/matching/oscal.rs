//! Matched rules as a mapping collection of OSCAL.

use super::about::{About, counting};
use super::decide::{STALE, UNREVIEWED};
use super::oscal_ids::token;
use super::told::found_by;
use super::told_learned::rests_on;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{MatchRelation, MatchRow, MatchText, MatchVerdict};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The version of the model that a mapping collection is written in.
const OSCAL: &str = "1.2.1";

/// A document of rules, and a document of policies.
type Pair = (DocumentId, DocumentId);

/// Maps by the documents that they lead from and to.
#[derive(Default)]
struct Maps {
    /// In the order of the rules.
    pairs: Vec<Pair>,
    of: HashMap<Pair, Vec<Value>>,
}

impl Maps {
    fn add(&mut self, pair: Pair, map: Value) {
        if !self.pairs.contains(&pair) {
            self.pairs.push(pair);
        }
        self.of.entry(pair).or_default().push(map);
    }
}

impl About {
    /// A mapping collection of OSCAL.
    pub(super) fn collection(&self) -> Value {
        let report = &self.report;
        let maps = self.maps();
        // If the text of a rule has changed, the decision about it is open again.
        let is_decided = |status: &str| status != UNREVIEWED && status != STALE;
        let decided = report.rows.iter().filter(|r| is_decided(&r.status)).count();
        let all = decided == report.rows.len();
        let method = match decided {
            0 => "automation",
            _ if all => "human",
            _ => "hybrid",
        };
        let status = if all { "complete" } else { "draft" };
        let mappings: Vec<Value> = maps
            .pairs
            .iter()
            .map(|&pair| self.mapping(pair, maps.of.get(&pair), method, status))
            .collect();
        // If no mapping names a document, its rules are listed here. Otherwise they would be listed nowhere.
        let mut description =
            format!("{}. ", self.counts()) + &format!("Compared by {}.", report.method);
        let named = |id: &DocumentId| maps.pairs.iter().any(|(rules, _)| rules == id);
        let others = report.request.rules.iter().filter(|&id| !named(id));
        let unlinked: Vec<String> = others.flat_map(|id| self.unlinked(*id)).collect();
        if !unlinked.is_empty() {
            description.push(' ');
            description.push_str(&without_statement(&unlinked));
        }
        let mut collection = json!({
            "uuid": self.uuid("collection"),
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
                "status": status,
                "mapping-description": description,
            },
            "mappings": mappings,
        });
        let resources = self.resources();
        if !resources.is_empty() {
            collection["back-matter"] = json!({ "resources": resources });
        }
        json!({ "mapping-collection": collection })
    }

    /// The maps of all rules.
    fn maps(&self) -> Maps {
        let mut maps = Maps::default();
        for row in &self.report.rows {
            let counts = counting(row);
            if counts.verdict == MatchVerdict::NotCovered {
                continue;
            }
            // A person who links by hand may leave the relation open. Then the export only says that the two have
            // something in common.
            let relation = counts.relation.unwrap_or(MatchRelation::Intersects);
            let mut by_document: Vec<(DocumentId, Vec<&MatchText>)> = Vec::new();
            for policy in counts.policies {
                match by_document.iter_mut().find(|(d, _)| *d == policy.document) {
                    Some((_, of)) => of.push(policy),
                    None => by_document.push((policy.document, vec![policy])),
                }
            }
            // Statements of several documents meet the rule together. A map is of one document, and what it names does
            // not meet the rule by itself.
            let relation = match relation {
                MatchRelation::Equal | MatchRelation::Subset if by_document.len() > 1 => {
                    MatchRelation::Intersects
                }
                relation => relation,
            };
            for (document, policies) in by_document {
                let map = self.map(row, (counts.verdict, relation), document, &policies);
                maps.add((row.rule.document, document), map);
            }
        }
        // A mapping needs at least one map, and rules that are not covered are listed in a mapping of their document.
        // So if no rule of a document is covered, its rules are written as maps to the nearest statement.
        let covered: HashSet<DocumentId> = maps.pairs.iter().map(|(rules, _)| *rules).collect();
        for row in &self.report.rows {
            let alone = !covered.contains(&row.rule.document)
                && counting(row).verdict == MatchVerdict::NotCovered;
            if let Some(near) = row.policies.first().filter(|_| alone) {
                let map = json!({
                    "uuid": self.uuid(&format!("map {}", row.rule.id)),
                    "relationship": "no-relationship",
                    "sources": [self.item(&row.rule)],
                    "targets": [self.item(&near.statement)],
                });
                maps.add((row.rule.document, near.statement.document), map);
            }
        }
        maps
    }

    /// The map of a rule to its statements in one document.
    fn map(
        &self,
        row: &MatchRow,
        (verdict, relation): (MatchVerdict, MatchRelation),
        document: DocumentId,
        policies: &[&MatchText],
    ) -> Value {
        let targets: Vec<Value> = policies.iter().map(|p| self.item(p)).collect();
        let relationship = match relation {
            MatchRelation::Equal => "equal-to",
            MatchRelation::Subset => "subset-of",
            MatchRelation::Superset => "superset-of",
            MatchRelation::Intersects => "intersects-with",
        };
        let mut props = vec![
            json!({ "name": "verdict", "value": verdict.tag() }),
            json!({ "name": "status", "value": row.status }),
            json!({ "name": "probability-rests-on", "value": line(&rests_on(row)) }),
        ];
        let found: Vec<String> = policies.iter().map(|p| found_by(row, p)).collect();
        if found.iter().any(|by| !by.is_empty()) {
            props.push(json!({ "name": "found-by", "value": line(&found.join("; ")) }));
        }
        json!({
            "uuid": self.uuid(&format!("map {} {document}", row.rule.id)),
            "relationship": relationship,
            "matching-rationale": "semantic",
            "sources": [self.item(&row.rule)],
            "targets": targets,
            "confidence-score": { "percentage": rounded(row.probability) },
            "props": props,
        })
    }

    /// The mapping of a document of rules to a document of policies.
    fn mapping(
        &self,
        (rules, policies): Pair,
        maps: Option<&Vec<Value>>,
        method: &str,
        status: &str,
    ) -> Value {
        let mut mapping = json!({
            "uuid": self.uuid(&format!("mapping {rules} {policies}")),
            "method": method,
            "matching-rationale": "semantic",
            "status": status,
            "source-resource": self.resource(rules),
            "target-resource": self.resource(policies),
            "maps": maps,
        });
        let own = self.report.rows.iter().filter(|row| {
            row.rule.document == rules && counting(row).verdict == MatchVerdict::NotCovered
        });
        let uncovered: Vec<String> = own.map(|row| token(&row.rule)).collect();
        let unlinked = self.unlinked(rules);
        if !unlinked.is_empty() {
            mapping["remarks"] = json!(without_statement(&unlinked));
        }
        if !uncovered.is_empty() {
            mapping["source-gap-summary"] = json!({
                "uuid": self.uuid(&format!("gaps {rules} {policies}")),
                "unmapped-controls": [{ "with-ids": uncovered }],
            });
        }
        mapping
    }

    /// The documents of both sides, with their hashes.
    fn resources(&self) -> Vec<Value> {
        let request = &self.report.request;
        let documents = request.rules.iter().chain(&request.policies);
        documents
            .filter_map(|id| self.documents.get(id))
            .map(|d| {
                json!({
                    "uuid": self.uuid(&format!("resource {}", d.id)),
                    "title": line(&d.title),
                    "rlinks": [{
                        "href": href(&d.file),
                        "hashes": [{ "algorithm": "SHA-256", "value": d.sha256 }],
                    }],
                })
            })
            .collect()
    }

    /// The identifier of a part of this collection.
    fn uuid(&self, what: &str) -> String {
        uuid(&format!("{} {} {what}", self.head, self.report.made))
    }

    /// The rules of a document that somebody decided to be covered, partly covered or contradicted, without naming a
    /// statement.
    fn unlinked(&self, rules: DocumentId) -> Vec<String> {
        let own = self.report.rows.iter().filter(|row| {
            let counts = counting(row);
            row.rule.document == rules
                && counts.verdict != MatchVerdict::NotCovered
                && counts.policies.is_empty()
        });
        own.map(|row| token(&row.rule)).collect()
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
        let uuid = self.uuid(&format!("resource {id}"));
        json!({ "type": "catalog", "href": format!("#{uuid}") })
    }
}

/// The remark about rules that somebody decided without naming a statement.
fn without_statement(rules: &[String]) -> String {
    let rules = rules.join(", ");
    format!("Decided without a statement that could be named here: {rules}.")
}

/// A text on one line without blanks at its ends; a dash if it would be empty.
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

/// A UUID of version 5 (RFC 4122) from a hash of its content, so that the same export gives the same ids.
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
mod tests;
