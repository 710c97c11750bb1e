//! Matched rules as files that leave the workspace: tables, a gap report, a mapping collection, a page for an auditor.

use super::Matching;
use super::about::{About, counting, severity_of};
use super::told::{difference, differences, found_by, severity, standing, when};
use super::told_learned::rests_on;
use crate::answering::docx;
use crate::workspace::{Result, Sheet, file_failure, refuse_workspace, today, workbook};
use lexforge_domain::api::{MatchExport, MatchFile, MatchRelation, MatchText, MatchVerdict};
use lexforge_domain::{Code, Failure};
use lexforge_files::Aside;
use lexforge_ingest::sheet::{self, Cell};
use sha2::{Digest, Sha256};
use std::path::Path;

/// The columns of a table.
const COLUMNS: [&str; 25] = [
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
    "decided by",
    "decided on",
    "nearest statements",
    "found by",
    "probability rests on",
    "rule not in force",
    "policy not in force",
];
/// The columns with figures: the rule's page and the probability.
const FIGURES: [usize; 2] = [3, 7];
/// How wide each column is, in characters.
const WIDTHS: [u16; 25] = [
    10, 24, 24, 7, 60, 14, 12, 11, 10, 24, 24, 7, 60, 40, 12, 30, 20, 10, 16, 12, 60, 30, 40, 24,
    24,
];
impl Matching<'_> {
    /// The newest matching as a file.
    ///
    /// # Errors
    /// When nothing was matched yet, or the matching is too large for the file format.
    pub fn exported(&self, form: MatchExport) -> Result<Vec<u8>> {
        let report = self.made()?.report();
        let (documents, head) = self
            .workspace
            .store
            .read(|r| Ok((r.documents()?, r.audit_head()?)))?;
        let about = About {
            report,
            documents: documents.into_iter().map(|d| (d.id, d)).collect(),
            head,
            day: today(),
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
            MatchExport::Xlsx => workbook(&[
                Sheet {
                    name: "Rules",
                    columns: &COLUMNS,
                    widths: &WIDTHS,
                    figures: &FIGURES,
                    rows: &about.cells(),
                },
                Sheet {
                    name: "About",
                    columns: &["about"],
                    widths: &[140],
                    figures: &[],
                    rows: &about.imprint_rows(),
                },
            ])
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

    /// Writes the newest matching into a file; the audit chain records the file.
    ///
    /// # Errors
    /// As [`Matching::exported`]; when the file is the workspace itself or cannot be written.
    pub fn export_to(&self, form: MatchExport, path: &Path) -> Result<MatchFile> {
        let bytes = self.exported(form)?;
        refuse_workspace(path, Some(self.workspace.path()))?;
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

impl About {
    /// Texts put together, one a line.
    fn joined(texts: &[&MatchText], of: impl Fn(&MatchText) -> String) -> String {
        let lines: Vec<String> = texts.iter().map(|t| of(t)).collect();
        lines.join("\n")
    }

    /// Why documents of statements are not in force, in the order of the statements; empty where all of them are.
    fn policies_out_of_force(&self, policies: &[&MatchText]) -> String {
        let out: Vec<String> = policies
            .iter()
            .map(|p| self.out_of_force(p.document).unwrap_or_default())
            .collect();
        match out.iter().all(String::is_empty) {
            true => String::new(),
            false => out.join("\n"),
        }
    }

    /// The rows of the second sheet: the lines at the top of every paper, and the documents with their hashes.
    fn imprint_rows(&self) -> Vec<Vec<String>> {
        let head = format!("Head of the audit chain: {}", self.head);
        let all = self.opening().into_iter().chain(self.named());
        all.chain([head]).map(|line| vec![line]).collect()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let rows = self.report.rows.iter();
        rows.map(|row| {
            let counts = counting(row);
            let differences: Vec<String> = differences(row).into_iter().map(difference).collect();
            let nearest: Vec<String> = row
                .nearest
                .iter()
                .filter(|_| counts.verdict == MatchVerdict::NotCovered)
                .map(|near| {
                    let place = self.place(&near.policy);
                    format!("{place}: {} ({})", near.policy.text, near.why_not.text)
                })
                .collect();
            let decision = row.decision.as_ref();
            vec![
                row.rule
                    .external_id
                    .clone()
                    .unwrap_or_else(|| row.rule.id.to_string()),
                self.title(row.rule.document).to_owned(),
                row.rule.section.clone(),
                row.rule.page.to_string(),
                row.rule.text.clone(),
                counts.verdict.words().to_owned(),
                counts.relation.map_or("", MatchRelation::tag).to_owned(),
                format!("{:.3}", row.probability),
                severity(severity_of(row, counts.verdict)).to_owned(),
                Self::joined(&counts.policies, |p| self.title(p.document).to_owned()),
                Self::joined(&counts.policies, |p| p.section.clone()),
                Self::joined(&counts.policies, |p| p.page.to_string()),
                Self::joined(&counts.policies, |p| p.text.clone()),
                differences.join("\n"),
                standing(&row.status).to_owned(),
                decision.map_or_else(String::new, |d| d.note.clone()),
                decision.map_or_else(String::new, |d| {
                    format!("{} {}", d.owner, d.due.as_deref().unwrap_or_default())
                        .trim()
                        .to_owned()
                }),
                row.binds.tag().to_owned(),
                decision.map_or_else(String::new, |d| d.actor.clone()),
                decision.map_or_else(String::new, |d| when(&d.made)),
                nearest.join("\n"),
                Self::joined(&counts.policies, |p| found_by(row, p)),
                rests_on(row),
                self.out_of_force(row.rule.document).unwrap_or_default(),
                self.policies_out_of_force(&counts.policies),
            ]
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DocumentId;
    use lexforge_domain::api::{MatchCandidate, MatchLearned};

    #[test]
    fn a_table_says_of_each_rule_what_its_probability_rests_on() {
        let mut about = About::of_rules(&[
            ("unreviewed", MatchVerdict::NotCovered),
            ("accepted", MatchVerdict::NotCovered),
        ]);
        about.report.rows[1].learned = Some(MatchLearned {
            decisions: 34,
            of_all: 90,
            pooled: false,
            needed: 5,
        });
        let cells = about.cells();
        let place = COLUMNS
            .iter()
            .position(|name| *name == "probability rests on");
        let said = cells.iter().map(|row| {
            assert_eq!(row.len(), COLUMNS.len());
            place.map(|place| row[place].as_str())
        });
        assert_eq!(
            said.collect::<Vec<_>>(),
            [
                Some("fitted on public contracts, not learned from decisions"),
                Some("learned from 34 decisions about this rule in other policies"),
            ]
        );
    }

    #[test]
    fn a_table_says_of_each_rule_where_it_is_not_in_force() {
        let mut about = About::of_rules(&[("unreviewed", MatchVerdict::Covered)]);
        let rule = about.report.rows[0].rule.clone();
        about.report.rows[0].policies = [2, 3]
            .map(|document| MatchCandidate {
                statement: MatchText {
                    document: DocumentId(document),
                    ..rule.clone()
                },
                score: 1.0,
                votes: 1,
                covers: true,
                found_by: Vec::new(),
                edges: None,
                terms: Vec::new(),
            })
            .to_vec();
        let last = |about: &About| {
            let row = about.cells().remove(0);
            let from = row.len() - 2;
            (row[from].clone(), row[from + 1].clone())
        };
        assert_eq!(last(&about), (String::new(), String::new()));
        about.end(DocumentId(1), "2020-12-31");
        let ended = "was in force until 2020-12-31".to_owned();
        assert_eq!(last(&about), (ended.clone(), String::new()));
        // One line for each statement.
        about.end(DocumentId(3), "2020-12-31");
        assert_eq!(last(&about), (ended.clone(), format!("\n{ended}")));
    }
}
