//! A matching with what papers about it say beside its rows, and what counts of a row.

use super::decide::STALE;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{
    DocumentRow, MatchRelation, MatchReport, MatchRow, MatchText, MatchVerdict, Severity,
};
use std::collections::HashMap;

/// Longer titles are no names, in characters.
const LONG: usize = 80;

/// Data for an export in addition to the rows.
pub(super) struct About {
    pub report: MatchReport,
    pub documents: HashMap<DocumentId, DocumentRow>,
    pub head: String,
    /// The day of the paper, `YYYY-MM-DD`.
    pub day: String,
}

impl About {
    pub(super) fn title(&self, id: DocumentId) -> &str {
        self.documents.get(&id).map_or("", |d| d.title.as_str())
    }

    /// A short name for a document that is mentioned often: its identifier if it has one, because titles may fill
    /// several lines.
    pub(super) fn short(&self, id: DocumentId) -> &str {
        let title = self.title(id);
        let named = self
            .documents
            .get(&id)
            .and_then(|d| d.metadata.identifier.as_deref());
        match named.filter(|name| !name.trim().is_empty()) {
            Some(name) if title.chars().count() > LONG => name,
            _ => title,
        }
    }
}

/// The verdict of a row that counts: the person's decision, or else the result of the matching.
pub(super) struct Counting<'r> {
    pub verdict: MatchVerdict,
    pub relation: Option<MatchRelation>,
    pub policies: Vec<&'r MatchText>,
}

pub(super) fn counting(row: &MatchRow) -> Counting<'_> {
    match row
        .decision
        .as_ref()
        .filter(|d| row.status != STALE && !d.undecided)
    {
        Some(decision) => Counting {
            verdict: decision.verdict,
            relation: decision.relation,
            policies: decision.policies.iter().collect(),
        },
        None => Counting {
            verdict: row.verdict,
            relation: row.relation,
            policies: row
                .policies
                .iter()
                .filter(|p| p.covers)
                .map(|p| &p.statement)
                .collect(),
        },
    }
}

/// How bad the gap is when a person has decided on another verdict than was found.
pub(super) fn severity_of(row: &MatchRow, verdict: MatchVerdict) -> Severity {
    match (verdict, row.severity) {
        (verdict, found) if verdict == row.verdict => found,
        (MatchVerdict::Covered, _) => Severity::None,
        (_, Severity::Low) => Severity::Low,
        (MatchVerdict::Partly, _) => Severity::Medium,
        (MatchVerdict::Contradicted | MatchVerdict::NotCovered, _) => Severity::High,
    }
}

#[cfg(test)]
impl About {
    /// A matching for tests: rules of document 1, each with its status and its verdict, and without statements.
    pub(super) fn of_rules(rules: &[(&str, MatchVerdict)]) -> Self {
        let row = |(number, (status, verdict)): (i64, &(&str, MatchVerdict))| MatchRow {
            rule: MatchText {
                id: lexforge_domain::SentenceId(number),
                document: DocumentId(1),
                page: 1,
                text: format!("The firm shall keep register {number}."),
                section: String::new(),
                external_id: Some(format!("R-{number}")),
            },
            policies: Vec::new(),
            status: (*status).to_owned(),
            verdict: *verdict,
            relation: None,
            probability: 0.1,
            differences: Vec::new(),
            nearest: Vec::new(),
            by_method: Vec::new(),
            severity: Severity::High,
            binds: lexforge_domain::api::MatchAddressee::Nobody,
            method: "words alone".to_owned(),
            decision: None,
            proposed: Vec::new(),
            learned: None,
            plain: None,
        };
        let mut report = MatchReport {
            rows: (1..).zip(rules).map(row).collect(),
            ..MatchReport::default()
        };
        report.request.rules = vec![DocumentId(1)];
        Self {
            report,
            documents: HashMap::new(),
            head: String::new(),
            day: "2026-01-01".to_owned(),
        }
    }

    /// Adds a document that was in force until a day.
    #[allow(clippy::unwrap_used)]
    pub(super) fn end(&mut self, id: DocumentId, last: &str) {
        let mut document: DocumentRow = serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.md", "title": "Policy", "format": "text", "language": "en", "pages": 1,
            "sentences": 1, "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0},
            "reader_agreement": null, "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": null
        }))
        .unwrap();
        document.validity = Some(lexforge_domain::api::Validity {
            until: Some(last.to_owned()),
            ..Default::default()
        });
        self.documents.insert(id, document);
    }
}
