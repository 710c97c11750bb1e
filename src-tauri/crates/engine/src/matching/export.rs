//! Matched rules as files that leave the workspace: tables, a gap report, a mapping collection, a page for an auditor.

use super::Matching;
use super::decide::STALE;
use crate::answering::docx;
use crate::workspace::{Result, file_failure, workbook};
use lexforge_domain::api::{
    DocumentRow, MatchExport, MatchFile, MatchRelation, MatchReport, MatchRow, MatchText,
    MatchVerdict,
};
use lexforge_domain::{Code, DocumentId, Failure};
use lexforge_files::Aside;
use lexforge_ingest::sheet::{self, Cell};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// The columns of a table.
const COLUMNS: [&str; 18] = [
    "rule",
    "rule document",
    "rule section",
    "rule page",
    "rule text",
    "verdict",
    "relation",
    "probability",
    "severity",
    "policy document",
    "policy section",
    "policy page",
    "policy text",
    "differences",
    "status",
    "note",
    "owner and date",
    "binds",
];
/// What an export needs besides the rows.
pub(super) struct About {
    pub report: MatchReport,
    pub documents: HashMap<DocumentId, DocumentRow>,
    pub head: String,
}

impl Matching<'_> {
    /// The newest matching as a file.
    ///
    /// # Errors
    /// When nothing was matched yet, or it is too large for the form.
    pub fn exported(&self, form: MatchExport) -> Result<Vec<u8>> {
        let report = self.newest()?.ok_or_else(|| {
            Failure::new(
                Code::StepMissing,
                "Nothing was matched yet.",
                "Match rules with policies first.",
            )
        })?;
        let (documents, head) = self
            .workspace
            .store
            .read(|r| Ok((r.documents()?, r.audit_head()?)))?;
        let about = About {
            report,
            documents: documents.into_iter().map(|d| (d.id, d)).collect(),
            head,
        };
        let too_large =
            |why: String| Failure::new(Code::TooLarge, why, "Match fewer rules at a time.");
        match form {
            MatchExport::Csv => {
                let rows = about.cells();
                let cells = rows
                    .iter()
                    .map(|row| row.iter().map(|c| Cell::Text(c)).collect());
                sheet::table(&COLUMNS, cells).map_err(|e| too_large(e.to_string()))
            }
            MatchExport::Xlsx => workbook("Rules", &COLUMNS, &about.cells())
                .ok_or_else(|| too_large("The table is too large.".to_owned())),
            MatchExport::Docx => docx::wrapped(&about.gaps()).map_err(too_large),
            MatchExport::Oscal => {
                let mut text = serde_json::to_string_pretty(&about.collection())
                    .map_err(|e| too_large(e.to_string()))?;
                text.push('\n');
                Ok(text.into_bytes())
            }
            MatchExport::Html => Ok(about.page().into_bytes()),
        }
    }

    /// Writes the newest matching into a file, which the audit chain names.
    ///
    /// # Errors
    /// As [`Matching::exported`]; when the file is the workspace itself or cannot be written.
    pub fn export_to(&self, form: MatchExport, path: &Path) -> Result<MatchFile> {
        let bytes = self.exported(form)?;
        if path.exists() && path.canonicalize().ok() == self.workspace.path().canonicalize().ok() {
            return Err(Failure::new(
                Code::InvalidRequest,
                "The file would be written over the workspace.",
                "Name another file.",
            ));
        }
        Aside::write_whole(path, &bytes).map_err(file_failure)?;
        let written = MatchFile {
            path: path.display().to_string(),
            bytes: bytes.len() as u64,
            sha256: hex::encode(Sha256::digest(&bytes)),
        };
        if self.workspace.store.read_only().is_none() {
            let reason = format!("{}, SHA-256 {}", form.extension(), written.sha256);
            self.workspace.store.write(&self.workspace.actor, |w| {
                w.note("match.export", "matching", Some(&reason))
            })?;
        }
        Ok(written)
    }
}

/// What counts of a row: what a person decided, else what was found.
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

