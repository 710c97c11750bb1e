//! The gap report: a document of a word processor that people read, correct by hand and sign.

use super::about::{About, counting, severity_of};
use super::told::{decided, difference, differences, found_by, relation, severity};
use super::told_learned::rests_on;
use crate::answering::docx;
use lexforge_domain::api::{MatchRow, MatchVerdict};

/// Verdicts that are gaps, the worst first.
const GAPS: [MatchVerdict; 3] = [
    MatchVerdict::Contradicted,
    MatchVerdict::NotCovered,
    MatchVerdict::Partly,
];

impl About {
    /// The paragraphs of the gap report.
    pub(super) fn gaps(&self) -> String {
        let mut body = String::new();
        let mut put = |style: Option<&str>, text: &str| docx::paragraph(&mut body, style, text);
        put(Some("Title"), "Rules that the policies do not cover");
        for line in self.opening().iter().chain(&self.named()) {
            put(None, line);
        }
        put(None, &format!("Head of the audit chain: {}", self.head));
        for verdict in GAPS {
            let rows = self.of(verdict);
            if rows.is_empty() {
                continue;
            }
            let heading = format!("{} ({})", capital(verdict.words()), rows.len());
            put(Some("Heading1"), &heading);
            for row in rows {
                self.put_gap(row, &mut put);
            }
        }
        let covered = self.of(MatchVerdict::Covered);
        if !covered.is_empty() {
            let heading = format!(
                "{} ({})",
                capital(MatchVerdict::Covered.words()),
                covered.len()
            );
            put(Some("Heading1"), &heading);
            for row in covered {
                let by: Vec<String> = counting(row)
                    .policies
                    .iter()
                    .map(|policy| self.place(policy))
                    .collect();
                let rule = self.place(&row.rule);
                put(
                    None,
                    &match by.is_empty() {
                        true => format!("{rule}: no statement is named."),
                        false => format!("{rule}: covered by {}.", by.join("; ")),
                    },
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

    /// A rule that is not covered, with what there is to say of it.
    fn put_gap(&self, row: &MatchRow, put: &mut dyn FnMut(Option<&str>, &str)) {
        let counts = counting(row);
        put(Some("Heading2"), &self.place(&row.rule));
        put(Some("Quote"), &row.rule.text);
        let percent = 100.0 * row.probability;
        put(
            None,
            &format!(
                "Severity: {}. Probability that the policies cover it: {percent:.0} %.",
                severity(severity_of(row, counts.verdict))
            ),
        );
        let rests = rests_on(row);
        put(None, &format!("The probability is {rests}."));
        for policy in &counts.policies {
            put(None, &format!("{} says:", self.place(policy)));
            put(Some("Quote"), &policy.text);
            let by = found_by(row, policy);
            if !by.is_empty() {
                put(None, &format!("Found by: {by}."));
            }
        }
        if let Some(found) = counts.relation.filter(|_| !counts.policies.is_empty()) {
            put(None, relation(found));
        }
        for one in differences(row) {
            put(None, &difference(one));
        }
        if counts.verdict == MatchVerdict::NotCovered && !row.nearest.is_empty() {
            put(None, "The nearest statements, and why none covers it:");
            for near in &row.nearest {
                let place = self.place(&near.policy);
                put(None, &format!("{place}. {}", near.why_not.text));
                put(Some("Quote"), &near.policy.text);
            }
        }
        for line in decided(row) {
            put(None, &line);
        }
    }
}

/// A word with a capital.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
