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
        if let Some(told) = self.not_in_force() {
            description.push(' ');
            description.push_str(&told);
        }
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
            // A person who links by hand may leave the relation open. Then the export only says that the rule and the
            // statement have something in common.
            let relation = counts.relation.unwrap_or(MatchRelation::Intersects);
            let mut by_document: Vec<(DocumentId, Vec<&MatchText>)> = Vec::new();
            for policy in counts.policies {
                match by_document.iter_mut().find(|(d, _)| *d == policy.document) {
                    Some((_, of)) => of.push(policy),
                    None => by_document.push((policy.document, vec![policy])),
                }
            }
            // Statements of several documents cover the rule together. A map belongs to one document, and its
            // statements alone do not cover the rule.
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
                let mut resource = json!({
                    "uuid": self.uuid(&format!("resource {}", d.id)),
                    "title": line(&d.title),
                    "rlinks": [{
                        "href": href(&d.file),
                        "hashes": [{ "algorithm": "SHA-256", "value": d.sha256 }],
                    }],
                });
                if let Some(why) = self.out_of_force(d.id) {
                    resource["props"] = json!([not_in_force(why)]);
                }
                resource
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
        props.extend(self.out_of_force(text.document).map(not_in_force));
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

/// That a document is not in force on the day of the file, as a property.
fn not_in_force(why: String) -> Value {
    json!({ "name": "not-in-force", "value": why })
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
mod tests {
    use super::super::oscal_ids::{words_of, words_token};
    use super::*;
    use lexforge_domain::api::{MatchCandidate, MatchDecision, MatchLearned};

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

    #[test]
    fn a_decision_whose_text_has_changed_is_open_again() {
        let method = |status: &str| {
            let rules = [
                ("accepted", MatchVerdict::NotCovered),
                (status, MatchVerdict::NotCovered),
            ];
            let file = About::of_rules(&rules).collection();
            file["mapping-collection"]["provenance"]["method"].clone()
        };
        assert_eq!(method("accepted"), "human");
        assert_eq!(method(STALE), "hybrid");
    }

    #[test]
    fn a_rule_that_was_decided_without_a_statement_is_told_where_its_document_has_no_mapping() {
        let file = About::of_rules(&[("corrected", MatchVerdict::Covered)]).collection();
        let told = &file["mapping-collection"]["provenance"]["mapping-description"];
        let told = told.as_str().unwrap_or_default();
        assert!(told.ends_with("that could be named here: R-1."), "{told}");
    }

    #[test]
    fn what_is_not_in_force_is_a_property_of_its_texts_and_of_its_document() {
        let mut about = About::of_rules(&[("unreviewed", MatchVerdict::Covered)]);
        let item = |about: &About| about.item(&about.report.rows[0].rule)["props"].clone();
        let before = item(&about).as_array().map_or(0, Vec::len);
        about.end(DocumentId(1), "2020-12-31");
        let told = json!({ "name": "not-in-force", "value": "was in force until 2020-12-31" });
        assert_eq!(item(&about)[before], told);
        let file = about.collection();
        let resource = &file["mapping-collection"]["back-matter"]["resources"][0];
        assert_eq!(resource["props"], json!([told]));
    }

    #[test]
    fn a_map_says_what_its_probability_rests_on() {
        let mut about = About::of_rules(&[("unreviewed", MatchVerdict::Covered)]);
        about.report.rows[0].policies = vec![MatchCandidate {
            statement: text(Some("P-1"), ""),
            score: 1.0,
            votes: 1,
            covers: true,
            found_by: Vec::new(),
            edges: None,
            terms: Vec::new(),
        }];
        let said = |about: &About| {
            let file = about.collection();
            let map = &file["mapping-collection"]["mappings"][0]["maps"][0];
            let props = map["props"].as_array().cloned().unwrap_or_default();
            let rests = props
                .into_iter()
                .find(|prop| prop["name"] == "probability-rests-on");
            rests.map(|prop| prop["value"].clone())
        };
        let plain = "fitted on public contracts, not learned from decisions";
        assert_eq!(said(&about), Some(json!(plain)));
        about.report.rows[0].learned = Some(MatchLearned {
            decisions: 34,
            of_all: 90,
            pooled: false,
            needed: 5,
        });
        let learned = "learned from 34 decisions about this rule in other policies";
        assert_eq!(said(&about), Some(json!(learned)));
    }

    #[test]
    fn statements_of_several_documents_do_not_each_meet_the_rule() {
        use MatchRelation::{Equal, Intersects, Subset, Superset};
        for (relation, documents, expected) in [
            (Equal, &[2][..], &["equal-to"][..]),
            (Subset, &[2, 2], &["subset-of"]),
            (Equal, &[2, 3], &["intersects-with", "intersects-with"]),
            (Subset, &[2, 3, 2], &["intersects-with", "intersects-with"]),
            (Superset, &[2, 3], &["superset-of", "superset-of"]),
            (Intersects, &[2], &["intersects-with"]),
        ] {
            let mut about = About::of_rules(&[("corrected", MatchVerdict::Covered)]);
            let row = &mut about.report.rows[0];
            let policies = documents.iter().map(|document| MatchText {
                document: DocumentId(*document),
                ..text(Some("P-1"), "")
            });
            row.decision = Some(MatchDecision {
                id: 1,
                rule: row.rule.clone(),
                accepted: false,
                undecided: false,
                verdict: MatchVerdict::Covered,
                relation: Some(relation),
                policies: policies.collect(),
                note: String::new(),
                owner: String::new(),
                due: None,
                against: Vec::new(),
                made: String::new(),
                actor: "Ada".to_owned(),
            });
            let file = about.collection();
            let mappings = file["mapping-collection"]["mappings"].as_array().cloned();
            let said: Vec<Value> = mappings
                .into_iter()
                .flatten()
                .map(|mapping| mapping["maps"][0]["relationship"].clone())
                .collect();
            assert_eq!(said, expected, "{relation:?} {documents:?}");
        }
    }

    fn text(id: Option<&str>, section: &str) -> MatchText {
        MatchText {
            id: lexforge_domain::SentenceId(7),
            document: DocumentId(1),
            page: 1,
            text: "Records are kept.".to_owned(),
            section: section.to_owned(),
            external_id: id.map(str::to_owned),
        }
    }

    #[test]
    fn a_text_is_named_by_its_own_id_or_by_its_words_and_section() {
        let own = |id: &str| token(&text(Some(id), ""));
        assert_eq!(
            (own("AC-1(a)"), own("1.2")),
            ("AC-1_a_".to_owned(), "s_1.2".to_owned())
        );
        // Such an id can contain neither of these two characters. Yet the two ids must differ.
        assert_ne!(own("第1条"), own("第1款"));
        let (one, other) = (token(&text(None, "Records")), token(&text(None, "Office")));
        assert_ne!(one, other);
        assert_eq!(words_of(&one), words_of(&other));
        assert_eq!(words_of(&one), Some(words_token(&text(None, "")).as_str()));
        assert_eq!((words_of("s_1.2"), words_of("s_12_3")), (None, None));
    }
}