/// A document with what an auditor asks of it: version, date and owner where it says them, its file and its hash.
fn imprint(document: &DocumentRow) -> String {
    let about = &document.metadata;
    let version = about.version.as_ref().map(|v| {
        // "2.1" says nothing without its word; "Version 2.1" does.
        let bare = v.starts_with(|c: char| c.is_ascii_digit());
        if bare {
            format!("version {v}")
        } else {
            v.clone()
        }
    });
    let owner = about.owner.as_ref().map(|owner| format!("kept by {owner}"));
    let told = [
        version,
        about.date.clone(),
        owner,
        Some(document.file.clone()),
        Some(format!("SHA-256 {}", document.sha256)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    format!("{} ({})", document.title, told.join(", "))
}

/// A verdict in words.
pub(super) fn words(verdict: MatchVerdict) -> &'static str {
    match verdict {
        MatchVerdict::Covered => "covered",
        MatchVerdict::Partly => "partly covered",
        MatchVerdict::Contradicted => "contradicted",
        MatchVerdict::NotCovered => "not covered",
    }
}

impl About {
    pub(super) fn title(&self, id: DocumentId) -> &str {
        self.documents.get(&id).map_or("", |d| d.title.as_str())
    }

    /// Texts put together, one a line.
    fn joined(texts: &[&MatchText], of: impl Fn(&MatchText) -> String) -> String {
        let lines: Vec<String> = texts.iter().map(|t| of(t)).collect();
        lines.join("\n")
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let rows = self.report.rows.iter();
        rows.map(|row| {
            let counts = counting(row);
            let differences: Vec<String> = row
                .differences
                .iter()
                .map(|d| format!("{} | {}", d.rule, d.policy))
                .collect();
            let decision = row.decision.as_ref();
            let severity = serde_json::to_value(row.severity).ok();
            let severity = severity.and_then(|s| s.as_str().map(str::to_owned));
            vec![
                row.rule
                    .external_id
                    .clone()
                    .unwrap_or_else(|| row.rule.id.to_string()),
                self.title(row.rule.document).to_owned(),
                row.rule.section.clone(),
                row.rule.page.to_string(),
                row.rule.text.clone(),
                words(counts.verdict).to_owned(),
                counts.relation.map_or("", MatchRelation::tag).to_owned(),
                format!("{:.3}", row.probability),
                severity.unwrap_or_default(),
                Self::joined(&counts.policies, |p| self.title(p.document).to_owned()),
                Self::joined(&counts.policies, |p| p.section.clone()),
                Self::joined(&counts.policies, |p| p.page.to_string()),
                Self::joined(&counts.policies, |p| p.text.clone()),
                differences.join("\n"),
                row.status.clone(),
                decision.map_or_else(String::new, |d| d.note.clone()),
                decision.map_or_else(String::new, |d| {
                    format!("{} {}", d.owner, d.due.as_deref().unwrap_or_default())
                        .trim()
                        .to_owned()
                }),
                row.binds.tag().to_owned(),
            ]
        })
        .collect()
    }

    /// Every document that takes part, with its hash.
    pub(super) fn named(&self) -> Vec<String> {
        let request = &self.report.request;
        let of = |role: &str, ids: &[DocumentId]| -> Vec<String> {
            ids.iter()
                .filter_map(|id| self.documents.get(id))
                .map(|d| format!("{role}: {}", imprint(d)))
                .collect()
        };
        let mut all = of("Rules", &request.rules);
        all.extend(of("Policies", &request.policies));
        all
    }

    /// How many rules have each verdict, and how many were decided.
    pub(super) fn counts(&self) -> String {
        let rows = &self.report.rows;
        let mut text = format!("{} rules", rows.len());
        for verdict in MatchVerdict::ALL {
            let n = rows
                .iter()
                .filter(|r| counting(r).verdict == verdict)
                .count();
            let _ = write!(text, "; {n} {}", words(verdict));
        }
        for status in ["accepted", "corrected", "stale", "unreviewed"] {
            let n = rows.iter().filter(|r| r.status == status).count();
            let _ = write!(text, "; {n} {status}");
        }
        let aside = &self.report.set_aside;
        if aside.recitals + aside.public > 0 {
            let _ = write!(
                text,
                "; set aside: {} recitals, {} rules that bind public bodies",
                aside.recitals, aside.public
            );
        }
        text
    }

    /// The rules that are not covered, the worst first.
    fn open(&self) -> Vec<&MatchRow> {
        let mut open: Vec<&MatchRow> = self
            .report
            .rows
            .iter()
            .filter(|row| counting(row).verdict != MatchVerdict::Covered)
            .collect();
        let rank = |row: &MatchRow| {
            let verdict = counting(row).verdict;
            let place = MatchVerdict::ALL.iter().position(|v| *v == verdict);
            (std::cmp::Reverse(row.severity), place)
        };
        open.sort_by_key(|row| rank(row));
        open
    }

    /// The paragraphs of the gap report.
    fn gaps(&self) -> String {
        let mut body = String::new();
        let mut put = |style: Option<&str>, text: &str| docx::paragraph(&mut body, style, text);
        put(Some("Heading1"), "Rules that the policies do not cover");
        put(None, &self.counts());
        put(None, &format!("Compared by {}.", self.report.method));
        for line in self.named() {
            put(None, &line);
        }
        put(None, &format!("Head of the audit chain: {}", self.head));
        for row in self.open() {
            let counts = counting(row);
            let rule = &row.rule;
            put(
                Some("Heading1"),
                &format!(
                    "{}: {}, {} page {}",
                    words(counts.verdict),
                    self.title(rule.document),
                    rule.section,
                    rule.page
                ),
            );
            put(Some("Quote"), &rule.text);
            for policy in &counts.policies {
                put(
                    None,
                    &format!(
                        "{}, {} page {} says",
                        self.title(policy.document),
                        policy.section,
                        policy.page
                    ),
                );
                put(Some("Quote"), &policy.text);
            }
            let shown = counts.verdict != MatchVerdict::NotCovered;
            for difference in row.differences.iter().filter(|_| shown) {
                put(
                    None,
                    &format!(
                        "Differs: “{}” in the rule, “{}” in the policy.",
                        difference.rule, difference.policy
                    ),
                );
            }
            for near in &row.nearest {
                put(
                    None,
                    &format!(
                        "Near: {}, page {}. {}",
                        self.title(near.policy.document),
                        near.policy.page,
                        near.why_not.text
                    ),
                );
                put(Some("Quote"), &near.policy.text);
            }
            if let Some(decision) = &row.decision {
                put(
                    None,
                    &format!(
                        "{} by {} on {}. {} Owner: {}. Due: {}.",
                        row.status,
                        decision.actor,
                        decision.made,
                        decision.note,
                        decision.owner,
                        decision.due.as_deref().unwrap_or("no date")
                    ),
                );
            }
        }
        put(Some("Heading1"), "Signatures");
        for role in ["Prepared by", "Checked by", "Approved by"] {
            put(
                None,
                &format!("{role}: ______________________    Date: ______________"),
            );
        }
        body
    }
}
